"""Homogeneous transforms of every node, and geometric Jacobians of points on them."""

from typing import NamedTuple

import numpy as np

from taut.model.enums import QUATERNION_JOINTS, JointKind
from taut.model.joints import axis_of, moves_of

X, Y, Z = np.eye(3)


class Motion(NamedTuple):
    """One column of a placed machine: its world axis, a point on it, its kind and the node it moves."""

    axis: np.ndarray
    point: np.ndarray
    is_rotation: bool
    node: int


def skew(a):
    return np.array([[0 * a[0], -a[2], a[1]], [a[2], 0 * a[0], -a[0]], [-a[1], a[0], 0 * a[0]]])


def transform(R, x):
    T = np.eye(4, dtype=np.result_type(R, x))
    T[:3, :3], T[:3, 3] = R, x
    return T


def turn(axis, angle):
    """Rodrigues' formula."""
    K = skew(axis)
    return transform(np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K, np.zeros(3))


def quaternion_turn(q):
    """Rotation of a quaternion of any length: R = 1 + 2 (w [u] + [u]^2) / |q|^2."""
    K = skew(q[1:])
    return transform(np.eye(3) + 2 * (q[0] * K + K @ K) / np.sum(q * q), np.zeros(3))


def steps(node):
    """The elementary motions of a joint, in order: (is rotation, axis) or 'quaternion'."""
    a1, a2 = node.axis_1, node.axis_2
    translations = [(False, X), (False, Y), (False, Z)]
    return {
        JointKind.REVOLUTE: [(True, a1)],
        JointKind.PRISMATIC: [(False, a1)],
        JointKind.UNIVERSAL: [(True, a1), (True, a2)],
        JointKind.BEND_XY: [(True, X), (True, Y)],
        JointKind.BEND_YX: [(True, Y), (True, X)],
        JointKind.STRETCH: [(False, Z)],
        JointKind.SPHERICAL: ["quaternion"],
        JointKind.PLANAR: [(False, a1), (False, a2), (True, np.cross(a1, a2))],
        JointKind.POINT: translations,
        JointKind.FREE: [*translations, "quaternion"],
    }.get(JointKind(node.kind)) or defined_steps(node)


def defined_steps(node):
    """Motions of a joint that ``steps`` does not describe, from the joint's definition."""
    return ["quaternion" if move.how == "ball" else (move.how == "turn", axis_of(move, node.axis_1, node.axis_2))
            for move in moves_of(JointKind(node.kind))]  # fmt: skip


def walk(m, q, signals):
    """Frames of all nodes and motions of all columns."""
    frames, motions = [np.eye(4)], []
    for i in range(1, len(m.nodes)):
        node = m.nodes[i]
        if node.kind == JointKind.DRIVEN:
            frames.append(transform(np.eye(3), node.start + signal_vector(signals, node.signal, 0)))
            continue
        T = frames[node.parent] @ transform(node.rotation.reshape(3, 3), node.offset)
        k = node.coordinate
        for step in steps(node):
            R, x = T[:3, :3], T[:3, 3]
            if step == "quaternion":
                motions += [Motion(axis, x, True, i) for axis in R.T]
                T = T @ quaternion_turn(q[k : k + 4])
            else:
                is_rotation, axis = step
                motions.append(Motion(R @ axis, x, is_rotation, i))
                T = T @ (turn(axis, q[k]) if is_rotation else transform(np.eye(3), q[k] * axis))
            k += 4 if step == "quaternion" else 1
        frames.append(T)
    return frames, motions


def signal_vector(signals, index, order):
    """Three signals (or their rates) by index; -1 is none."""
    return np.array([signals[j, order] if j >= 0 else 0.0 for j in index])


def path(m, i):
    """A node and everything between it and its root."""
    while i > 0:
        yield i
        i = m.nodes[i].parent


def point_jacobian(m, motions, i, x):
    """Linear and angular Jacobian [6, columns] of the point x (world) of node i."""
    J = np.zeros((6, len(motions)), dtype=x.dtype if np.iscomplexobj(x) else float)
    carriers = set(path(m, i))
    for c, motion in enumerate(motions):
        if motion.node in carriers:
            linear = np.cross(motion.axis, x - motion.point) if motion.is_rotation else motion.axis
            J[:, c] = [*linear, *(motion.axis if motion.is_rotation else np.zeros(3))]
    return J


def driven_motion(m, signals, i, order):
    """Velocity (1) or acceleration (2) a node owes to the driven point at its root."""
    index = next((m.nodes[k].signal for k in path(m, i) if m.nodes[k].kind == JointKind.DRIVEN), (-1, -1, -1))
    return np.array([*signal_vector(signals, index, order), 0.0, 0.0, 0.0])


def moved(m, q, step):
    """q after a small step in velocity coordinates; quaternions to first order, enough for complex steps."""
    q = q.astype(complex)
    for i in range(1, len(m.nodes)):
        node = m.nodes[i]
        k, d = node.coordinate, step[node.column : node.column + node.column_count]
        scalars = len(d) - 3 if node.kind in QUATERNION_JOINTS else len(d)
        q[k : k + scalars] += d[:scalars]
        if node.kind in QUATERNION_JOINTS:
            w, u, turned = q[k + scalars], q[k + scalars + 1 : k + scalars + 4], d[scalars:]
            q[k + scalars : k + scalars + 4] += 0.5 * np.array([-turned @ u, *(w * turned + np.cross(turned, u))])
    return q
