"""Work against precision of the 4-4 pick-and-place: ours, Exudyn's and MuJoCo's, in one run on one core.

The model is the transverse one with cables of 0.05 kg; seconds are integration and sampling every 0.01 s, without
compilation and without files; the error is the largest distance of the platform from a converged reference. The same
loop is timed on two other machines, to show that nothing here is made for one robot.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from taut import library
from taut.bench.timing import one_core
from taut.build import build
from taut.integrate.run.bare import integrate
from taut.model import Model

SCENARIO = "mamidi-pick-and-place"
TOLERANCES = (1e-3, 1e-4, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8)
REFERENCE_TOLERANCE = 1e-11
ELEMENTS = (20, 40, 80, 160)
OTHERS = ("tempel-planar", "stewart-free-fall")
REPEATS = 7
LEVELS = {"1e-4": 1e-4, "5e-6": 5e-6}


def robot(elements: int = 5) -> Model:
    """The robot with a number of elements per cable, in the air: the other engines get no ground either."""
    return build(library.load(SCENARIO, [f"defaults.cable.elements={elements}", "ground=null"]))


def platform_positions(model: Model, run: Any) -> np.ndarray:
    """Positions of the platform at the samples [m], shape [T, 3]."""
    first = int(model.tables.nodes[model.names.bodies["platform"]].coordinate)
    return run.samples.q[:, first : first + 3]


def best_run(model: Model, tolerance: float, repeats: int = REPEATS) -> Any:
    """The quickest of several equal runs."""
    return min((integrate(model, tolerance=tolerance) for _ in range(repeats)), key=lambda run: run.seconds)


def our_rows(model: Model, reference: np.ndarray) -> list[dict[str, Any]]:
    """Tolerance, steps, seconds and error of our runs."""
    rows = []
    for tolerance in TOLERANCES:
        run = best_run(model, tolerance)
        error = float(np.linalg.norm(platform_positions(model, run) - reference, axis=1).max())
        rows.append(
            {"tolerance": tolerance, "steps": run.statistics["accepted"], "seconds": run.seconds, "error": error}
        )
    return rows


def growth(report: Callable[[str], None]) -> dict[str, Any]:
    """Seconds against elements per cable, and the exponent of their growth."""
    seconds = {}
    for elements in ELEMENTS:
        report(f"{elements} elements per cable")
        seconds[str(elements)] = best_run(robot(elements), 1e-6, 3).seconds
    slope = np.polyfit(np.log(ELEMENTS), np.log([seconds[str(n)] for n in ELEMENTS]), 1)[0]
    return {"seconds_by_elements": seconds, "exponent_elements": float(slope)}


def other_machines(report: Callable[[str], None]) -> dict[str, Any]:
    """Microseconds per step and coordinate of our runs on other machines."""
    figures = {}
    for name in (SCENARIO, *OTHERS):
        report(name)
        model = robot() if name == SCENARIO else build(library.load(name))
        run = best_run(model, 1e-6, 3)
        steps = run.statistics["accepted"]
        share = 1e6 * run.seconds / (steps * model.column_count)
        figures[name] = {"seconds": run.seconds, "steps": steps, "coordinates": model.column_count,
                         "us_per_step_and_coordinate": share}  # fmt: skip
    return figures


def run(report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure; ``report`` is called with messages about the progress."""
    report("compiling (once)")
    model = robot()
    integrate(model, tolerance=1e-4)
    report("reference")
    reference = integrate(model, tolerance=REFERENCE_TOLERANCE)
    positions = platform_positions(model, reference)
    figures: dict[str, Any] = {}
    with one_core():
        report("ours")
        figures["ours"] = our_rows(model, positions)
        figures |= peer_rows(model, reference.samples.times, positions, report)
        figures |= growth(report)
        figures["others"] = other_machines(report)
    figures["seconds_at_1e-5"] = seconds_for(figures["ours"], 1e-5)
    figures["speedup_vs_exudyn"] = {
        level: ratio(seconds_for(figures["exudyn"], error), seconds_for(figures["ours"], error))
        for level, error in LEVELS.items()
    }
    return figures


def peer_rows(model: Model, times: np.ndarray, positions: np.ndarray, report: Callable[[str], None]) -> dict[str, Any]:
    """The other engines' rows; empty where they are not installed (extra ``bench``)."""
    try:
        from taut.bench import exudyn_robot, mujoco_robot
        from taut.bench.peers import Reference
    except ImportError:
        return {"exudyn": [], "mujoco": []}
    reference = Reference(np.concatenate([[0.0], times]), np.concatenate([start_position(model), positions]))
    report("Exudyn")
    exudyn = exudyn_robot.rows(model, reference)
    report("MuJoCo")
    return {"exudyn": exudyn, "mujoco": mujoco_robot.rows(model, reference)}


def start_position(model: Model) -> np.ndarray:
    """Where the platform starts [m], shape [1, 3]."""
    first = int(model.tables.nodes[model.names.bodies["platform"]].coordinate)
    return model.start_coordinates[None, first : first + 3]


def seconds_for(rows: list[dict[str, Any]], error: float) -> float | None:
    """Seconds at an error, between the rows on both sides of it on the logarithmic plot; None out of range."""
    known = sorted((row["error"], row["seconds"]) for row in rows)
    if not known or error < known[0][0]:
        return None
    errors, seconds = np.log([e for e, _ in known]), np.log([s for _, s in known])
    return float(np.exp(np.interp(np.log(error), errors, seconds)))


def ratio(theirs: float | None, ours: float | None) -> float | None:
    """How many times longer the others take at the same error."""
    return theirs / ours if theirs is not None and ours is not None else None


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as small tables."""
    text = []
    for engine in ("ours", "exudyn", "mujoco"):
        text.append(f"{engine:8s}  {'tolerance or dt':>16s} {'steps':>7s} {'seconds':>9s} {'error [m]':>10s}")
        text += [f"{'':8s}  {row.get('tolerance', row.get('dt', 0.0)):16.3g} {row['steps']:7d} {row['seconds']:9.4f} "
                 f"{row['error']:10.2e}" for row in figures[engine]]  # fmt: skip
    text += [f"times faster than Exudyn at {k} m: {v:.0f}" for k, v in figures["speedup_vs_exudyn"].items() if v]
    if figures["seconds_at_1e-5"]:
        text.append(f"seconds at 1e-5 m: {figures['seconds_at_1e-5']:.4f}")
    text.append(f"growth with elements, exponent: {figures['exponent_elements']:.2f}")
    text += [f"{name}: {other['us_per_step_and_coordinate']:.2f} us per step and coordinate"
             for name, other in figures["others"].items()]  # fmt: skip
    return text
