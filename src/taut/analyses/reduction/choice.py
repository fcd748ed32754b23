"""How many shapes: sizes are tried on all training inputs, and the smallest one that does as well as any is taken.

A sensitive run changes when it is repeated with a tenth of its tolerance. So the limit on each input is the target, or
that change of the full run if it is larger. More shapes are not always better (which way a cable buckles may depend on
tiny differences): the search ends when a few sizes in a row have not improved the worst input.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from taut.analyses.reduction.errors import Errors, compare
from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import Result

PATIENCE = 2  # number of sizes without improvement after which the search ends
BETTER = 0.9  # an error counts as an improvement if it is below this share of the best so far
FINER = 0.1  # tolerance of the full model's comparison run, relative to that of the run itself
LEAST_TOLERANCE = 1e-13


class Tried(NamedTuple):
    """Shapes of one size and their errors on the training inputs."""

    shapes: dict[str, Any]
    model: Any  # model of the reduced machine with the first training input
    results: list[Result]
    errors: list[Errors]
    seconds: float  # wall time of the first run [s]
    score: float  # largest error of all inputs, relative to its limit

    def words(self) -> str:
        """One line for the report."""
        count = max(cable.count for cable in self.shapes.values())
        errors = ", ".join(f"{100 * error_of(errors):.3g} %" for errors in self.errors)
        return f"{count} coordinates per cable: error {errors}"


def error_of(errors: Errors) -> float:
    """The larger of the error of the coordinates and that of the bodies."""
    return max(errors.moved, errors.body)


class Limits:
    """Limits of the error on each training input."""

    def __init__(self, runs: Sequence[Any], target: float, say: Callable[[str], None]) -> None:
        """Keep the training runs (``runs``: scenario and result of each), and what is asked for."""
        self.runs, self.target, self.say = runs, target, say
        self.known: dict[int, float] = {}

    def score(self, k: int, error: float) -> float:
        """An error relative to its limit on input k."""
        if error <= self.target:
            return error / self.target
        return error / self.limit(k)

    def limit(self, k: int) -> float:
        """The target, or the error of the full run itself; found when it is needed first."""
        if k not in self.known:
            run = self.runs[k]
            tolerance = max(FINER * run.scenario.run.tolerance, LEAST_TOLERANCE)
            finer = simulate(build(run.scenario), tolerance=tolerance)
            own = error_of(compare(finer, run.result))
            self.say(f"input {k + 1}: the full run's own error is {100 * own:.3g} %")
            self.known[k] = max(self.target, own)
        return self.known[k]


def choose(
    bases: Mapping[str, Any], runs: Sequence[Any], trial: Callable[..., Any], limits: Limits, shapes: int | None
) -> Tried:
    """The smallest size whose error is as small as that of any other.

    Args:
        bases: what shapes of each cable can be made of.
        runs: scenario and result of each training run.
        trial: runs the reduced machine: errors, seconds, result and model from a scenario, shapes and a training run.
        limits: what is asked.
        shapes: the size to take; none: as is asked.
    """
    sizes = {name: basis.first_size(shapes) for name, basis in bases.items()}
    best, failures = None, 0
    while True:
        bound = np.inf if best is None else best.score
        found = {name: basis.shapes(sizes[name]) for name, basis in bases.items()}
        tried = on_all(found, runs, trial, limits, bound)
        limits.say(tried.words())
        if best is None or tried.score < BETTER * best.score:
            best, failures = tried, 0
        else:
            failures += 1
        grown = {name: basis.grown(sizes[name]) for name, basis in bases.items()}
        if best.score <= 1.0 or failures == PATIENCE or shapes is not None or grown == sizes:
            return best
        sizes = grown


def on_all(
    found: dict[str, Any], runs: Sequence[Any], trial: Callable[..., Any], limits: Limits, bound: float
) -> Tried:
    """Shapes of one size on all inputs; left at the first one that is worse than ``bound`` already."""
    results, errors, first, score = [], [], (0.0, None), 0.0
    for k, run in enumerate(runs):
        here, seconds, result, model = trial(run.scenario, found, run)
        first = (seconds, model) if k == 0 else first
        results.append(result)
        errors.append(here)
        is_whole = result.status in ("completed", "stopped")
        score = max(score, limits.score(k, error_of(here)) if is_whole else np.inf)
        if score > bound:
            break
    return Tried(found, first[1], results, errors, first[0], score)
