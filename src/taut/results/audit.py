"""The audit of a run: does the machine hold together, does its energy balance, and what did it cost.

Each line has a verdict: `pass` or `fail` against a limit that is listed, `warn` for what a reader should know, `note`
for plain facts. One `fail` fails the audit; that of an interrupted run is `incomplete` if nothing else is wrong. Only
finite numbers appear; None stands for what is not finite.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from taut.results.audit_cables import slack_line, tension_line
from taut.results.channels import COORDINATES
from taut.results.limits import SWINGS
from taut.results.record import COMPLETED, INTERRUPTED, STOPPED, RunRecord
from taut.results.variables import Variable, Variables

if TYPE_CHECKING:
    import xarray as xr

PASS, WARN, FAIL, INCOMPLETE = "pass", "warn", "fail", "incomplete"
BREAKS = " breaks"  # end of the words by which the log of events tells of a cable that broke

POSITION_LIMIT = 1e-9  # largest closure error of positions [m], times the size of machines larger than 1 m
VELOCITY_LIMIT = 1e-8  # largest closure error of velocities [m/s], times the size of machines larger than 1 m
ENERGY_LIMIT = 10.0  # largest energy error, in multiples of the tolerance
LOOSEST = 1e-4  # tolerance up to which the energy limits grow with the tolerance; they stay constant above
# overlap of one-sided contacts and cables that is reported [m], times the size of machines larger than 1 m
OVERLAP_LIMIT = 1e-3
OVERLAP_FAILS = 10.0  # overlap that fails the audit, in multiples of OVERLAP_LIMIT
NEWTON_LIMIT = 0.1  # most Newton failures per accepted step
CHATTER_LIMIT = 0.25  # most impacts per accepted step
COLLAPSED = 1e-7  # steps shorter than this have collapsed, relative to the machine's time scale
MANY_TINY = 20  # number of collapsed steps in a row that is reported
NEAR_EVENT = 1e-4  # short steps this close after an event are normal, relative to the machine's time scale
GRAVITY = 9.81  # standard gravity, for time scales [m/s^2]
GAINS_LIMIT = 0.01  # most steps that were accepted although they gained energy, per accepted step
ROUNDING = 1e3 * np.finfo(float).eps  # rounding of the energy balance, relative to the largest energy

# remedy against an energy error, by method
REMEDIES = {"generalized-alpha": "; set a (smaller) --step, or use radau"}

ENERGIES = ("energy_kinetic", "energy_gravity", "energy_elastic")
WORKS = ("work_input", "work_dissipated")


def compute_audit(
    result: "xr.Dataset | Variables", record: RunRecord, more: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Audit a run.

    Args:
        result: Channels as ``assemble`` or ``variables_of`` make them; a line without its channels is left out.
        record: Status, tolerance, asked duration and counts of the run; its thresholds replace the usual ones.
        more: Lines that need to know the machine, by name (``taut.audit``).

    Returns:
        Plain data for JSON: ``verdict``, ``reasons`` (of a failure), ``warnings``, ``thresholds``, and each line.
    """
    dataset: Variables = {str(name): variable for name, variable in variables_in(result).items()}
    limits = compute_thresholds(dataset, record)
    lines = {
        "run": run_line(dataset, record),
        "finite": finite_line(dataset),
        "constraint_error": constraint_line(dataset, "constraint_error", "closure_error", limits),
        "constraint_error_velocity": constraint_line(
            dataset, "constraint_error_velocity", "closure_error_velocity", limits
        ),
        "overlap": overlap_line(dataset, limits["overlap"]),
        "energy": energy_line(dataset, limits, record),
        "steps": step_line(dataset, record, limits["newton_failures"]),
        "tension": tension_line(dataset),
        "slack": slack_line(dataset),
        **(more or {}),
    }
    lines = {name: line for name, line in lines.items() if line is not None}
    verdicts = {line["verdict"] for line in lines.values()}
    reasons = [line["reason"] for line in lines.values() if line["verdict"] in (FAIL, INCOMPLETE)]
    warnings = [*remarks_of(record), *(line["reason"] for line in lines.values() if line["verdict"] == WARN)]
    verdict = next((word for word in (FAIL, INCOMPLETE) if word in verdicts), PASS)
    return {"verdict": verdict, "reasons": reasons, "warnings": warnings, "thresholds": limits, **lines}


def remarks_of(record: RunRecord) -> list[str]:
    """The run's warnings; a cable that broke is told with its time, not with the load that samples show before it."""
    times = {event["what"].removesuffix(BREAKS): event["time"] for event in record.events
             if str(event.get("what", "")).endswith(BREAKS)}  # fmt: skip
    carried = tuple(f"{name} carries up to " for name in times)
    kept = [text for text in record.warnings if not (carried and text.startswith(carried))]
    return [*(f"{name} broke at t = {time:.4g} s" for name, time in times.items()), *kept]


def variables_in(result: "xr.Dataset | Variables") -> Any:
    """Variables by name: arrays of a dataset, which are slow to make, are not needed."""
    return result if isinstance(result, dict) else result.variables


def compute_thresholds(dataset: Variables, record: RunRecord) -> dict[str, float]:
    """Limits of this run, by name; lengths grow with the machine."""
    size = record.size or machine_size(dataset)
    usual = {
        "machine_size": size,
        "constraint_error": POSITION_LIMIT * max(1.0, size),
        "constraint_error_velocity": VELOCITY_LIMIT * max(1.0, size),
        "overlap": OVERLAP_LIMIT * max(1.0, size),
        **energy_limits(record.tolerance, record.weight, size),
        "newton_failures": NEWTON_LIMIT,
    }
    return usual | record.thresholds


def energy_limits(tolerance: float, weight: float, size: float) -> dict[str, float]:
    """Limits of the energy balance: a share of the energy exchanged, and an absolute floor [J]."""
    exactness = min(tolerance, LOOSEST)
    return {"energy_balance": ENERGY_LIMIT * exactness, "energy_floor": exactness * weight * (size or 1.0)}


def machine_size(result: "xr.Dataset | Variables") -> float:
    """Largest extent along x, y or z of bodies and cables at the start [m]."""
    dataset = variables_in(result)
    points = [dataset[name].values[:1].reshape(-1, 3) for name in ("body_position", "cable_nodes") if name in dataset]
    cloud = np.concatenate(points) if points else np.zeros((0, 3))
    cloud = cloud[np.all(np.isfinite(cloud), axis=1)]
    return float(np.max(np.ptp(cloud, axis=0))) if len(cloud) else 0.0


def run_line(dataset: Variables, record: RunRecord) -> dict[str, Any]:
    """Whether the run came to its end."""
    time = dataset["time"].values
    end = _number(time[-1]) if len(time) else None
    line = {"status": record.status, "end": end, "duration": record.duration, "method": record.method}
    if record.status in (COMPLETED, STOPPED):
        return {"verdict": PASS, **line}
    reached = f" at t = {end:.6g} s" if end is not None else ""
    # an interrupted run can be resumed, hence INCOMPLETE and not FAIL
    verdict = INCOMPLETE if record.status == INTERRUPTED else FAIL
    return {"verdict": verdict, "reason": f"the run did not complete: {record.status}{reached}", **line}


def finite_line(dataset: Variables) -> dict[str, Any]:
    """Whether all numbers are finite."""
    counts = dataset["cable_element_count"].values if "cable_element_count" in dataset else None
    wrong = [name for name in dataset if name not in COORDINATES and not _is_finite(name, dataset[name], counts)]
    if not wrong:
        return {"verdict": PASS, "variables": []}
    shown = ", ".join(map(str, wrong[:3])) + (", ..." if len(wrong) > 3 else "")
    return {"verdict": FAIL, "reason": f"values that are not finite in {shown}", "variables": wrong}


def constraint_line(
    dataset: Variables, name: str, closure_name: str, limits: dict[str, float]
) -> dict[str, Any] | None:
    """Largest constraint error, when, and in which closure."""
    if name not in dataset or not dataset[name].size:
        return None
    error, limit = dataset[name], limits[name]
    k, largest = _largest(error.values)
    line = {"max": largest, "time": float(dataset["time"].values[k]), "unit": error.attrs["units"], "limit": limit}
    if closure_name in dataset:
        j, _ = _largest(dataset[closure_name].values[k])
        line["closure"] = str(dataset["closure"].values[j])
    elif not error.values.any():
        line["loops"] = False  # a machine without closures has no loops to check
    if largest is not None and largest <= limit:
        usual = (POSITION_LIMIT if name == "constraint_error" else VELOCITY_LIMIT) * max(1.0, limits["machine_size"])
        if largest <= usual:
            return {"verdict": PASS, **line}
        # a method at velocity level lets positions drift: that is allowed, but reported
        return {
            "verdict": WARN,
            "reason": f"loops are open by {_show(largest)} {line['unit']}: positions drift",
            **line,
        }
    where = f" in {line['closure']}" if "closure" in line else ""
    reason = f"{name} is {_show(largest)} {line['unit']} at t = {line['time']:.6g} s{where}, more than {limit:.3g}"
    return {"verdict": FAIL, "reason": reason, **line}


def overlap_line(dataset: Variables, limit: float) -> dict[str, Any] | None:
    """How far bodies were inside the ground, or cables overstretched, as methods that pass impacts may leave it."""
    if "contact_overlap" not in dataset or not dataset["contact_overlap"].size:
        return None
    k, largest = _largest(dataset["contact_overlap"].values)
    line = {"max": largest, "time": float(dataset["time"].values[k]), "limit": limit}
    if largest is not None and largest <= limit:
        return {"verdict": PASS, **line}
    reason = f"contacts or cables overlap by {_show(largest)} m at t = {line['time']:.6g} s; a smaller --step helps"
    is_small = largest is not None and largest <= OVERLAP_FAILS * limit
    return {"verdict": WARN if is_small else FAIL, "reason": reason, **line}


def energy_line(dataset: Variables, limits: dict[str, float], record: RunRecord) -> dict[str, Any] | None:
    """Error of the energy balance, relative to the energy exchanged: the largest swing of any energy or work.

    In a long run energy is exchanged many times and errors add up: a tenth of the total exchange counts if that is
    more. A heavy machine that hardly moves exchanges little; its weight times the tolerance is always allowed, since
    positions are only that accurate.
    """
    limit = limits["energy_balance"]
    if "energy_balance" not in dataset or not dataset["energy_balance"].size:
        return None
    balance = dataset["energy_balance"]
    k, error = _largest(np.abs(balance.values))
    swings = [np.ptp(dataset[name].values) for name in (*ENERGIES, *WORKS) if name in dataset]
    if "energy_kinetic" in dataset:
        # the kinetic energy at the start counts as exchanged energy
        swings.append(np.max(dataset["energy_kinetic"].values))
    exchanged = float(max(swings, default=0.0))
    passed = [np.sum(np.abs(np.diff(dataset[name].values))) for name in (*ENERGIES, *WORKS) if name in dataset]
    counted = max(exchanged, float(max(passed, default=0.0)) / SWINGS)
    levels = [np.max(np.abs(dataset[name].values)) for name in ENERGIES if name in dataset]
    rounding = float(ROUNDING * max(levels, default=0.0))
    line = {
        "input": _change(dataset, ("work_input",)),
        "dissipated": _change(dataset, ("work_dissipated",)),
        "stored": _change(dataset, ENERGIES),
        "exchanged": _number(exchanged),
        "error": error,
        "time": float(dataset["time"].values[k]),
        "relative": _number(error / exchanged) if error is not None and exchanged > 0.0 else None,
        "limit": limit,
    }
    # a machine at rest exchanges no energy: then only rounding and the floor are allowed
    allowed = max(limit * counted + limits["energy_floor"], rounding)
    if "impact_loss" in record.statistics:
        line["impacts"] = _plain(record.statistics["impact_loss"])
    if "energy_rise" in limits:
        return line | rise_verdict(dataset, limits, exchanged, allowed)
    line["allowed"] = _number(allowed)
    if error is not None and error <= allowed:
        return {"verdict": PASS, **line}
    share = f"{_show(line['relative'])} of the energy exchanged" if exchanged > 0.0 else f"{_show(error)} J"
    most = f"{allowed / exchanged:.3g}" if exchanged > 0.0 else f"{allowed:.3g} J"
    reason = f"the energy balance is off by {share} at t = {line['time']:.6g} s, more than {most}"
    return {"verdict": FAIL, "reason": reason + REMEDIES.get(record.method, ""), **line}


def rise_verdict(dataset: Variables, limits: dict[str, float], exchanged: float, allowed: float) -> dict[str, Any]:
    """Verdict on a run with fixed steps: stored energy less input must not rise, and the balance holds roughly.

    The first does not depend on the computed losses. The whole balance, which includes losses in dampers and impacts,
    falls by the method's own damping, and has the errors of quadrature of the works.
    """
    held = sum(dataset[name].values for name in ENERGIES) - dataset["work_input"].values
    balance = dataset["energy_balance"].values
    found = {"rise": _rise(held), "gain": _rise(balance), "loss": _rise(-balance)}
    words = {
        "rise": "what is stored rises by {} out of nothing",
        "gain": "the energy balance rises by {}",
        "loss": "the energy balance falls by {} beside what dampers and impacts take",
    }
    line: dict[str, Any] = {name: _number(value) for name, value in found.items()}
    line |= {f"allowed_{name}": _number(max(limits[f"energy_{name}"] * exchanged, allowed)) for name in found}
    line["allowed"] = line["allowed_rise"]
    for name, value in found.items():
        if not value <= line[f"allowed_{name}"]:
            share = f"{value / exchanged:.3g} of the energy exchanged" if exchanged > 0.0 else f"{value:.3g} J"
            return {"verdict": FAIL, "reason": f"{words[name].format(share)}; set a smaller --step", **line}
    return {"verdict": PASS, **line}


def _rise(values: np.ndarray) -> float:
    """Largest rise above any earlier value; what is not finite rises without bound."""
    return float(np.max(values - np.minimum.accumulate(values))) if np.all(np.isfinite(values)) else np.inf


def step_line(dataset: Variables, record: RunRecord, limit: float) -> dict[str, Any]:
    """Counts of steps and Newton iterations, and the range of step sizes."""
    line = {name: _plain(value) for name, value in record.statistics.items()}
    if "step_size" in dataset:
        sizes = dataset["step_size"].values
        line.setdefault("accepted", len(sizes))
        values = np.min(sizes), np.median(sizes), np.max(sizes)
        line |= dict(zip(("size_min", "size_median", "size_max"), map(_number, values), strict=True))
    accepted, failures = line.get("accepted", 0), line.get("newton_failures", 0)
    longest, size = line.get("step_seconds_max", 0.0), line.get("size_max")
    if size is not None and longest > size:
        reason = f"the longest step took {_show(longest)} s of wall time, more than its {_show(size)} s: not real time"
        return {"verdict": WARN, "reason": reason, **line}
    if line.get("impacts", 0) > CHATTER_LIMIT * accepted:
        reason = f"{line['impacts']} impacts in {accepted} steps: what strikes chatters; set a smaller --step"
        remedy = ", or reactions: impulses" if record.method == "nonsmooth-alpha" else ""
        return {"verdict": FAIL, "reason": reason + remedy, **line}
    lost = collapse(dataset, record)
    if lost is not None:
        shortest = _show(line.get("size_min"))
        reason = (f"steps collapse to {shortest} s at t = {lost:.6g} s: rounding, not the machine, says how it goes on"
                  ", as in a singular position; see where it is, and keep away from it")  # fmt: skip
        return {"verdict": FAIL, "reason": reason, **line}
    if line.get("gains_let_pass", 0) > GAINS_LIMIT * accepted:
        reason = f"{line['gains_let_pass']} of {accepted} steps gained energy at the smallest part of the step"
        return {"verdict": FAIL, "reason": f"{reason}; set a smaller --step", **line}
    if failures <= limit * accepted:
        return {"verdict": PASS, **line}
    reason = (f"Newton's method failed {failures} times in {accepted} steps: it took shorter steps there; "
              "whether the result is right, the other lines say")  # fmt: skip
    return {"verdict": WARN, "reason": reason, **line}


def collapse(dataset: Variables, record: RunRecord) -> float | None:
    """Time at which many steps in a row are so short that only rounding can have made them so; not at events."""
    if "step_size" not in dataset or "step_time" not in dataset or not record.size:
        return None
    size, end = dataset["step_size"].values, dataset["step_time"].values
    is_tiny = size < COLLAPSED * np.sqrt(record.size / GRAVITY)
    if np.count_nonzero(is_tiny) < MANY_TINY:
        return None
    for event in record.events:
        is_tiny &= np.abs(end - event["time"]) > NEAR_EVENT * np.sqrt(record.size / GRAVITY)
    is_run = np.convolve(is_tiny, np.ones(MANY_TINY), "valid") >= MANY_TINY
    return float(end[np.argmax(is_run)]) if is_run.any() else None


def _is_finite(name: str, variable: Variable, counts: np.ndarray | None) -> bool:
    """Whether the values are finite, padding of shorter cables aside: beyond their elements, NaN at all times."""
    if variable.dtype.kind != "f":
        return True
    bad = ~np.isfinite(variable.values)
    if not bad.any():
        return True
    along = next((dim for dim in ("node", "element") if dim in variable.dims), None)
    if along is not None and variable.dims[0] == "time":
        is_padding = np.all(np.isnan(variable.values), axis=0)
        if counts is not None and variable.dims[1] == "cable" and name != "cable_torque":
            last = counts[:, None] + (along == "node")
            is_beyond = np.arange(variable.sizes[along]) >= last
            is_padding &= is_beyond.reshape(*is_beyond.shape, *[1] * (is_padding.ndim - 2))
        bad &= ~is_padding
    return not bad.any()


def _largest(values: np.ndarray) -> tuple[int, float | None]:
    """Index and value of the largest entry; what is not finite is larger than all else."""
    index = int(np.argmax(np.where(np.isfinite(values), values, np.inf)))
    return index, _number(values[index])


def _change(dataset: Variables, names: tuple[str, ...]) -> float | None:
    """Change of a sum of channels from the first to the last sample."""
    found = [dataset[name].values for name in names if name in dataset]
    return _number(sum(values[-1] - values[0] for values in found)) if found else None


def _plain(value: Any) -> Any:
    """A count, a number or a text for JSON."""
    value = value.item() if isinstance(value, np.generic) else value
    return _number(value) if isinstance(value, float) else value


def _number(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _show(value: float | None) -> str:
    return "not finite" if value is None else f"{value:.3g}"
