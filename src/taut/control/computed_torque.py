"""Computed torque: forces that give the listed joints the accelerations wanted.

With a the accelerations, lam the multipliers of the closures and u the forces asked for,
    M a + h - J^T lam - B u = 0,     J a + bias = 0,     B^T a = w                                        (1)
where w = r'' + kd (r' - v) + kp (r - q) + sum (k_p y + k_d y') for a reference r and the swings y that it damps. All
joints listed: the classical computed torque; only some of them: collocated partial feedback linearisation
[Spong1994], in which the others move as they must.
"""

from typing import Any

import numpy as np

from taut.control.law import DONE, REFUSED, Law, LawData
from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.residual import residual
from taut.dynamics.tree.mass_matrix import mass_matrix
from taut.kernels.arrays import clear
from taut.kernels.bundle import Bundle
from taut.kernels.gauss import solve_dense
from taut.kernels.jit import entry, part
from taut.model import Data, Factor, Model, new_data, new_factor
from taut.model.model import Tables


class TorqueData(Bundle):
    """Workspace of the controller: its law, the machine it believes in, and the system of Eq. (1)."""

    law: LawData
    model: Tables
    data: Data  # workspace of the law's own, so that the run's commands do not act in it
    factor: Factor
    forces: np.ndarray  # forces h at zero acceleration: weight and velocity products [column]
    M: np.ndarray
    matrix: np.ndarray  # matrix of Eq. (1)
    right: np.ndarray  # right-hand side of Eq. (1), then its solution
    column: np.ndarray  # column of each joint that follows a reference
    gains: np.ndarray  # gains kp and kd of each joint that follows a reference
    swings: np.ndarray  # joint, column and coordinate of each swing that is damped
    swing_gains: np.ndarray  # gains of each damped swing: for its coordinate and for its rate
    rest: np.ndarray  # coordinates of the machine at rest, from which swings are measured


@entry
def torque_answer(work):
    """Forces that give the accelerations wanted; without closures, Eq. (1) is solved here."""
    law, data = work.law, work.data
    told, n, n_q = law.told, len(data.v), len(data.q)
    data.time[0] = law.time[0]
    for i in range(n_q):
        data.q[i] = told[i]
    for c in range(n):
        data.v[c] = told[n_q + c]
        data.acceleration[c] = 0.0
    for j in range(len(data.lam)):
        data.lam[j] = 0.0
    residual(work.model, data, data.acceleration, data.lam, work.forces)
    mass_matrix(work.model, data, work.factor, work.M)
    fill_wanted(work, work.right, n + len(data.lam))
    fill_system(work, work.matrix, work.right)
    if len(data.lam) > 0 or not solve_dense(work.matrix, work.right):
        return REFUSED
    for j in range(len(law.out)):
        law.out[j] = work.right[n + j]
    return DONE


@part
def fill_wanted(work, b, first):
    """Accelerations wanted of the listed joints."""
    data, wanted, gains = work.data, work.law.wanted[work.law.slot[0]], work.gains
    for j in range(len(work.column)):
        c = work.column[j]
        gap = wanted[j, 0] - data.q[work.model.columns[c].coordinate]
        b[first + j] = wanted[j, 2] + gains[j, 1] * (wanted[j, 1] - data.v[c]) + gains[j, 0] * gap
    for s in range(len(work.swings)):
        j, c, i = work.swings[s, 0], work.swings[s, 1], work.swings[s, 2]
        b[first + j] += work.swing_gains[s, 0] * (data.q[i] - work.rest[i]) + work.swing_gains[s, 1] * data.v[c]


@part
def fill_system(work, A, b):
    """The matrix of Eq. (1) without closures, and what the machine's own forces ask for."""
    n, m = len(work.forces), len(work.data.lam)
    clear(A)
    for i in range(n):
        b[i] = -work.forces[i]
        for c in range(n):
            A[i, c] = work.M[i, c]
    for j in range(len(work.column)):
        A[work.column[j], n + m + j] = -1.0
        A[n + m + j, work.column[j]] = 1.0


def column_of(model: Model, body: str) -> int:
    """The column of a body's joint, which has one."""
    return int(model.tables.nodes[model.names.bodies[body]].column)


class ComputedTorque(Law):
    """Inverse dynamics at the measured state."""

    entry = torque_answer
    remembered = ()

    def __init__(self, model: Model, spec: Any) -> None:
        """Take a workspace of its own, in which no command acts."""
        self.model, joints = model, spec.joints.values()
        n_q, n, m, k = len(model.start_coordinates), model.column_count, model.row_count, len(spec.joints)
        super().__init__(spec, [(spec.position, n_q), (spec.velocity, n)],
                         [(model.plan.curve(joint.reference), 0.0) for joint in joints])  # fmt: skip
        swings = [(j, column_of(model, name), gains) for j, joint in enumerate(joints)
                  for name, gains in joint.swing.items()]  # fmt: skip
        coordinate = model.tables.columns["coordinate"]
        self.work = TorqueData(
            law=self.law,
            model=model.tables,
            data=new_data(model),
            factor=new_factor(model),
            forces=np.zeros(n),
            M=np.zeros((n, n)),
            matrix=np.zeros((n + m + k, n + m + k)),
            right=np.zeros(n + m + k),
            column=np.array([column_of(model, name) for name in spec.joints]),
            gains=np.array([(joint.kp, joint.kd) for joint in joints], float).reshape(-1, 2),
            swings=np.array([(j, c, coordinate[c]) for j, c, _ in swings], np.int64).reshape(-1, 3),
            swing_gains=np.array([gains for _, _, gains in swings], float).reshape(-1, 2),
            rest=np.array(model.start_coordinates),
        )
        self.work.data.commands[:] = 0.0

    @property
    def bundle(self) -> Bundle:
        """The bundle of arrays with which the compiled entry is called."""
        return self.work

    def answer(self) -> int:
        """Solve Eq. (1); with closures, which may be redundant, by least squares."""
        found = super().answer()
        work, n, m = self.work, self.model.column_count, self.model.row_count
        if found == DONE or m == 0:
            return found
        closure_jacobian(self.model.tables, work.data, J := np.zeros((m, n)))
        work.matrix[:n, n : n + m], work.matrix[n : n + m, :n] = -J.T, J
        b = work.right
        b[n : n + m] = -work.data.rows["bias"]
        # least squares: redundant closures give the smallest multipliers
        self.law.out[:] = np.linalg.lstsq(work.matrix, b, rcond=None)[0][n + m :]
        return DONE
