"""Checks of a scenario as a whole: what no record can see on its own. Later stages run after clean earlier ones."""

from typing import Any

from taut.scenario.errors import Problem, in_order

from .control import find_control_problems
from .geometry import find_effort_problems, find_geometry_problems
from .legs import find_leg_problems
from .names import find_name_problems
from .planar import find_planar_problems
from .signals import find_signal_problems, has_same_signals
from .small import find_small_problems
from .tree import find_tree_problems

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


def find_problems(scenario: Any, clean: Any = None) -> list[Problem]:
    """Return the problems of the first stage that finds any, in the order of the file.

    Signals that a ``clean`` scenario, one without problems, has too are not looked at again: that takes longest.
    """
    is_known = clean is not None and has_same_signals(scenario, clean)
    for stage in (stage for stage in STAGES if not (is_known and stage is find_signal_problems)):
        problems = list(stage(scenario))
        if problems:
            return in_order(problems)
    return []
