"""Longest step at any time, so that no feature of an input is stepped over.

The error estimate of a step sees an input at the stages only. On an interval on which a
cubic follows an input the stages see all of it; so a step may be as long as such intervals are,
    |s - cubic| <= LOCAL (range of s there) + FLOOR (range of s)                                                 (1)
for the value s of forces, and for value and second derivative of prescribed motions, which act by their accelerations.
Polynomial pieces are halved until (1) holds, then joined again as long as it does: a smooth table of many samples does
not make steps short. A sinusoid has one such length. Steps enter a region of short ones by one short step at most.
"""

from typing import Any

import numpy as np

from taut.model import tables as t
from taut.scenario.signals.pieces import PolynomialPieces, Sinusoid, Term

LOCAL = 2e-3
FLOOR = 1e-5
ROUNDING = 1e-9  # relative rounding error of values
RADIANS = 1.5  # angle of a sinusoid that one step may cover, from Eq. (1)
POINTS = 17  # points per interval at which Eq. (1) is checked
DEGREE = 3
MOST_HALVINGS = 12
FEW = 16  # signals with at most this many intervals are left as they are, because joining them gains little
JOINED = 4  # unions of at most this many intervals are not divided again

NODES = np.cos(np.pi * np.arange(POINTS)[::-1] / (POINTS - 1))
BASIS = np.polynomial.legendre.legvander(NODES, DEGREE)
REST = np.eye(POINTS) - BASIS @ np.linalg.pinv(BASIS)  # residual of the least-squares cubic at the nodes

Steps = tuple[np.ndarray, np.ndarray]  # starts of regions [s], longest step in each [s]


def pace_table(signals: list[list[Term]], forces: set[int]) -> Any:
    """Regions of time and the longest step in each, for all signals together; ``forces`` act by their values alone."""
    found = [steps_of(term, (0,) if k in forces else (0, 2)) for k, terms in enumerate(signals) for term in terms]
    found = [steps for steps in found if steps is not None]
    starts = np.unique(np.concatenate([[-np.inf], *(steps[0] for steps in found)]))
    longest = np.full(len(starts), np.inf)
    for begins, sizes in found:
        longest = np.minimum(longest, sizes[np.searchsorted(begins, starts, side="right") - 1])
    is_new = np.concatenate([[True], longest[1:] != longest[:-1]])
    table = t.new_table(t.PACES, int(is_new.sum()))
    table.start, table.longest = starts[is_new], longest[is_new]
    return table


def steps_of(term: Term, orders: tuple[int, ...]) -> Steps | None:
    """The longest steps of one term; None where the term does not limit them."""
    if isinstance(term, Sinusoid) and term.amplitude != 0.0 and term.omega != 0.0:
        return np.array([-np.inf, term.start, term.end]), np.array([np.inf, RADIANS / abs(term.omega), np.inf])
    if isinstance(term, PolynomialPieces) and term.coefficients.shape[1] > 1 and term.coefficients[:, 1:].any():
        return piece_steps(term, orders)
    return None


def piece_steps(term: PolynomialPieces, orders: tuple[int, ...]) -> Steps:
    """Longest steps for polynomial pieces by Eq. (1); outside their span the value is held, and any step will do."""
    left, right = term.breaks[:-1], term.breaks[1:]
    piece = np.arange(len(left))
    ranges = np.ptp(values_at(term, piece, left, right, orders), axis=(1, 2))
    done = []
    for level in range(MOST_HALVINGS + 1):
        values = values_at(term, piece, left, right, orders)
        is_rough = ~is_followed(values, ranges) & (level < MOST_HALVINGS)
        keep = ~is_rough
        done.append((left[keep], right[keep], values[:, keep]))
        middle = 0.5 * (left + right)[is_rough]
        left, right = np.concatenate([left[is_rough], middle]), np.concatenate([middle, right[is_rough]])
        piece = np.concatenate([piece[is_rough], piece[is_rough]])
        if not len(left):
            break
    left, right = (np.concatenate([part[k] for part in done]) for k in range(2))
    values = np.concatenate([part[2] for part in done], axis=1)
    order = np.argsort(left)
    edges = np.append(left[order], right[order][-1])
    edges = joined(edges, values[:, order], ranges) if len(order) > FEW else edges
    return np.concatenate([[-np.inf], edges]), np.concatenate([[np.inf], np.diff(edges), [np.inf]])


def values_at(term: PolynomialPieces, piece: np.ndarray, left: np.ndarray, right: np.ndarray,
              orders: tuple[int, ...]) -> np.ndarray:  # fmt: skip
    """Values of the term's derivatives at the nodes of intervals inside their pieces [order, interval, node]."""
    t_nodes = 0.5 * (left + right)[:, None] + 0.5 * (right - left)[:, None] * NODES
    found = term.within(np.broadcast_to(piece[:, None], t_nodes.shape), t_nodes)
    return np.stack([found[k] for k in orders])


def is_followed(values: np.ndarray, ranges: np.ndarray) -> np.ndarray:
    """Whether Eq. (1) holds on every interval, from values at its nodes [order, interval, node]."""
    rest = np.abs(values @ REST.T).max(axis=2)
    return np.all(rest <= allowed(values, ranges), axis=0)


def allowed(values: np.ndarray, ranges: np.ndarray) -> np.ndarray:
    """Right-hand side of Eq. (1), and rounding: a constant has no range [order, interval]."""
    size = np.abs(values).max(axis=(1, 2))
    return LOCAL * np.ptp(values, axis=2) + (FLOOR * ranges + ROUNDING * size)[:, None]


def joined(edges: np.ndarray, values: np.ndarray, ranges: np.ndarray) -> np.ndarray:
    """Edges of the largest unions of intervals for which Eq. (1) holds, by halving the whole."""
    t_nodes = 0.5 * (edges[:-1] + edges[1:])[:, None] + 0.5 * np.diff(edges)[:, None] * NODES
    first, last = np.array([0]), np.array([len(edges) - 1])
    found = [edges[-1:]]
    while len(first):
        # halves differ by one interval at most; the shorter repeat their last one, for equal array shapes
        members = np.minimum(first[:, None] + np.arange((last - first).max()), last[:, None] - 1)
        unions = values[:, members].reshape(len(values), len(first), -1)
        is_done = (last - first <= JOINED) | are_cubic(t_nodes[members].reshape(len(first), -1), unions, ranges)
        found.append(edges[first[is_done]])
        first, last = first[~is_done], last[~is_done]
        middle = (first + last) // 2
        first, last = np.concatenate([first, middle]), np.concatenate([middle, last])
    return np.unique(np.concatenate(found))


def are_cubic(t_nodes: np.ndarray, values: np.ndarray, ranges: np.ndarray) -> np.ndarray:
    """Whether Eq. (1) holds on unions of intervals, from values at their nodes [order, union, node]."""
    begin, end = t_nodes[:, :1], t_nodes[:, -1:]
    basis = np.linalg.qr(np.polynomial.legendre.legvander(2.0 * (t_nodes - begin) / (end - begin) - 1.0, DEGREE))[0]
    cubic = np.einsum("gnk,gmk,ogm->ogn", basis, basis, values, optimize=True)
    rest = np.abs(values - cubic).max(axis=2)
    return np.all(rest <= allowed(values, ranges), axis=0)
