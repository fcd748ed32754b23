"""Torques of drums that lead a body along a path, by the tensions of its ropes.

The body's centre of mass and its orientation are to follow the path; what is left of an error e dies out as
    a = r'' + 2 w (r' - v) + w^2 (r - x) + ki int e,        alpha = 2 w_t (omega_d - omega) + w_t^2 log(R_d R^T) (1)
with the measured place x, velocity v, orientation R and angular velocity omega of its origin. With the mass m, the
inertia J about the centre of mass at c, and d = c - x the ropes must give
    w = (m (a + alpha x d + omega x (omega x d) - g),  J alpha + omega x J omega).                          (2)
A column of W is the force and the moment about c of a unit tension, where the rope meets the body at its measured pose,
    W T = w,   least <= T <= most,   T as near to the goal as can be,                                     (3)
and where no such tensions are, those within the limits whose wrench is nearest to w. The length outside changes by
l'' = -W^T (a_c, alpha), but for products of velocities; a drum of radius r, inertia r^2 m_d and gear ratio n needs
    torque = r (m_d l'' - T) / n.                                                                           (4)
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from taut.build.machine.equipment import Drums
from taut.control.reference import Clock, Reference
from taut.dynamics.residual import place
from taut.kernels.bounded_qp import bounded_qp
from taut.kernels.robots.solver import TensionSolver
from taut.model import Model, new_data

# weight of the wanted tensions relative to the wrench, if no tensions within the limits give the wrench
NEARNESS = 1e-3


class CableTension:
    """Controller by Eqs. (1) to (4): torques of drums at every sample."""

    remembered = ("lasting",)

    def __init__(self, model: Model, name: str, spec: Any) -> None:
        """Read the body, its ropes and drums, and the path."""
        self.model, self.spec = model, spec
        self.drums: Drums = model.plan.equipment[name]
        self.mass = self.drums.mass + spec.carries
        self.gravity = np.array(model.tables.settings[0].gravity)
        self.placed = new_data(model)
        self.entries = model.coordinates_of(model.names.bodies[spec.body])
        self.rows = [guides_on(model, cable, model.names.bodies[spec.body]) for cable in self.drums.arms]
        self.inertias = np.array([drum_inertia(model, cable) for cable in self.drums.arms])
        self.arms = np.array(list(self.drums.arms.values()))
        n = len(self.rows)
        self.least, self.most = np.full(n, spec.least), np.full(n, spec.most)
        self.goal = np.full(n, 0.5 * (spec.least + spec.most) if spec.goal is None else spec.goal)
        self.solver = TensionSolver((self.least, self.most), 6, self.goal)
        # errors are taken at the sample, accelerations of the path in the middle of the interval in which the torque
        # acts
        self.ahead = spec.delay + 0.5 * spec.period
        clock = Clock(spec.start + self.ahead, spec.period)
        path = [model.plan.curve(signal) for signal in spec.setpoint]
        self.now, self.soon = ([Reference(curve, at) for curve in path] for at in (spec, clock))
        self.turn = [Reference(model.plan.curve(signal), spec) for signal in spec.turn or (0.0, 0.0, 0.0)]
        self.lasting = np.zeros(3)  # integral of the position error [m s]

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """The torques at a sample."""
        spec, w, w_t = self.spec, self.spec.bandwidth, self.spec.turn_bandwidth
        x, v, q, spin = (np.asarray(measured[key]) for key in
                         (spec.position, spec.velocity, spec.orientation, spec.spin))  # fmt: skip
        r, rate, _ = np.array([reference(time) for reference in self.now]).T
        second = np.array([reference(time + self.ahead)[2] for reference in self.soon])
        error, R = r - x, rotation(q)
        a = second + 2.0 * w * (rate - v) + w**2 * error + spec.ki * self.lasting  # Eq. (1)
        wanted, wanted_spin = self.wanted_turn(time)
        alpha = 2.0 * w_t * (wanted_spin - spin) + w_t**2 * rotation_vector(wanted @ R.T)
        self.placed.q[self.entries] = np.concatenate([x, q / np.linalg.norm(q)])
        W, wrench, moves = self.needed(x, R, spin, a, alpha)
        T, is_met = self.tensions(W, wrench)
        # anti-windup: errors are integrated only while the ropes can give the wrench
        if is_met:
            self.lasting = self.lasting + spec.period * error
        torques = self.arms * (-self.inertias * (W.T @ moves) - T)  # Eq. (4)
        return {command: float(torque) for command, torque in zip(self.drums.commands, torques, strict=True)}

    def wanted_turn(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Wanted rotation, and angular velocity."""
        turn, rate, _ = np.array([reference(time) for reference in self.turn]).T
        wanted = turned(turn) @ self.drums.orientation
        size = float(np.linalg.norm(turn))
        if size == 0.0:
            return wanted, rate
        # omega = (1 + (1 - cos s)/s^2 [t x] + (s - sin s)/s^3 [t x]^2) t'
        once = np.cross(turn, rate)
        twice = np.cross(turn, once)
        return wanted, rate + (1.0 - np.cos(size)) / size**2 * once + (size - np.sin(size)) / size**3 * twice

    def needed(self, x: np.ndarray, R: np.ndarray, spin: np.ndarray, a: np.ndarray, alpha: np.ndarray) -> Any:
        """Matrix W of Eq. (3), wrench w of Eq. (2), and the acceleration of the centre of mass with the angular one."""
        d = R @ self.drums.com
        a_c = a + np.cross(alpha, d) + np.cross(spin, np.cross(spin, d))
        J = R @ self.drums.inertia @ R.T
        wrench = np.concatenate([self.mass * (a_c - self.gravity), J @ alpha + np.cross(spin, J @ spin)])
        place(self.model.tables, self.placed)
        guides, W = self.placed.guides, np.zeros((6, len(self.rows)))
        for k, rows in enumerate(self.rows):
            for row in rows:
                f = guides["f"][row]
                W[:3, k] += f
                W[3:, k] += np.cross(guides["x"][row] - x - d, f) + guides["m"][row]
        return W, wrench, np.concatenate([a_c, alpha])

    def tensions(self, W: np.ndarray, wrench: np.ndarray) -> tuple[np.ndarray, bool]:
        """Tensions by Eq. (3), and whether they give the wrench."""
        if self.solver(W, wrench) == 0:
            return self.solver.tensions.copy(), True
        # scale moments to forces by the longest lever arm, so that both can be weighted together
        scale = np.ones(6)
        scale[3:] = 1.0 / max(float(np.linalg.norm(W[3:], axis=0).max()), 1e-9)
        S, near = scale[:, None] * W, NEARNESS**2
        b = -(S.T @ (scale * wrench)) - near * self.goal
        found, _ = bounded_qp(S.T @ S + near * np.eye(len(b)), b, self.least, self.most)
        return found, False


def guides_on(model: Model, cable: str, node: int) -> list[int]:
    """Rows of the guides of a cable that sit on a body, its anchor among them."""
    routes, guides = model.tables.routes, model.tables.guides
    rows = [row for piece in model.names.routes[cable]
            for row in range(int(routes[piece].guide), int(routes[piece].guide + routes[piece].count))]  # fmt: skip
    return [row for row in rows if int(guides[row].node) == node]


def drum_inertia(model: Model, cable: str) -> float:
    """Inertia of a drum at its radius [kg]."""
    node = model.names.nodes.index(model.plan.spools[cable])
    return float(model.tables.columns[int(model.tables.nodes[node].column)].armature)


def turned(turn: np.ndarray) -> np.ndarray:
    """Rotation by a rotation vector."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(turn).as_matrix()


def rotation(q: Any) -> np.ndarray:
    """Rotation of a quaternion (w, x, y, z)."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_quat(np.asarray(q)[[1, 2, 3, 0]]).as_matrix()


def rotation_vector(R: np.ndarray) -> np.ndarray:
    """The rotation vector of a rotation."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(R).as_rotvec()
