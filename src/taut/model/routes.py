"""Routes of ropes by definition, in plain numpy: points and sheaves one after the other, straight spans and arcs.

A sheave has a centre c, a unit axis a, a radius R to the rope's middle and a side s: the rope runs along s a x e where
e is the unit vector from the centre to it. A span from guide i to guide j meets both at a tangent,
    u.e_i = 0,  u.e_j = 0,   u along (c_j + R_j e_j) - (c_i + R_i e_i)                                         (1)
which for one end with the other held is, in the sheave's plane, with w from the centre to the other end, w_p across
the axis,  w.e = R (leaving) or -R (meeting),  e = cos p w_p/|w_p| + sin p a x w_p/|w_p|,  s sin p < 0.  (2)
The length is the sum of the spans and of R times the wraps. A sheave that swivels lies in the plane of its centre and
the neighbours' centres. A castor, the first of a route, swivels about an axis z through its inlet: its centre is R away
from there towards the next guide. The rope arrives along z, and its wrap counts from the inlet.

All functions work on arrays [moment, 3], real or complex, so that derivatives can be taken by complex steps. Checks of
a scenario, the build and the audit use this; ``dynamics/forces/routes.py`` computes the same by Newton's method.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

SWEEPS = 200
SMALL_TURN = 1e-16  # the alternation between wheels ends when no end of an arc turns by more than this [rad]
STEP = 1e-30  # size of complex steps


class SheaveKind(IntEnum):
    """Kinds of sheaves, by what turns their plane."""

    FIXED = 0  # plane fixed on the body that carries the sheave
    SWIVEL = 1  # plane turned by the rope into that of the sheave's neighbours
    CASTOR = 2  # plane turned by the rope about the line on which the rope arrives


@dataclass(frozen=True)
class Wheel:
    """A sheave of a route; ``wrap`` is the wrap angle known so far, near which the angle is sought [rad]."""

    radius: float
    side: int = 1
    kind: SheaveKind = SheaveKind.FIXED
    wrap: float = np.pi / 2


@dataclass(frozen=True)
class Stop:
    """Point, and wheel, at which a route meets one of its guides."""

    point: np.ndarray  # pinhole or end; centre of a sheave; inlet of a castor [m], shape [moment, 3]
    wheel: Wheel | None = None
    axis: np.ndarray | None = None  # axis of the wheel; for a castor the line on which the rope arrives
    reference: np.ndarray | None = None  # at the first or last stop of a route: unit vector from which its arc counts


@dataclass(frozen=True)
class Trace:
    """A route laid over its guides."""

    length: np.ndarray  # length of the route [m], shape [moment]
    spans: np.ndarray  # straight lengths of the spans [m], shape [span, moment]
    directions: np.ndarray  # unit vectors along the spans [span, moment, 3]
    wraps: np.ndarray  # wrap angles at all stops, zero for points [rad], shape [stop, moment]
    centres: np.ndarray  # centres of all stops [m], shape [stop, moment, 3]
    axes: np.ndarray  # unit axes of the wheels, zero for points [stop, moment, 3]
    # unit vectors from the centre to where the rope arrives [stop, moment, 3]; ``leaves``: where it leaves
    arrives: np.ndarray
    leaves: np.ndarray


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Bilinear product along the last axis."""
    return np.sum(a * b, axis=-1, keepdims=True)


def unit(a: np.ndarray) -> np.ndarray:
    """The vectors at length one; zero vectors stay zero."""
    size = np.sqrt(dot(a, a))
    return a / np.where(np.abs(size) > 0.0, size, 1.0)


def trace(stops: list[Stop]) -> Trace:
    """Lay a rope over its guides; entries are NaN where there is no tangent."""
    centres, axes = _placed(stops)
    n, shape = len(stops), centres[0].shape
    arrives, leaves = [np.zeros(shape, centres[0].dtype) for _ in stops], [np.zeros(shape, centres[0].dtype)
                                                                           for _ in stops]  # fmt: skip
    spans, directions = [], []
    for k in range(n - 1):
        e_i, e_j = _tangent(centres[k + 1] - centres[k], (stops[k].wheel, axes[k]), (stops[k + 1].wheel, axes[k + 1]))
        way = centres[k + 1] + _radius(stops[k + 1]) * e_j - centres[k] - _radius(stops[k]) * e_i
        leaves[k], arrives[k + 1] = e_i, e_j
        spans.append(np.sqrt(dot(way, way))[..., 0])
        directions.append(unit(way))
    for k, ends in ((0, arrives), (n - 1, leaves)):
        ends[k] = _end_reference(stops[k], centres[k], ends[k])
    wraps = [_wrap(stop, axis, a, b) for stop, axis, a, b in zip(stops, axes, arrives, leaves, strict=True)]
    length = sum(spans) + sum(_radius(stop) * wrap for stop, wrap in zip(stops, wraps, strict=True))
    arrays = (spans, directions, wraps, centres, axes, arrives, leaves)
    return Trace(np.asarray(length), *(np.array(part) for part in arrays))


def _radius(stop: Stop) -> float:
    return stop.wheel.radius if stop.wheel is not None else 0.0


def _placed(stops: list[Stop]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Centres and axes of all stops; axes of sheaves that swivel follow from their neighbours."""
    centres = [stop.point for stop in stops]
    axes = [np.zeros_like(stop.point) if stop.axis is None else stop.axis for stop in stops]
    first = stops[0]
    if first.wheel is not None and first.wheel.kind == SheaveKind.CASTOR:
        way = centres[1] - first.point
        h = unit(way - dot(way, axes[0]) * axes[0])
        centres[0], axes[0] = first.point + first.wheel.radius * h, np.cross(axes[0], h)
    for k, stop in enumerate(stops):
        if stop.wheel is not None and stop.wheel.kind == SheaveKind.SWIVEL:
            axes[k] = unit(np.cross(centres[k] - centres[k - 1], centres[k + 1] - centres[k]))
    return centres, axes


def _end_reference(stop: Stop, centre: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Where the arc of a route's first or last sheave begins or ends."""
    if stop.wheel is None:
        return free
    if stop.wheel.kind == SheaveKind.CASTOR:
        return (stop.point - centre) / stop.wheel.radius
    return free if stop.reference is None else stop.reference


def _tangent(w: np.ndarray, one: tuple, other: tuple) -> tuple[np.ndarray, np.ndarray]:
    """Tangent of two wheels, Eq. (1), with Eq. (2) at both ends in turns; zero vectors for points."""
    e_i, e_j = np.zeros_like(w), np.zeros_like(w)
    both = one[0] is not None and other[0] is not None
    for _ in range(SWEEPS if both else 1):
        before = np.concatenate([e_i, e_j])
        if one[0] is not None:
            e_i = _rim(w + (other[0].radius * e_j if other[0] is not None else 0.0), one, 1.0)
        if other[0] is not None:
            e_j = _rim(w - (one[0].radius * e_i if one[0] is not None else 0.0), other, -1.0)
        if not np.nanmax(np.abs(np.concatenate([e_i, e_j]) - before), initial=0.0) > SMALL_TURN:
            break
    return e_i, e_j


def _rim(w: np.ndarray, end: tuple, sign: float) -> np.ndarray:
    """Unit vector from a wheel's centre to the tangent point, Eq. (2); NaN if the other end lies within the rim."""
    wheel, axis = end
    w_p = w - dot(w, axis) * axis
    size = np.sqrt(dot(w_p, w_p))
    x = w_p / size
    cosine = sign * wheel.radius / size
    with np.errstate(invalid="ignore"):
        sine = -wheel.side * np.sqrt(1.0 - cosine * cosine)
    return cosine * x + sine * np.cross(axis, x)


def _wrap(stop: Stop, axis: np.ndarray, e_in: np.ndarray, e_out: np.ndarray) -> np.ndarray:
    """Angle from where the rope arrives to where it leaves, of all its turns the one nearest to the wheel's own."""
    if stop.wheel is None:
        return np.zeros(len(axis), axis.dtype)
    x, y = dot(e_in, e_out)[..., 0], dot(axis, np.cross(e_in, e_out))[..., 0]
    angle = np.arctan2(np.real(y), np.real(x))
    # imaginary part of the angle, from a complex step
    more = (np.cos(angle) * y - np.sin(angle) * x) / (np.cos(angle) * x + np.sin(angle) * y)
    theta = stop.wheel.side * (angle + more)
    return theta + 2.0 * np.pi * np.round((stop.wheel.wrap - np.real(theta)) / (2.0 * np.pi))


def moved(stop: Stop, shift: np.ndarray, turn: np.ndarray) -> Stop:
    """A stop moved by a small shift and turned by a small turn, to first order."""
    axis, reference = (None if part is None else part + np.cross(turn, part) for part in (stop.axis, stop.reference))
    return Stop(stop.point + shift, stop.wheel, axis, reference)


def gradients(stops: list[Stop]) -> tuple[np.ndarray, np.ndarray]:
    """Force and couple at every stop of a rope with unit tension: less the slope of its length [stop, moment, 3]."""
    zero = np.zeros(stops[0].point.shape, complex)
    found = np.zeros((2, len(stops), *stops[0].point.shape))
    for k in range(len(stops)):
        for i, part in enumerate(found):
            for j in range(3):
                step = zero.copy()
                step[:, j] = 1j * STEP
                bent = [moved(stop, step if n == k and i == 0 else zero, step if n == k and i == 1 else zero)
                        for n, stop in enumerate(stops)]  # fmt: skip
                part[k, :, j] = -np.imag(trace(bent).length) / STEP
    return found[0], found[1]


def wound_off(guide: Any, layers: Any, x: Any) -> tuple[Any, Any]:
    """Length paid out by a coordinate that has moved by x, and its slope; ``layers`` are the rows of a drum.

    The slope is ``ratio``, and changes by ``step`` within ``climb`` to either side of where a layer ends, as the cubic
    u (3 - u^2)/4 + 1/2 does from u = -1 to 1.
    """
    paid, slope = guide["ratio"] * x - guide["offset"], guide["ratio"] + 0.0 * x
    for row in layers[int(guide["layer"]) : int(guide["layer"] + guide["layer_count"])]:
        u = (x - row["at"]) / row["climb"]
        inside = np.clip(np.real(u), -1.0, 1.0)
        slope = slope + row["step"] * (0.5 + 0.75 * inside - 0.25 * inside**3)
        grown = 0.1875 + 0.5 * inside + 0.375 * inside**2 - 0.0625 * inside**4
        paid = paid + row["step"] * row["climb"] * (grown + np.maximum(np.real(u) - 1.0, 0.0))
    return paid, slope
