"""Bounds of an expression over whole intervals of time, so that no feature is missed however short it is.

Samples on a grid cannot tell what lies between them. Bounds can: an interval on which every function of the expression
has a narrow argument is one that a few samples describe; a switching function whose bounds exclude zero does not switch
there, and one whose slope does not change its sign switches once at most. All else is halved.
"""

import ast
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import spans
from .expression import CONSTANTS, Expression, SignalError
from .pieces import PolynomialPieces, Sinusoid
from .spans import FUNCTIONS, Looks, Span

MOST_INTERVALS = 40_000  # most intervals of one level of halving
FINEST = 1e-10  # shortest interval, relative to the whole


class Bounds:
    """The bounds of one expression; its signals as sums of terms, inside whose pieces all intervals must lie."""

    def __init__(self, expression: Expression, terms: Mapping[str, list[Any]]) -> None:
        """Keep formula and terms; ``terms`` by the names of the signals that the expression refers to."""
        self.expression, self.terms = expression, terms

    def breaks(self, start: float, end: float) -> np.ndarray:
        """Return the limits of the signals' pieces between two times, with these two times."""
        pieces = [term for terms in self.terms.values() for term in terms]
        inner = [term.breaks for term in pieces if isinstance(term, PolynomialPieces)]
        inner += [np.array([term.start, term.end]) for term in pieces if isinstance(term, Sinusoid)]
        found = np.unique(np.concatenate([[start, end], *inner]))
        return found[(found >= start) & (found <= end)]

    def look(self, left: np.ndarray, right: np.ndarray) -> tuple[Span, Looks]:
        """Bound the expression on intervals."""
        looks = Looks(np.zeros(left.shape, bool))
        with np.errstate(all="ignore"):
            known = {name: sum_span(terms, left, right) for name, terms in self.terms.items()}
            one = np.ones_like(left)
            found = _bound(self.expression.tree, {**known, "t": Span(left, right, one, one)}, looks)
        return found, looks

    def resolve(self, cuts: list[float]) -> list[float]:
        """Return the cuts, with as many further ones that no interval stays coarse."""
        left, right, done = *self._pieces(cuts), []
        least = FINEST * (cuts[-1] - cuts[0])
        while left.size and left.size < MOST_INTERVALS:
            coarse = self.look(left, right)[1].coarse & (right - left > least)
            done.append(left[~coarse])
            left, right = _halved(left[coarse], right[coarse])
        return np.unique(np.concatenate([*done, left, [cuts[-1]]])).tolist()

    def brackets(self, start: float, end: float, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return intervals that hold every change of sign of switching function k, each of them one at most."""
        left, right = self._pieces([start, end])
        least, found = FINEST * (end - start), []
        while left.size:
            s = self.look(left, right)[1].switches[k]
            # a switch that is constant, such as that of a signal held at its limit, does not change sign
            may = ~((s.low > 0) | (s.high < 0) | ((s.d_low == 0) & (s.d_high == 0)))
            once = may & ((s.d_low > 0) | (s.d_high < 0) | (right - left <= least))
            found.append((left[once], right[once]))
            left, right = _halved(left[may & ~once], right[may & ~once])
            if left.size + sum(len(pair[0]) for pair in found) > MOST_INTERVALS:
                raise SignalError(f"switches too often near t = {left[0]:.6g} s", "shorten the run, or its span")
        return np.concatenate([pair[0] for pair in found]), np.concatenate([pair[1] for pair in found])

    def _pieces(self, cuts: list[float]) -> tuple[np.ndarray, np.ndarray]:
        edges = np.unique(np.concatenate([cuts, self.breaks(cuts[0], cuts[-1])]))
        return edges[:-1], edges[1:]


def _halved(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    middle = 0.5 * (left + right)
    return np.concatenate([left, middle]), np.concatenate([middle, right])


def sum_span(terms: list[Any], left: np.ndarray, right: np.ndarray) -> Span:
    """Return the bounds of a sum of terms, each interval inside one piece."""
    total = spans.constant(0.0, left)
    for term in terms:
        is_sine = isinstance(term, Sinusoid)
        total = total + (sinusoid_span(term, left, right) if is_sine else piece_span(term, left, right))
    return total


def sinusoid_span(term: Sinusoid, left: np.ndarray, right: np.ndarray) -> Span:
    """Return the bounds of a sinusoid, which is held outside its span."""
    is_moving = (0.5 * (left + right) > term.start) & (0.5 * (left + right) < term.end)
    rate = np.where(is_moving, 1.0, 0.0)
    inside = Span(np.clip(left, term.start, term.end), np.clip(right, term.start, term.end), rate, rate)
    angle = inside * spans.constant(term.omega, left) + spans.constant(term.phase, left)
    wave = spans.sin(Looks(np.zeros(left.shape, bool)), angle)
    return wave * spans.constant(term.amplitude, left) + spans.constant(term.offset, left)


def piece_span(term: PolynomialPieces, left: np.ndarray, right: np.ndarray) -> Span:
    """Return the bounds of polynomial pieces, which are held outside their span, by Horner's rule."""
    middle = 0.5 * (left + right)
    i = np.clip(np.searchsorted(term.breaks, middle, side="right") - 1, 0, len(term.coefficients) - 1)
    half = 0.5 * (term.breaks[i + 1] - term.breaks[i])
    low, high = (np.clip((t - term.breaks[i]) / half - 1.0, -1.0, 1.0) for t in (left, right))
    rate = np.where((middle > term.breaks[0]) & (middle < term.breaks[-1]), 1.0 / half, 0.0)
    x, zero, total = Span(low, high, rate, rate), np.zeros_like(left), spans.constant(0.0, left)
    for c in np.moveaxis(term.coefficients[i], -1, 0)[::-1]:
        total = total * x + Span(c, c, zero, zero)
    return total


def _bound(node: ast.AST, known: Mapping[str, Span], looks: Looks) -> Span:
    like = known["t"].low
    match node:
        case ast.Constant(value=value):
            return spans.constant(float(value), like)  # type: ignore[arg-type]
        case ast.Name(id=name):
            return spans.constant(CONSTANTS[name], like) if name in CONSTANTS else known[name]
        case ast.UnaryOp(op=op, operand=operand):
            found = _bound(operand, known, looks)
            return -found if isinstance(op, ast.USub) else found
        case ast.BinOp(left=left, op=op, right=right):
            return _operate(op, _bound(left, known, looks), _bound(right, known, looks), looks)
        case ast.Call(func=ast.Name(id=name), args=args):
            return FUNCTIONS[name](looks, *(_bound(argument, known, looks) for argument in args))
    raise AssertionError(node)


def _operate(op: ast.operator, a: Span, b: Span, looks: Looks) -> Span:
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.Div():
            return a * spans.reciprocal(looks, b)
    if b.is_constant.all() and np.all(b.low == b.low.flat[0]):
        return spans.power(looks, a, float(b.low.flat[0]))
    return spans.exp(looks, b * spans.log(looks, a))
