"""Work against precision of every integrator on a rigid machine and on elastic cables, in one run on one core.

Seconds are integration and sampling, without compilation and without files; the error is the largest distance of the
platform from a converged reference. A method that gives a machine up has a row that says why.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from taut import library
from taut.bench.pick_and_place import platform_positions
from taut.bench.timing import one_core
from taut.build import build
from taut.integrate.run.bare import integrate
from taut.integrate.status import DONE, TEXTS
from taut.model import Model

ALPHA = "generalized-alpha"
MACHINES = {
    "stewart": [],  # rigid machine with six loops
    "mamidi-pick-and-place": ["ground=null"],  # robot with four elastic cables
}
REFERENCE_TOLERANCE = 1e-12
TOLERANCES = (1e-4, 1e-6, 1e-8)
STEPS = (1e-2, 2.5e-3, 6.25e-4)  # fixed steps to compare [s]
REPEATS = 40  # largest number of repeats of a run
ENOUGH = 1.0  # a run is not repeated once its repeats took this long [s]


def methods() -> dict[str, list[dict[str, Any]]]:
    """Settings of every row, by the words that name the method."""
    tight = [{"tolerance": tolerance} for tolerance in TOLERANCES]
    # with a fixed step the tolerance is used by Newton's iteration only
    fixed = [{"integrator": ALPHA, "step": step, "tolerance": 1e-6} for step in STEPS]
    return {
        "radau": tight,
        f"{ALPHA}, index 2": [{**row, "generalized_alpha": {"index": 2}} for row in fixed],
        f"{ALPHA}, index 3": [{**row, "generalized_alpha": {"index": 3}} for row in fixed],
        f"{ALPHA}, adaptive": [{"integrator": ALPHA, **row} for row in tight[:2]],
        "explicit": [{"integrator": "explicit", **row} for row in tight],
        "explicit, baumgarte": [{"integrator": "explicit", "explicit": {"stabilisation": "baumgarte"}, **row}
                                for row in tight],
    }  # fmt: skip


def row_of(model: Model, settings: dict[str, Any], reference: np.ndarray) -> dict[str, Any]:
    """One run: the quickest of several equal ones."""
    row = {key: settings[key] for key in ("tolerance", "step") if key in settings}
    if "step" in row:
        del row["tolerance"]
    run = integrate(model, **settings)
    if run.code != DONE:
        return {**row, "status": TEXTS[run.code][0]}
    times = [run.seconds]
    while len(times) < REPEATS and sum(times) < ENOUGH:
        times.append(integrate(model, **settings).seconds)
    error = float(np.linalg.norm(platform_positions(model, run) - reference, axis=1).max())
    counts = run.statistics
    return {**row, "status": "completed", "steps": int(counts["accepted"]), "evaluations": int(counts["evaluations"]),
            "seconds": min(times), "error": error}  # fmt: skip


def run(report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure; ``report`` is called with messages about the progress."""
    figures: dict[str, Any] = {}
    with one_core():
        for name, changes in MACHINES.items():
            model = build(library.load(name, changes))
            report(f"{name}: reference")
            reference = platform_positions(model, integrate(model, tolerance=REFERENCE_TOLERANCE))
            figures[name] = {}
            for method, rows in methods().items():
                report(f"{name}: {method}")
                figures[name][method] = [row_of(model, settings, reference) for settings in rows]
    return figures


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as tables in Markdown."""
    text = []
    for machine, found in figures.items():
        text += ["", f"| {machine} | tolerance or step | steps | evaluations | ms | error [m] |", "|---" * 6 + "|"]
        for method, rows in found.items():
            text += [f"| {method} | {line_of(row)} |" for row in rows]
    return text[1:]


def line_of(row: dict[str, Any]) -> str:
    """One row of a table, without the method."""
    setting = f"step {row['step']:g} s" if "step" in row else f"{row['tolerance']:g}"
    if row["status"] != "completed":
        return f"{setting} | {row['status']} | | |"
    return f"{setting} | {row['steps']} | {row['evaluations']} | {1e3 * row['seconds']:.2f} | {row['error']:.1e}"
