"""The end of a Ritz cable and its columns: sums over the shapes' end values, without the columns' axes.

Columns (q_1, phi_1, q_2, phi_2, ...), lateral x, lateral y move the end down, turn it, move it across, by eta_j(1).
The axes of all of them are also in data.columns, for algorithms that take any column as it comes; those that run in
every evaluation use these sums, which touch a tenth of the memory.
"""

from taut.dynamics.modal.ritz import cable_length, lateral_column, stride
from taut.kernels.jit import only_with, part
from taut.model.tables import END


@only_with("ritz", otherwise=lambda model, cable, rates, zero: ((zero, zero, zero), (zero, zero, zero)))
@part
def end_motion(model, cable, rates, zero):
    """Turn and displacement of the end, world axes, by rates (or accelerations) of the columns."""
    shapes, n, step = model.shapes, cable.lateral, stride(cable)
    first, lateral = cable.axial_shape, cable.lateral_shape
    c = model.nodes[cable.node].column
    down, turn, side, across = zero, zero, zero, zero
    for j in range(cable.modes):
        down += shapes[first + j, END] * rates[c]
        if cable.has_torsion:
            turn += shapes[first + j, END] * rates[c + 1]
        c += step
    for j in range(n):
        side += shapes[lateral + j, END] * rates[c + j]
        across += shapes[lateral + j, END] * rates[c + n + j]
    return (zero, zero, -turn), (side, across, -down)


@only_with("ritz", otherwise=lambda model, data, cable, N, F, force: None)
@part
def collect_end(model, data, cable, N, F, force):
    """Forces of the columns: inertia and elastic forces of the cable, and the share of the wrench at the end."""
    shapes, own, step = model.shapes, data.own, stride(cable)
    c = model.nodes[cable.node].column
    for j in range(cable.modes):
        force[c] = own[c] - shapes[cable.axial_shape + j, END] * F[2]
        if cable.has_torsion:
            force[c + 1] = own[c + 1] - shapes[cable.axial_shape + j, END] * N[2]
        c += step
    for k in range(2):
        first = lateral_column(model, cable, k)
        for j in range(cable.lateral):
            force[first + j] = own[first + j] + shapes[cable.lateral_shape + j, END] * F[k]


@only_with("ritz", otherwise=lambda model, data, cable, x: None)
@part
def ritz_inertia(model, data, cable, x):
    """M x of the columns into data.own: every shape has the mass of the whole cable."""
    mass = cable.line_density * cable_length(cable, data.signals)[0]
    spin = cable.turn_inertia * cable_length(cable, data.signals)[0]
    node, step = model.nodes[cable.node], stride(cable)
    c = node.column
    for _ in range(cable.modes):
        data.own[c] = mass * x[c]
        if cable.has_torsion:
            data.own[c + 1] = spin * x[c + 1]
        c += step
    for c in range(lateral_column(model, cable, 0), node.column + node.column_count):
        data.own[c] = mass * x[c]
