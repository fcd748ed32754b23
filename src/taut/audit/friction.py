"""Whether friction agrees with its stick or slip mode at every moment, and has such a mode at all."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.audit.twin.forces import contact_motion
from taut.audit.twin.motion import Motion
from taut.audit.twin.points import Points
from taut.model import Model
from taut.model.enums import EventKind, SlipMode

SMOOTHING = ("nonsmooth-alpha", "moreau-jean")  # methods that do not locate when the friction of joints sticks or slips
BEYOND = 1e-6  # share by which friction may exceed its limit
BACKWARDS = 1e-7  # allowed speed against the slip direction [m/s]


def friction_line(model: Model, points: Points, motion: Motion, method: str) -> dict[str, Any] | None:
    """Friction smoothed although the method locates events, and ground contacts that contradict their law."""
    events = model.tables.events
    kinds = (EventKind.GRIP,) if method in SMOOTHING else (EventKind.GRIP, EventKind.FRICTION)
    watched = np.flatnonzero(np.isin(events["kind"], kinds))
    if not len(watched) or not len(points):
        return None
    wrong = sorted([*smoothed(model, points, watched), *beyond(model, points, motion)])
    line = {"watched": len(watched), "points": len(points), "wrong": sorted({name for _, name, _ in wrong})}
    if not wrong:
        return {"verdict": "pass", **line}
    time, name, what = wrong[0]
    return {"verdict": "fail", "reason": f"friction of {name} {what} at t = {time:.6g} s", **line}


def smoothed(model: Model, points: Points, watched: np.ndarray) -> Iterator[tuple[float, str, str]]:
    """Moments at which friction is smoothed, and would creep, although the method locates it."""
    for j, k in np.argwhere(points.modes[:, watched].T == SlipMode.SMOOTHED):
        name = model.names.events[watched[j]]
        yield float(points.time[k]), name, "is smoothed, and creeps, though the method locates it"


def beyond(model: Model, points: Points, motion: Motion) -> Iterator[tuple[float, str, str]]:
    """Moments at which closed contacts stick beyond their limit, or slip though they move back."""
    contacts = np.asarray(model.tables.contacts)
    if not len(contacts):
        return
    at, u = contact_motion(contacts, motion.frames)
    y, v = points.anchors, u[..., :2]
    mode = points.modes[:, contacts["grip"]] * (points.modes[:, contacts["side"]] > 0) * (contacts["grip"] >= 0)
    load = np.linalg.norm(at[..., :2] - y + contacts["presliding_time"][:, None] * v, axis=-1)
    load = load / np.where(contacts["grip"] >= 0, contacts["presliding"], 1.0)
    for k, j in np.argwhere((mode > 0) & (load > 1.0 + BEYOND)):
        yield float(points.time[k]), model.names.contacts[j], f"holds {load[k, j]:.4g} times its limit"
    for k, j in np.argwhere((mode < 0) & (np.sum(v * y, axis=-1) < -BACKWARDS)):
        yield float(points.time[k]), model.names.contacts[j], "slips on though it has come to rest"
