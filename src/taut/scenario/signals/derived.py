"""Signals made from other signals while a machine is put together: products, limits, lags, integrals."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .curves import Curve, TermCurve, curve_of
from .pieces import CommandTerm, PolynomialPieces, Sinusoid, Term, constant_pieces

BASE = "_taut_base"
# quintic smoothstep from 0 to 1: its first and second derivatives do not jump at the ends
SMOOTH = "(t/{0})**3*(10 - 15*(t/{0}) + 6*(t/{0})**2)"
PIECES_PER_LAG = 8


@dataclass(frozen=True)
class DerivedSignal:
    """A formula of one base signal, which the formula names `_taut_base`."""

    base: Any
    formula: str = BASE

    def curve(self, named: Mapping[str, Any]) -> Curve:
        """Return the curve."""
        return curve_of(self.formula, {**named, BASE: self.base})


@dataclass(frozen=True)
class ScaledSignal:
    """offset + scale times a base signal."""

    base: Any
    scale: float
    offset: float = 0.0

    def curve(self, named: Mapping[str, Any]) -> Curve:
        """Return the curve."""
        return ScaledCurve(curve_of(self.base, named), self.scale, self.offset)


@dataclass(frozen=True)
class ScaledCurve:
    """offset + scale times a curve."""

    base: Curve
    scale: float
    offset: float

    def evaluate(self, t: Any, *, frozen: bool = False) -> Any:
        """Return value, first and second derivative."""
        value, rate, second = self.base.evaluate(t, frozen=frozen)
        return self.offset + self.scale * value, self.scale * rate, self.scale * second

    def breakpoints(self, t_end: float) -> list[float]:
        """Return the jumps of the base."""
        return self.base.breakpoints(t_end)

    def terms(self, t_end: float) -> list[Term]:
        """Return the scaled terms, and the offset."""
        terms: list[Term] = [constant_pieces(self.offset)] if self.offset else []
        for term in self.base.terms(t_end):
            if isinstance(term, CommandTerm):
                terms.append(replace(term, scale=self.scale * term.scale))
            elif isinstance(term, PolynomialPieces):
                terms.append(PolynomialPieces(term.breaks, self.scale * term.coefficients))
            else:
                terms.append(replace(term, amplitude=self.scale * term.amplitude, offset=self.scale * term.offset))
        return terms


@dataclass(frozen=True)
class LaggedSignal:
    """A first-order lag behind a base signal: T y' + y = base, at rest on it at t = 0."""

    base: Any
    lag: float  # time constant T [s]

    def curve(self, named: Mapping[str, Any]) -> Curve:
        """Return the curve."""
        return LagCurve(curve_of(self.base, named), self.lag)


@dataclass
class DerivedCurve(ABC):
    """A curve computed from a base curve, in terms that are made up to the time that is asked for."""

    base: Curve
    known: "KnownTerms" = field(default_factory=lambda: KnownTerms(), kw_only=True)

    def evaluate(self, t: Any, *, frozen: bool = False) -> Any:
        """Return value, first and second derivative."""
        return self.known.up_to(float(np.max(t)), self.terms).evaluate(t, frozen=frozen)

    def breakpoints(self, t_end: float) -> list[float]:
        """Return the jumps of the base: the derived curve's rate jumps there."""
        return self.base.breakpoints(t_end)

    @abstractmethod
    def terms(self, t_end: float) -> list[Term]:
        """Return the terms from t = 0 to a time."""


@dataclass
class LagCurve(DerivedCurve):
    """A curve behind another by a first-order lag, as quintic pieces through values and two derivatives."""

    lag: float

    def terms(self, t_end: float) -> list[Term]:
        """Return the pieces."""
        from scipy.integrate import solve_ivp

        marks = piece_marks(self.base, t_end)
        y = float(self.base.evaluate(0.0)[0])
        breaks, rows = [0.0], []
        for a, b in zip(marks, marks[1:], strict=False):
            count = max(4, int(np.ceil((b - a) / self.lag * PIECES_PER_LAG)))
            times = np.linspace(a, b, count + 1)
            middle = 0.5 * (a + b)

            def base(t: Any, middle: float = middle) -> Any:
                # at both ends of the interval, take the branch of the formula that holds in its middle
                pairs = np.column_stack([np.atleast_1d(t), np.full(np.size(t), middle)])
                value, rate, _ = self.base.evaluate(pairs, frozen=True)
                return value[:, 0], rate[:, 0]

            solution: Any = solve_ivp(lambda t, y: (base(t)[0] - y) / self.lag, (a, b), [y], method="DOP853",
                                      t_eval=times, rtol=1e-12, atol=1e-12)  # fmt: skip
            values = solution.y[0]
            target, target_rate = base(times)
            rates = (target - values) / self.lag
            seconds = (target_rate - rates) / self.lag
            rows += hermite_rows(times, values, rates, seconds)
            breaks += times[1:].tolist()
            y = float(values[-1])
        return [PolynomialPieces(np.array(breaks), np.array(rows))]


def piece_marks(base: Curve, t_end: float) -> list[float]:
    """Return the start, the end, and between them all breakpoints and limits of pieces: nothing short is passed over.

    Sinusoids are cut into pieces of an eighth of a period.
    """
    found = [np.array([0.0, t_end, *base.breakpoints(t_end)])]
    for term in base.terms(t_end):
        if isinstance(term, PolynomialPieces):
            found.append(term.breaks)
        elif isinstance(term, Sinusoid):
            start, end = max(term.start, 0.0), min(term.end, t_end)
            count = max(int(np.ceil((end - start) * abs(term.omega) * 4 / np.pi)), 1)
            found.append(np.linspace(start, end, count + 1) if end > start else np.array([]))
    marks = np.unique(np.concatenate(found))
    return marks[(marks >= 0.0) & (marks <= t_end)].tolist()


def hermite_rows(t: np.ndarray, y: np.ndarray, d: np.ndarray, s: np.ndarray) -> list[np.ndarray]:
    """Return quintic pieces through values and two derivatives, in powers of u in [-1, 1]."""
    u = np.array(
        [[1.0, -1.0, 1.0, -1.0, 1.0, -1.0], [0.0, 1.0, -2.0, 3.0, -4.0, 5.0], [0.0, 0.0, 2.0, -6.0, 12.0, -20.0]]
    )
    A = np.vstack([u, np.abs(u)])
    h = 0.5 * np.diff(t)
    left = np.array([y[:-1], d[:-1] * h, s[:-1] * h**2])
    right = np.array([y[1:], d[1:] * h, s[1:] * h**2])
    return list(np.linalg.solve(A, np.vstack([left, right])).T)


@dataclass(frozen=True)
class IntegratedSignal:
    """The integral of a base signal from t = 0."""

    base: Any

    def curve(self, named: Mapping[str, Any]) -> Curve:
        """Return the curve."""
        return IntegralCurve(curve_of(self.base, named))


@dataclass
class IntegralCurve(DerivedCurve):
    """The integral of a curve from t = 0, piece by piece."""

    def terms(self, t_end: float) -> list[Term]:
        """Return the integral of every term; Gauss points where a term is no polynomial."""
        # one polynomial per piece of the base, through the rate at Chebyshev points
        breaks = np.array(piece_marks(self.base, t_end))
        rows, total = [], 0.0
        for a, b in zip(breaks[:-1], breaks[1:], strict=True):
            half = 0.5 * (b - a)
            series = np.polynomial.chebyshev.Chebyshev.interpolate(
                lambda u, a=a, b=b, half=half: self._rate(0.5 * (a + b) + half * u, 0.5 * (a + b)), 13
            )
            power = series.integ(lbnd=-1.0).convert(kind=np.polynomial.Polynomial).coef
            row = np.zeros(16)
            row[: len(power)] = half * power
            row[0] += total
            total = float(np.polynomial.polynomial.polyval(1.0, row))
            rows.append(row)
        return [PolynomialPieces(breaks, np.array(rows))] if rows else [constant_pieces(0.0)]

    def _rate(self, t: np.ndarray, middle: float) -> np.ndarray:
        pairs = np.column_stack([t, np.full(len(t), middle)])
        return self.base.evaluate(pairs, frozen=True)[0][:, 0]


@dataclass
class KnownTerms:
    """Terms made once, and again only for a later end."""

    end: float = -1.0
    terms: list[Term] = field(default_factory=list)

    def up_to(self, time: float, make: Callable[[float], list[Term]]) -> TermCurve:
        """Return the curve that holds up to a time [s]."""
        if time > self.end:
            self.end = 1.5 * max(time, 1.0)
            self.terms = make(self.end)
        return TermCurve(self.terms)


def limited(spec: Any, low: float, high: float) -> DerivedSignal:
    """Return the signal kept between two limits."""
    return DerivedSignal(spec, f"min(max({BASE}, {low!r}), {high!r})")


def blended_in(spec: Any, span: float) -> DerivedSignal:
    """Return the signal times a smooth step over the first seconds."""
    return DerivedSignal(spec, f"{BASE}*where({span!r} - t, {SMOOTH.format(repr(span))}, 1)")
