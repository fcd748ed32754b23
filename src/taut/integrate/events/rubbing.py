"""Impacts on rigid ground with friction: Coulomb's law between impulses.

With the normal and tangential rates u = D v of the points that touch, W = D M^-1 D^T (two-sided closures eliminated)
and impulses P of all of them,
    u+ = W P + u-,    0 <= P_n  complementary to  u_n+ + e u_n- >= 0,    |P_t| <= mu P_n                        (1)
and P_t acts against u_t+, with its limit where that is not zero [Pfeiffer 1996, ch. 8]. Solved point by point, by
projection [Jean 1999], until nothing changes: the disc |P_t| <= mu P_n is no box, so that ``kernels.bounded_qp`` does
not apply. In rare cases Newton's restitution with friction would add energy; such an impact is solved without friction.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from taut.dynamics.residual import factor_plain, gap_motion
from taut.dynamics.statics import solve_motion
from taut.integrate.start.redundancy import find_rank
from taut.kernels.bounded_qp import bounded_qp
from taut.model import Data

if TYPE_CHECKING:
    from taut.integrate.events.holds import Holds

MOST_ROUNDS = 20_000  # projection sweeps for one impact
MOST_RUBBINGS, RUBBED = 200, 1e-12  # most fixed-point iterations of friction at rest, and their relative tolerance
SETTLED = 1e-14  # sweeps end at this change of an impulse, relative to the largest
GAIN = 1e-9  # energy gain that counts as rounding, relative to the energy exchanged


class Blow(NamedTuple):
    """Impulses and loss of energy of an impact with friction."""

    impulses: np.ndarray  # normal impulses of the chosen closures [N s]
    jump: np.ndarray  # jump of the velocities [column_count]
    mu: np.ndarray  # impulses of all closure rows [row_count]
    along: np.ndarray  # tangential impulse [N s] and rate after it [m/s] at the chosen closures [chosen, 4]
    rubbed: float  # energy lost by sliding [J]


def rubbing_blow(holds: "Holds", data: Data, chosen: np.ndarray, bounce: np.ndarray) -> Blow | None:
    """Impulses with friction by Eq. (1) at the state in ``data``, which is not changed; None if they add energy."""
    contacts = holds.model.tables.contacts
    contacts = contacts[contacts["drag"] >= 0]
    numbers = holds.drags[chosen]
    owners = np.flatnonzero(numbers >= 0)
    rows, v = contacts[numbers[owners]], data.v.copy()
    before, D = rates(holds, data, chosen, rows)
    X, Y = answers(holds, data, D)
    W, k = D @ X, len(chosen)
    # Newton's restitution acts along the normal of the ground only
    aim = before.copy()
    aim[:k] *= 1.0 + bounce
    P = impulses_of(W, aim, k, owners, rows["friction"])
    jump, mu = X @ P, Y @ P
    mu[holds.rows[chosen]] += P[:k]
    # restore the velocities, which ``rates`` has overwritten
    data.v[:] = v
    gap_motion(holds.model.tables, data, holds.motion)
    after = before + W @ P
    # work of each impulse: its mean rate times the impulse; a positive sum would be energy out of nothing
    parts = 0.5 * P * (after + before)
    if parts.sum() > GAIN * np.abs(parts).sum():
        return None
    along = np.zeros((k, 4))
    along[owners] = np.hstack([P[k:].reshape(-1, 2), after[k:].reshape(-1, 2)])
    return Blow(P[:k], jump, mu, along, -float(parts[k:].sum()))


def rates(holds: "Holds", data: Data, chosen: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rates of the chosen gaps, then of the points along the ground, and how every column changes them."""

    def look(v: np.ndarray) -> np.ndarray:
        data.v[:] = v
        gap_motion(holds.model.tables, data, holds.motion)
        here = data.nodes[rows["node"]]
        d = np.einsum("kij,kj->ki", here["R"].reshape(-1, 3, 3), rows["point"])
        d[:, 2] -= rows["radius"]
        u = here["v"] + np.cross(here["w"], d)
        return np.concatenate([holds.motion[holds.numbers[chosen], 1], u[:, :2].ravel()])

    before = look(data.v.copy())
    still = look(np.zeros(len(data.v)))
    return before, np.array([look(unit) - still for unit in np.eye(len(data.v))]).T


def answers(holds: "Holds", data: Data, D: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """M^-1 D^T with the two-sided closures eliminated, and their multipliers [.., impulse]."""
    tables, modes, rank = holds.model.tables, data.modes[holds.events].copy(), data.most_rank[0]
    data.modes[holds.events] = -1
    find_rank(holds.model, data, holds.factor)
    factor_plain(tables, data, holds.factor)
    X, Y = np.zeros_like(D), np.zeros((len(D), holds.model.row_count))
    for force, x, mu in zip(D, X, Y, strict=True):
        solve_motion(tables, data, holds.factor, force.copy(), np.zeros(len(mu)), x, mu)
    data.modes[holds.events], data.most_rank[0] = modes, rank
    return X.T, Y.T


def impulses_of(W: np.ndarray, aim: np.ndarray, k: int, owners: np.ndarray, friction: np.ndarray) -> np.ndarray:
    """Impulses by Eq. (1); ``aim`` is u-, of the k gaps (1 + e) u-, and ``owners`` are the gaps with friction."""
    P, pairs = np.zeros(len(aim)), [slice(k + 2 * j, k + 2 * j + 2) for j in range(len(owners))]
    across = np.maximum(np.diag(W), 1e-300)
    along = [max(float(np.linalg.eigvalsh(W[pair, pair])[-1]), 1e-300) for pair in pairs]
    for _ in range(MOST_ROUNDS):
        last = P.copy()
        for i in range(k):
            P[i] = max(0.0, P[i] - (W[i] @ P + aim[i]) / across[i])
        for pair, size, owner, mu in zip(pairs, along, owners, friction, strict=True):
            wanted = P[pair] - (W[pair] @ P + aim[pair]) / size
            P[pair] = wanted * min(1.0, mu * P[owner] / max(float(np.linalg.norm(wanted)), 1e-300))
        if np.abs(P - last).max() <= SETTLED * max(float(np.abs(P).max()), 1e-300):
            break
    return P


def solve_rubbing(W: np.ndarray, rub: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, float]:
    """0 <= x, 0 <= (W + rub) x + b, one of the two zero, and the violation.

    The friction matrix ``rub`` is unsymmetric, so it is lagged: fixed-point iterations with the last x.
    """
    x, violation = bounded_qp(W, b, 0.0)
    for _ in range(MOST_RUBBINGS if rub.any() else 0):
        last = x
        x, violation = bounded_qp(W, b + rub @ last, 0.0)
        if np.abs(x - last).max() <= RUBBED * max(float(np.abs(x).max()), 1e-300):
            break
    return x, violation
