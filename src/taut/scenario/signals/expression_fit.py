"""From an expression to its switches and to polynomial pieces.

The second derivative is fitted by Chebyshev interpolation on adaptively halved pieces to 1e-13 and integrated twice
from the exact value and slope at the left end of each piece, so that value, velocity and acceleration are derivatives
of one polynomial. A piece never straddles a switch, and the first pieces are those on which the bounds of the
expression leave no room for a feature between the nodes (``expression_bounds``).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import chebyshev, polynomial

from .expression import Sides, SignalError
from .expression_bounds import Bounds
from .jets import Jet
from .pieces import PolynomialPieces

NODES = 12
GRID = 8193
MOST_PIECES = 20_000
RELATIVE = 1e-13
NOISE = 1e-9
SLACK = 0.01  # weight of errors between the nodes: there a hundred times the error at the nodes is allowed

Evaluate = Callable[[np.ndarray, Sides], Jet]

# Chebyshev points of the first kind, and the matrix from values there to coefficients
ANGLES = (np.arange(NODES) + 0.5) * np.pi / NODES
POINTS = np.cos(ANGLES)
TO_COEFFICIENTS = 2 / NODES * np.cos(np.outer(np.arange(NODES), ANGLES))
TO_COEFFICIENTS[0] *= 0.5
# matrix from Chebyshev coefficients to the twofold integral from u = -1, in powers of u
TWICE = np.zeros((NODES + 2, NODES))
for _k in range(NODES):
    _p = polynomial.polyint(chebyshev.cheb2poly(np.eye(NODES)[_k]), 2, [0, 0], lbnd=-1)
    TWICE[: len(_p), _k] = _p


def find_switches(evaluate: Evaluate, bounds: Bounds, start: float, end: float) -> list[float]:
    """Return the times in start < t < end at which a switch of the expression changes its sign."""
    count = len(_switches(evaluate, np.array([start])))
    found: list[float] = []
    for k in range(count):
        found += _roots(lambda t, k=k: _switches(evaluate, t)[k].v, *bounds.brackets(start, end, k)).tolist()
    return _distinct([t for t in found if start < t < end], 1e-12 * (end - start))


def _switches(evaluate: Evaluate, t: np.ndarray) -> list[Jet]:
    record = Sides()
    evaluate(t, record)
    return record.seen


def _roots(function: Callable[[np.ndarray], np.ndarray], left: np.ndarray, right: np.ndarray) -> np.ndarray:
    if not left.size:
        return left
    crossing = (function(left) >= 0) != (function(right) >= 0)
    return _bisect(function, left[crossing], right[crossing]) if crossing.any() else np.empty(0)


def _bisect(function: Callable[[np.ndarray], np.ndarray], low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return the sign change in each bracket, to the last digit; of the two neighbours the one nearer to zero."""
    sign = function(low) >= 0
    for _ in range(80):
        middle = 0.5 * (low + high)
        if np.all((middle == low) | (middle == high)):
            break
        same = (function(middle) >= 0) == sign
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return np.where(np.abs(function(low)) < np.abs(function(high)), low, high)


def _distinct(times: list[float], gap: float) -> list[float]:
    kept: list[float] = []
    for t in sorted(times):
        if not kept or t - kept[-1] > gap:
            kept.append(t)
    return kept


def fit(evaluate: Evaluate, bounds: Bounds, cuts: list[float]) -> PolynomialPieces:
    """Return the expression between the first and the last of the cuts as polynomial pieces; the cuts are breaks."""
    cuts = bounds.resolve(cuts)
    # the first pieces end at the resolved cuts, which lie close together where features of the formula are short
    middles = 0.5 * (np.array(cuts[:-1]) + np.array(cuts[1:]))
    grid = np.unique(np.concatenate([np.linspace(cuts[0], cuts[-1], GRID), cuts, middles]))
    reference = Reference(grid, evaluate(grid, Sides()))
    _check_finite(reference.jet, grid)
    left, right = np.array(cuts[:-1]), np.array(cuts[1:])
    before, done = np.full(left.size, np.inf), []
    # halve, level by level, all pieces that are not accurate enough; stop also if only rounding noise is left
    while left.size:
        error, coefficients = _fit_pieces(evaluate, left, right, reference)
        good = (error <= RELATIVE) | ((before < 2 * error) & (error < NOISE))
        done += list(zip(left[good], right[good], coefficients[good], strict=True))
        left, right, before = left[~good], right[~good], error[~good]
        _check_effort(left, right, len(done) + left.size, cuts)
        middle = 0.5 * (left + right)
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
        before = np.concatenate([before, before])
    done.sort(key=lambda piece: piece[0])
    return PolynomialPieces(np.array([piece[0] for piece in done] + cuts[-1:]), np.array([piece[2] for piece in done]))


@dataclass(frozen=True)
class Reference:
    """The expression on a fine grid: what pieces are checked against, and sizes below which errors do not count."""

    grid: np.ndarray
    jet: Jet

    def floor(self, values: np.ndarray) -> float:
        """Return a thousandth of the largest value."""
        return max(1e-3 * float(np.abs(values).max()), 1e-290)


def _fit_pieces(
    evaluate: Evaluate, left: np.ndarray, right: np.ndarray, reference: Reference
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each piece the relative error, and the coefficients of the value in powers of u."""
    half, middle = 0.5 * (right - left), 0.5 * (left + right)
    # times to evaluate: both ends, the nodes, and the middle, which decides the branch of the formula
    t = np.column_stack([left, right, middle[:, None] + half[:, None] * POINTS, middle])
    jet = evaluate(t, Sides(frozen=True))
    _check_finite(jet, t)
    c = jet.dd[:, 2:-1] @ TO_COEFFICIENTS.T
    scale = np.maximum(np.abs(jet.dd[:, 2:-1]).max(axis=1), reference.floor(reference.jet.dd))
    error = np.abs(c[:, -2:]).max(axis=1) / scale
    coefficients = _integrate(c, half, jet.v[:, 0], jet.d[:, 0])
    for i in np.flatnonzero(error <= NOISE):
        error[i] = max(error[i], SLACK * _miss(c[i], middle[i], half[i], reference) / scale[i])
    return np.maximum(error, SLACK * _gap(coefficients, jet, half, reference)), coefficients


def _gap(coefficients: np.ndarray, jet: Jet, half: np.ndarray, reference: Reference) -> np.ndarray:
    """Return the relative error of value and slope at the right end: a feature the nodes missed shows there."""
    slope_gap = np.abs(coefficients @ np.arange(coefficients.shape[1]) / half - jet.d[:, 1])
    value_gap = np.abs(coefficients.sum(axis=1) - jet.v[:, 1])
    slope_size = np.abs(jet.d).max(axis=1) + np.abs(jet.dd).max(axis=1) * half + reference.floor(reference.jet.d)
    value_size = np.abs(jet.v).max(axis=1) + np.abs(jet.d).max(axis=1) * half + reference.floor(reference.jet.v)
    return np.maximum(value_gap / value_size, slope_gap / slope_size)


def _miss(c: np.ndarray, middle: float, half: float, reference: Reference) -> float:
    """Return how far the second derivative is off on the fine grid: a narrow peak between the nodes shows there."""
    near = (1 - 1e-9) * half
    inside = slice(*np.searchsorted(reference.grid, [middle - near, middle + near]))
    u = (reference.grid[inside] - middle) / half
    return float(np.abs(chebyshev.chebval(u, c) - reference.jet.dd[inside]).max(initial=0.0))


def _integrate(c: np.ndarray, half: np.ndarray, value: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Return the twofold integrals of Chebyshev series in powers of u, with value and slope at u = -1."""
    full = (c @ TWICE.T) * half[:, None] ** 2
    full[:, 0] += value + slope * half
    full[:, 1] += slope * half
    return full


def _check_finite(jet: Jet, t: np.ndarray) -> None:
    for values, what in ((jet.v, "value"), (jet.d, "slope"), (jet.dd, "second derivative")):
        bad = ~(np.abs(values) <= 1e60)
        if bad.any():
            raise SignalError(
                f"its {what} is not finite at t = {t[bad].flat[0]:.6g} s",
                "a signal needs a finite value and two derivatives",
            )


def _check_effort(left: np.ndarray, right: np.ndarray, count: int, cuts: list[float]) -> None:
    if not left.size:
        return
    worst = int(np.argmin(right - left))
    if right[worst] - left[worst] < 1e-12 * (cuts[-1] - cuts[0]) or count > MOST_PIECES:
        remedy = "write jumps with step(), where(), abs(), min() or max(), and a fast sinusoid with kind: sine"
        raise SignalError(f"varies too fast or is singular near t = {left[worst]:.6g} s", remedy)
