"""Measures of a cable robot that need no run: of its geometry, at the pose where it starts."""

from typing import Any

import numpy as np

from taut.studies.measures import Measure


def evaluate_robot(measure: Measure, model: Any) -> float:
    """What an analysis of ``taut.robots`` gives; NaN where it has none, such as tensions without solution."""
    from taut.robots.stiffness import stiffness
    from taut.robots.tensions import tensions
    from taut.robots.workspaces.workspace import workspace

    if measure.robot == "workspace_volume":
        volume = workspace(model).volume
        return volume.value if volume is not None else np.nan
    if measure.robot == "smallest_stiffness":
        return float(np.linalg.eigvalsh(stiffness(model).matrix).min())
    found = tensions(model).tensions
    return float(np.min(found) if measure.robot == "smallest_tension" else np.max(found))
