"""Bodies with small rotations: what may touch them."""

from collections.abc import Iterator
from typing import Any

from taut.scenario.errors import Problem

REMEDY = "use rotations: exact"
POINTS = ("point", "spherical")


def find_small_problems(scenario: Any) -> Iterator[Problem]:
    """Yield what cannot go with a body whose rotations are plain coordinates: only cables hold it, at points."""
    small = {name for name, body in scenario.all_bodies().items() if body.rotations == "small"}
    if not small:
        return
    if scenario.planar:
        yield scenario.problem("planar", "a body with small rotations is no part of a planar machine", remedy=REMEDY)
    for path, value in (*_held(scenario, small), *_loaded(scenario, small)):
        yield scenario.problem(path, "cannot go with a body whose rotations are small", value=value, remedy=REMEDY)


def _held(scenario: Any, small: set[str]) -> Iterator[tuple[str, Any]]:
    """Bodies, exits and closures on a body with small rotations."""
    for name, body in scenario.all_bodies().items():
        if body.joint.parent in small:
            yield f"{scenario.body_path(name)}.joint.parent", body.joint.parent
    for i, cable in enumerate(scenario.cables):
        if cable.exit_body in small:
            yield f"cables[{i}].exit_body", cable.exit_body
        if cable.kind == "spring" and cable.body in small:
            yield f"cables[{i}].kind", cable.kind
        for k, guide in enumerate(getattr(cable, "via", ())):
            if guide.body in small:
                yield f"cables[{i}].via[{k}].body", guide.body
    for i, closure in enumerate(scenario.closures):
        if set(closure.bodies) & small and closure.kind not in POINTS:
            yield f"closures[{i}].kind", closure.kind


def _loaded(scenario: Any, small: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield forces away from the origin of such a body, points on it that are watched, and a ground."""
    for i, force in enumerate(scenario.forces):
        if force.body in small and (any(force.point) or force.frame == "body"):
            key = "point" if any(force.point) else "frame"
            yield f"forces[{i}].{key}", getattr(force, key)
    for i, event in enumerate(scenario.events):
        if event.body in small and any(event.point):
            yield f"events[{i}].point", event.point
    if scenario.ground is not None and scenario.ground.body in small:
        yield "ground.body", scenario.ground.body
