"""Length of a rope to a body that is led along a path: from its exit, over its pulley and guides, to its anchor.

The length l is that of ``model/routes.py`` at the pose of the path, so it is known at any time and needs no table. Its
rate is found by a complex step in time, r(t + ih) = r + ih r', exact to rounding. For the engine the rate is fitted by
Chebyshev interpolation on adaptively halved pieces and integrated from the exact length at the left end of each piece,
so that length, rate and acceleration are derivatives of one polynomial.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev, polynomial

from taut.model.routes import SheaveKind, Stop, Wheel, trace
from taut.scenario.cables.ways import WayError, lay

from .expression import SignalError
from .expression_fit import NODES, POINTS, TO_COEFFICIENTS
from .pieces import PolynomialPieces, Sinusoid, Term, Values

UP = (0.0, 0.0, 1.0)
STEP = 1e-30  # size of complex steps
# way of the body in the step of the difference that gives the second derivative [m]; at most as many seconds
NEAR = 1e-5
RELATIVE = 1e-12  # error of the fitted rate and length, relative to the largest rate and to the length of the rope
MOST_PIECES = 20_000
# matrix from Chebyshev coefficients to their integral from u = -1, in powers of u
ONCE = np.zeros((NODES + 1, NODES))
for _k in range(NODES):
    _p = polynomial.polyint(chebyshev.cheb2poly(np.eye(NODES)[_k]), 1, [0], lbnd=-1)
    ONCE[: len(_p), _k] = _p

Motion = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Leading:
    """Exit of a rope, and the point at which it is fastened on the body."""

    exit: np.ndarray  # point at which the rope begins, world [m]
    anchor: np.ndarray  # point at which the rope is fastened, in the frame of the body [m]
    radius: float = 0.0  # radius of the pulley at the exit [m]; 0: the exit is a point
    axis: tuple[float, float, float] = UP  # line about which the pulley swivels
    via: tuple[Any, ...] = ()  # guides from the exit to the anchor, in the world or on the body
    wheels: tuple[Wheel | None, ...] = ()  # of the guides, with the sides and wraps of the start
    body: str = "platform"

    def started(self, r: np.ndarray, turn: np.ndarray) -> "Leading":
        """The same laid over its guides at the start, which says on which side of its sheaves it passes."""
        if not self.via:
            return self
        pulley = SimpleNamespace(radius=self.radius, axis=self.axis) if self.radius > 0.0 else None
        cable = SimpleNamespace(via=self.via, pulley=pulley, body=self.body, anchor=self.anchor)
        R = np.column_stack([rotated(turn[None], e)[0] for e in np.eye(3)])
        try:
            laid = lay(cable, self.exit, {"world": (np.eye(3), np.zeros(3)), self.body: (R, r)})
        except WayError as error:
            raise SignalError(f"{error.key} of the rope: {error.message}", error.remedy) from None
        return replace(self, wheels=tuple(stop.wheel for stop in laid.stops[1:-1]))

    def length(self, r: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Length of the rope for positions and rotation vectors of the body, shape [moment, 3], real or complex."""
        return trace(self.stops(r, turn)).length

    def stops(self, r: np.ndarray, turn: np.ndarray) -> list[Stop]:
        """Exit, guides and anchor."""
        found = [self.first_stop(r.shape)]
        for guide, wheel in zip(self.via, self.wheels, strict=True):
            is_led, point, axis = guide.body == self.body, np.array(guide.point), None
            if wheel is not None and wheel.kind == SheaveKind.FIXED:
                a = np.array(guide.axis) / np.linalg.norm(guide.axis)
                axis = rotated(turn, a) if is_led else np.broadcast_to(a, r.shape)
            place = r + rotated(turn, point) if is_led else np.broadcast_to(point, r.shape)
            found.append(Stop(place, wheel, axis))
        return [*found, Stop(r + rotated(turn, self.anchor))]

    def first_stop(self, shape: tuple[int, ...]) -> Stop:
        """The exit as a stop of the route; ``shape`` is that of the body's positions."""
        leave = np.broadcast_to(self.exit, shape)
        if self.radius == 0.0:
            return Stop(leave)
        axis = np.broadcast_to(np.array(self.axis) / np.linalg.norm(self.axis), shape)
        return Stop(leave, Wheel(self.radius, 1, SheaveKind.CASTOR, np.pi), axis)


@dataclass(frozen=True)
class RopeLengthCurve:
    """scale times the change of the length since t = 0."""

    leading: Leading
    path: tuple[Any, ...]  # three curves of the body's position
    turn: tuple[Any, ...]  # three curves of its rotation vector
    scale: float
    known: dict[float, list[Term]] = field(default_factory=dict, compare=False, repr=False)  # pieces by end time

    def evaluate(self, t: Any, *, frozen: bool = False) -> Values:
        """Value, first and second derivative."""
        flat = np.atleast_1d(np.asarray(t, float))
        motion = self._motion(flat, frozen)
        speed = float(np.abs(motion[1]).max(initial=0.0))
        step = NEAR / max(speed, 1.0)
        # the motion as seen from this side of a breakpoint, continued by its own derivatives; all laid at once
        near = [motion, continued(motion, step), continued(motion, -step)]
        x, v, a = (np.concatenate(parts) for parts in zip(*near, strict=True))
        lengths, rates = self._length((x, v, a))
        (length, _, _), (rate, ahead, behind) = np.split(lengths, 3), np.split(rates, 3)
        found = length - self._start, rate, (ahead - behind) / (2.0 * step)
        return tuple((self.scale * part).reshape(np.shape(t)) for part in found)  # type: ignore[return-value]

    def breakpoints(self, t_end: float) -> list[float]:
        """Return the breakpoints of the path."""
        return sorted({t for curve in (*self.path, *self.turn) for t in curve.breakpoints(t_end)})

    def terms(self, t_end: float) -> list[Term]:
        """Return polynomial pieces between the breakpoints of the path."""
        if t_end not in self.known:
            self.known[t_end] = [self._fit(np.array(self._cuts(t_end)))]
        return self.known[t_end]

    @cached_property
    def _start(self) -> float:
        return float(self._length(self._motion(np.zeros(1), False))[0][0])

    def _motion(self, t: np.ndarray, frozen: bool) -> Motion:
        """Position and rotation vector of the body [.., 6] with first and second derivatives."""
        parts = [curve.evaluate(t, frozen=frozen) for curve in (*self.path, *self.turn)]
        return tuple(np.stack([part[k] * np.ones_like(t) for part in parts], axis=-1)
                     for k in range(3))  # type: ignore[return-value]  # fmt: skip

    def _length(self, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
        """Length of the rope and its rate."""
        x = (motion[0] + 1j * STEP * motion[1]).reshape(-1, 6)
        length = self.leading.length(x[:, :3], x[:, 3:]).reshape(motion[0].shape[:-1])
        # where there is no tangent a real length is NaN, while a complex one is any number
        if not np.isfinite(self.leading.length(x.real[:, :3], x.real[:, 3:])).all():
            where = "a guide of the rope" if self.leading.via else "the pulley at the exit"
            raise SignalError(f"the body is led into {where}", "keep the anchor outside of wheels")
        return np.real(length), np.imag(length) / STEP

    def _cuts(self, t_end: float) -> list[float]:
        """Ends of the first pieces: those of the path's own pieces, and a tenth of a period of its sinusoids."""
        found = {0.0, t_end, *self.breakpoints(t_end)}
        for term in (term for curve in (*self.path, *self.turn) for term in curve.terms(t_end)):
            if isinstance(term, PolynomialPieces):
                found |= {float(t) for t in term.breaks if 0.0 < t < t_end}
            elif isinstance(term, Sinusoid):
                found |= set(np.arange(0.0, t_end, 0.2 * np.pi / term.omega).tolist())
        return sorted(found)

    def _fit(self, cuts: np.ndarray) -> PolynomialPieces:
        left, right, done = cuts[:-1], cuts[1:], []
        before = np.full(left.size, np.inf)
        # halve, level by level, all pieces that are not accurate enough, or where halving leaves rounding noise
        while left.size:
            error, coefficients = self._fit_pieces(left, right)
            good = (error <= 1.0) | ((before < 2.0 * error) & (error < 1e3))
            done += list(zip(left[good], right[good], coefficients[good], strict=True))
            left, right, before = left[~good], right[~good], error[~good]
            if len(done) + 2 * left.size > MOST_PIECES:
                raise SignalError("the path bends too often for the length of the rope", "shorten run.duration")
            middle = 0.5 * (left + right)
            left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
            before = np.concatenate([before, before])
        done.sort(key=lambda piece: piece[0])
        return PolynomialPieces(np.array([piece[0] for piece in done] + [cuts[-1]]),
                                np.array([piece[2] for piece in done]))  # fmt: skip

    def _fit_pieces(self, left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return for each piece the error over what is allowed, and the coefficients of the value in powers of u."""
        half, middle = 0.5 * (right - left), 0.5 * (left + right)
        # times to evaluate: both ends, the nodes, and the middle, by which signals choose the piece
        t = np.column_stack([left, right, middle[:, None] + half[:, None] * POINTS, middle])
        length, rate = self._length(self._motion(t, True))
        c = rate[:, 2:-1] @ TO_COEFFICIENTS.T
        coefficients = half[:, None] * (c @ ONCE.T)
        size, speed = float(length.max()), max(float(np.abs(rate).max()), 1e-6)
        # a feature between the nodes shows in the length at the right end
        gap = np.abs(coefficients.sum(axis=1) - (length[:, 1] - length[:, 0])) / (RELATIVE * size)
        error = np.maximum(np.abs(c[:, -2:]).max(axis=1) / (RELATIVE * speed), gap)
        coefficients[:, 0] += length[:, 0] - self._start
        return error, self.scale * coefficients


def continued(motion: Motion, step: float) -> Motion:
    """A motion a small step of time away, by its derivatives."""
    x, v, a = motion
    return x + step * v + 0.5 * step**2 * a, v + step * a, a


def rotated(turn: np.ndarray, a: np.ndarray) -> np.ndarray:
    """A vector turned by rotation vectors [moment, 3], real or complex, by Rodrigues' formula."""
    angle = np.sqrt(np.sum(turn * turn, axis=1, keepdims=True))
    is_turned = np.abs(angle) > 0.0
    safe = np.where(is_turned, angle, 1.0)
    # sin(x)/x and (1 - cos x)/x^2, with their limits at rest
    along = np.where(is_turned, np.sin(safe) / safe, 1.0)
    across = np.where(is_turned, 2.0 * (np.sin(0.5 * safe) / safe) ** 2, 0.5)
    once = np.cross(turn, a)
    return a + along * once + across * np.cross(turn, once)


def rope_length_curve(spec: Any, path: tuple[Any, ...], turn: tuple[Any, ...]) -> RopeLengthCurve:
    """Return the curve of a record, from those of its path and its turn."""
    radius, axis = (spec.pulley.radius, spec.pulley.axis) if spec.pulley is not None else (0.0, UP)
    leading = Leading(np.array(spec.exit), np.array(spec.anchor), radius, axis, spec.via, body=spec.body)
    start, turned = (np.array([float(curve.evaluate(0.0)[0]) for curve in part]) for part in (path, turn))
    return RopeLengthCurve(leading.started(start, turned), path, turn, spec.scale)
