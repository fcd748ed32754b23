"""Crossings that the scenario asks for: those that the samples show must be among the events of the run."""

from typing import Any

import numpy as np

from taut.audit.frames import quaternion_matrix
from taut.audit.vectors import cross
from taut.model import Model
from taut.model.enums import EventKind
from taut.results.record import RunRecord

CLEAR = 1e-6  # smaller distances from the level count as zero, relative to the largest


def event_line(model: Model, arrays: dict[str, np.ndarray], record: RunRecord) -> dict[str, Any] | None:
    """Whether every crossing between two samples was found by the run."""
    asked = {spec.name: spec for spec in getattr(model.scenario, "events", ())}
    bodies = {node: k for k, node in enumerate(model.names.bodies.values())}
    found, missed = 0, []
    for j, event in enumerate(model.tables.events):
        name = model.names.events[j]
        if event.kind != EventKind.CROSSING or name not in asked or int(event.index) not in bodies:
            continue
        known = np.array([entry["time"] for entry in record.events if entry["name"] == name])
        for low, high in crossings(event, arrays, bodies[int(event.index)], asked[name].crossing):
            slack = 1e-9 * max(high, 1.0)
            found += 1
            if not np.any((known >= low - slack) & (known <= high + slack)):
                missed.append((name, low, high))
    if not found:
        return None
    line = {"crossings": found, "missed": len(missed)}
    if not missed:
        return {"verdict": "pass", **line}
    name, low, high = missed[0]
    reason = f"{name} passes between t = {low:.6g} s and {high:.6g} s, and the run has no such event"
    return {"verdict": "fail", "reason": reason, **line}


def crossings(event: Any, arrays: dict[str, np.ndarray], body: int, direction: str) -> Any:
    """Intervals between samples in which the value clearly passes its level, in the directions asked for."""
    R = quaternion_matrix(arrays["body_quaternion"][:, body])
    lever = R @ event.point
    if event.is_speed:
        motion = arrays["body_velocity"][:, body] + cross(arrays["body_angular_velocity"][:, body], lever)
    else:
        motion = arrays["body_position"][:, body] + lever
    value = motion @ event.direction - event.level
    side = np.sign(np.where(np.abs(value) > CLEAR * np.abs(value).max(initial=0.0), value, 0.0))
    turns = np.flatnonzero(side[1:] * side[:-1] < 0.0)
    wanted = {"up": (1.0,), "down": (-1.0,)}.get(direction, (1.0, -1.0))
    return [(arrays["time"][k], arrays["time"][k + 1]) for k in turns if side[k + 1] in wanted]
