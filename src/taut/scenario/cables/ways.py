"""Ways of ropes at the start: which side of its sheaves a rope passes, how long it is, or why there is no such way."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from taut.model.routes import SheaveKind, Stop, Trace, Wheel, trace
from taut.scenario.start_pose import Pose, unit

from .guide import Sheave

NEAREST = 1e-9  # least distance of two guides of a rope that follow each other, relative to the machine's size
SIDES = {"left": (1,), "right": (-1,)}
FULL = 2.0 * np.pi


class WayError(Exception):
    """Why a rope cannot be laid over its guides."""

    def __init__(self, key: str, message: str, remedy: str = "") -> None:
        """Keep the key of the cable at fault, what is wrong with it, and what to do."""
        super().__init__(message)
        self.key, self.message, self.remedy = key, message, remedy


@dataclass(frozen=True)
class Laid:
    """A rope laid over its guides at the start, exit and anchor included."""

    stops: list[Stop]
    trace: Trace

    @property
    def length(self) -> float:
        """Length of a rope's route from end to end [m]."""
        return float(self.trace.length[0])

    def middle(self, k: int) -> np.ndarray:
        """Unit vector from the centre of stop k to the middle of its arc, world."""
        wheel, e, axis = self.stops[k].wheel, self.trace.arrives[k, 0], self.trace.axes[k, 0]
        turn = 0.5 * wheel.side * float(self.trace.wraps[k, 0]) if wheel is not None else 0.0
        return np.cos(turn) * e + np.sin(turn) * np.cross(axis, e)


def is_routed(cable: Any) -> bool:
    """Whether a cable runs over more than a straight line; those of modes have no guides."""
    return cable.kind != "ritz" and bool(cable.via or cable.pulley)


def lay(cable: Any, leave: np.ndarray, poses: dict[str, Pose]) -> Laid:
    """Lay a cable from where it leaves [m], world, to its anchor; raises WayError."""
    stops = [_first(cable, leave), *(_stop(guide, poses) for guide in cable.via)]
    R, x = poses[cable.body]
    stops.append(Stop((x + R @ np.array(cable.anchor))[None]))
    for problem in _misplaced(stops):
        raise problem
    found = [laid for laid in _variants(cable, stops) if _passes(cable, laid)]
    if not found:
        raise WayError("via", "there is no such way over these sheaves: one of them lies inside another, or the rope "
                       "cannot pass on the sides that are asked for", "move them apart, or change side")  # fmt: skip
    return min(found, key=lambda laid: laid.length)


def _first(cable: Any, leave: np.ndarray) -> Stop:
    if cable.pulley is None:
        return Stop(leave[None])
    wheel = Wheel(cable.pulley.radius, 1, SheaveKind.CASTOR, np.pi)
    return Stop(leave[None], wheel, unit(cable.pulley.axis)[None])


def _stop(guide: Any, poses: dict[str, Pose]) -> Stop:
    R, x = poses[guide.body]
    point = (x + R @ np.array(guide.point))[None]
    if not isinstance(guide, Sheave):
        return Stop(point)
    if guide.axis is None:
        return Stop(point, Wheel(guide.radius, 1, SheaveKind.SWIVEL, np.pi))
    return Stop(point, Wheel(guide.radius, 1, SheaveKind.FIXED, np.pi), (R @ unit(guide.axis))[None])


def name_of(k: int, count: int) -> str:
    """Key of a stop in its cable."""
    return "exit" if k == 0 else "anchor" if k == count - 1 else f"via[{k - 1}]"


def _misplaced(stops: list[Stop]) -> Iterator[WayError]:
    """Guides that coincide, points inside sheaves, axes along the rope, planes that nothing determines."""
    size = max(1.0, *(float(np.abs(stop.point).max()) for stop in stops))
    for k, stop in enumerate(stops):
        key = "pulley" if k == 0 and stop.wheel is not None else name_of(k, len(stops))
        for other in (k - 1, k + 1):
            if 0 <= other < len(stops):
                yield from _apart(stop, stops[other], key, name_of(other, len(stops)), size)
        if stop.wheel is not None and stop.wheel.kind == SheaveKind.SWIVEL:
            x, y = stop.point - stops[k - 1].point, stops[k + 1].point - stop.point
            if np.linalg.norm(np.cross(x, y)) < NEAREST * np.linalg.norm(x) * np.linalg.norm(y):
                yield WayError(key, "swivels, and its centre lies on a line with its neighbours: nothing says in which "
                               "plane", "give axis, or move it")  # fmt: skip


def _apart(stop: Stop, other: Stop, key: str, name: str, size: float) -> Iterator[WayError]:
    """Errors of a stop with one of its neighbours: they coincide, or one lies inside the other's sheave."""
    way = (other.point - stop.point)[0]
    if np.linalg.norm(way) <= NEAREST * size:
        yield WayError(key, f"coincides with {name}: the rope has no direction there", "move one of them")
        return
    if stop.wheel is None or stop.wheel.kind == SheaveKind.SWIVEL:
        if stop.wheel is not None and other.wheel is None and np.linalg.norm(way) <= stop.wheel.radius:
            yield WayError(key, f"{name} lies inside the sheave", "move one of them, or give a smaller radius")
        return
    assert stop.axis is not None
    across = way - (way @ stop.axis[0]) * stop.axis[0]
    distance = float(np.linalg.norm(across))
    if stop.wheel.kind == SheaveKind.CASTOR:
        if distance <= NEAREST * size:
            yield WayError(key, f"{name} lies on the swivel axis at the start", "move one of them")
        distance = float(np.linalg.norm(way - stop.wheel.radius * across / max(distance, 1e-300)))
    elif distance <= NEAREST * size:
        yield WayError(f"{key}.axis", "lies along the rope", "turn it: the rope runs across the axis of its sheave")
        return
    if other.wheel is None and distance <= stop.wheel.radius:
        yield WayError(key, f"{name} lies inside the sheave", "move one of them, or give a smaller radius")


def _variants(cable: Any, stops: list[Stop]) -> Iterator[Laid]:
    """Ropes on all sides of the sheaves that the scenario allows."""
    choices = [(1,), *(SIDES.get(guide.side, (1, -1)) if isinstance(guide, Sheave) and guide.axis else (1,)
                       for guide in cable.via), (1,)]  # fmt: skip
    for sides in product(*choices):
        tried = [stop if stop.wheel is None else replace(stop, wheel=replace(stop.wheel, side=side))
                 for stop, side in zip(stops, sides, strict=True)]  # fmt: skip
        found = trace(tried)
        if np.isfinite(found.length).all():
            yield _wrapped(tried, found)


def _wrapped(stops: list[Stop], found: Trace) -> Laid:
    """The rope with the wraps that were found; a wrap of a full turn is rounding, and becomes zero."""
    wraps = [float(wrap[0]) for wrap in found.wraps]
    wraps = [wrap - FULL if wrap > FULL - NEAREST else wrap for wrap in wraps]
    known = [stop if stop.wheel is None else replace(stop, wheel=replace(stop.wheel, wrap=wrap))
             for stop, wrap in zip(stops, wraps, strict=True)]  # fmt: skip
    return Laid(known, trace(known))


def _passes(cable: Any, laid: Laid) -> bool:
    """Whether the rope passes over or under its sheaves as is asked for."""
    for k, guide in enumerate(cable.via, 1):
        if isinstance(guide, Sheave) and guide.side in ("over", "under"):
            up = laid.middle(k)[2]
            if (up > 0.0) != (guide.side == "over"):
                return False
    return True
