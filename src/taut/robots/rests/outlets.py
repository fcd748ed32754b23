"""Where sagging cables come from: points, pulleys that swivel, and sheaves, all of them in the world.

A cable leaves its outlet along the unit vector -u, u its pull. A pulley of radius r with the swivel axis k through its
inlet A turns so that u lies in its plane. With p a point on the line of u, and e the unit vector from the axis to p,
    cos th = u.k,  sin th = -u.e,   Q = A + r e + r (cos th e + sin th k),   D = lead + r (pi - th)                 (1)
as in ``kernels/robots/reach.py``. On a sheave with a fixed axis a and centre C, in the sense s of its rope,
    e = s a x u/|a x u|,   Q = C + r e,   D = D_0 + r angle(e_0, e)                                                (2)
with e_0 and D_0 those of the straight rope; u may lean out of the plane. Only the piece between outlet and anchor sags:
ropes over guides that the platform carries are refused.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.kernels.robots.columns import FREE, LEAVE, PULL, WRAP
from taut.model.routes import SheaveKind, Stop, trace
from taut.robots.poses import reach_poses
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.ways import Rope, ends_of


@dataclass(frozen=True)
class Leave:
    """Points where cables leave their outlets, and what lies behind."""

    points: np.ndarray  # points Q where cables leave their wheels, world [m], shape [n_cables, direction, 3]
    behind: np.ndarray  # length D of the rope behind the point where it leaves [m], shape [n_cables, direction]
    wraps: np.ndarray  # wrap angles on the last wheel [rad], shape [n_cables, direction]


@dataclass(frozen=True)
class Outlets:
    """Outlets of all cables."""

    points: np.ndarray  # inlet A of a pulley, centre C of a sheave, or exit, world [m], shape [n_cables, 3]
    axes: np.ndarray  # swivel axis k of a pulley, signed axis s a of a sheave, shape [n_cables, 3]
    radii: np.ndarray  # radii of the last wheels [m], 0 where there is none, shape [n_cables]
    leads: np.ndarray  # length before the last wheel [m], shape [n_cables]
    pulleys: np.ndarray  # numbers of the cables over pulleys
    sheaves: np.ndarray  # numbers of the cables over sheaves
    first: np.ndarray  # points where straight cables would leave their wheels, world [m], shape [n_cables, 3]
    first_wraps: np.ndarray  # wrap angles of straight cables on the last wheel [rad], shape [n_cables]

    @property
    def first_behind(self) -> np.ndarray:
        """Length behind the points where straight cables leave [m]."""
        return self.leads + self.radii * self.first_wraps

    def leave(self, u: np.ndarray, p: np.ndarray, reach: np.ndarray) -> Leave:
        """Where cables about ``reach`` long leave, Eqs. (1) and (2), for pulls u at points p; real or complex."""
        points = np.array(np.broadcast_to(self.points[:, None], u.shape), u.dtype)
        behind = np.array(np.broadcast_to(self.leads[:, None], u.shape[:-1]), u.dtype)
        wraps: Any = np.zeros_like(behind)
        for numbers, place in ((self.pulleys, self._pulley), (self.sheaves, self._sheave)):
            if len(numbers):
                points[numbers], wraps[numbers] = place(numbers, u[numbers], p[numbers], reach[numbers])
                behind[numbers] += self.radii[numbers, None] * wraps[numbers]
        return Leave(points, behind, wraps.real)

    def _pulley(self, numbers: Any, u: np.ndarray, p: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        A, k, r = self.points[numbers, None], self.axes[numbers, None], self.radii[numbers, None, None]
        # the pulley's plane is that of a point near the anchor, as a cable that leaves along the axis defines none
        way = p - reach[..., None] * u - A
        e = unit(way - dot(way, k)[..., None] * k)
        cosine, sine = dot(u, k), -dot(u, e)
        size = np.sqrt(cosine * cosine + sine * sine)
        c, s = (cosine / size)[..., None], (sine / size)[..., None]
        return A + r * (e + c * e + s * k), np.pi - angle(sine, cosine)

    def _sheave(self, numbers: Any, u: np.ndarray, p: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        C, a, r = self.points[numbers, None], self.axes[numbers, None], self.radii[numbers, None, None]
        e, e_0 = unit(np.cross(a, u)), (self.first[numbers, None] - C) / r
        turn = angle(dot(e, np.cross(a, e_0)), dot(e, e_0))
        return C + r * e, self.first_wraps[numbers, None] + turn

    def refuse_lifted(self, names: tuple[str, ...], wraps: np.ndarray) -> None:
        """Refuse cables that would be wrapped about their sheaves by less than nothing."""
        for i in self.sheaves:
            if wraps[i] < 0.0:
                message = f"cable {names[i]} lifts off the sheave that it leaves"
                raise refusal(message, at="via", remedy="take another pose, or higher tensions")


def outlets_of(robot: Robot, pose: Any) -> Outlets:
    """The outlets of a robot near a pose.

    Raises:
        ScenarioError: cables that do not reach, or ropes of which more than the last piece moves with the platform.
    """
    ropes, reached = robot.full_ropes(), reach_poses(robot, pose)
    rows = [
        _laid(robot.cables[i], rope, found) if rope else _straight(robot, i, found)
        for i, (rope, found) in enumerate(zip(ropes, reached.cables[0], strict=True))
    ]
    kinds = np.array([row.pop("kind") for row in rows])
    columns = {name: np.array([row[name] for row in rows], float) for name in rows[0]}
    return Outlets(**columns, pulleys=np.flatnonzero(kinds == "pulley"), sheaves=np.flatnonzero(kinds == "sheave"))


def _straight(robot: Robot, i: int, found: np.ndarray) -> dict[str, Any]:
    """The outlet of a cable straight from its exit, or over the pulley there."""
    return {
        "kind": "pulley" if robot.radii[i] > 0.0 else "point",
        "points": robot.exits[i],
        "axes": robot.axes[i],
        "radii": robot.radii[i],
        "leads": robot.leads[i],
        "first": found[LEAVE : LEAVE + 3],
        "first_wraps": found[WRAP],
    }


def _laid(name: str, rope: Rope, found: np.ndarray) -> dict[str, Any]:
    """The outlet of a rope over guides in the world."""
    check_rope(name, rope)
    anchor = found[LEAVE : LEAVE + 3] - found[FREE] * found[PULL : PULL + 3]
    guides = rope[::-1] if rope[0].is_carried else rope
    stops = [Stop(g.point[None], g.wheel, None if g.axis is None else g.axis[None]) for g in guides[:-1]]
    laid, wheel = trace([*stops, Stop(anchor[None])]), guides[-2].wheel
    r, wrap = 0.0 if wheel is None else wheel.radius, float(laid.wraps[-2, 0])
    return {
        "kind": "point" if wheel is None else "sheave",
        "points": laid.centres[-2, 0],
        "axes": np.zeros(3) if wheel is None else wheel.side * laid.axes[-2, 0],
        "radii": r,
        "leads": float(laid.length[0] - laid.spans[-1, 0] - r * wrap),
        "first": laid.centres[-2, 0] + r * laid.leaves[-2, 0],
        "first_wraps": wrap,
    }


def check_rope(name: str, rope: Rope) -> None:
    """Refuse ropes of which more than the last piece sags or moves, or whose last sheave has no plane of its own."""
    first, last = ends_of(rope)
    carried, ends = [guide.is_carried for guide in rope], (rope[0], rope[-1])
    is_straight = len(rope) == 2 and not any(guide.wheel for guide in ends)
    if not is_straight and (sum(carried) > 1 or last != len(rope) - 1 or rope[last].wheel is not None):
        message = f"cable {name} runs over a guide on the platform: of sagging cables only the last piece may move"
        raise refusal(message, at="via", remedy="anchor it there, or take straight elastic cables (--elastic)")
    wheel = rope[-2].wheel
    if wheel is not None and wheel.kind != SheaveKind.FIXED:
        message = f"the sheave that the sagging cable {name} leaves needs an axis"
        raise refusal(message, at="via", remedy="give it one, or make it the pulley at the exit")


def dot(a: Any, b: Any) -> Any:
    """Bilinear product along the last axis."""
    return np.sum(a * b, axis=-1)


def unit(a: Any) -> Any:
    """The vectors at length one, real or complex."""
    return a / np.sqrt(dot(a, a))[..., None]


def angle(y: Any, x: Any) -> Any:
    """atan2, and its derivative by a complex step."""
    real = np.arctan2(y.real, x.real)
    if not np.iscomplexobj(y):
        return real
    return real + 1j * (x.real * y.imag - y.real * x.imag) / (x.real**2 + y.real**2)
