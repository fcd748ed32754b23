"""A taut Model as a Pinocchio model, with the map between their velocities.

Pinocchio gets one joint per move: a universal joint is two revolutes, a planar joint two prismatic joints and a
revolute, a free joint three prismatic joints and a spherical joint. Its spherical velocity is in body
axes, ours in joint axes: v_pin = T(q) v with blocks R^T. As d(R^T)/dt w = -R^T (w x w) = 0, accelerations map by the
same T.
A driven point is a translation whose coordinates follow its signals; T has no column for it.

The tests compare results with it, the benchmark compares times.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pinocchio as pin  # pyright: ignore[reportMissingImports] (an extra, and found through a .pth file)

from taut.kernels.rotations import quaternion_matrix
from taut.model import Data, Model
from taut.model.enums import ClosureKind
from taut.model.joints import JOINTS, JointKind, axis_of

WORLD_AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


def joint_models(node: Any) -> list[Any]:
    """Pinocchio's joints for one node."""
    if node.kind == JointKind.DRIVEN:
        return [pin.JointModelTranslation()]
    made = {"slide": pin.JointModelPrismaticUnaligned, "turn": pin.JointModelRevoluteUnaligned}
    return [
        pin.JointModelSpherical() if move.how == "ball" else made[move.how](axis_of(move, node.axis_1, node.axis_2))
        for move in JOINTS[JointKind(node.kind)].moves
    ]


class PinocchioTree:
    """The trees and closure ends of a model, evaluated by Pinocchio; results in our columns."""

    def __init__(self, model: Model) -> None:
        """Convert the tables."""
        self.tables = model.tables
        self.model = pin.Model()
        self.model.gravity.linear = np.array(model.tables.settings[0].gravity)
        # Pinocchio's joint for each of our nodes, and the pose of the node's frame on it
        self.places = [(0, pin.SE3.Identity())]
        self.first = [(0, 0)]  # index of each node's first entries in Pinocchio's q and v
        for i in range(1, len(self.tables.nodes)):
            self.add_node(i, self.tables.nodes[i])
        ends = [((c.node_a, c.point_a), (c.node_b, c.point_b)) for c in self.tables.closures]
        self.frames = [(self.add_end(*a), self.add_end(*b)) for a, b in ends]
        self.data = self.model.createData()

    def add_node(self, i: int, node: Any) -> None:
        """Add the joints, the body and the place of one node."""
        joint, placement = self.places[node.parent]
        placement = placement * pin.SE3(node.rotation.reshape(3, 3).copy(), node.offset.copy())
        self.first.append((self.model.nq, self.model.nv))
        for k, joint_model in enumerate(joint_models(node)):
            joint = self.model.addJoint(joint, joint_model, placement, f"{i}.{k}")
            placement = pin.SE3.Identity()
        self.places.append((joint, placement))
        if node.mass > 0.0:
            inertia = np.zeros((3, 3))
            inertia[np.triu_indices(3)] = node.inertia
            inertia = inertia + np.triu(inertia, 1).T
            self.model.appendBodyToJoint(joint, pin.Inertia(float(node.mass), node.com.copy(), inertia), placement)

    def add_end(self, i: int, point: np.ndarray) -> int:
        """A frame at a closure's end."""
        joint, placement = self.end(i, point)
        name = f"end {self.model.nframes}"
        return self.model.addFrame(pin.Frame(name, joint, 0, placement, pin.FrameType.OP_FRAME))

    def end(self, i: int, point: np.ndarray) -> tuple[int, Any]:
        """Joint of a node and a point's placement on it."""
        joint, placement = self.places[i]
        return joint, placement * pin.SE3(np.eye(3), np.array(point))

    def place(self, data: Data) -> "PinocchioTree":
        """Take the state of our data: coordinates, the map T and the velocity and acceleration of driven points."""
        self.q = pin.neutral(self.model)
        self.T = np.zeros((self.model.nv, len(data.v)))
        self.driven = np.zeros((2, self.model.nv))
        for i in range(1, len(self.tables.nodes)):
            self.place_node(self.tables.nodes[i], data, *self.first[i])
        self.v = self.T @ data.v + self.driven[0]
        pin.forwardKinematics(self.model, self.data, self.q, self.v, self.driven[1])
        pin.computeJointJacobians(self.model, self.data, self.q)
        pin.updateFramePlacements(self.model, self.data)
        return self

    def place_node(self, node: Any, data: Data, k: int, c: int) -> None:
        """One node's share of q, T and the driven motion."""
        if node.kind == JointKind.DRIVEN:
            # Pinocchio counts a translation from the parent's joint frame: add where the driven point starts
            values = np.array([data.signals[j] if j >= 0 else np.zeros(3) for j in node.signal])
            self.q[k : k + 3] = node.start + values[:, 0]
            self.driven[:, c : c + 3] = values[:, 1:].T
            return
        for j in range(node.column, node.column + node.column_count):
            column = self.tables.columns[j]
            first, entry = column.coordinate, k + column.coordinate - node.coordinate
            i = c + j - node.column
            if column.component < 0:
                self.q[entry], self.T[i, j] = data.q[first], 1.0
            elif column.component == 0:
                w, x, y, z = data.q[first : first + 4]
                self.q[entry : entry + 4] = x, y, z, w
                self.T[i : i + 3, j : j + 3] = np.reshape(quaternion_matrix((w, x, y, z)), (3, 3)).T

    def inverse(self, acceleration: np.ndarray) -> np.ndarray:
        """Generalised forces by Pinocchio's RNEA."""
        return self.T.T @ pin.rnea(self.model, self.data, self.q, self.v, self.T @ acceleration + self.driven[1])

    def mass_matrix(self) -> np.ndarray:
        """Mass matrix by Pinocchio's CRBA."""
        M = np.triu(pin.crba(self.model, self.data, self.q))
        return self.T.T @ (M + np.triu(M, 1).T) @ self.T

    def closure_rows(self, signals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Jacobian and bias of every closure row from Pinocchio's frames."""
        rows = [row for closure, ends in zip(self.tables.closures, self.frames, strict=True)
                for row in self.rows_of(closure, ends, signals)]  # fmt: skip
        J = np.array([jacobian for jacobian, _ in rows]).reshape(-1, self.T.shape[1])
        return J, np.array([bias for _, bias in rows])

    def rows_of(self, closure: Any, ends: tuple[int, int], signals: np.ndarray) -> Any:
        """Rows of one closure: differences of the ends' motions along world directions and along n = c x d."""
        J_a, J_b = (pin.getFrameJacobian(self.model, self.data, end, WORLD_AXES) @ self.T for end in ends)
        acc_a, acc_b = (self.acceleration(end) for end in ends)
        if closure.kind == ClosureKind.DISTANCE:
            yield self.distance_row(closure, ends, (J_a - J_b)[:3], (acc_a - acc_b)[:3], signals)
            return
        for k in np.flatnonzero(closure.point_rows):
            driven = signals[closure.signal[k], 2] if closure.signal[k] >= 0 else 0.0
            yield J_a[k] - J_b[k], acc_a[k] - acc_b[k] - driven
        (R_a, w_a), (R_b, w_b) = (self.turn(end) for end in ends)
        for a, b in [[], [(0, 0)], [(0, 1), (0, 2)], [(0, 1), (0, 2), (1, 2)]][closure.kind]:
            c, d = R_a @ closure.axis_a.reshape(3, 3)[a], R_b @ closure.axis_b.reshape(3, 3)[b]
            n = np.cross(c, d)
            n_rate = np.cross(np.cross(w_a, c), d) + np.cross(c, np.cross(w_b, d))
            yield n @ (J_a - J_b)[3:], n @ (acc_a - acc_b)[3:] + n_rate @ (w_a - w_b)

    def distance_row(
        self, closure: Any, ends: tuple[int, int], J: np.ndarray, acceleration: np.ndarray, signals: np.ndarray
    ) -> tuple[np.ndarray, float]:
        """Jacobian and bias of a length less the distance of the ends."""
        x_a, x_b = (self.data.oMf[end].translation for end in ends)
        u_a, u_b = (pin.getFrameVelocity(self.model, self.data, end, WORLD_AXES).linear for end in ends)
        distance, u = np.linalg.norm(x_a - x_b), u_a - u_b
        n = (x_a - x_b) / distance
        driven = signals[closure.signal[0], 2] if closure.signal[0] >= 0 else 0.0
        return -n @ J, driven - n @ acceleration - (u @ u - (n @ u) ** 2) / distance

    def acceleration(self, end: int) -> np.ndarray:
        """Acceleration of a frame's origin and angular acceleration when no column accelerates."""
        return pin.getFrameClassicalAcceleration(self.model, self.data, end, WORLD_AXES).vector

    def turn(self, end: int) -> tuple[np.ndarray, np.ndarray]:
        """Rotation and angular velocity of a frame."""
        velocity = pin.getFrameVelocity(self.model, self.data, end, WORLD_AXES)
        return self.data.oMf[end].rotation, velocity.angular

    def constraint_dynamics(self, data: Data) -> Callable[[int], np.ndarray]:
        """Pinocchio's constrained forward dynamics at a state, as a call that repeats it.

        Args:
            data: a state of a model without driven nodes, with point closures only, as `forward` left it: signals and
                joint forces are taken from it.

        Returns:
            ``call(count)`` makes ``count`` evaluations and returns the last accelerations, in our columns.
        """
        self.place(data)
        if self.driven.any() or any(closure.kind != ClosureKind.POINT for closure in self.tables.closures):
            raise ValueError("only point closures, with driven exits held by multipliers, have a twin in Pinocchio")
        models, datas = self.rigid_constraints(data.signals)
        self.contacts = datas
        # one proximal step without relaxation is the direct solution of the constrained equations
        settings = pin.ProximalSettings(1e-12, 0.0, 1)
        pin.initConstraintDynamics(self.model, self.data, models, datas)
        state = (self.model, self.data, self.q, self.v, self.T @ data.force, models, datas, settings)

        def call(count: int) -> np.ndarray:
            for _ in range(count):
                pin.constraintDynamics(*state)
            return self.T.T @ self.data.ddq  # the transposed T is its inverse, because T is orthogonal

        return call

    def rigid_constraints(self, signals: np.ndarray) -> tuple[Any, Any]:
        """One 3D contact per point closure, in the axes of end a's joint; a driven exit follows its signals."""
        models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for closure in self.tables.closures:
            a, b = self.end(closure.node_a, closure.point_a), self.end(closure.node_b, closure.point_b)
            models.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, self.model, *a, *b, pin.LOCAL))
            datas.append(models[-1].createData())
            driven = np.array([signals[j, 2] if j >= 0 else 0.0 for j in closure.signal])
            # driven accelerations are given in world axes, which are those of a driven point
            datas[-1].contact_acceleration_desired.linear = driven
        return models, datas
