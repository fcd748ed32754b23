"""How far a small step of the coordinates moves points of the machine: what an error of coordinates means in metres.

For a step e in velocity coordinates the recursion of ``kinematics``, Eqs. (1), (2), gives turn and shift of every body;
a body whose farthest point lies at ``radius`` from its origin has no point that moves more than
    |shift| + radius |turn|.                                                                                 (1)
Inside a modal node, whose shapes are orthogonal in its mass, points move by about the root of the sum of (reach e)^2
against its base.                                                                                            (2)
"""

import numpy as np

from taut.dynamics.inverse import with_columns
from taut.kernels.jit import block, part
from taut.kernels.vec3 import add3, cross3, dot3, load3, store3


@part
def size3(a):
    """Length of a vector."""
    return np.sqrt(dot3(a, a))


@block
def largest_displacement(model, data, step, radius, reach):
    """Largest displacement of any point [m] by a small step at the placed state.

    Writes over the accelerations of the nodes. A step that is not finite moves points infinitely far.
    """
    nodes, places = model.nodes, data.nodes
    largest = 0.0
    for i in range(1, len(nodes)):
        node, here = nodes[i], places[i]
        turn, shift = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if node.parent > 0:
            parent = places[node.parent]
            turn = load3(parent.alpha)
            shift = add3(load3(parent.a), cross3(turn, load3(here.r)))
        base = shift
        turn, shift = with_columns(model, data, node, step, turn, shift)
        store3(here.alpha, turn)
        store3(here.a, shift)
        size = size3(shift)
        if radius[i] > 0.0:
            size += radius[i] * size3(turn)  # Eq. (1)
        if node.band >= 0:
            total = 0.0
            for c in range(node.column, node.column + node.column_count):
                total += (reach[c] * step[c]) ** 2
            inside = size3(base) + np.sqrt(total)  # Eq. (2)
            size = size if inside <= size else inside
        largest = largest if size <= largest else size
    return largest if largest < np.inf else np.inf
