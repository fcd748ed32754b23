"""Coordinates moved by a velocity: addition, and the exponential map for quaternions."""

import numpy as np

from taut.kernels.jit import kernel
from taut.kernels.rotations import quaternion_of_rotation_vector, quaternion_product


@kernel
def move(model, q, step, moved):
    """moved = q (+) step, step in velocity coordinates; quaternions stay unit vectors."""
    columns = model.columns
    for c in range(len(columns)):
        j = columns[c].coordinate
        component = columns[c].component
        if component < 0:
            moved[j] = q[j] + step[c]
        elif component == 0:
            p = quaternion_of_rotation_vector((step[c], step[c + 1], step[c + 2]))
            p = quaternion_product(p, (q[j], q[j + 1], q[j + 2], q[j + 3]))
            norm = np.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
            moved[j] = p[0] / norm
            moved[j + 1] = p[1] / norm
            moved[j + 2] = p[2] / norm
            moved[j + 3] = p[3] / norm
