"""Coordinates moved by a velocity: addition, and the exponential map for quaternions."""

import numpy as np

from taut.kernels.jit import kernel
from taut.kernels.rotations import quaternion_of_rotation_vector, quaternion_product
from taut.model.enums import JointKind

SPHERICAL = int(JointKind.SPHERICAL)
FREE = int(JointKind.FREE)


@kernel
def move(model, q, step, moved):
    """moved = q (+) step, step in velocity coordinates; quaternions stay unit vectors."""
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        k = node.coordinate
        c = node.column
        scalars = node.column_count
        if node.kind == SPHERICAL or node.kind == FREE:
            scalars -= 3
            j = k + scalars
            d = c + scalars
            p = quaternion_of_rotation_vector((step[d], step[d + 1], step[d + 2]))
            p = quaternion_product(p, (q[j], q[j + 1], q[j + 2], q[j + 3]))
            norm = np.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
            moved[j] = p[0] / norm
            moved[j + 1] = p[1] / norm
            moved[j + 2] = p[2] / norm
            moved[j + 3] = p[3] / norm
        for j in range(scalars):
            moved[k + j] = q[k + j] + step[c + j]
