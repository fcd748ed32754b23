"""Geometry and effort: cables that have a direction, runs that fit into memory."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scenario.cables.ways import is_routed
from taut.scenario.errors import Problem
from taut.scenario.start_pose import start_poses

from .routes import find_way_problems, laid_length

SHORTEST = 1e-9
MOST_STRETCH = 1.0  # largest stretch of a cable at the start, relative to its length: none bears more
MOST_SAMPLES = 5_000_000
MOST_ELEMENTS = 200_000


def find_geometry_problems(scenario: Any) -> Iterator[Problem]:
    """Yield cables without a direction and cables that would begin far too short for their anchor."""
    poses = start_poses(scenario)
    for i, cable in enumerate(scenario.cables):
        ways = list(find_way_problems(scenario, i, cable, poses)) if is_routed(cable) else []
        yield from ways
        if ways:
            continue
        distance = laid_length(cable, poses)
        size = max(1.0, *np.abs(cable.exit), *np.abs(cable.anchor))
        is_slack = cable.kind in ("spring", "ideal") and cable.length is not None
        if distance <= SHORTEST * size and not is_slack:
            remedy = "exit and anchor must be apart at the start: check exit, anchor and the start position of the body"
            yield scenario.problem(
                f"cables[{i}]", f"cable {cable.name} has no length: its exit is at its anchor", remedy=remedy
            )
        elif cable.length is not None and distance > (1 + MOST_STRETCH) * cable.length:
            stretch = f"starts stretched by {percent(distance / cable.length - 1)}, at most {percent(MOST_STRETCH)}"
            where = f"the way of {cable.name} over its guides is {distance:g} m" if is_routed(cable) else (
                f"exit and anchor of {cable.name} are {distance:g} m apart")  # fmt: skip
            remedy = f"{where}: give about that length, or move them"
            yield scenario.problem(f"cables[{i}].length", f"cable {stretch}", value=cable.length, remedy=remedy)


def percent(share: float) -> str:
    """A share as people write it: 2.5 %, 750 %."""
    number = 100 * share
    return f"{number:.0f} %" if number >= 10 else f"{number:.2g} %"


def find_effort_problems(scenario: Any) -> Iterator[Problem]:
    """Yield runs and models beyond all measure."""
    samples = scenario.run.duration / scenario.run.save_every
    if samples > MOST_SAMPLES:
        message = f"too small: {samples:.3g} samples would be saved, at most {MOST_SAMPLES}"
        yield scenario.problem("run.save_every", message, value=scenario.run.save_every)
    elements = sum(cable.piece_count() for cable in scenario.cables)
    if elements > MOST_ELEMENTS:
        yield scenario.problem("cables", f"have {elements} elements in all, at most {MOST_ELEMENTS} are allowed")


def cable_distances(scenario: Any) -> list[float]:
    """Return the length of the way from exit to anchor of every cable at the start [m]."""
    poses = start_poses(scenario)
    return [laid_length(cable, poses) for cable in scenario.cables]
