"""Reduction of a machine to piecewise linear forces: points are added until it does what the full machine did."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from taut.analyses.piecewise.greedy import choose_points
from taut.analyses.reduction.errors import compare
from taut.analyses.reduction.reduce import Report, Training, largest_residual, timed, train
from taut.analyses.reduction.way import longest_way
from taut.build import build
from taut.build.reduction.piecewise import PiecewiseForces, why_exact
from taut.build.reduction.reduction import Reduction, machine_text
from taut.integrate.simulate import simulate
from taut.scenario.errors import Problem, ScenarioError
from taut.scenario.scenario import Scenario

MOST_POINTS = 32
DONE = ("completed", "stopped")


def reduce_forces(
    scenario: Scenario, training: Sequence[Scenario], *, target: float, points: int | None, say: Report
) -> Reduction:
    """Piecewise linear forces of a machine.

    Args:
        scenario: the machine, and the input of the first training run.
        training: the same machine with other inputs.
        target: error in the first training run, in the norm of q - q(0).
        points: how many; none: 1, 2, 4, ... until the target is reached, or the best of them.
        say: told what is going on.

    Raises:
        ScenarioError: the machine's forces cannot be piecewise linear ones, or a run fails.
    """
    model = build(scenario)
    if why := why_exact(model):
        problem = f"its forces cannot be piecewise linear ones: {why}"
        raise ScenarioError([Problem(problem, source=scenario.name, remedy="reduce its cables: --method shapes")])
    runs = [train(other, machine_text(scenario), say) for other in (scenario, *training)]
    chosen, left = choose_points(model, [run.result for run in runs], points or MOST_POINTS)
    tried = []
    for count in [chosen.count] if points else counts(chosen.count):
        tried.append(trial(scenario, chosen.first(count), runs[0]))
        tried[-1]["estimate"] = left[count - 1]
        say(f"{count} points: error {100 * tried[-1]['error']:.3g} %, of the forces {100 * left[count - 1]:.3g} %")
        if tried[-1]["error"] <= target:
            break
    best = min(tried, key=lambda one: one["error"])
    if not np.isfinite(best["error"]):
        raise ScenarioError([Problem("every run with piecewise linear forces goes astray", source=scenario.name)])
    found = chosen.first(best["points"])
    results = [simulate(found.of(build(run.scenario))) for run in runs]
    notes = {
        "inputs": len(runs),
        "points": found.count,
        "tried": tried,
        "errors": [compare(run.result, result).as_dict() for run, result in zip(runs, results, strict=True)],
        "target": target,
        "seconds_full": runs[0].seconds,
        "seconds_reduced": best["seconds"],
    }
    way = longest_way(model, [run.result for run in runs], model.names.cables)
    made = Reduction({}, {}, machine_text(scenario), {}, notes, found, way)
    return replace(made, residual=largest_residual(made, runs))


def counts(most: int) -> list[int]:
    """Numbers of points to try: 1, 2, 4, ... and all."""
    return sorted({*(2**k for k in range(most.bit_length()) if 2**k <= most), most})


def trial(scenario: Scenario, forces: PiecewiseForces, full: Training) -> dict[str, Any]:
    """Run the reduced machine with a number of points on the first training input, and compare."""
    result, seconds = timed(forces.of(build(scenario)))
    errors = compare(full.result, result)
    is_done = result.status in DONE
    error = max(errors.moved, errors.body) if is_done else np.inf
    return {"points": forces.count, "error": float(error), "seconds": seconds, **errors.as_dict()}
