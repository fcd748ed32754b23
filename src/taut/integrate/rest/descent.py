"""Descent to an equilibrium with the full stiffness matrix, where Newton's method with the structured one fails.

The structured matrix leaves out the coupling of branches and the effect of compression; near a slack cable or a pulley
its steps may not converge. Here M, K and J are found by differences of the residual. With J x = -g, X the motions that
closures and friction leave, and the modes of those motions, X^T K X u = w X^T M X u, the step is
    x = x_g - X sum_k u_k (u_k . X^T (R + K x_g)) / (|w_k| + s)                                               (1)
which goes downhill in stable and unstable directions alike: it does not stop at an unstable equilibrium. The shift s
shortens it to the trust region, which shrinks when a step has overshot [Nocedal2006, ch. 4].
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from taut.dynamics.residual import place
from taut.dynamics.statics import motion_residual
from taut.dynamics.tree.positions import move
from taut.model import Data, Model

MOST_COLUMNS = 1000  # no matrices by difference quotients for machines with more columns
# steps of the difference quotients of rotations [rad] and translations [m]; relative to the size beyond 1 m
TURN, SHIFT = 1e-4, 1e-5
LEAST = 1e-11  # least |w| in Eq. (1), relative to the largest w or to 1/s^2: smaller ones are rounding
PAST = 0.9  # a step overshoots if the force along it reverses to more than this share
RADIUS, LEAST_RADIUS = 1.0, 1e-10
KICK = 0.1  # size of the first step off an unstable rest, relative to the largest step
# a direction is unstable if its negative stiffness, relative to that of its coordinates, exceeds this noise
UNSTABLE = 1e-6


class Searching(Protocol):
    """Machine, limits and workspaces that a search for rest shares with its methods."""

    model: Model
    data: Data
    R: np.ndarray
    x: np.ndarray

    def choose_sides(self) -> None:
        """Close contacts and one-sided closures, or open them."""
        ...

    def reach(self) -> float:
        """Size of the step against the largest allowed."""
        ...


class Slopes(NamedTuple):
    """Forces and stiffness of the machine near a state of rest."""

    M: np.ndarray
    K: np.ndarray
    J: np.ndarray  # closure Jacobian, with a row for every coordinate that friction holds
    g: np.ndarray


def find_slopes(model: Model, data: Data, R: np.ndarray) -> Slopes:
    """Least-squares multipliers into ``data``, the remaining residual into R, and all matrices."""
    zero, none = np.zeros(model.column_count), np.zeros(model.row_count)
    data.v[:] = 0.0
    motion_residual(model.tables, data, zero, none, R)
    g = data.rows["value"].copy()
    J = free_rows(model, data)
    M = np.zeros((len(R), len(R)))
    for c, direction in enumerate(np.eye(len(R))):
        motion_residual(model.tables, data, direction, none, M[c])
    data.lam[:] = np.linalg.lstsq(J.T, R, rcond=1e-11)[0][: model.row_count]
    K = stiffness(model, data)
    motion_residual(model.tables, data, zero, data.lam, R)
    return Slopes((M - unforced(model, data)).T, K, J, np.append(g, np.zeros(len(J) - model.row_count)))


def unforced(model: Model, data: Data) -> np.ndarray:
    """The residual without accelerations and multipliers."""
    R = np.zeros(model.column_count)
    motion_residual(model.tables, data, R, np.zeros(model.row_count), R)
    return R


def free_rows(model: Model, data: Data) -> np.ndarray:
    """J: how closures open with every coordinate, and a row for every one that friction holds; data.v must be zero."""
    n = model.column_count
    place(model.tables, data)
    J, rest = np.zeros((model.row_count, n)), data.rows["rate"].copy()
    for c in range(n if model.row_count else 0):
        data.v[c] = 1.0
        place(model.tables, data)
        J[:, c], data.v[c] = data.rows["rate"] - rest, 0.0
    return np.vstack([J, np.eye(n)[stuck_columns(model, data)]])


def stiffness(model: Model, data: Data) -> np.ndarray:
    """K with the multipliers in ``data``, by central differences."""
    n, tables, zero = model.column_count, model.tables, np.zeros(model.column_count)
    q, size = data.q.copy(), max(1.0, float(np.abs(data.nodes["x"]).max(initial=0.0)))
    steps = np.where(tables.columns["is_rotation"], TURN, SHIFT * size)
    K, change, sides = np.zeros((n, n)), np.zeros(n), np.zeros((2, n))
    for c in range(n):
        for side, sign in enumerate((1.0, -1.0)):
            change[c] = sign * steps[c]
            move(tables, q, change, data.q)
            motion_residual(tables, data, zero, data.lam, sides[side])
        change[c] = 0.0
        K[:, c] = (sides[0] - sides[1]) / (2.0 * steps[c])
    data.q[:] = q
    return K


def is_unstable(model: Model, data: Data) -> bool:
    """Whether a rest has a direction of negative stiffness; its multipliers are in ``data``."""
    from scipy.linalg import LinAlgError, cholesky, qr  # slow to import, and most runs do not search for a rest

    data.v[:] = 0.0
    K, J = stiffness(model, data), free_rows(model, data)
    K = 0.5 * (K + K.T)
    # coordinates of different stiffness: scale to comparable diagonals before judging signs
    scale = 1.0 / np.sqrt(np.maximum(np.abs(K).max(axis=1, initial=0.0), 1e-12))
    K, rank = K * np.outer(scale, scale), 0
    if len(J):
        # null space of J by pivoted QR: only motions that the closures leave count
        solved: Any = qr((J * scale).T, pivoting=True)
        Q, triangle, _ = solved
        sizes = np.abs(np.diag(triangle))
        rank = int(np.sum(sizes > 1e-9 * max(sizes.max(initial=0.0), 1e-300)))
        K = Q[:, rank:].T @ K @ Q[:, rank:]
    # Cholesky exists exactly for a positive definite matrix; the shift allows for the noise of differences
    try:
        cholesky(K + UNSTABLE * np.eye(len(K)), check_finite=False)
    except LinAlgError:
        return True
    return False


def stuck_columns(model: Model, data: Data) -> np.ndarray:
    """Coordinates that friction holds."""
    stick = model.tables.columns["stick"]
    return np.flatnonzero((stick >= 0) & (data.modes[stick] > 0)) if len(data.modes) else np.zeros(0, int)


class Descent:
    """Steps of a descent to rest by Eq. (1)."""

    def __init__(self, rest: Searching) -> None:
        """Begin at the present state of the search."""
        self.rest, self.radius = rest, RADIUS
        self.q, self.step = rest.data.q.copy(), np.zeros(rest.model.column_count)
        self.force = 0.0  # force along the last step, at the state before that step

    def kick(self) -> None:
        """Leave an unstable rest in the direction of its lowest stiffness."""
        rest = self.rest
        rest.choose_sides()
        slopes = find_slopes(rest.model, rest.data, rest.R)
        X = free_motions(slopes)
        rest.x[:] = X @ modes_of(slopes, X)[1][:, 0]
        rest.x[:] *= KICK / rest.reach()

    def look(self) -> bool:
        """Find the next step; returns whether the last one was good; if not, it is undone."""
        rest = self.rest
        rest.choose_sides()
        slopes = find_slopes(rest.model, rest.data, rest.R)
        is_good = not float(rest.R @ self.step) > PAST * abs(self.force) or self.force == 0.0
        if not is_good:
            self.radius *= 0.3 * min(1.0, self.size)
            rest.data.q[:] = self.q
            rest.choose_sides()
            slopes = find_slopes(rest.model, rest.data, rest.R)
        else:
            self.radius = min(RADIUS, 2.0 * self.radius)
        self.aim(slopes)
        return is_good

    def aim(self, slopes: Slopes) -> None:
        """Find the next step by Eq. (1), within the trust region."""
        rest = self.rest
        X = free_motions(slopes)
        # part of the step that closes the loops, shortened to the trust region on its own
        closing = np.linalg.lstsq(slopes.J, -slopes.g, rcond=1e-11)[0] if len(slopes.J) else np.zeros(len(rest.x))
        rest.x[:] = closing
        closing = closing / max(1.0, rest.reach() / self.radius)
        w, U = modes_of(slopes, X)
        U, floor = X @ U, LEAST * max(float(np.abs(w).max(initial=0.0)), 1.0)
        R, shift = rest.R + slopes.K @ closing, 0.0
        # Eq. (1) in the basis of modes; |w| turns directions of negative stiffness downhill
        push = U.T @ R
        # Levenberg-Marquardt: raise the shift until the step fits into the trust region
        while True:
            rest.x[:] = closing - U @ (push / np.maximum(np.abs(w) + shift, floor))
            if not rest.reach() > 1.5 * self.radius:
                break
            shift = max(4.0 * shift, 1e-3 * float(np.abs(w).min(initial=1.0)), floor)
        self.q[:], self.step[:] = rest.data.q, rest.x - closing
        self.force, self.size = float(R @ self.step), rest.reach()


def free_motions(slopes: Slopes) -> np.ndarray:
    """The motions X that closures and friction leave, one per column."""
    from scipy.linalg import null_space

    return null_space(slopes.J) if len(slopes.J) else np.eye(len(slopes.K))


def modes_of(slopes: Slopes, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Squares of the rates [1/s^2] of the motions X, and their shapes."""
    from scipy.linalg import eigh

    if not X.shape[1]:
        return np.zeros(0), np.zeros((0, 0))
    M, K = (X.T @ matrix @ X for matrix in (slopes.M, slopes.K))
    M = 0.5 * (M + M.T)
    # regularise: massless bodies make M singular, and rounding may make it indefinite beside a very large mass
    mean, share = np.trace(M) / len(M), 1e-14
    while True:
        try:
            return eigh(0.5 * (K + K.T), M + share * mean * np.eye(len(M)))
        except np.linalg.LinAlgError:
            if not share < 1e-6:
                raise
            share *= 10.0
