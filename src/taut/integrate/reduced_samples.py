"""Samples of a reduced cable expanded to all its elements: nodes and tensions."""

import numpy as np

from taut.kernels.jit import entry, part


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
        add_shapes(shapes[0], 0, directions, z[k], alpha)
        add_shapes(shapes[1], 0, directions, z[k], beta)
        add_shapes(shapes[2], directions, count, z[k], length)
        add_shapes(shapes[2], directions, count, rates[k], stretch)
        for e in range(len(alpha)):
            tensions[k, e] = law[0] * (length[e] - law[2]) + law[1] * stretch[e]
        for x in range(3):
            nodes[k, 0, x] = begins[k, x]
        for e in range(len(alpha)):
            c = np.cos(beta[e])
            t0, t1, t2 = np.sin(alpha[e]) * c, np.sin(beta[e]), np.cos(alpha[e]) * c
            for x in range(3):
                t = axes[x, 0] * t0 + axes[x, 1] * t1 + axes[x, 2] * t2
                nodes[k, e + 1, x] = nodes[k, e, x] + length[e] * t
                if e == 0:
                    ends[k, 0, x] = t
                if e == len(alpha) - 1:
                    ends[k, 1, x] = t
