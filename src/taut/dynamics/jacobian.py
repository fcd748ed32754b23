"""The dense Jacobian of the closures, for analyses and tests (the engine itself never forms it)."""

from taut.kernels.jit import kernel
from taut.kernels.vec3 import add3, cross3, dot3, load3


@kernel
def closure_jacobian(model, data, J):
    """Fill J [row_count, column_count] at the placed state; needs closures."""
    J[:, :] = 0.0
    for e in range(len(model.ends)):
        end = model.ends[e]
        closure = model.closures[end.closure]
        for row in range(closure.row, closure.row + closure.row_count):
            here = data.rows[row]
            N, F = (load3(here.N_b), load3(here.F_b)) if end.is_b else (load3(here.N_a), load3(here.F_a))
            # a column's share in a unit multiplier's wrench is the row's share in the column's motion
            i = end.node
            while i > 0:
                node = model.nodes[i]
                for c in range(node.column, node.column + node.column_count):
                    s = load3(data.columns[c].s)
                    J[row, c] += dot3(s, N) if model.columns[c].is_rotation else dot3(s, F)
                N = add3(N, cross3(load3(data.nodes[i].r), F))
                i = node.parent
