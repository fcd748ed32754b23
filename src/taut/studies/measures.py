"""Measures: one number, or one per cable, body or axis, from the result of a run.

Over time, mean, rms, std and integral are those of the straight lines between samples, so that unevenly spaced samples
count by the time they stand for; max, min, peak and range look at the samples only. Other dimensions that are not
selected are reduced too: the largest of max is that of all cables.
"""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from pydantic import model_validator

from taut.scenario.base import Number, Record, fault, note
from taut.scenario.errors import Problem, ScenarioError, suggest

OPERATIONS = ("max", "min", "peak", "range", "mean", "rms", "std", "final", "initial", "integral", "seconds", "period")
OTHERS = ("event", "events", "of", "robot")
ONE_SERIES = ("final", "initial", "integral", "period")  # operations that have no meaning over several cables at once
# keys of a measure that select an entry, with the dimensions of results that they select along
SELECTORS = {
    "cable": ("cable",),
    "body": ("body",),
    "axis": ("xyz", "wxyz"),
    "joint": ("coordinate", "column"),
    "element": ("element",),
    "node": ("node",),
    "guide": ("guide",),
    "span": ("span",),
}
VERDICTS = {"": 0, "pass": 1, "fail": 2, "incomplete": 3}


class Measure(Record):
    """A number or array that is kept of every run."""

    max: str | None = note("variable of the result: its largest value", None)
    min: str | None = note("variable: its smallest value", None)
    peak: str | None = note("variable: its largest magnitude", None)
    range: str | None = note("variable: largest less smallest value", None)
    mean: str | None = note("variable: mean over time", None)
    rms: str | None = note("variable: root mean square over time", None)
    std: str | None = note("variable: standard deviation over time", None)
    final: str | None = note("variable: its last value", None)
    initial: str | None = note("variable: its first value", None)
    integral: str | None = note("variable: its integral over time", None)
    seconds: str | None = note("variable: how long it is true, above or below a limit", None)
    period: str | None = note("variable: mean time between upward passings of its mean", None)
    event: str | None = note("name of an event: time at which it first happens [s]", None)
    events: str | None = note("name of an event: how often it happens", None)
    of: Literal["audit", "status"] | None = note("audit: 1 if it passes; status: 1 if the run completed", None)
    robot: Literal["smallest_stiffness", "workspace_volume", "smallest_tension", "largest_tension"] | None = note(
        "analysis of the cable robot at its start, without a run", None
    )
    demand: dict[str, Any] | None = note(
        "for workspace_volume: kind, region, wrench, orientations, robot, ... as of `taut.workspace`", None
    )
    cable: str | None = note("of this cable", None)
    body: str | None = note("of this body", None)
    axis: str | None = note("x, y or z; w too of quaternions", None)
    joint: str | None = note("of this joint", None)
    element: int | None = note("of this element", None)
    node: int | None = note("of this node", None)
    guide: str | None = note("of this guide", None)
    span: str | None = note("of this span", None)
    after: Number | None = note("from this time on [s]", None)
    before: Number | None = note("up to this time [s]", None)
    above: Number | None = note("for seconds: limit that is exceeded", None)
    below: Number | None = note("for seconds: limit that is fallen short of", None)
    by: Literal["cable", "body", "axis"] | None = note("one number for each of these", None)

    @model_validator(mode="after")
    def _check(self) -> "Measure":
        given = [key for key in (*OPERATIONS, *OTHERS) if getattr(self, key) is not None]
        if len(given) != 1:
            raise fault(f"must have one of {', '.join((*OPERATIONS, *OTHERS))}" + (f", not {given}" if given else ""))
        if self.after is not None and self.before is not None and self.before <= self.after:
            raise fault(f"must be greater than after = {self.after:g}", at="before")
        if given[0] != "seconds" and (self.above is not None or self.below is not None):
            raise fault("goes with seconds only", at="above" if self.above is not None else "below")
        if self.demand is not None and self.robot != "workspace_volume":
            raise fault("goes with robot: workspace_volume only", at="demand")
        return self

    @property
    def operation(self) -> str:
        """Name of the operation that makes a number of a channel."""
        return next(key for key in (*OPERATIONS, *OTHERS) if getattr(self, key) is not None)

    @property
    def needs_run(self) -> bool:
        """Whether the machine must be run for it."""
        return self.robot is None


def measure_shape(measure: Measure, dataset: Any) -> tuple[str, list[str]] | None:
    """Dimension and labels of a measure that is one number per cable, body or axis; None for a single number."""
    if measure.by is None:
        return None
    variable = dataset.variables[getattr(measure, measure.operation)]
    dim = next(dim for dim in SELECTORS[measure.by] if dim in variable.dims)
    return dim, [str(label) for label in labels_of(dataset, dim, variable)]


def evaluate(measure: Measure, result: Any) -> np.ndarray:
    """The measure of a result: a number, shape [], or one for each of ``by``, shape [n]."""
    if measure.of is not None:
        is_good = result.audit.get("verdict") == "pass" if measure.of == "audit" else result.status == "completed"
        return np.array(float(is_good))
    if measure.event is not None or measure.events is not None:
        times = [event["time"] for event in result.events if event["name"] == (measure.event or measure.events)]
        return np.array((times[0] if times else np.nan) if measure.event is not None else float(len(times)))
    time, values = series(measure, result.dataset)
    return OVER[measure.operation](measure, time, values)


def series(measure: Measure, dataset: Any) -> tuple[np.ndarray, np.ndarray]:
    """Times [n] and values [n, others, by]: selected, cut, and with one entry each where nothing is left."""
    variable = dataset.variables[getattr(measure, measure.operation)]
    values, dims, keep = np.asarray(variable.values), list(variable.dims), None
    for key, own in SELECTORS.items():
        dim = next((dim for dim in own if dim in dims), None)
        if getattr(measure, key) is not None and dim is not None:
            index = labels_of(dataset, dim, variable).index(str(getattr(measure, key)))
            values = np.take(values, index, axis=dims.index(dim))
            dims.remove(dim)
        elif key == measure.by:
            keep = dim
    order = [dim for dim in dims if dim not in ("time", keep)]
    values = np.moveaxis(values, [dims.index(dim) for dim in ("time", *order, *([keep] if keep else []))],
                         range(values.ndim)) if values.ndim > 1 else values  # fmt: skip
    time = dataset.variables["time"].values
    width = values.shape[-1] if keep else 1
    values = values.reshape(len(time), -1, width).astype(float)
    is_in = np.ones(len(time), bool)
    # tolerance for comparisons with sample times, which are rounded [s]
    slack = 1e-9 * max(abs(time[-1]), 1.0)
    if measure.after is not None:
        is_in &= time >= measure.after - slack
    if measure.before is not None:
        is_in &= time <= measure.before + slack
    return time[is_in], values[is_in]


def labels_of(dataset: Any, dim: str, variable: Any) -> list[str]:
    """Names along a dimension; elements and nodes count from where the result counts."""
    if dim in dataset.variables:
        return [str(label) for label in dataset.variables[dim].values]
    return [str(k) for k in range(variable.shape[variable.dims.index(dim)])]


def _mean(time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Over time by the trapezoidal rule, then over the other entries that are no padding."""
    if len(time) == 1:
        return np.nanmean(values[0], axis=0)
    return np.nanmean(np.trapezoid(values, time, axis=0), axis=0) / (time[-1] - time[0])


def _seconds(measure: Measure, time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """How long the condition holds at any entry: margins are straight lines between samples, yes and no half each."""
    margin = np.where(values > 0.5, 1.0, -1.0)
    if measure.above is not None or measure.below is not None:
        low = values - measure.above if measure.above is not None else np.full(values.shape, np.inf)
        margin = np.minimum(low, measure.below - values) if measure.below is not None else low
    most = np.nanmax(margin, axis=1)
    first, last = most[:-1], most[1:]
    # share of each interval in which the straight line between its two samples is positive
    share = np.clip(np.maximum(first, last) / np.where(first == last, 1.0, np.abs(last - first)), 0.0, 1.0)
    share = np.where((first > 0.0) & (last > 0.0), 1.0, share)
    share = np.where((first <= 0.0) & (last <= 0.0), 0.0, share)
    return np.diff(time) @ share


def _period(time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Mean time between the first and the last upward passing of the mean; NaN with fewer than two."""
    found = []
    for column in values.reshape(len(time), -1).T:
        x = column - 0.5 * (column.max() + column.min())
        k = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))
        passings = [_passing(time, x, int(i)) for i in k]
        found.append((passings[-1] - passings[0]) / (len(passings) - 1) if len(passings) > 1 else np.nan)
    return np.array(found)


def _passing(time: np.ndarray, x: np.ndarray, k: int) -> float:
    """Where x passes zero between samples k and k + 1: by the inverse cubic through four samples."""
    first = min(max(k - 1, 0), max(len(x) - 4, 0))
    near, at = x[first : first + 4], time[first : first + 4]
    if len(near) < 4 or np.any(np.diff(near) <= 0.0):
        return float(time[k] - x[k] * (time[k + 1] - time[k]) / (x[k + 1] - x[k]))
    # inverse interpolation: Lagrange's polynomial t(x) at x = 0
    others = [np.delete(near, i) for i in range(4)]
    return float(sum(at[i] * np.prod(-others[i] / (near[i] - others[i])) for i in range(4)))


def _squeezed(value: np.ndarray, measure: Measure) -> np.ndarray:
    return np.asarray(value if measure.by else value[0], float)


OVER: Mapping[str, Any] = {
    "max": lambda m, t, x: _squeezed(np.nanmax(x, axis=(0, 1)), m),
    "min": lambda m, t, x: _squeezed(np.nanmin(x, axis=(0, 1)), m),
    "peak": lambda m, t, x: _squeezed(np.nanmax(np.abs(x), axis=(0, 1)), m),
    "range": lambda m, t, x: _squeezed(np.nanmax(x, axis=(0, 1)) - np.nanmin(x, axis=(0, 1)), m),
    "mean": lambda m, t, x: _squeezed(_mean(t, x), m),
    "rms": lambda m, t, x: _squeezed(np.sqrt(_mean(t, x * x)), m),
    "std": lambda m, t, x: _squeezed(np.sqrt(np.maximum(_mean(t, (x - _mean(t, x)) ** 2), 0.0)), m),
    "final": lambda m, t, x: _squeezed(x[-1, 0], m),
    "initial": lambda m, t, x: _squeezed(x[0, 0], m),
    "integral": lambda m, t, x: _squeezed(np.trapezoid(x[:, 0], t, axis=0), m),
    "seconds": lambda m, t, x: _squeezed(_seconds(m, t, x), m),
    "period": lambda m, t, x: _squeezed(_period(t, x), m),
}

ANGLES = ("euler", "angle", "orientation", "rotation", "tilt")  # names under which orientations are looked for


def measure_problems(name: str, measure: Measure, dataset: Any, duration: float) -> list[Problem]:
    """Problems of a measure, judged by a result of the machine."""
    if measure.operation in OTHERS:
        return []
    variable, at = getattr(measure, measure.operation), f"measure.{name}"
    if variable not in dataset.variables:
        known = [str(key) for key in dataset.data_vars]
        remedy = suggest(variable, known)
        if any(word in variable for word in ANGLES):
            turns = [key for key in known if key.endswith("quaternion")]
            remedy = (
                f"orientations are {', '.join(turns)}; small angles [rad] are twice its x, y and z" if turns else remedy
            )
        return [Problem("is not a variable of the result", f"{at}.{measure.operation}", variable, remedy)]
    dims = dataset.variables[variable].dims
    if "time" not in dims:
        return [Problem("does not change in time", f"{at}.{measure.operation}", variable)]
    problems = [found for key in SELECTORS for found in _selector_problems(at, key, measure, dataset, variable)]
    left = [dim for dim in dims if dim != "time" and not _is_named(dim, measure)]
    if measure.operation in ONE_SERIES and left and not problems:
        keys = ", ".join(key for key, own in SELECTORS.items() if set(own) & set(left))
        problems.append(Problem(f"needs one series: name {keys or ', '.join(left)}", at, remedy=f"or by: {keys}"))
    if measure.after is not None and measure.after > duration:
        problems.append(Problem(f"is after the end of the run at {duration:g} s", f"{at}.after", measure.after))
    return problems


def _is_named(dim: Any, measure: Measure) -> bool:
    return any(dim in own and (getattr(measure, key) is not None or measure.by == key)
               for key, own in SELECTORS.items())  # fmt: skip


def _selector_problems(at: str, key: str, measure: Measure, dataset: Any, variable: str) -> list[Problem]:
    label, dims = getattr(measure, key), dataset.variables[variable].dims
    if label is None and measure.by != key:
        return []
    dim = next((dim for dim in SELECTORS[key] if dim in dims), None)
    if dim is None:
        where = f"{at}.by" if measure.by == key else f"{at}.{key}"
        return [Problem(f"{variable} has no {key}: it is over {', '.join(map(str, dims))}", where)]
    known = labels_of(dataset, dim, dataset.variables[variable])
    if label is not None and str(label) not in known:
        return [Problem(f"is not a {key} here", f"{at}.{key}", label, suggest(str(label), known[:50]))]
    return []


def check_measures(measures: Mapping[str, Measure], dataset: Any, duration: float, where: Any) -> None:
    """Refuse measures that the result of the machine does not have; ``where`` adds file and line to a problem."""
    problems = [found for name, measure in measures.items()
                for found in measure_problems(name, measure, dataset, duration)]  # fmt: skip
    if problems:
        raise ScenarioError([where(problem) for problem in problems])
