"""A model of taut and one of MuJoCo that should be the same machine: states, mass matrices and accelerations compared.

MuJoCo's free and ball joints turn in the axes of the body, ours in those of the joint frame: v_mujoco = T(q) v with
blocks R^T. As d(R^T)/dt w = -R^T (w x w) = 0, accelerations are mapped by the same T.
"""

import mujoco
import numpy as np

from engine import dense_mass, place
from taut.analyses.forward_dynamics import forward_dynamics
from taut.build import build
from taut.integrate.start.start_state import start_state
from taut.robots.exchange.mjcf import read_mjcf
from taut.robots.exchange.mjcf_bodies import Bodies
from taut.robots.exchange.mujoco_file import open_mjcf
from taut.robots.exchange.write_mjcf import write_mjcf
from taut.scenario.io.reading import make_scenario
from taut.scenario.records.orientation import rotation_from_quaternion


class Twins:
    """Both models in one state, that of ``data``. ``joints`` are pairs of MuJoCo's joint and our first column of it.

    A machine that was written by us stands at its reference position, which is our start; one that was read has
    coordinates that count from there.
    """

    def __init__(self, model, data, machine, joints, is_written=False):
        self.model, self.data, self.machine = model, data, machine
        machine.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        self.other = mujoco.MjData(machine)
        self.T = np.zeros((machine.nv, model.column_count))
        for j, column in joints:
            self.take(j, column)
        if is_written:
            mujoco.mj_resetDataKeyframe(machine, self.other, 0)
        else:
            self.other.qvel[:] = self.T @ data.v
        mujoco.mj_forward(machine, self.other)

    def take(self, j, column):
        """Coordinates and the block of T of one joint."""
        i, d = self.machine.jnt_qposadr[j], self.machine.jnt_dofadr[j]
        first, kind = int(self.model.tables.columns[column].coordinate), mujoco.mjtJoint(int(self.machine.jnt_type[j]))
        if kind in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
            self.other.qpos[i] = self.data.q[first] + self.machine.qpos0[i]
            self.T[d, column] = 1.0
            return
        slides = 3 if kind == mujoco.mjtJoint.mjJNT_FREE else 0
        self.T[d : d + slides, column : column + slides] = np.eye(slides)
        self.other.qpos[i : i + slides + 4] = self.data.q[first : first + slides + 4]
        R = rotation_from_quaternion(self.data.q[first + slides : first + slides + 4])
        self.T[d + slides : d + slides + 3, column + slides : column + slides + 3] = R.T

    def masses(self):
        """Mass matrices of taut and of MuJoCo, both for the columns of taut."""
        M = np.zeros((self.machine.nv, self.machine.nv))
        mujoco.mj_fullM(self.machine, self.other, M)
        place(self.model, self.data)
        return dense_mass(self.model, self.data), self.T.T @ M @ self.T

    def accelerations(self):
        """Accelerations of taut and of MuJoCo, both for the columns of taut; MuJoCo's without its soft constraints."""
        # 0: whether a cable is taut is decided by the state
        self.data.modes[self.model.tables.tethers["event"]] = 0
        forward_dynamics(self.model, self.data)
        other = self.T.T @ self.other.qacc if not self.other.nefc else self.T.T @ self.constrained()
        return np.array(self.data.acceleration), other

    def constrained(self):
        """Accelerations of MuJoCo's machine whose constraints hold exactly, from its own matrices.

        MuJoCo makes constraints soft: here J a = 0 with its own J, which is exact at rest. Redundant rows are solved by
        least squares.
        """
        m, d = self.machine, self.other
        assert not d.qvel.any(), "constraints are compared at rest"
        M, J = np.zeros((m.nv, m.nv)), np.array(d.efc_J).reshape(d.nefc, -1)
        mujoco.mj_fullM(m, d, M)
        free = np.linalg.solve(M, d.qfrc_smooth)
        lam = np.linalg.lstsq(J @ np.linalg.solve(M, J.T), -J @ free, rcond=1e-12)[0]
        return free + np.linalg.solve(M, J.T @ lam)


def written(model):
    """A model and what MuJoCo makes of it, at the start."""
    machine = mujoco.MjModel.from_xml_string(write_mjcf(model).text)
    joints = []
    for j in range(machine.njnt):
        name = mujoco.mj_id2name(machine, mujoco.mjtObj.mjOBJ_JOINT, j)
        is_scalar = name in model.names.columns
        node = 0 if is_scalar else model.names.nodes.index(name)
        joints.append((j, model.names.columns.index(name) if is_scalar else int(model.tables.nodes[node].column)))
    return Twins(model, start_state(model).data, machine, joints, is_written=True)


def read(path):
    """A file of MuJoCo as a model of taut and as MuJoCo's own, with the joints that belong together."""
    bodies, model = Bodies(open_mjcf(path)), build(make_scenario(read_mjcf(path).data))
    machine, joints = bodies.m, []
    for j in range(machine.njnt):
        label = bodies.joint_owner.get(j) or bodies.labels[machine.jnt_bodyid[j]]
        joints.append((j, int(model.tables.nodes[model.names.bodies[label]].column)))
    return model, machine, joints


def difference(pair):
    """Largest difference, relative to the largest entry."""
    ours, other = pair
    return np.abs(ours - other).max() / max(np.abs(other).max(), 1e-300)
