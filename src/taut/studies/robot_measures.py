"""Measures of a cable robot that need no run: of its geometry, at the pose where it starts."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from taut.scenario.errors import Problem, ScenarioError
from taut.studies.measures import Measure

UNCERTAINTY = 5e-3  # relative uncertainty to which volumes of workspaces are computed
GRID = 2  # grid points along an axis: the least number, because the volume is computed along lines, not on the grid


def evaluate_robot(measure: Measure, model: Any) -> float:
    """Evaluate an analysis of ``taut.robots``; NaN where it has no answer, such as tensions without solution."""
    from taut.robots.stiffness import stiffness
    from taut.robots.tensions import tensions
    from taut.robots.workspaces.workspace import workspace

    if measure.robot == "workspace_volume":
        try:
            volume = workspace(model, **{"grid": GRID, "volume": UNCERTAINTY, **(measure.demand or {})}).volume
        except TypeError as error:
            raise ScenarioError([Problem(f"cannot be asked of a workspace: {error}", "demand")]) from None
        return volume.value if volume is not None else np.nan
    if measure.robot == "smallest_stiffness":
        return float(np.linalg.eigvalsh(stiffness(model).matrix).min())
    found = tensions(model).tensions
    return float(np.min(found) if measure.robot == "smallest_tension" else np.max(found))


def check_robot_measures(measures: Mapping[str, Measure], model: Any, where: Any) -> None:
    """Refuse what the robot cannot be asked, by asking it; ``where`` adds file and line to a problem.

    Raises:
        ScenarioError: the machine is no cable robot, or lacks what the measure needs.
    """
    for name, measure in measures.items():
        if measure.needs_run:
            continue
        try:
            evaluate_robot(measure, model)
        except ScenarioError as error:
            told = "; ".join(f"{problem.path}: {problem.message}".removeprefix(": ") for problem in error.problems)
            remedy = next((problem.remedy for problem in error.problems if problem.remedy), "")
            problem = Problem(told, f"measure.{name}", remedy=remedy)
            raise ScenarioError([where(problem)]) from None
