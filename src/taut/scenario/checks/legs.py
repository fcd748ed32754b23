"""Ranges of joints: the start inside them, and legs long enough for their stroke."""

from collections.abc import Iterator
from typing import Any

from taut.scenario.errors import Problem
from taut.scenario.records.body import Body


def find_leg_problems(scenario: Any) -> Iterator[Problem]:
    """Yield start positions outside their range, and sliding legs that are shorter than their stroke."""
    bodies = scenario.all_bodies()
    for name, body in bodies.items():
        if body.joint.range is None:
            continue
        path = f"{scenario.body_path(name)}.joint"
        low, high = body.joint.range
        start = body.joint.coordinates()[0]
        if not low <= start <= high:
            remedy = "start the joint inside its range, or widen the range"
            message = f"lies outside the joint's range [{low:g}, {high:g}]"
            yield scenario.problem(f"{path}.position", message, value=start, remedy=remedy)
        if body.joint.kind == "prismatic":
            yield from _stroke(scenario, path, body, bodies.get(body.joint.parent))


def _stroke(scenario: Any, path: str, body: Body, parent: Body | None) -> Iterator[Problem]:
    """A rod that slides in a tube must be as long as its stroke, and must not leave the tube."""
    low, high = body.joint.range or (0.0, 0.0)
    own, carrier = _length(body), _length(parent) if parent is not None else None
    if own is not None and high - low > own:
        message = f"the leg is shorter than its stroke: {own:g} m long, range of {high - low:g} m"
        yield scenario.problem(
            f"{path}.range", message, value=[low, high], remedy="lengthen the body or narrow the range"
        )
    elif own is not None and carrier is not None and high > own + carrier:
        message = f"the leg comes apart: both its parts together are {own + carrier:g} m long"
        yield scenario.problem(
            f"{path}.range", message, value=[low, high], remedy="lengthen a part or lower the upper limit"
        )


def _length(body: Body) -> float | None:
    shape = body.cylinder or body.tube or body.rod
    return float(shape.length) if shape is not None else None
