"""Events that must have happened: crossings that the samples show, what lasts long enough, failures of given time."""

from typing import Any

import numpy as np

from taut.audit.twin.frames import quaternion_matrix
from taut.audit.vectors import cross
from taut.model import Model
from taut.model.enums import EventKind
from taut.results.record import RunRecord

AT_ONCE = 1e-9  # accuracy of the time of an event, relative to the time or to 1 s
CLEAR = 1e-6  # distances from the event's level below this share of the largest count as zero


def event_line(model: Model, arrays: dict[str, np.ndarray], record: RunRecord) -> dict[str, Any] | None:
    """Whether the run found every crossing between two samples, and let every failure act at its time."""
    found, missed = crossings_missed(model, arrays, record)
    timed, late = failures_missed(model, arrays["time"], record)
    lasted, unheard = lasting_missed(model, arrays["time"], record)
    if not found and not timed and not lasted:
        return None
    line = {"crossings": found, "missed": len(missed), "failures": timed, "failures_missed": len(late)}
    late += unheard
    reasons = [
        f"{name} passes between t = {low:.6g} s and {high:.6g} s, and the run has no such event"
        for name, low, high in missed[:1]
    ]
    reasons += [f"{name} is due at t = {time:.6g} s, and the run has no such event" for name, time in late[:1]]
    return {"verdict": "fail", "reason": reasons[0], **line} if reasons else {"verdict": "pass", **line}


def awaited(model: Model) -> set[str]:
    """Failures that another event brings about, such as ropes that break; one with a time may then come before it."""
    return {name for names in model.plan.waiting.values() for name in names}


def failures_missed(model: Model, times: np.ndarray, record: RunRecord) -> tuple[int, list[tuple[str, float]]]:
    """How many failures of given time are due in the run, and those that did not act then."""
    events = model.tables.events
    is_due = (events["kind"] == EventKind.SWITCH) & (times[0] < events["level"]) & (events["level"] < times[-1])
    due = [(model.names.events[j], float(events["level"][j])) for j in np.flatnonzero(is_due)]
    late = []
    for name, time in due:
        known = np.array([entry["time"] for entry in record.events if entry["name"] == name])
        slack = AT_ONCE * max(time, 1.0)
        is_there = known <= time + slack if name in awaited(model) else np.abs(known - time) <= slack
        if not np.any(is_there):
            late.append((name, time))
    return len(due), late


def asked_for(model: Model) -> dict[int, Any]:
    """Events that the user asked for, by their rows, which are the last ones of the table."""
    users = model.plan.events
    return dict(enumerate(users, len(model.tables.events) - len(users)))


def lasting_missed(model: Model, times: np.ndarray, record: RunRecord) -> tuple[int, list[tuple[str, float]]]:
    """How many intervals between recorded crossings last as long as asked, and those without their event."""
    found, late = 0, []
    for j, spec in asked_for(model).items():
        if spec.lasts is None:
            continue
        known = np.array([entry["time"] for entry in record.events if entry["name"] == spec.name])
        passed = [entry["time"] for entry in record.events if entry["name"] == model.names.events[j]]
        words = [entry["what"] for entry in record.events if entry["name"] == model.names.events[j]]
        beyond = "passes upwards" if spec.crossing == "up" else "passes downwards"
        # without any crossing the end of the run is the end of nothing
        for start, word, end in zip(passed, words, [*passed[1:], times[-1]], strict=False):
            due = start + spec.lasts
            slack = AT_ONCE * max(due, 1.0)
            if word == beyond and due < end - slack:
                found += 1
                late += [] if np.any(np.abs(known - due) <= slack) else [(spec.name, due)]
    return found, late


def crossings_missed(
    model: Model, arrays: dict[str, np.ndarray], record: RunRecord
) -> tuple[int, list[tuple[str, float, float]]]:
    """How many crossings lie between two samples, and those that are no event of the run."""
    asked = asked_for(model)
    bodies = {node: k for k, node in enumerate(model.names.bodies.values())}
    found, missed = 0, []
    for j in np.flatnonzero(model.tables.events["kind"] == EventKind.CROSSING).tolist():
        event, name = model.tables.events[j], model.names.events[j]
        if int(event.index) not in bodies:
            continue
        known = np.array([entry["time"] for entry in record.events if entry["name"] == name])
        # an event that must last a while is also cancelled by the crossing back: look for both directions
        direction = "both" if asked[j].lasts else asked[j].crossing
        for low, high in crossings(event, arrays, bodies[int(event.index)], direction):
            slack = AT_ONCE * max(high, 1.0)
            found += 1
            if not np.any((known >= low - slack) & (known <= high + slack)):
                missed.append((name, low, high))
    return found, missed


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
