"""Sagging elastic cables: from an anchor up to a point, a pulley or a sheave, and what is left of them behind it.

A cable of unstrained length s, weight w per length and stiffness EA pulls its anchor B with F; up is the direction
against gravity. With V = F.up, H the rest of F, T = |F| and with index t at the cable's top, V_t = V + w s, the top is
away from the anchor by [Irvine1981, sec. 1.4]
    S = H (s/EA + asinh(x)/w) + up ((V + V_t) s/(2 EA) + (T_t - T)/w),   x = (V_t T - V T_t)/H^2                  (1)
It is where the cable leaves its outlet (``outlets.py``), and the rope behind, of length D there, has the same tension,
    Q(F_t) = B + S(F, s),   s + D(F_t)/(1 + T_t/EA) = L.                                                            (2)
Four equations for F and s. Their matrix, and how F follows B and L, are found by complex steps. For a fixed top they
say that a strictly convex complementary energy is least, so that Newton's method with halved steps finds its only
solution.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.robots.problems import refusal
from taut.robots.rests.outlets import Outlets, dot

MOST_STEPS = 100
STEP = 1e-30  # size of complex steps
ENDED = 1e-14  # gap between cable and outlet, Eq. (2), at which the iteration ends, relative to span and length
CLOSED = 1e-9  # largest gap between cable and outlet with which a solution is accepted, relative as ENDED
UNKNOWNS, BY_ANCHOR = 4, 3  # number of unknowns, F and s; number of coordinates of the anchor


@dataclass(frozen=True)
class Hung:
    """Sagging cables in balance."""

    forces: np.ndarray  # forces on the anchors [N], shape [n_cables, 3]
    outside: np.ndarray  # unstrained length between anchor and outlet [m], shape [n_cables]
    tops: np.ndarray  # forces at the outlets, pulling the cables up [N], shape [n_cables, 3]
    leave_points: np.ndarray  # where cables leave their outlets, world [m], shape [n_cables, 3]
    wraps: np.ndarray  # wrap angles on the last wheel [rad], shape [n_cables]
    by_anchor: np.ndarray  # derivatives of the forces by the place of the anchor [N/m], shape [n_cables, 3, 3]
    by_length: np.ndarray  # derivatives of the forces by the unstrained length [N/m], shape [n_cables, 3]


@dataclass(frozen=True)
class Cables:
    """What all cables of a robot are made of."""

    names: tuple[str, ...]
    outlets: Outlets
    stiffness: np.ndarray  # axial stiffness EA [N], shape [n_cables]
    weights: np.ndarray  # weight per unstrained length, positive [N/m], shape [n_cables]
    up: np.ndarray  # unit vector against gravity


def span(F: np.ndarray, s: np.ndarray, cables: Cables) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Span S by Eq. (1), the force at the top and its size; arrays [n_cables, direction, ...], real or complex."""
    w, EA, up = cables.weights[:, None], cables.stiffness[:, None], cables.up
    V = dot(F, up)
    H, top = F - V[..., None] * up, F + (w * s)[..., None] * up
    V_t, T, T_t = V + w * s, np.sqrt(dot(F, F)), np.sqrt(dot(top, top))
    # x has two algebraically equal forms: take the one without cancellation
    is_alike = (V * V_t).real > 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        x = np.where(is_alike, w * s * (V_t + V) / (V_t * T + V * T_t), (V_t * T - V * T_t) / dot(H, H))
    along = s / EA + np.arcsinh(x) / w
    rise = 0.5 * (V + V_t) * s / EA + s * (V + V_t) / (T + T_t)
    return along[..., None] * H + rise[..., None] * up, top, T_t


def gaps(y: Any, B: Any, L: np.ndarray, cables: Cables) -> Any:
    """What Eq. (2) lacks [n_cables, direction, 4]."""
    F, s = y[..., :3], y[..., 3]
    S, top, T_t = span(F, s, cables)
    leave = cables.outlets.leave(top / T_t[..., None], B + S, np.sqrt(dot(S, S)))
    behind = leave.behind / (1.0 + T_t / cables.stiffness[:, None])
    return np.concatenate([leave.points - B - S, (s + behind - L[:, None])[..., None]], -1)


def linearised(y: np.ndarray, B: np.ndarray, L: np.ndarray, cables: Cables) -> tuple[np.ndarray, np.ndarray]:
    """Gaps of Eq. (2) [n_cables, 4] and their derivatives by F, s and B [n_cables, 4, 7]."""
    steps = 1j * STEP * np.eye(UNKNOWNS + BY_ANCHOR)
    found = gaps(y[:, None] + steps[:, :UNKNOWNS], B[:, None] + steps[:, UNKNOWNS:], L, cables)
    return found[:, 0].real, np.swapaxes(found.imag / STEP, 1, 2)


def hang(B: np.ndarray, L: np.ndarray, cables: Cables) -> Hung:
    """Cables of unstrained lengths L with their anchors at B.

    Raises:
        ScenarioError: cables that are too short to reach from their outlets, or lift off a sheave.
    """
    y, scale = start(B, L, cables)
    for _ in range(MOST_STEPS):
        gap, J = linearised(y, B, L, cables)
        size = np.abs(gap).max(axis=1) / scale
        step = -np.linalg.solve(J[:, :, :UNKNOWNS], gap[..., None])[..., 0]
        y, is_moved = halved(y, step, size, (B, L, cables, scale))
        if not is_moved.any():
            break
    gap, J = linearised(y, B, L, cables)
    refuse_open(np.abs(gap).max(axis=1) / scale, y, L, cables)
    return answered(y, B, J, cables)


def start(B: np.ndarray, L: np.ndarray, cables: Cables) -> tuple[np.ndarray, np.ndarray]:
    """Forces and lengths outside to begin with: of straight or parabolic cables; and the scale of gaps [n_cables]."""
    outlets, w, EA, up = cables.outlets, cables.weights, cables.stiffness, cables.up
    d = outlets.first - B
    far = np.linalg.norm(d, axis=1)
    s = np.maximum(L - outlets.first_behind, 1e-3 * L)
    Z = d @ up
    flat = d - Z[:, None] * up
    X = np.maximum(np.linalg.norm(flat, axis=1), 1e-9 * far)
    sag = np.sqrt(np.maximum(3.0 * ((s**2 - Z**2) / X**2 - 1.0), 0.04))
    loose = (0.5 * w / sag)[:, None] * flat + (0.5 * w * (Z / np.tanh(sag) - s))[:, None] * up
    pull = np.maximum(EA * ((far + outlets.first_behind) / L - 1.0), 0.0)
    tight = pull[:, None] * d / far[:, None] - (0.5 * w * s)[:, None] * up
    F = np.where((pull > w * s)[:, None], tight, loose)
    return np.concatenate([F, s[:, None]], 1), np.maximum(far, L)


def halved(y: np.ndarray, step: np.ndarray, size: np.ndarray, given: tuple) -> tuple[np.ndarray, np.ndarray]:
    """Steps of all cables, halved until the gap gets smaller and some cable stays outside; which of them moved."""
    B, L, cables, scale = given
    share, done, best = np.ones(len(y)), size <= ENDED, y.copy()
    moved = np.zeros(len(y), bool)
    for _ in range(30):
        trial = y + share[:, None] * step
        is_outside = trial[:, 3] > 0.0
        trial[~is_outside] = y[~is_outside]
        gap = gaps(trial[:, None], B[:, None], L, cables)[:, 0]
        better = is_outside & (np.abs(gap).max(axis=1) / scale < size) & ~done
        best[better], moved, done = trial[better], moved | better, done | better
        if done.all():
            break
        share = np.where(done, share, 0.5 * share)
    return best, moved


def refuse_open(size: np.ndarray, y: np.ndarray, L: np.ndarray, cables: Cables) -> None:
    """Refuse cables that Eq. (2) has no solution for, or none that is found."""
    for name, gap, s, length in zip(cables.names, size, y[:, 3], L, strict=True):
        if not gap <= CLOSED:
            why = "none of it is left outside of its outlet" if s < 1e-6 * length else "no balance of it is found"
            message = f"cable {name}, {length:.6g} m long: {why}"
            raise refusal(message, at="lengths", remedy="give another length, or another pose")


def answered(y: np.ndarray, B: np.ndarray, J: np.ndarray, cables: Cables) -> Hung:
    """The record, with the derivatives of Eq. (2)."""
    F, s = y[:, :3], y[:, 3]
    S, top, T_t = (part[:, 0] for part in span(F[:, None], s[:, None], cables))
    leave = cables.outlets.leave((top / T_t[:, None])[:, None], (B + S)[:, None], np.linalg.norm(S, axis=1)[:, None])
    cables.outlets.refuse_lifted(cables.names, leave.wraps[:, 0])
    by_length = np.zeros((len(y), UNKNOWNS, 1))
    by_length[:, 3] = -1.0
    rates = -np.linalg.solve(J[:, :, :UNKNOWNS], np.concatenate([J[:, :, UNKNOWNS:], by_length], 2))
    return Hung(F, s, top, leave.points[:, 0], leave.wraps[:, 0], rates[:, :3, :BY_ANCHOR], rates[:, :3, BY_ANCHOR])
