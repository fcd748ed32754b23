"""The dense Jacobian of the closures, for analyses and tests (the engine itself never forms it)."""

from taut.dynamics.constraints.projection import end_wrench
from taut.kernels.arrays import clear
from taut.kernels.jit import kernel
from taut.kernels.vec3 import add3, cross3, dot3, load3


@kernel
def closure_jacobian(model, data, J):
    """Fill J [row_count, column_count] at the placed state; needs closures.

    J^T maps multipliers to generalised forces, so its entries are read off the wrenches of unit multipliers. Three rows
    at a time: their chains of operations overlap.
    """
    clear(J)
    nodes, columns, places, axes, rows = model.nodes, model.columns, data.nodes, data.columns, data.rows
    for e in range(len(model.ends)):
        end = model.ends[e]
        closure = model.closures[end.closure]
        last = closure.row + closure.row_count - 1
        for r0 in range(closure.row, last + 1, 3):
            # a closure's last group may have fewer than three rows: the last row fills it up, and is stored once
            r1, r2 = min(r0 + 1, last), min(r0 + 2, last)
            N0, F0 = end_wrench(data, rows[r0], end)
            N1, F1 = end_wrench(data, rows[r1], end)
            N2, F2 = end_wrench(data, rows[r2], end)
            i = end.node
            while i > 0:
                node = nodes[i]
                for c in range(node.column, node.column + node.column_count):
                    s = load3(axes[c].s)
                    if columns[c].is_rotation:
                        y0, y1, y2 = dot3(s, N0), dot3(s, N1), dot3(s, N2)
                    else:
                        y0, y1, y2 = dot3(s, F0), dot3(s, F1), dot3(s, F2)
                    J[r0, c] += y0
                    if r1 > r0:
                        J[r1, c] += y1
                    if r2 > r1:
                        J[r2, c] += y2
                if node.has_arm:
                    r = load3(places[i].r)
                    N0, N1, N2 = add3(N0, cross3(r, F0)), add3(N1, cross3(r, F1)), add3(N2, cross3(r, F2))
                i = node.parent
