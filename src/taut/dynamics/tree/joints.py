"""How each joint places its node: rotation, origin and the world axes of its columns.

A joint frame (R, x) comes in, the body frame goes out. Every column is a pure rotation about an axis through the
body origin or a pure translation; its world axis is written to the column's record. A new joint is a branch in
``kinematics.place_nodes`` made of these moves, and its definition in ``model/joints.py``. Parts take records and
numbers, never arrays: numba counts references to arrays with atomic operations, which cost more than a joint.
"""

import numpy as np

from taut.kernels.jit import part
from taut.kernels.mat3 import column, load9, mat_mat, mat_vec
from taut.kernels.rotations import quaternion_matrix, rotated_about, rotated_about_x, rotated_about_y
from taut.kernels.vec3 import add3, axpy3, load3, store3
from taut.model.enums import JointKind

REVOLUTE = int(JointKind.REVOLUTE)
PRISMATIC = int(JointKind.PRISMATIC)
UNIVERSAL = int(JointKind.UNIVERSAL)
BEND_XY = int(JointKind.BEND_XY)
BEND_YX = int(JointKind.BEND_YX)
STRETCH = int(JointKind.STRETCH)
SPHERICAL = int(JointKind.SPHERICAL)
PLANAR = int(JointKind.PLANAR)
POINT = int(JointKind.POINT)
FREE = int(JointKind.FREE)
DRIVEN = int(JointKind.DRIVEN)
DRIVEN_TURN = int(JointKind.DRIVEN_TURN)
DRIVEN_SLIDE = int(JointKind.DRIVEN_SLIDE)
SMALL = int(JointKind.SMALL)
RITZ = int(JointKind.RITZ)


@part
def joint_frame(node, parent):
    """Joint frame of a node on its placed parent."""
    return frame_on(node, (load9(parent.R), load3(parent.x)))


@part
def frame_on(node, before):
    """Joint frame of a node from the axes and the origin of its parent."""
    R, x = before
    if node.is_offset:
        x = add3(x, mat_vec(R, load3(node.offset)))
    if node.is_turned:
        R = mat_mat(R, load9(node.rotation))
    return R, x


@part
def bend_xy(R, q1, q2, column_1, column_2):
    """Turn about x, then about the turned y."""
    store3(column_1.s, column(R, 0))
    R = rotated_about_x(R, q1)
    store3(column_2.s, column(R, 1))
    return rotated_about_y(R, q2)


@part
def bend_yx(R, q1, q2, column_1, column_2):
    """Turn about y, then about the turned x."""
    store3(column_1.s, column(R, 1))
    R = rotated_about_y(R, q1)
    store3(column_2.s, column(R, 0))
    return rotated_about_x(R, q2)


@part
def slide(R, x, axis, q, column_1):
    """Translation along an axis of the joint frame."""
    s = mat_vec(R, axis)
    store3(column_1.s, s)
    return axpy3(q, s, x)


@part
def turn(R, axis, q, column_1):
    """Rotation about an axis of the joint frame."""
    store3(column_1.s, mat_vec(R, axis))
    return rotated_about(R, axis, q)


@part
def translate(R, x, q, column_1, column_2, column_3):
    """Three translations along the axes of the joint frame."""
    store3(column_1.s, column(R, 0))
    store3(column_2.s, column(R, 1))
    store3(column_3.s, column(R, 2))
    return add3(x, mat_vec(R, q))


@part
def turn_by_quaternion(R, q, column_1, column_2, column_3):
    """A free turn; its three columns are the axes of the joint frame."""
    store3(column_1.s, column(R, 0))
    store3(column_2.s, column(R, 1))
    store3(column_3.s, column(R, 2))
    return mat_mat(R, quaternion_matrix(q))


@part
def turn_small(t, column_1, column_2, column_3):
    """Small rotations, Eq. (2) of ``dynamics.tree.points``; their columns are the world axes."""
    store3(column_1.s, (1.0, 0.0, 0.0))
    store3(column_2.s, (0.0, 1.0, 0.0))
    store3(column_3.s, (0.0, 0.0, 1.0))
    one = 1.0 + 0.0 * t[0]
    return (one, -t[2], t[1], t[2], one, -t[0], -np.sin(t[1]), np.sin(t[0]), one)


@part
def driven_signal(node, signals, order):
    """Coordinate (order 0) of a driven joint, its rate (1) or second rate (2)."""
    k = node.signal[0]
    return signals[k, order] if k >= 0 else 0.0


@part
def driven_vector(node, signals, order, zero):
    """Displacement (order 0) of a driven point, its rate (1) or second rate (2); ``zero`` has the type of the rest."""
    i, j, k = node.signal[0], node.signal[1], node.signal[2]
    return (
        (signals[i, order] if i >= 0 else 0.0) + zero,
        (signals[j, order] if j >= 0 else 0.0) + zero,
        (signals[k, order] if k >= 0 else 0.0) + zero,
    )


@part
def is_driven_joint(node):
    """Whether the node's one coordinate follows a signal."""
    return node.kind == DRIVEN_TURN or node.kind == DRIVEN_SLIDE


@part
def driven_axis(node, here):
    """World axis of a driven joint, of a placed node: the body's own turn leaves it as it is."""
    return mat_vec(load9(here.R), load3(node.axis_1))
