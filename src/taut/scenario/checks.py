"""Checks of a scenario as a whole: what no record can see on its own. Later stages run after clean earlier ones."""

from typing import Any

from .check_control import find_control_problems
from .check_geometry import find_effort_problems, find_geometry_problems
from .check_legs import find_leg_problems
from .check_names import find_name_problems
from .check_planar import find_planar_problems
from .check_signals import find_signal_problems
from .check_small import find_small_problems
from .check_tree import find_tree_problems
from .errors import Problem, in_order

STAGES = (
    find_name_problems,
    find_tree_problems,
    find_planar_problems,
    find_small_problems,
    find_leg_problems,
    find_effort_problems,
    find_signal_problems,
    find_control_problems,
    find_geometry_problems,
)


def find_problems(scenario: Any) -> list[Problem]:
    """Return the problems of the first stage that finds any, in the order of the file."""
    for stage in STAGES:
        problems = list(stage(scenario))
        if problems:
            return in_order(problems)
    return []
