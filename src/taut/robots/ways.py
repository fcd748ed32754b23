"""Ropes of a robot over guides: which of them stand in the world, which the platform carries, and tables of them.

Bodies other than the platform stand where they are at the start; ropes over another free one are refused.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from taut.model import tables
from taut.model.laid_tables import LaidGuide, laid_tables
from taut.model.routes import SheaveKind, Stop, Wheel, trace
from taut.robots.problems import refusal
from taut.scenario.cables.ways import Laid, WayError, lay
from taut.scenario.start_pose import unit

PLATFORM = 1  # number of the platform among the nodes of ``kernels/robots/ways.py``


@dataclass(frozen=True)
class Guide:
    """An end of a rope, or what it runs over."""

    # position of a hole, centre of a sheave, or inlet of a pulley; world, or platform frame if carried [m]
    point: np.ndarray
    is_carried: bool  # whether the guide is fixed to the platform
    wheel: Wheel | None = None  # the wheel that the rope runs over; None: the rope runs through a point
    axis: np.ndarray | None = None  # axis of the wheel, world, or platform frame if carried


Rope = tuple[Guide, ...]  # guides of a cable from exit to anchor; empty: it is straight, from its exit or pulley


@dataclass(frozen=True)
class Piece:
    """A straight piece of a rope."""

    cable: int
    ends: tuple[Guide, Guide]


def touches(cable: Any, body: str) -> bool:
    """Whether a cable begins or ends on a body, or runs over it."""
    return body in (cable.body, cable.exit_body, *(guide.body for guide in getattr(cable, "via", ())))


@dataclass(frozen=True)
class Led:
    """A cable of a robot at the start."""

    guides: Rope  # all guides of the cable, its exit and anchor included
    length: float  # length of the cable from end to end [m]
    lead: float  # length before the last guide, without arcs on wheels [m]

    @property
    def rope(self) -> Rope:
        """Guides that the analyses have to lay the cable over; none where it is straight from its exit or last hole."""
        return () if is_straight(self.guides) else self.guides

    @property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Exit and anchor of a rope."""
        first, last = ends_of(self.guides) if self.rope else (len(self.guides) - 2, -1)
        return self.guides[first].point, self.guides[last].point


def led_cable(scenario: Any, cable: Any, body: str, poses: Any) -> Led:
    """A cable as it is laid at the start, and where its guides are.

    Raises:
        ScenarioError: no such way, or friction, by which tensions before and behind a guide differ.
    """
    i, via = scenario.cables.index(cable), getattr(cable, "via", ())
    for k, guide in enumerate(via):
        if guide.rubs:
            message = f"cable {cable.name} rubs there: at rest its tension on either side is not determined"
            remedy = "leave friction, bearing and efficiency out; taut run and taut statics know them"
            raise refusal(message, at=f"cables[{i}].via[{k}]", remedy=remedy)
    known = {**poses, "world": (np.eye(3), np.zeros(3))}
    R, x = known[cable.exit_body or "world"]
    leave = x + R @ np.array(cable.exit)
    bodies = [cable.exit_body or "world", *(guide.body for guide in via), cable.body]
    if not {name == body for name in bodies} == {True, False}:
        raise refusal(f"cable {cable.name} runs on {body} alone, and holds nothing", at=f"cables[{i}]")
    others = scenario.all_bodies()
    for name in set(bodies) - {"world", body}:
        if others[name].joint.kind == "free":
            message = f"cable {cable.name} holds {body} and also {name}, which is free to move"
            raise refusal(
                message, at=f"cables[{i}]", remedy="robots have one platform; taut statics knows such machines"
            )
    laid = laid_stops(cable, i, leave, known)
    R, x = known[body]
    rope = []
    for stop, name in zip(laid.stops, bodies, strict=True):
        point, axis = stop.point[0], None if stop.axis is None else stop.axis[0]
        if name == body:
            point, axis = R.T @ (point - x), None if axis is None else R.T @ axis
        rope.append(Guide(point, name == body, stop.wheel, axis))
    return Led(tuple(rope), float(laid.trace.length[0]), float(laid.trace.spans[:-1].sum()))


def laid_stops(cable: Any, i: int, leave: np.ndarray, poses: Any) -> Laid:
    """A cable laid at the start; without guides it may not reach there, and other poses are asked for."""
    if getattr(cable, "via", ()):
        try:
            return lay(cable, leave, poses)
        except WayError as error:
            raise refusal(error.message, at=f"cables[{i}].{error.key}", remedy=error.remedy) from None
    R, x = poses[cable.body]
    wheel = None if cable.pulley is None else Wheel(cable.pulley.radius, 1, SheaveKind.CASTOR, np.pi)
    axis = None if cable.pulley is None else unit(cable.pulley.axis)[None]
    ends = [Stop(leave[None]), Stop((x + R @ np.array(cable.anchor))[None])]
    return Laid([replace(ends[0], wheel=wheel, axis=axis), ends[1]], trace(ends))


def is_straight(rope: Rope) -> bool:
    """Whether a rope has holes in the world only before its anchor on the platform, or nothing but a pulley."""
    inside = [guide.is_carried for guide in rope[:-1]]
    wheels = [guide.wheel is not None for guide in rope]
    return rope[-1].is_carried and not any(inside) and (not any(wheels) or wheels == [True, False])


def ends_of(rope: Rope) -> tuple[int, int]:
    """The first guide in the world, which counts as exit, and the last on the platform, which counts as anchor."""
    carried = [guide.is_carried for guide in rope]
    return carried.index(False), len(rope) - 1 - carried[::-1].index(True)


def placed(rope: Rope, exit: np.ndarray, anchor: np.ndarray) -> Rope:
    """A rope whose exit and anchor are elsewhere."""
    first, last = ends_of(rope)
    guides = list(rope)
    guides[first], guides[last] = replace(rope[first], point=exit), replace(rope[last], point=anchor)
    return tuple(guides)


def without_wheels(rope: Rope) -> Rope:
    """A rope whose sheaves and pulleys are points at their centres and inlets."""
    return tuple(replace(guide, wheel=None, axis=None) for guide in rope)


def rope_tables(ropes: tuple[Rope, ...]) -> dict[str, Any]:
    """Tables for ``kernels/robots/reach.py``."""
    laid = [[LaidGuide(PLATFORM if guide.is_carried else 0, guide.point, guide.wheel, guide.axis) for guide in rope]
            for rope in ropes if rope]  # fmt: skip
    found = laid_tables(laid)
    count = len(found["guides"])
    found |= {"places": tables.new_table(tables.DATA_GUIDES, count),
              "bent": tables.new_table(tables.DATA_GUIDES, count, np.complex128)}  # fmt: skip
    number = iter(range(len(laid)))
    return {**found, "ways": np.array([next(number) if rope else -1 for rope in ropes], np.int64)}


def pieces_of(robot: Any) -> list[Piece]:
    """Straight pieces of all ropes, in the order in which ``kernels/robots/segments.py`` fills their ends."""
    found = []
    for i, rope in enumerate(robot.full_ropes()):
        if rope:
            found += [Piece(i, both) for both in pairwise(rope)]
        else:
            found.append(Piece(i, (Guide(robot.exits[i], False), Guide(robot.anchors[i], True))))
    return found


def most_wheels(rope: Rope) -> float:
    """Sum of the radii of a rope's wheels [m]."""
    return sum(guide.wheel.radius for guide in rope if guide.wheel is not None)
