"""Linear-quadratic regulator of the sampled machine.

About rest at q_0, with K = dh/dq, D = dh/dv of the forces h that hold the machine (weight, springs, friction),
    x = (q - q_0, v),   x' = A x + B u,   A = [0, 1; -M^-1 K, -M^-1 D],   B = [0; M^-1 S]               (1)
discretised exactly with the command held over a period; the gain minimises sum x^T Q x + u^T R u, with Q and R from
deviations and efforts that weigh the same.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from taut.control.computed_torque import column_of
from taut.control.reference import Reference
from taut.dynamics.residual import place_state
from taut.dynamics.tree.mass_matrix import mass_matrix
from taut.model import Model, new_data, new_factor

STEP = 1e-5  # step of central differences [m or rad]


class Lqr:
    """u = -G (x - x_r), the gain recomputed as driven joints move."""

    remembered = ("gain", "made")

    def __init__(self, model: Model, spec: Any) -> None:
        """Take a workspace in which no command acts."""
        if model.row_count or (model.tables.columns["component"] >= 0).any():
            message = "needs a machine without closures and without spherical or free joints"
            raise model.plan.error("controllers", f"lqr {message}")
        self.model, self.spec = model, spec
        self.data = new_data(model)
        self.data.commands[:] = 0.0
        self.columns = [column_of(model, name) for name in spec.joints]
        self.references = [Reference(model.plan.curve(joint.reference), spec) for joint in spec.joints.values()]
        self.weights = self._weights()
        self.gain, self.made = np.zeros(0), -np.inf

    def _weights(self) -> np.ndarray:
        spec, n = self.spec, self.model.column_count
        tolerances = np.full(n, spec.tolerance)
        for name, tolerance in spec.tolerances.items():
            tolerances[column_of(self.model, name)] = tolerance
        return 1.0 / np.concatenate([tolerances, tolerances * spec.rate]) ** 2

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """The commands at a sample."""
        spec = self.spec
        if not np.isfinite(self.made) or (spec.update is not None and time - self.made >= spec.update * (1 - 1e-9)):
            self.gain, self.made = self._gain(time), time
        n = self.model.column_count
        x = np.concatenate([np.atleast_1d(measured[spec.position]) - self.model.start_coordinates,
                            np.atleast_1d(measured[spec.velocity])])  # fmt: skip
        for column, reference in zip(self.columns, self.references, strict=True):
            r, rate, _ = reference(time)
            x[column] += self.model.start_coordinates[column] - r
            x[n + column] -= rate
        return dict(zip(spec.outputs(), map(float, -self.gain @ x), strict=True))

    def _forces(self, time: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """h at zero acceleration; driven joints stand still where they are at this time."""
        data = self.data
        data.time[0] = time
        data.q[:], data.v[:] = q, v
        data.acceleration[:] = 0.0
        forces = np.zeros(self.model.column_count)
        place_state(self.model.tables, data, forces)
        return forces - data.force

    def _gain(self, time: float) -> np.ndarray:
        from scipy.linalg import expm, solve_discrete_are

        n, k = self.model.column_count, len(self.columns)
        A, B = self.linearised(time)
        # matrix exponential: exact discretisation for a command that is held over a period
        whole = expm(np.block([[A, B], [np.zeros((k, 2 * n + k))]]) * self.spec.period)
        A, B = whole[: 2 * n, : 2 * n], whole[: 2 * n, 2 * n :]
        Q = np.diag(self.weights)
        R = np.diag([1.0 / joint.effort**2 for joint in self.spec.joints.values()])
        P = solve_discrete_are(A, B, Q, R)
        return np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)

    def linearised(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """A and B of Eq. (1) about the start."""
        n, q, zero = self.model.column_count, np.array(self.model.start_coordinates), np.zeros(self.model.column_count)
        K, D = np.zeros((n, n)), np.zeros((n, n))
        for c in range(n):
            step = STEP * np.eye(n)[c]
            K[:, c] = (self._forces(time, q + step, zero) - self._forces(time, q - step, zero)) / (2 * STEP)
            D[:, c] = (self._forces(time, q, step) - self._forces(time, q, -step)) / (2 * STEP)
        M, S = np.zeros((n, n)), np.zeros((n, len(self.columns)))
        self._forces(time, q, zero)
        mass_matrix(self.model.tables, self.data, new_factor(self.model), M)
        S[self.columns, range(len(self.columns))] = 1.0
        lower = np.linalg.solve(M, np.hstack([-K, -D, S]))
        A = np.block([[np.zeros((n, n)), np.eye(n)], [lower[:, : 2 * n]]])
        return A, np.vstack([np.zeros_like(S), lower[:, 2 * n :]])
