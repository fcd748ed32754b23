"""The ways to reduce a machine, by name."""

from collections.abc import Sequence

from taut.analyses.reduction.reduce import TARGET, Report, reduce_cables
from taut.build.reduction.reduction import Reduction
from taut.scenario.errors import Problem, ScenarioError
from taut.scenario.scenario import Scenario

METHODS = ("shapes", "piecewise")


def reduce(  # noqa: PLR0913 (what a user may say)
    scenario: Scenario,
    training: Sequence[Scenario] = (),
    *,
    method: str = "shapes",
    target: float = TARGET,
    shapes: int | None = None,
    points: int | None = None,
    report: Report | None = None,
) -> Reduction:
    """Reduce a machine.

    Args:
        scenario: the machine, and the input of the first training run.
        training: the same machine with other inputs.
        method: ``shapes``, a few shapes in place of the coordinates of every cable; or ``piecewise``, piecewise linear
            forces in place of the exact ones, as published by Tempel et al. 2018.
        target: error of the reduced machine in its first training run, in the norm of q - q(0).
        shapes: shapes per cable (of direction; of every field of a Ritz cable); none: as many as the target needs.
        points: of piecewise linear forces; none: as many as the target needs.
        report: told what is going on.

    Raises:
        ScenarioError: the machine cannot be reduced so, a training input belongs to another machine, or a run fails.
    """
    if method not in METHODS:
        problem = "is no method of reduction"
        raise ScenarioError([Problem(problem, "method", value=method, remedy=f"one of {', '.join(METHODS)}")])
    other = {"shapes": points, "piecewise": shapes}[method]
    if other is not None:
        name = "points" if method == "shapes" else "shapes"
        raise ScenarioError([Problem(f"is no setting of the method {method}", name, value=other)])
    if method == "shapes":
        return reduce_cables(scenario, training, target=target, shapes=shapes, report=report)
    from taut.analyses.piecewise.reduce import reduce_forces

    return reduce_forces(scenario, training, target=target, points=points, say=report or (lambda text: None))
