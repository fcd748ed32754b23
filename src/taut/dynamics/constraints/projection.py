"""Constraint rows condensed on each sub-system: W = J M^-1 J^T and J M^-1 (forces), in O(n).

A unit multiplier's wrench p at an end goes inwards through the factor,
    y = s.p,    p <- p - U y / D                                       (1)
so that with M = L D L^T the block Y holds L^-1 J^T, and
    W += Y^T D^-1 Y,    psi += Y^T D^-1 u                              (2)
[Mamidi 2024, Eqs. 13-15]. Only the columns between an end and its root are touched. Where one factor answers many
multipliers, as in closing samples, the block X = M^-1 J^T has the same shape as Y, and
    x = X lam                                                          (3)
takes a product for each of its entries.
"""

from taut.dynamics.constraints.closures import COORDINATE, is_open
from taut.dynamics.modal.bands import project_band
from taut.dynamics.tree.feed_factor import feed_row
from taut.dynamics.tree.solve import expand_nodes
from taut.kernels.jit import kernel, only_with, part
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3
from taut.model.tables import MODAL_TABLES


@kernel
def project_rows(model, data, factor):
    """Fill factor.projection and the lower triangle of factor.W; needs closures and factor_mass."""
    factor.closings[0] = 0
    for k in range(len(factor.projection)):
        factor.projection[k] = 0.0
    for i in range(len(factor.rhs)):
        for j in range(i + 1):
            factor.W[i, j] = 0.0
    for s in range(len(model.subsystems)):
        subsystem = model.subsystems[s]
        for e in range(subsystem.end_list, subsystem.end_list + subsystem.end_count):
            project_end(model, data, factor, subsystem, e)
        add_interface(model, factor, subsystem)
    # an open closure's rows are zero: its multipliers are then zero too
    for j in range(len(model.closures)):
        closure = model.closures[j]
        if is_open(closure, data.modes):
            for row in range(closure.row, closure.row + closure.row_count):
                factor.W[row, row] = 1.0


@kernel
def project_end(model, data, factor, subsystem, e):
    """Send unit multipliers of a closure end inwards by Eq. (1), three rows at a time (their operations overlap)."""
    nodes, columns, places, axes, pivots = model.nodes, model.columns, data.nodes, data.columns, factor.columns
    rows, projection = data.rows, factor.projection
    end = model.ends[e]
    closure = model.closures[end.closure]
    count = closure.row_count
    for k in range(0, count, 3):
        row = closure.row + k
        N0, F0 = end_wrench(data, rows[row], end)
        N1, F1 = end_wrench(data, rows[min(row + 1, closure.row + count - 1)], end)
        N2, F2 = end_wrench(data, rows[min(row + 2, closure.row + count - 1)], end)
        i = end.node
        while i > 0:
            node = nodes[i]
            if node.band >= 0:
                at = subsystem.projection + (node.column - subsystem.column) * subsystem.row_count + end.local_row + k
                loads = (N0, F0), (N1, F1), (N2, F2)
                F0, F1, F2 = project_modal(model, data, factor, node, at, subsystem.row_count, count - k, loads)
                i = node.parent
                continue
            for c in range(node.column + node.column_count - 1, node.column - 1, -1):
                pivot = pivots[c]
                s = load3(axes[c].s)
                U_N, U_F = load3(pivot.U_N), load3(pivot.U_F)
                if columns[c].is_rotation:
                    y0, y1, y2 = dot3(s, N0), dot3(s, N1), dot3(s, N2)
                else:
                    y0, y1, y2 = dot3(s, F0), dot3(s, F1), dot3(s, F2)
                at = subsystem.projection + (c - subsystem.column) * subsystem.row_count + end.local_row + k
                # subtracted, because the compiler removes x - 0 (but not x + 0) for models without feeds
                y0 -= feed_row(model, factor, i, at, subsystem.row_count)
                y1 -= feed_row(model, factor, i, at + 1, subsystem.row_count) if k + 1 < count else 0.0
                y2 -= feed_row(model, factor, i, at + 2, subsystem.row_count) if k + 2 < count else 0.0
                # added, not set: both ends of a closure may lie in this sub-system
                projection[at] += y0
                if k + 1 < count:
                    projection[at + 1] += y1
                if k + 2 < count:
                    projection[at + 2] += y2
                # Eq. (1): what the column takes is removed before the wrench goes on inwards
                f0, f1, f2 = -y0 * pivot.inverse_D, -y1 * pivot.inverse_D, -y2 * pivot.inverse_D
                N0, N1, N2 = axpy3(f0, U_N, N0), axpy3(f1, U_N, N1), axpy3(f2, U_N, N2)
                F0, F1, F2 = axpy3(f0, U_F, F0), axpy3(f1, U_F, F1), axpy3(f2, U_F, F2)
            if node.has_arm:
                r = load3(places[i].r)
                N0, N1, N2 = add3(N0, cross3(r, F0)), add3(N1, cross3(r, F1)), add3(N2, cross3(r, F2))
            i = node.parent


@only_with(
    *MODAL_TABLES,
    otherwise=lambda model, data, factor, node, at, stride, count, loads: (loads[0][1], loads[1][1], loads[2][1]),
)
@part
def project_modal(model, data, factor, node, at, stride, count, loads):
    """Three rows' wrenches at the end of a modal node; returns their forces on its base."""
    F0 = project_band(model, data, factor, node, loads[0][0], loads[0][1], 0)
    F1 = project_band(model, data, factor, node, loads[1][0], loads[1][1], 1) if count > 1 else F0
    F2 = project_band(model, data, factor, node, loads[2][0], loads[2][1], 2) if count > 2 else F1
    for c in range(node.column_count):
        for m in range(min(3, count)):
            factor.projection[at + c * stride + m] += factor.y[node.column + c, m]
    return F0, F1, F2


@part
def end_wrench(data, row, end):
    """Wrench of a unit multiplier on one end."""
    if end.guide >= 0:
        return load3(data.guides[end.guide].N), load3(data.guides[end.guide].F)
    if end.is_b:
        return load3(row.N_b), load3(row.F_b)
    return load3(row.N_a), load3(row.F_a)


@kernel
def add_interface(model, factor, subsystem):
    """Add this sub-system's share of W, Eq. (2), summed in a block of its own and then row by row."""
    projection, pivots, row_lists, W, block = factor.projection, factor.columns, model.row_lists, factor.W, factor.gram
    n = subsystem.row_count
    for j in range(n):
        for k in range(j + 1):
            block[j, k] = 0.0
    # Eq. (2), one column of Y at a time; rows of W lie apart in memory, the block does not
    for c in range(subsystem.column_count):
        inverse_D = pivots[subsystem.column + c].inverse_D
        at = subsystem.projection + c * n
        for j in range(n):
            f = projection[at + j] * inverse_D
            for k in range(j + 1):
                block[j, k] += f * projection[at + k]
    for j in range(n):
        row = row_lists[subsystem.row_list + j]
        for k in range(j + 1):
            W[row, row_lists[subsystem.row_list + k]] += block[j, k]


@kernel
def project_forces(model, factor, psi):
    """Add J M^-1 (reduced forces) to psi, Eq. (2), four rows at a time, whose sums stay in registers."""
    for s in range(len(model.subsystems)):
        subsystem = model.subsystems[s]
        n = subsystem.row_count
        if subsystem.column_count > 0:
            for j in range(0, n - 3, 4):
                project_four(model, factor, subsystem, j, psi)
            for j in range(n - n % 4, n):
                project_one(model, factor, subsystem, j, psi)


@part
def project_four(model, factor, subsystem, j, psi):
    """Eq. (2) for rows j to j + 3 of one sub-system."""
    projection, pivots = factor.projection, factor.columns
    n, at, row = subsystem.row_count, subsystem.projection + j, subsystem.row_list + j
    zero = 0.0 * projection[at]
    s0, s1, s2, s3 = zero, zero, zero, zero
    # Eq. (2): psi = Y^T D^-1 u
    for c in range(subsystem.column, subsystem.column + subsystem.column_count):
        f = pivots[c].u * pivots[c].inverse_D
        s0 += f * projection[at]
        s1 += f * projection[at + 1]
        s2 += f * projection[at + 2]
        s3 += f * projection[at + 3]
        at += n
    psi[model.row_lists[row]] += s0
    psi[model.row_lists[row + 1]] += s1
    psi[model.row_lists[row + 2]] += s2
    psi[model.row_lists[row + 3]] += s3


@part
def project_one(model, factor, subsystem, j, psi):
    """Eq. (2) for row j of one sub-system."""
    projection, pivots = factor.projection, factor.columns
    at = subsystem.projection + j
    s = 0.0 * projection[at]
    for c in range(subsystem.column, subsystem.column + subsystem.column_count):
        s += pivots[c].u * pivots[c].inverse_D * projection[at]
        at += subsystem.row_count
    psi[model.row_lists[subsystem.row_list + j]] += s


@kernel
def add_multipliers(model, factor, lam):
    """u <- u + Y lam: the multipliers as reduced forces, four rows at a time."""
    for s in range(len(model.subsystems)):
        subsystem = model.subsystems[s]
        n = subsystem.row_count
        for j in range(0, n - 3, 4):
            add_four(model, factor, subsystem, j, lam)
        for j in range(n - n % 4, n):
            at, value = subsystem.projection + j, lam[model.row_lists[subsystem.row_list + j]]
            for c in range(subsystem.column, subsystem.column + subsystem.column_count):
                factor.columns[c].u += factor.projection[at] * value
                at += n


@part
def add_four(model, factor, subsystem, j, lam):
    """Add the multipliers of rows j to j + 3 to the reduced forces of one sub-system."""
    projection, pivots = factor.projection, factor.columns
    n, at, row = subsystem.row_count, subsystem.projection + j, subsystem.row_list + j
    l0, l1 = lam[model.row_lists[row]], lam[model.row_lists[row + 1]]
    l2, l3 = lam[model.row_lists[row + 2]], lam[model.row_lists[row + 3]]
    for c in range(subsystem.column, subsystem.column + subsystem.column_count):
        u = pivots[c].u + projection[at] * l0 + projection[at + 1] * l1
        pivots[c].u = u + (projection[at + 2] * l2 + projection[at + 3] * l3)
        at += n


@kernel
def fill_answers(model, data, factor, x):
    """Fill factor.answers with X of Eq. (3), the motions by unit multipliers, from the projected rows; x is scratch."""
    projection, answers, columns = factor.projection, factor.answers, factor.columns
    for s in range(len(model.subsystems)):
        subsystem = model.subsystems[s]
        n, first, last = subsystem.row_count, subsystem.column, subsystem.column + subsystem.column_count
        for j in range(n):
            at = subsystem.projection + j
            for c in range(first, last):
                columns[c].u = projection[at + (c - first) * n]
            expand_nodes(model, data, factor, x, subsystem.node, subsystem.node + subsystem.node_count)
            for c in range(first, last):
                answers[at + (c - first) * n] = x[c]


@kernel
def answer_multipliers(model, factor, lam, x):
    """Accelerations by multipliers, Eq. (3), for sub-systems that keep their answers."""
    for s in range(len(model.subsystems)):
        subsystem = model.subsystems[s]
        n, at = subsystem.row_count, subsystem.projection
        rows = subsystem.row_list
        for c in range(subsystem.column, subsystem.column + subsystem.column_count):
            total = 0.0 * x[c]
            for j in range(n):
                total += factor.answers[at + j] * lam[model.row_lists[rows + j]]
            x[c] = total
            at += n


@kernel
def release_held(model, factor, x, lam):
    """Take from the multipliers what ``factor`` added on prescribed columns: S x + held x_c e_c = b + J^T lam."""
    for j in range(len(model.closures)):
        closure = model.closures[j]
        if closure.kind == COORDINATE and model.columns[closure.column].is_held:
            lam[closure.row] -= factor.columns[closure.column].held * x[closure.column]
