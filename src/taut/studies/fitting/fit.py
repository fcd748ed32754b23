"""Numbers of a scenario fitted to measured time series.

    min over p of the sum over columns c and times t of ((y_c(t; p) - d_c(t)) / sigma_c)^2                          (1)
by Gauss and Newton's method with halved steps, on the least squares of ``taut.robots.least_squares``. Derivatives are
central differences of runs at a tight tolerance, sampled at the times of the data themselves, so that nothing is
interpolated, and events may lie anywhere. The deviations sigma_c of the columns are those of their own residuals, found
by repeating the fit. Intervals assume independent normal noise: p +- t(0.975, n - m) sqrt(C_pp).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.errors import ResultError
from taut.robots.least_squares import Spread, spread, step
from taut.scenario.errors import Problem, ScenarioError
from taut.studies.fitting.measured import Measured, model_columns
from taut.studies.study import Study, study

MOST_STEPS, MOST_HALVINGS, ROUNDS = 30, 8, 3
DIFFERENCE = 1e-3  # step of the finite differences, relative to the number
SETTLED = 1e-7  # a fit has converged when no number changes by more than this share
TOLD = 1e-5  # singular values below this share of the largest are lost in the errors of the finite differences
TIGHT = 1e-9  # largest tolerance of the runs of a fit: the differences need accurate runs
CLOSE = 0.99  # correlation beyond which two numbers are named as hard to tell apart


@dataclass(frozen=True)
class Fit:
    """Fitted numbers, and how well the measurements determine them."""

    parameters: tuple[str, ...]
    values: np.ndarray
    deviation: np.ndarray  # standard deviations of the numbers; NaN: the data do not determine them
    intervals: np.ndarray  # 95 % confidence intervals of the numbers [n, 2]
    covariance: np.ndarray
    correlation: np.ndarray
    hidden: tuple[str, ...]  # numbers that the data cannot distinguish, in words
    condition: float
    noise: np.ndarray  # standard deviation of the residuals of each column, in its unit
    prediction: np.ndarray  # columns as the fitted machine gives them [times, columns]
    band: np.ndarray  # half-width of the 95 % band of new measurements [times, columns]
    runs: int
    is_converged: bool
    audit: str  # verdict of the audit on the run of the fitted machine

    def as_dict(self) -> dict[str, Any]:
        """The record as plain data for JSON."""
        rows = {
            name: {
                "value": float(self.values[k]),
                "deviation": _plain(self.deviation[k]),
                "interval": [_plain(x) for x in self.intervals[k]],
            }
            for k, name in enumerate(self.parameters)
        }
        return {"parameters": rows, "correlation": self.correlation.tolist(), "hidden": list(self.hidden),
                "condition": self.condition, "noise": self.noise.tolist(), "runs": self.runs,
                "converged": self.is_converged, "audit": self.audit}  # fmt: skip


def _plain(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


class Problemed(Exception):  # noqa: N818
    """A run that did not come to the end of the data."""


class Machine:
    """The machine as a function from its fitted numbers to the columns of the data."""

    def __init__(self, made: Study, names: tuple[str, ...], data: Measured) -> None:
        """Begin without any run."""
        self.study, self.names, self.data, self.runs = made, names, data, 0

    def run(self, values: np.ndarray, *, audit: bool = False) -> tuple[np.ndarray, Any]:
        """Columns at the times of the data [times, columns], and the result."""
        self.runs += 1
        scenario = self.study.scenario({name: float(x) for name, x in zip(self.names, values, strict=True)})
        result = simulate(build(scenario), duration=float(self.data.time[-1]), save_times=self.data.time, audit=audit,
                          tolerance=min(scenario.run.tolerance, TIGHT))  # fmt: skip
        if result.status != "completed":
            raise Problemed(f"the run {result.status}: {result.status_text}")
        return model_columns(result.dataset, self.data), result

    def residuals(self, values: np.ndarray, sigma: np.ndarray) -> np.ndarray:
        """Differences of Eq. (1) without the square, for the numbers that were measured."""
        return ((self.run(values)[0] - self.data.values) / sigma)[self.data.is_there]

    def derivatives(self, values: np.ndarray, steps: np.ndarray) -> np.ndarray:
        """Derivatives of all columns at all times by each fitted number [times, columns, n]."""
        found = []
        for k, h in enumerate(steps):
            change = np.zeros(len(values))
            change[k] = h
            found.append((self.run(values + change)[0] - self.run(values - change)[0]) / (2.0 * h))
        return np.stack(found, axis=-1)


def fit(base: Any, parameters: Mapping[str, tuple[float, float] | None], data: Measured) -> Fit:
    """Fit numbers of a scenario to data.

    Args:
        base: a Scenario, a file, or a name of the library.
        parameters: keys of the scenario, each with limits or None.
        data: from ``read_measured``.

    Raises:
        ScenarioError: a key that is not there, or a column that results do not have.
        ResultError: the machine cannot be run at the numbers to begin with.
    """
    names = tuple(parameters)
    made = study(base, {name: {"value": start_of(base, name, parameters[name])} for name in names} | ANYTHING,
                 {"ok": "audit"})  # fmt: skip
    start = np.array([float(made.table.values(0)[name]) for name in names])
    limits = np.array([parameters[name] or (-np.inf, np.inf) for name in names])
    machine = Machine(made, names, data)
    sigma = usual_sigma(data)
    values, is_converged = start, False
    try:
        for _ in range(ROUNDS if data.values.shape[1] > 1 else 1):
            values, is_converged = solve(machine, values, sigma, limits)
            sigma = residual_sigma(machine, values)
        return finished(machine, values, sigma, is_converged=is_converged)
    except Problemed as error:
        raise ResultError("", f"the machine cannot be fitted: {error}", "begin nearer, or give limits") from None


# a study must vary something: the seed, which a fit does not use
ANYTHING = {"run.seed": [0, 1]}


def start_of(base: Any, name: str, limits: tuple[float, float] | None) -> float:
    """The number to begin with: the scenario's, else the middle of the limits."""
    from taut.studies.fitting.start_values import guess_at, number_at

    found = number_at(base, name)
    if found is None and limits is not None:
        found = 0.5 * (limits[0] + limits[1])
    if found is None:
        guess = guess_at(base, name)
        remedy = f"{guess}{' else ' if guess else ''}give limits: {name}=LOW:HIGH"
        raise ScenarioError([Problem("has no number in the scenario to begin with", name, remedy=remedy)])
    return found if limits is None else float(np.clip(found, *limits))


def usual_sigma(data: Measured) -> np.ndarray:
    """Scales of the columns before anything is known of their noise."""
    found = np.array([np.std(data.values[data.is_there[:, c], c]) for c in range(data.values.shape[1])])
    return np.where(found > 0.0, found, 1.0)


def residual_sigma(machine: Machine, values: np.ndarray) -> np.ndarray:
    """Deviations of the residuals of the columns."""
    data = machine.data
    r = np.where(data.is_there, machine.run(values)[0] - data.values, 0.0)
    # divide the degrees of freedom that the fitted numbers take among the columns, in proportion to their measurements
    share = 1.0 - len(values) / max(int(data.is_there.sum()), len(values) + 1)
    found = np.sqrt(np.sum(r * r, axis=0) / (np.sum(data.is_there, axis=0) * share))
    return np.maximum(found, 1e-12 * usual_sigma(data))


def solve(machine: Machine, values: np.ndarray, sigma: np.ndarray, limits: np.ndarray) -> tuple[np.ndarray, bool]:
    """Gauss and Newton's method; steps are halved until the sum of squares falls."""
    r = machine.residuals(values, sigma)
    for _ in range(MOST_STEPS):
        A = weighted(machine, values, sigma, limits)
        change = step(A, r, TOLD)
        for halving in range(MOST_HALVINGS):
            tried = np.clip(values + change * 0.5**halving, limits[:, 0], limits[:, 1])
            try:
                r_tried = machine.residuals(tried, sigma)
            except (Problemed, ScenarioError):
                continue
            if r_tried @ r_tried <= r @ r:
                break
        else:
            # no step lowers the sum of squares: a minimum within the accuracy of the runs, converged if the step is
            # small
            return values, bool(np.all(np.abs(change) <= 1e-3 * np.maximum(np.abs(values), 1e-300)))
        moved = np.abs(tried - values) / np.maximum(np.abs(values), 1e-300)
        values, r = tried, r_tried
        if np.all(moved <= SETTLED):
            return values, True
    return values, False


def weighted(machine: Machine, values: np.ndarray, sigma: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Derivatives of the residuals [numbers measured, n]."""
    J = machine.derivatives(values, difference_steps(values, limits))
    return (J / sigma[:, None])[machine.data.is_there]


def difference_steps(values: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Steps of the differences: of the number's size, or of its range where it is nearly zero."""
    width = np.array([high - low if np.isfinite([low, high]).all() else 1.0 for low, high in limits])
    return DIFFERENCE * np.maximum(np.abs(values), 1e-3 * width)


def finished(machine: Machine, values: np.ndarray, sigma: np.ndarray, *, is_converged: bool) -> Fit:
    """Spread, intervals, band, and the audit of the fitted run."""
    from scipy.stats import t

    data = machine.data
    steps = difference_steps(values, np.full((len(values), 2), np.inf))
    J = machine.derivatives(values, steps)
    model, result = machine.run(values, audit=True)
    r = ((model - data.values) / sigma)[data.is_there]
    own = spread((J / sigma[:, None])[data.is_there], r, TOLD)
    factor = float(t.ppf(0.975, max(len(r) - len(values), 1)))
    ends = np.stack([values - factor * own.deviation, values + factor * own.deviation], axis=1)
    of_model = np.einsum("tcn,nm,tcm->tc", J, own.covariance, J)
    band = factor * np.sqrt(np.maximum(of_model, 0.0) + sigma**2)
    size = np.sqrt(np.diag(own.covariance))
    correlation = own.covariance / np.outer(np.where(size > 0, size, 1.0), np.where(size > 0, size, 1.0))
    return Fit(machine.names, values, own.deviation, ends, own.covariance, correlation,
               hidden_words(own, machine.names, correlation), own.condition, sigma, model, band, machine.runs,
               is_converged, result.audit["verdict"])  # fmt: skip


def hidden_words(own: Spread, names: tuple[str, ...], correlation: np.ndarray) -> tuple[str, ...]:
    """Messages about parameters that the data determine poorly or not at all."""
    found = [f"the data cannot tell: {' and '.join(names[k] for k in together)}" for together in own.hidden]
    for i in range(len(names)):
        for j in range(i):
            if abs(correlation[i, j]) > CLOSE:
                found.append(f"{names[j]} and {names[i]} are hard to tell apart (correlation {correlation[i, j]:.4f})")
    return tuple(found)
