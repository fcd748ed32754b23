"""Natural frequencies, damping and shapes of small motions about an equilibrium.

With the residual R(q, v, a, lam, z), the rates f(q, z) of internal states and the closures J at rest,
    M = dR/da,   D = dR/dv,   K = dR/dq,   S = dR/dz,   P = df/dq,   Q = df/dz,   x = X y,  J X = 0        (1)
    X^T (M X y'' + D X y' + K X y + S z) = 0,    z' = P X y + Q z                                          (2)
On rigid ground with friction, which multipliers press, X^T at the left is Y^T,
    Y = X - J^T (..),   Y^T dR/dlam = 0                                                                     (3)
Without dampers the internal states follow at once, z = -Q^-1 P X y, and (2) is a symmetric eigenvalue problem. With
them it is solved for 1/(lambda - shift), so that the slow modes are accurate however stiff and damped the cables are.
An eigenvalue pair is an oscillation of natural frequency |lambda|/2 pi, damped frequency Im(lambda)/2 pi and damping
ratio -Re(lambda)/|lambda|; a real eigenvalue decays (or grows) without swinging.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from scipy.linalg import eig, eigh, lu_factor, lu_solve, null_space, orth

from taut.analyses.statics import statics
from taut.dynamics.residual import place
from taut.dynamics.statics import motion_residual
from taut.dynamics.tree.positions import move
from taut.model import Data, Model, new_data, set_moment

# steps of the central differences: angles [rad], and lengths [m], relative to the size of machines larger than 1 m
TURN, SHIFT = 1e-4, 1e-5
RATE = 1e-5  # steps of the central differences of rates [rad/s], [m/s]
# test accelerations [rad/s^2], [m/s^2]: as the residual is linear in them, they may be so large that inertia outweighs
# the rounding of elastic forces
PUSH = 2.0**20
STILL = 1e-7  # eigenvalues smaller than this count as zero, as those of free motions [1/s]
# least Im(lambda)/|lambda| of an oscillation: rounding makes pairs of equal real eigenvalues slightly complex
SWINGS = 1e-6


class Linearised(NamedTuple):
    """Matrices of Eq. (1) at an equilibrium."""

    M: np.ndarray
    D: np.ndarray
    K: np.ndarray
    S: np.ndarray
    P: np.ndarray
    Q: np.ndarray
    J: np.ndarray
    L: np.ndarray  # dR/dlam, including the friction of rigid ground; columns in the order of the rows of J

    def relaxed(self) -> np.ndarray:
        """Stiffness with the internal states where they come to rest."""
        return self.K - self.S @ np.linalg.solve(self.Q, self.P) if len(self.Q) else self.K


@dataclass(frozen=True)
class Modes:
    """Small motions about an equilibrium."""

    # undamped natural frequencies [Hz], ascending; negative for an unstable direction, shape [mode]
    frequencies: np.ndarray
    shapes: np.ndarray  # undamped mode shapes in velocity coordinates, scaled to largest entry 1, shape [mode, column]
    # complex eigenvalues of the damped oscillations [1/s], those with Im > 0, sorted by |lambda|, shape [oscillation]
    eigenvalues: Any
    damped_shapes: np.ndarray  # complex shapes of the damped oscillations, largest entry 1, shape [oscillation, column]
    decays: np.ndarray  # real eigenvalues [1/s], the slowest decay first; a positive one grows
    columns: tuple[str, ...]  # names of the velocity coordinates
    data: Data  # state of the equilibrium

    @property
    def natural_frequencies(self) -> np.ndarray:
        """Natural frequencies |lambda|/2 pi of the damped oscillations [Hz]."""
        return np.abs(self.eigenvalues) / (2 * np.pi)

    @property
    def damped_frequencies(self) -> np.ndarray:
        """Frequencies of the damped oscillations [Hz]."""
        return self.eigenvalues.imag / (2 * np.pi)

    @property
    def ratios(self) -> np.ndarray:
        """Damping ratios of the damped oscillations."""
        return -self.eigenvalues.real / np.abs(self.eigenvalues)

    def to_xarray(self) -> xr.Dataset:
        """Frequencies, damping and shapes as a dataset, with units."""
        swing = ("oscillation",)
        found = {
            "frequency": (("mode",), self.frequencies, {"units": "Hz", "long_name": "undamped natural frequency"}),
            "shape": (("mode", "column"), self.shapes, {"units": "1", "long_name": "undamped shape, largest entry 1"}),
            "natural_frequency": (swing, self.natural_frequencies, {"units": "Hz"}),
            "damped_frequency": (swing, self.damped_frequencies, {"units": "Hz"}),
            "damping_ratio": (swing, self.ratios, {"units": "1"}),
            "eigenvalue": (swing, self.eigenvalues, {"units": "1/s"}),
            "damped_shape": (("oscillation", "column"), self.damped_shapes, {"units": "1"}),
            "decay_rate": (("decay",), self.decays, {"units": "1/s", "long_name": "real eigenvalue"}),
        }
        return xr.Dataset(found, coords={"column": list(self.columns)})


def modes(model: Model, *, count: int = 12, time: float = 0.0) -> Modes:
    """Linearise a model at its equilibrium.

    Args:
        model: the machine.
        count: how many modes, oscillations and decays; all that there are, if fewer.
        time: at which its signals are taken [s].

    Raises:
        ScenarioError: the machine has no equilibrium.
    """
    data = statics(model, time=time).data
    linear = linearise(model, data)
    X = null_space(linear.J) if len(linear.J) else np.eye(model.column_count)
    most = min(count, X.shape[1])
    if most == 0:
        # a machine without freedom has no modes
        none, nowhere = np.zeros(0), np.zeros((0, model.column_count))
        return Modes(none, nowhere, none + 0j, nowhere + 0j, none, model.names.columns, data)
    Y = balances(linear, X)
    M, K = (Y.T @ matrix @ X for matrix in (linear.M, linear.relaxed()))
    squares, vectors = eigh(0.5 * (K + K.T), 0.5 * (M + M.T), subset_by_index=(0, most - 1))
    omega = np.sign(squares) * np.sqrt(np.abs(squares))
    values, damped = damped_motions(linear, X, Y)
    swings = np.flatnonzero(values.imag > SWINGS * np.abs(values))
    swings = swings[np.argsort(np.abs(values[swings]))][:count]
    real = values[np.abs(values.imag) <= SWINGS * np.abs(values)].real
    real = real[np.argsort(np.abs(real))][:count]
    return Modes(
        frequencies=omega / (2 * np.pi),
        shapes=largest_one((X @ vectors).T),
        eigenvalues=values[swings],
        damped_shapes=largest_one((X @ damped[:, swings]).T),
        decays=real,
        columns=model.names.columns,
        data=data,
    )


def largest_one(rows: np.ndarray) -> np.ndarray:
    """Rows scaled so that their largest entry is 1."""
    return rows / np.array([row[np.argmax(np.abs(row))] for row in rows]).reshape(-1, 1)


def linearise(model: Model, data: Data) -> Linearised:
    """Matrices of Eq. (1) by central differences of the residual, which is linear in accelerations and states."""
    n, count, tables = model.column_count, model.state_count, model.tables
    size = max(1.0, float(np.abs(data.nodes["x"]).max(initial=0.0)))
    steps = np.where(tables.columns["is_rotation"], TURN, SHIFT * size)
    work = new_data(model)._replace(modes=data.modes, anchors=data.anchors)
    set_moment(work, data)
    work.still[0] = 1.0
    work.q[:], work.z[:], work.lam[:] = data.q, data.z, data.lam
    zero, result, rate = np.zeros(n), np.zeros((2, n)), np.zeros((2, count))
    M, D, K = np.zeros((3, n, n))
    J, S, P, Q = np.zeros((model.row_count, n)), np.zeros((n, count)), np.zeros((count, n)), np.zeros((count, count))
    for c, direction in enumerate(np.eye(n)):
        for side, sign in enumerate((1.0, -1.0)):
            motion_residual(tables, work, sign * PUSH * direction, work.lam, result[side])
        M[:, c] = 0.5 * (result[0] - result[1]) / PUSH
        for side, sign in enumerate((1.0, -1.0)):
            work.v[:] = sign * direction
            place(tables, work)
            J[:, c] += 0.5 * sign * work.rows["rate"]
            # smoothed friction is linear only near zero speed, so rates are differenced with small steps there
            work.v[:] = sign * RATE * direction
            motion_residual(tables, work, zero, work.lam, result[side])
        work.v[:] = 0.0
        D[:, c] = 0.5 * (result[0] - result[1]) / RATE
        # differences of fourth order: a taut rope is so much stiffer along than across that errors of second order
        # matter
        for reach, weight in ((1.0, 2.0 / 3.0), (2.0, -1.0 / 12.0)):
            for side, sign in enumerate((1.0, -1.0)):
                move(tables, data.q, sign * reach * steps[c] * direction, work.q)
                motion_residual(tables, work, zero, work.lam, result[side])
                rate[side] = work.z_rate
            K[:, c] += weight * (result[0] - result[1]) / steps[c]
            P[:, c] += weight * (rate[0] - rate[1]) / steps[c]
        work.q[:] = data.q
    for k, direction in enumerate(np.eye(count)):
        for side, sign in enumerate((1.0, -1.0)):
            work.z[:] = data.z + sign * direction
            motion_residual(tables, work, zero, work.lam, result[side])
            rate[side] = work.z_rate
        S[:, k], Q[:, k] = 0.5 * (result[0] - result[1]), 0.5 * (rate[0] - rate[1])
    # sticking coordinates do not move: leave their columns out
    stuck = tables.columns["stick"]
    stuck = np.flatnonzero((stuck >= 0) & (data.modes[stuck] > 0)) if len(data.modes) else np.zeros(0, int)
    J = np.vstack([J, np.eye(n)[stuck]])
    has_drags = bool((tables.contacts["drag"] >= 0).any())
    return Linearised(M, D, K, S, P, Q, J, multiplier_slopes(model, work, stuck) if has_drags else -J.T)


def multiplier_slopes(model: Model, work: Data, stuck: np.ndarray) -> np.ndarray:
    """dR/dlam, in which the residual is linear, and a column for every coordinate that friction holds."""
    n, zero = model.column_count, np.zeros(model.column_count)
    found = np.zeros((model.row_count + 1, n))
    for row, lam in zip(found, [*np.eye(model.row_count), np.zeros(model.row_count)], strict=True):
        motion_residual(model.tables, work, zero, lam, row)
    return np.vstack([found[:-1] - found[-1], -np.eye(n)[stuck]]).T


def balances(linear: Linearised, X: np.ndarray) -> np.ndarray:
    """Directions Y of Eq. (3): X, unless friction of rigid ground does work; multipliers of the smallest norm."""
    if not (linear.L + linear.J.T).any():
        return X
    U = orth(linear.J)
    C = np.linalg.solve((orth(linear.J.T).T @ linear.L @ U).T, (X.T @ linear.L @ U).T)
    return X - orth(linear.J.T) @ C


def damped_motions(linear: Linearised, X: np.ndarray, Y: np.ndarray) -> tuple[Any, Any]:
    """Eigenvalues of Eq. (2) [1/s], upper half-plane, and the displacements y of their vectors, as columns."""
    M, D, K = (Y.T @ matrix @ X for matrix in (linear.M, linear.D, linear.K))
    S, P, n, count = Y.T @ linear.S, linear.P @ X, len(M), len(linear.Q)
    # shift the eigenvalue problem away from zero, where free motions make the matrix singular
    shift = 1e-3
    G = np.linalg.inv(linear.Q - shift * np.eye(count)) if count else np.zeros((0, 0))
    solve = lu_factor(K + shift * D + shift**2 * M - S @ G @ P)
    # shift and invert: (y, y', z) -> (A - shift B)^-1 B (y, y', z) has the eigenvalues 1/(lambda - shift)
    y = -lu_solve(solve, np.hstack([D + shift * M, M, S @ G]))
    v = shift * y + np.eye(n, 2 * n + count)
    z = -G @ P @ y + np.hstack([np.zeros((count, 2 * n)), G])
    solved: Any = eig(np.vstack([y, v, z]))
    nu, vectors = solved
    is_finite = np.abs(nu) > 1e-14 * np.abs(nu).max()
    values, vectors = shift + 1.0 / nu[is_finite], vectors[:n, is_finite]
    is_kept = (values.imag >= -SWINGS * np.abs(values)) & (np.abs(values) > STILL)
    return values[is_kept], vectors[:, is_kept]
