"""Computed torque: forces that give the listed joints the accelerations wanted.

With a the accelerations, lam the multipliers of the closures and u the forces asked for,
    M a + h - J^T lam - B u = 0,     J a + bias = 0,     B^T a = w                                        (1)
where w = r'' + kd (r' - v) + kp (r - q) + sum (k_p y + k_d y') for a reference r and the swings y that it damps. All
joints listed: the classical computed torque; only some of them: collocated partial feedback linearisation
[Spong1994], in which the others move as they must.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from taut.control.reference import Reference
from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.residual import place_state
from taut.dynamics.tree.mass_matrix import mass_matrix
from taut.model import Model, new_data, new_factor


def column_of(model: Model, body: str) -> int:
    """The column of a body's joint, which has one."""
    return int(model.tables.nodes[model.names.bodies[body]].column)


class ComputedTorque:
    """Inverse dynamics at the measured state."""

    def __init__(self, model: Model, spec: Any) -> None:
        """Take a workspace of its own, in which no command acts."""
        self.model, self.spec = model, spec
        self.data = new_data(model)
        self.data.commands[:] = 0.0
        self.factor = new_factor(model)
        self.forces = np.zeros(model.column_count)
        n, m, k = model.column_count, model.row_count, len(spec.joints)
        self.M, self.J = np.zeros((n, n)), np.zeros((m, n))
        self.matrix = np.zeros((n + m + k, n + m + k))
        self.columns = [column_of(model, name) for name in spec.joints]
        self.coordinates = model.tables.columns["coordinate"].copy()
        self.rest = np.array(model.start_coordinates)
        self.swings = [[(column_of(model, name), gains) for name, gains in joint.swing.items()]
                       for joint in spec.joints.values()]  # fmt: skip
        self.references = [Reference(model.plan.curve(joint.reference), spec) for joint in spec.joints.values()]

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """The forces at a sample."""
        q, v = np.atleast_1d(measured[self.spec.position]), np.atleast_1d(measured[self.spec.velocity])
        u = self.solve(time, q, v, self.wanted(time, q, v))
        return dict(zip(self.spec.outputs(), map(float, u), strict=True))

    def wanted(self, time: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Accelerations wanted of the listed joints."""
        found, coordinate = [], self.coordinates
        joints = zip(self.spec.joints.values(), self.references, self.columns, self.swings, strict=True)
        for joint, reference, column, swings in joints:
            r, rate, second = reference(time)
            w = second + joint.kd * (rate - v[column]) + joint.kp * (r - q[coordinate[column]])
            for other, (k_p, k_d) in swings:
                w += k_p * (q[coordinate[other]] - self.rest[coordinate[other]]) + k_d * v[other]
            found.append(w)
        return np.array(found)

    def solve(self, time: float, q: np.ndarray, v: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """Forces u of Eq. (1)."""
        model, data = self.model.tables, self.data
        data.time[0] = time
        data.q[:], data.v[:] = q, v
        data.acceleration[:] = 0.0
        data.lam[:] = 0.0
        place_state(model, data, self.forces)
        h = self.forces - data.force
        mass_matrix(model, data, self.factor, self.M)
        closure_jacobian(model, data, self.J)
        n, m, A = len(h), self.model.row_count, self.matrix
        A[:n, :n] = self.M
        A[:n, n : n + m], A[n : n + m, :n] = -self.J.T, self.J
        for k, column in enumerate(self.columns):
            A[column, n + m + k], A[n + m + k, column] = -1.0, 1.0
        b = np.concatenate([-h, -data.rows["bias"], wanted])
        # least squares: redundant closures give the smallest multipliers
        solution = np.linalg.lstsq(A, b, rcond=None)[0] if m else np.linalg.solve(A, b)
        return solution[n + m :]
