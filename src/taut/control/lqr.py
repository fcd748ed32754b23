"""Linear-quadratic regulator of the sampled machine.

About rest at q_0, with K = dh/dq, D = dh/dv of the forces h that hold the machine (weight, springs, viscous friction),
    x = (q - q_0, v),   x' = A x + B u,   A = [0, 1; -M^-1 K, -M^-1 D],   B = [0; M^-1 S]               (1)
discretised exactly with the command held over a period; the gain minimises sum x^T Q x + u^T R u, with Q and R from
deviations and efforts that weigh the same. Dry friction is no linear force and is left out: its smoothed sign would
appear as an enormous damper, on which the gain would rely while the machine slips.
"""

from typing import Any

import numpy as np

from taut.control.computed_torque import column_of
from taut.control.law import DONE, Law
from taut.dynamics.residual import place_state
from taut.dynamics.tree.mass_matrix import mass_matrix
from taut.kernels.jit import entry
from taut.model import Model, new_data, new_factor

STEP = 1e-5  # step of central differences [m or rad]


@entry
def lqr_answer(law):
    """u = -G (x - x_r); numbers are the start coordinates and the driven columns, the gain is remembered."""
    n, k = len(law.told) // 2, len(law.out)
    start, gain, wanted = law.numbers, law.memory, law.wanted[law.slot[0]]
    for j in range(k):
        u = 0.0
        for i in range(n):
            u -= gain[2 * n * j + i] * (law.told[i] - start[i]) + gain[2 * n * j + n + i] * law.told[n + i]
        for m in range(k):
            c = int(law.numbers[n + m])
            u += gain[2 * n * j + c] * (wanted[m, 0] - start[c]) + gain[2 * n * j + n + c] * wanted[m, 1]
        law.out[j] = u
    return DONE


class Lqr(Law):
    """u = -G (x - x_r), the gain recomputed as driven joints move."""

    entry = lqr_answer
    remembered = ("memory", "made")

    def __init__(self, model: Model, spec: Any) -> None:
        """Take a workspace in which no command acts."""
        if model.row_count or (model.tables.columns["component"] >= 0).any():
            message = "needs a machine without closures and without spherical or free joints"
            raise model.plan.error("controllers", f"lqr {message}")
        self.model = model
        self.tables = without_dry_friction(model)
        self.data = new_data(model)
        self.data.commands[:] = 0.0
        n, self.columns = model.column_count, [column_of(model, name) for name in spec.joints]
        wanted = [(model.plan.curve(joint.reference), 0.0) for joint in spec.joints.values()]
        super().__init__(spec, [(spec.position, n), (spec.velocity, n)], wanted,
                         numbers=[*model.start_coordinates, *self.columns], memory=2 * n * len(wanted))  # fmt: skip
        self.weights = self._weights()
        self.made = -np.inf  # time at which the gain was made [s]

    @property
    def gain(self) -> np.ndarray:
        """Gain matrix G, shape [joints, 2 columns]."""
        return self.memory.reshape(len(self.columns), -1)

    def _weights(self) -> np.ndarray:
        spec, n = self.spec, self.model.column_count
        tolerances = np.full(n, spec.tolerance)
        for name, tolerance in spec.tolerances.items():
            tolerances[column_of(self.model, name)] = tolerance
        return 1.0 / np.concatenate([tolerances, tolerances * spec.rate]) ** 2

    def prepare(self, time: float) -> None:
        """Compute the gain, at first and when it is due."""
        if time >= self.prepared_until():
            self.gain[:], self.made = self._gain(time), time

    def prepared_until(self) -> float:
        """When the next gain is due [s]."""
        if not np.isfinite(self.made):
            return -np.inf
        return np.inf if self.spec.update is None else self.made + self.spec.update * (1 - 1e-9)

    def _forces(self, time: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """h at zero acceleration; driven joints stand still where they are at this time."""
        data = self.data
        data.time[0] = time
        data.q[:], data.v[:] = q, v
        data.acceleration[:] = 0.0
        forces = np.zeros(self.model.column_count)
        place_state(self.tables, data, forces)
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
        """Matrices A and B of Eq. (1) about the start."""
        n, q, zero = self.model.column_count, np.array(self.model.start_coordinates), np.zeros(self.model.column_count)
        K, D = np.zeros((n, n)), np.zeros((n, n))
        for c in range(n):
            step = STEP * np.eye(n)[c]
            K[:, c] = (self._forces(time, q + step, zero) - self._forces(time, q - step, zero)) / (2 * STEP)
            D[:, c] = (self._forces(time, q, step) - self._forces(time, q, -step)) / (2 * STEP)
        M, S = np.zeros((n, n)), np.zeros((n, len(self.columns)))
        self._forces(time, q, zero)
        mass_matrix(self.tables, self.data, new_factor(self.model), M)
        S[self.columns, range(len(self.columns))] = 1.0
        lower = np.linalg.solve(M, np.hstack([-K, -D, S]))
        A = np.block([[np.zeros((n, n)), np.eye(n)], [lower[:, : 2 * n]]])
        return A, np.vstack([np.zeros_like(S), lower[:, 2 * n :]])


def without_dry_friction(model: Model) -> Any:
    """Tables of the machine whose joints have viscous friction at most."""
    columns = model.tables.columns.copy()
    columns["coulomb"], columns["stiction"] = 0.0, 0.0
    columns.flags.writeable = False  # as all tables are: compiled code asks for the same type
    return model.tables._replace(columns=columns)
