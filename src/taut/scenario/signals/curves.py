"""Signals that can be evaluated: value and two exact derivatives, breakpoints, and the neutral form for the engine."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from taut.scenario.control.command import SignalCommand

from .expression import Expression, Sides, SignalError, parse
from .expression_bounds import Bounds
from .expression_fit import find_switches, fit
from .jets import Jet
from .pieces import (
    JUMP,
    CommandTerm,
    PolynomialPieces,
    Sinusoid,
    Term,
    Values,
    constant_pieces,
    evaluate_terms,
    held,
    jumps_of,
    local_pieces,
)
from .records import (
    SignalExpression,
    SignalPolynomial,
    SignalRopeLength,
    SignalShaped,
    SignalSine,
    SignalSum,
    SignalTable,
    SignalWaypoints,
)
from .rope_length import RopeLengthCurve, rope_length_curve
from .shaping import impulses, shaped_terms

# transitions from 0 at u = -1 to 1 at u = 1, as coefficients of powers of u
BLENDS = {
    "linear": [0.5, 0.5],
    "cubic": [0.5, 0.75, 0.0, -0.25],
    "quintic": [0.5, 15 / 16, 0.0, -10 / 16, 0.0, 3 / 16],
}


class Curve(Protocol):
    """Interface of every signal; times in s, t scalar or array."""

    def evaluate(self, t: Any, *, frozen: bool = False) -> Values:
        """Return value, first and second derivative (at a jump: from the right)."""
        ...

    def breakpoints(self, t_end: float) -> list[float]:
        """Return the times in 0 < t < t_end where value, first or second derivative may jump, sorted."""
        ...

    def terms(self, t_end: float) -> list[Term]:
        """Return the signal on 0 <= t <= t_end as a sum of polynomial pieces and sinusoids."""
        ...


@dataclass(frozen=True)
class TermCurve:
    """A signal that is a sum of terms from the start."""

    parts: list[Term]

    def evaluate(self, t: Any, *, frozen: bool = False) -> Values:
        """Return value, first and second derivative."""
        return _like(t, evaluate_terms(self.parts, t, frozen=frozen))

    def breakpoints(self, t_end: float) -> list[float]:
        """Return the jumps of the terms."""
        return jumps_of(self.parts, t_end)

    def terms(self, t_end: float) -> list[Term]:
        """Return the terms."""
        return self.parts


@dataclass(frozen=True)
class SumCurve:
    """A sum of other curves."""

    parts: list[Any]

    def evaluate(self, t: Any, *, frozen: bool = False) -> Values:
        """Return value, first and second derivative."""
        values = [part.evaluate(t, frozen=frozen) for part in self.parts]
        return tuple(sum(value[order] for value in values) for order in range(3))  # type: ignore[return-value]

    def breakpoints(self, t_end: float) -> list[float]:
        """Return the breakpoints of all parts."""
        return sorted({t for part in self.parts for t in part.breakpoints(t_end)})

    def terms(self, t_end: float) -> list[Term]:
        """Return the terms of all parts."""
        return [term for part in self.parts for term in part.terms(t_end)]


@dataclass(frozen=True)
class ExpressionCurve:
    """An expression of time and of other curves, held outside its span."""

    expression: Expression
    signals: dict[str, Any]
    start: float = -np.inf
    end: float = np.inf
    known: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)  # cached pieces, by end time

    def jet(self, t: np.ndarray, sides: Sides) -> Jet:
        """Return the jet of the formula, without regard to the span."""
        return self.expression.evaluate(t, self.signals, sides)

    def evaluate(self, t: Any, *, frozen: bool = False) -> Values:
        """Return value, first and second derivative."""
        flat = np.atleast_1d(np.asarray(t, float))
        inside, moving = held(flat, self.start, self.end, frozen)
        jet = self.jet(inside, Sides(frozen))
        return _like(t, (jet.v, np.where(moving, jet.d, 0.0), np.where(moving, jet.dd, 0.0)))

    def breakpoints(self, t_end: float) -> list[float]:
        """Return those switches, breakpoints of the signals used, and ends of the span at which something jumps."""
        return self._once("breakpoints", t_end, self._find_breakpoints)

    def terms(self, t_end: float) -> list[Term]:
        """Return polynomial pieces between all changes of the formula."""
        return self._once("terms", t_end, self._find_terms)

    def _once(self, what: str, t_end: float, find: Callable[[float], Any]) -> Any:
        if (what, t_end) not in self.known:
            self.known[what, t_end] = find(t_end)
        return self.known[what, t_end]

    def _find_breakpoints(self, t_end: float) -> list[float]:
        cuts = np.array([0.0, *self._cuts(t_end), t_end])
        middle, inner = 0.5 * (cuts[:-1] + cuts[1:]), cuts[1:-1]
        if not inner.size:
            return []
        left = self.evaluate(np.column_stack([inner, middle[:-1]]), frozen=True)
        right = self.evaluate(np.column_stack([inner, middle[1:]]), frozen=True)
        found = np.zeros(inner.size, bool)
        for before, after in zip(left, right, strict=True):
            found |= np.abs(after[:, 0] - before[:, 0]) > JUMP * np.abs([before, after]).max()
        return inner[found].tolist()

    def _find_terms(self, t_end: float) -> list[Term]:
        a, b = self._span(t_end)
        if not a < b:
            edge = self.start if self.start >= b else self.end
            return [constant_pieces(float(self.evaluate(edge)[0]))]
        return [fit(self.jet, self._bounds(t_end), [a, *(t for t in self._cuts(t_end) if a < t < b), b])]

    def _cuts(self, t_end: float) -> list[float]:
        """Return all times inside the run at which the formula may change, sorted."""
        return self._once("cuts", t_end, self._find_cuts)

    def _find_cuts(self, t_end: float) -> list[float]:
        a, b = self._span(t_end)
        if not a < b:
            return []
        used = {t for curve in self.signals.values() for t in curve.breakpoints(t_end) if a < t < b}
        ends = {t for t in (self.start, self.end) if 0 < t < t_end}
        return sorted({*find_switches(self.jet, self._bounds(t_end), a, b), *used, *ends})

    def _bounds(self, t_end: float) -> Bounds:
        return Bounds(self.expression, {name: curve.terms(t_end) for name, curve in self.signals.items()})

    def _span(self, t_end: float) -> tuple[float, float]:
        return max(0.0, self.start), min(t_end, self.end)


def curve_of(spec: Any, named: Mapping[str, Any], users: tuple[str, ...] = ()) -> Curve:
    """Return the curve of a signal as it stands in a record.

    Args:
        spec: number, expression, name of a signal, or signal record.
        named: the scenario's named signals.
        users: names of the signals that led here, to catch circles.
    """
    if hasattr(spec, "curve"):  # the signal is made from other signals
        return spec.curve(named)
    match spec:
        case str():
            return _expression_curve(spec, named, users)
        case SignalExpression():
            curve = _expression_curve(spec.expression, named, users)
            return _with_span(curve, spec.start, spec.end)
        case SignalSum():
            return SumCurve([curve_of(term, named, users) for term in spec.terms])
        case SignalShaped():
            train = impulses(spec.shaper, spec.omega, spec.damping)
            return TermCurve(shaped_terms(curve_of(spec.signal, named, users), train))
        case SignalRopeLength():
            return _rope_curve(spec, named, users)
        case SignalCommand():
            return TermCurve([_command_term(spec, named, users)])
        case _:
            return TermCurve([_term_of(spec)])


def _expression_curve(text: str, named: Mapping[str, Any], users: tuple[str, ...]) -> Curve:
    expression = parse(text, list(named))
    for name in expression.names:
        if name in users:
            raise SignalError(f"signals refer to each other in a circle: {' -> '.join([*users, name])}")
        if len(users) > 20:
            raise SignalError("signals refer to each other more than 20 levels deep")
    signals = {name: curve_of(named[name], named, (*users, name)) for name in expression.names}
    # a formula that is just the name of a signal is that signal
    if text.strip() in signals:
        return signals[text.strip()]
    for name, curve in signals.items():
        if has_command(curve):
            remedy = "use its bare name, or add it to other signals with kind: sum"
            raise SignalError(f"{name} is set by a controller and cannot be part of an expression", remedy)
    return ExpressionCurve(expression, signals) if signals else _curve_of_time(text)


@lru_cache(maxsize=256)
def _curve_of_time(text: str) -> ExpressionCurve:
    """Return the curve of an expression of time alone; all cables of a robot share the curves of its path."""
    return ExpressionCurve(parse(text, []), {})


def _rope_curve(spec: SignalRopeLength, named: Mapping[str, Any], users: tuple[str, ...]) -> RopeLengthCurve:
    turn = spec.turn if spec.turn is not None else (0.0, 0.0, 0.0)
    path, turn = (tuple(curve_of(part, named, users) for part in parts) for parts in (spec.path, turn))
    if any(has_command(curve) for curve in (*path, *turn)):
        raise SignalError("the path is set by a controller, so the length of the rope is not known beforehand")
    return rope_length_curve(spec, path, turn)


def has_command(curve: Any) -> bool:
    """Return whether a curve is known in the run only."""
    return any(has_command(part) if not isinstance(part, Term) else isinstance(part, CommandTerm)
               for part in getattr(curve, "parts", ()))  # fmt: skip


def _command_term(spec: SignalCommand, named: Mapping[str, Any], users: tuple[str, ...]) -> CommandTerm:
    commands = [name for name, signal in named.items() if isinstance(signal, SignalCommand)]
    if not users or users[-1] not in commands:
        raise SignalError("a command needs a name, by which its controller finds it", "put it under signals")
    return CommandTerm(commands.index(users[-1]), spec.initial)


def _with_span(curve: Curve, start: float | None, end: float | None) -> Curve:
    if start is None and end is None:
        return curve
    if not isinstance(curve, ExpressionCurve):
        raise SignalError("start and end need an expression, not the bare name of a signal", "write 1*name")
    low, high = -np.inf if start is None else start, np.inf if end is None else end
    return ExpressionCurve(curve.expression, curve.signals, low, high)


def _term_of(spec: Any) -> Term:
    match spec:
        case SignalPolynomial():
            size = max(len(row) for row in spec.coefficients)
            rows = [list(row) + [0.0] * (size - len(row)) for row in spec.coefficients]
            return local_pieces(np.array(spec.breaks), np.array(rows))
        case SignalWaypoints():
            return waypoint_pieces(spec.times, spec.values, spec.blend)
        case SignalSine():
            omega = spec.omega if spec.omega is not None else 2 * np.pi * (spec.frequency or 0.0)
            low, high = -np.inf if spec.start is None else spec.start, np.inf if spec.end is None else spec.end
            return Sinusoid(spec.amplitude, omega, spec.phase, spec.offset, low, high)
        case SignalTable():
            return table_pieces(spec)
        case _:
            return constant_pieces(getattr(spec, "value", spec))


def waypoint_pieces(times: tuple[float, ...], values: tuple[float, ...], blend: str) -> PolynomialPieces:
    """Return values at times joined by a blend on each segment."""
    if len(times) == 1:
        return constant_pieces(values[0])
    y = np.array(values)
    coefficients = np.diff(y)[:, None] * np.array(BLENDS[blend])
    coefficients[:, 0] += y[:-1]
    return PolynomialPieces(np.array(times), coefficients)


def table_pieces(spec: SignalTable) -> PolynomialPieces:
    """Return the spline through a table."""
    if spec.spline == "linear":
        return waypoint_pieces(spec.times, spec.values, "linear")
    from scipy.interpolate import CubicSpline

    spline = CubicSpline(spec.times, spec.values)
    return local_pieces(np.array(spec.times), np.ascontiguousarray(spline.c[::-1].T))


def _like(t: Any, values: Any) -> Values:
    """Return floats for a scalar time, arrays of the shape of t otherwise."""
    shape = np.shape(t)
    return tuple(np.reshape(value, shape) if shape else float(np.ravel(value)[0]) for value in values)  # type: ignore[return-value]
