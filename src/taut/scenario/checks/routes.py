"""Ropes over guides: a way there is at the start, of a length the rope has."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scenario.cables.ways import WayError, is_routed, lay
from taut.scenario.errors import Problem
from taut.scenario.start_pose import Pose

SHORTER = 1e-9  # share of its path by which a rope that does not stretch may be too short


def laid_length(cable: Any, poses: dict[str, Pose]) -> float:
    """Return the length of a cable's way from exit to anchor at the start [m]; raises WayError."""
    R, x = poses[cable.exit_body or "world"]
    leave = x + R @ np.array(cable.exit)
    if is_routed(cable):
        return lay(cable, leave, poses).length
    R, x = poses[cable.body]
    return float(np.linalg.norm(x + R @ np.array(cable.anchor) - leave))


def find_way_problems(scenario: Any, i: int, cable: Any, poses: dict[str, Pose]) -> Iterator[Problem]:
    """Yield why a rope cannot be laid over its guides, or does not reach."""
    try:
        length = laid_length(cable, poses)
    except WayError as error:
        yield scenario.problem(f"cables[{i}].{error.key}", error.message, remedy=error.remedy)
        return
    if cable.kind == "ideal" and cable.length is not None and cable.length < (1 - SHORTER) * length:
        remedy = f"the way of {cable.name} over its guides is {length:g} m at the start: give at least that length"
        yield scenario.problem(f"cables[{i}].length", "is shorter than the rope's way, and it does not stretch",
                               value=cable.length, remedy=remedy)  # fmt: skip
