"""Samples of a reduced cable expanded to all its elements: nodes, tensions, and coordinates of the full chain."""

import numpy as np

from taut.dynamics.tree.joints import BEND_XY, REVOLUTE
from taut.kernels.jit import entry, part
from taut.kernels.mat3 import load9, mat_mat, mat_t_vec, mat_vec
from taut.kernels.rotations import rotated_about_x, rotated_about_y


@part
def add_shapes(shapes, first, last, z, field):
    """field += the sum of z[a] shapes[a] over a from first to last."""
    for a in range(first, last):
        f = z[a]
        row = shapes[a]
        for e in range(len(field)):
            field[e] += f * row[e]


@entry
def expand_cable(mean, shapes, directions, axes, begins, z, rates, law, nodes, tensions, ends, scratch):
    """Nodes, tensions and directions of the first and the last element of a reduced cable at every sample.

    Args:
        mean: alpha, beta and p at rest [3, element].
        shapes: of the three fields [3, shape, element].
        directions: how many shapes are of direction.
        axes: the cable's axes in the world [3, 3].
        begins: of the cable [sample, 3].
        z: coordinates [sample, shape].
        rates: their rates [sample, shape].
        law: stiffness, damping and free length of an element.
        nodes: out [sample, element + 1, 3].
        tensions: out [sample, element].
        ends: out [sample, 2, 3].
        scratch: [4, element].
    """
    alpha, beta, length, stretch = scratch[0], scratch[1], scratch[2], scratch[3]
    count = shapes.shape[1]
    for k in range(len(z)):
        for e in range(len(alpha)):
            alpha[e], beta[e], length[e], stretch[e] = mean[0, e], mean[1, e], mean[2, e], 0.0
        # fields along the cable: mean shape and the sum over all shapes
        add_shapes(shapes[0], 0, directions, z[k], alpha)
        add_shapes(shapes[1], 0, directions, z[k], beta)
        add_shapes(shapes[2], directions, count, z[k], length)
        add_shapes(shapes[2], directions, count, rates[k], stretch)
        for e in range(len(alpha)):
            # spring and damper of each element, as in the full chain
            tensions[k, e] = law[0] * (length[e] - law[2]) + law[1] * stretch[e]
        for x in range(3):
            nodes[k, 0, x] = begins[k, x]
        for e in range(len(alpha)):
            c = np.cos(beta[e])
            t0, t1, t2 = np.sin(alpha[e]) * c, np.sin(beta[e]), np.cos(alpha[e]) * c
            # elements end to end from the exit on, in world axes
            for x in range(3):
                t = axes[x, 0] * t0 + axes[x, 1] * t1 + axes[x, 2] * t2
                nodes[k, e + 1, x] = nodes[k, e, x] + length[e] * t
                if e == 0:
                    ends[k, 0, x] = t
                if e == len(alpha) - 1:
                    ends[k, 1, x] = t


@part
def bent(kind, R, d):
    """Angles of a bend that turns the z axis of a frame to a direction d in its axes, and the turned frame."""
    x, y, z = d
    if kind == REVOLUTE:
        angle = np.arctan2(-x, z)
        return angle, 0.0, rotated_about_y(R, -angle)
    if kind == BEND_XY:
        first, second = np.arctan2(-y, z), np.arctan2(x, np.sqrt(y * y + z * z))
        return first, second, rotated_about_y(rotated_about_x(R, first), second)
    first, second = np.arctan2(x, z), np.arctan2(-y, np.sqrt(x * x + z * z))
    return first, second, rotated_about_x(rotated_about_y(R, first), second)


@entry
def expand_chain(mean, shapes, directions, axes, kinds, rotations, z, found, scratch):
    """Two angles of the bend and the length of every element at every sample, into ``found`` [sample, element, 3].

    ``axes`` are the cable's in those of its base, ``kinds`` and ``rotations`` those of the bends; ``scratch`` has three
    rows of elements. The others are as in ``expand_cable``.
    """
    alpha, beta, length = scratch[0], scratch[1], scratch[2]
    frame = (axes[0, 0], axes[0, 1], axes[0, 2], axes[1, 0], axes[1, 1], axes[1, 2], axes[2, 0], axes[2, 1], axes[2, 2])
    for k in range(len(z)):
        for e in range(len(alpha)):
            alpha[e], beta[e], length[e] = mean[0, e], mean[1, e], mean[2, e]
        add_shapes(shapes[0], 0, directions, z[k], alpha)
        add_shapes(shapes[1], 0, directions, z[k], beta)
        add_shapes(shapes[2], directions, shapes.shape[1], z[k], length)
        # walk along the chain: a bend is measured in the frame of the element before it
        R = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
        for e in range(len(alpha)):
            c = np.cos(beta[e])
            t = mat_vec(frame, (np.sin(alpha[e]) * c, np.sin(beta[e]), np.cos(alpha[e]) * c))
            R = mat_mat(R, load9(rotations[e]))
            # find the angles that turn this frame's z axis into the element's direction
            first, second, R = bent(kinds[e], R, mat_t_vec(R, t))
            found[k, e, 0], found[k, e, 1], found[k, e, 2] = first, second, length[e]
