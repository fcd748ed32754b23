"""Natural frequencies, damping and shapes of small motions about an equilibrium.

With the residual R(q, v, a, lam) and the closures J at rest,
    M = dR/da,   D = dR/dv,   K = dR/dq (multipliers held),   x = Z y,  J Z = 0                              (1)
    Z^T M Z y'' + Z^T D Z y' + Z^T K Z y = 0                                                               (2)
Without damping (2) is a symmetric eigenvalue problem. With damping it is solved for 1/lambda, so that the slow modes
are accurate however stiff and damped the cables are.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig, eigh, lu_factor, lu_solve, null_space

from taut.analyses.statics import statics
from taut.dynamics.positions import move
from taut.dynamics.statics import motion_residual
from taut.model import Data, Model, new_data

TURN, SHIFT = 1e-4, 1e-5  # steps of the central differences [rad], [m]; relative to the size beyond 1 m
RIGID = 1e-9  # a squared frequency this small against the largest is a free motion


@dataclass(frozen=True)
class Linearised:
    """Matrices of Eq. (1) at an equilibrium."""

    M: np.ndarray
    D: np.ndarray
    K: np.ndarray
    J: np.ndarray


@dataclass(frozen=True)
class Modes:
    """Small motions about an equilibrium, the slowest first."""

    frequencies: np.ndarray  # undamped [Hz]; negative for an unstable direction, shape [mode]
    shapes: np.ndarray  # undamped, in velocity coordinates, largest entry 1, shape [mode, column]
    ratios: np.ndarray  # damping ratio of each undamped mode by its own motion, shape [mode]
    eigenvalues: np.ndarray  # damped [1/s], smallest first, one of each conjugate pair, shape [mode]
    columns: tuple[str, ...]  # names of the velocity coordinates
    data: Data  # the equilibrium


def modes(model: Model, *, count: int = 12, time: float = 0.0) -> Modes:
    """Linearise a model at its equilibrium.

    Args:
        model: the machine.
        count: how many modes; all that there are, if fewer.
        time: at which its signals are taken [s].

    Raises:
        ScenarioError: the machine has no equilibrium.
    """
    data = statics(model, time=time).data
    linear = linearise(model, data)
    Z = null_space(linear.J) if len(linear.J) else np.eye(model.column_count)
    M, D, K = (Z.T @ matrix @ Z for matrix in (linear.M, linear.D, linear.K))
    count = min(count, len(M))
    if count == 0:
        # held in every direction
        none = np.zeros(0)
        return Modes(none, np.zeros((0, model.column_count)), none, none + 0j, model.names.columns, data)
    squares, vectors = eigh(0.5 * (K + K.T), 0.5 * (M + M.T), subset_by_index=(0, count - 1))
    omega = np.sign(squares) * np.sqrt(np.abs(squares))
    shapes = (Z @ vectors).T
    shapes = shapes / np.array([row[np.argmax(np.abs(row))] for row in shapes])[:, None]
    losses = np.einsum("im,ij,jm->m", vectors, D, vectors)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(omega > 0, losses / (2 * np.abs(omega)), np.nan)
    return Modes(omega / (2 * np.pi), shapes, ratios, damped_eigenvalues(M, D, K, count), model.names.columns, data)


def linearise(model: Model, data: Data) -> Linearised:
    """Matrices of Eq. (1) by central differences of the residual, which is linear in accelerations and rates."""
    n, tables = model.column_count, model.tables
    size = max(1.0, float(np.abs(data.nodes["x"]).max(initial=0.0)))
    steps = np.where(tables.columns["is_rotation"], TURN, SHIFT * size)
    work = new_data(model)._replace(modes=data.modes)
    work.time[:], work.time[3] = data.time, 1.0
    work.q[:], work.z[:], work.lam[:] = data.q, data.z, data.lam
    zero, result = np.zeros(n), np.zeros((2, n))
    M, D, K, J = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n)), np.zeros((model.row_count, n))
    for c, direction in enumerate(np.eye(n)):
        for side, sign in enumerate((1.0, -1.0)):
            motion_residual(tables, work, sign * direction, work.lam, result[side])
        M[:, c] = 0.5 * (result[0] - result[1])
        for side, sign in enumerate((1.0, -1.0)):
            work.v[:] = sign * direction
            motion_residual(tables, work, zero, work.lam, result[side])
            J[:, c] += 0.5 * sign * work.rows["rate"]
        work.v[:] = 0.0
        D[:, c] = 0.5 * (result[0] - result[1])
        for side, sign in enumerate((1.0, -1.0)):
            move(tables, data.q, sign * steps[c] * direction, work.q)
            motion_residual(tables, work, zero, work.lam, result[side])
        work.q[:] = data.q
        K[:, c] = (result[0] - result[1]) / (2.0 * steps[c])
    return Linearised(M, D, K, J)


def damped_eigenvalues(M: np.ndarray, D: np.ndarray, K: np.ndarray, count: int) -> np.ndarray:
    """Smallest eigenvalues of Eq. (2) [1/s], upper half-plane, from those of its inverse."""
    n = len(M)
    # a shift where there is no eigenvalue keeps free motions finite
    shift = 1e-3
    solve = lu_factor(K + shift * D + shift**2 * M)
    # (lambda^2 M + lambda D + K) y = 0 with lambda = shift + 1/nu
    upper = np.hstack([-lu_solve(solve, D + 2 * shift * M), -lu_solve(solve, M)])
    inverse = np.vstack([upper, np.hstack([np.eye(n), np.zeros((n, n))])])
    nu = np.asarray(eig(inverse, right=False))
    nu = nu[np.abs(nu) > 1e-14 * np.abs(nu).max()]
    values = shift + 1.0 / nu
    values = values[values.imag >= -1e-9 * np.abs(values)]
    return values[np.argsort(np.abs(values))][:count]
