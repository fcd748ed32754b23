"""Tethers that load several bodies, or one at several points: their stiffness couples what the tree factor keeps apart.

With A the rows that a unit tension makes (as J the rows of the closures) and K the tethers' stiffnesses k of
``tethers``, Eq. (3), the Newton matrix is S + A^T K A. Its tensions tau = -K A x are eliminated beside the multipliers,
    [A S^-1 A^T + K^-1   A S^-1 J^T] [tau]   [  - A S^-1 b]
    [J S^-1 A^T          J S^-1 J^T] [mu ] = [g - J S^-1 b]                                             (1)
first the tensions, by the Cholesky factor L of their block: with Y = L^-1 A S^-1 J^T and y = L^-1 A S^-1 b,
    (W - Y^T Y) mu = g - J S^-1 b + Y^T y,     tau = -L^-T (y + Y mu)                                    (2)
so that the interface of the closures keeps its form, and its rank.
"""

from taut.dynamics.constraints.interface import back_substitute, cholesky, forward_substitute
from taut.dynamics.forces.tethers import column_pull, is_taut, tether_length
from taut.dynamics.tree.feed_factor import is_feed
from taut.kernels.jit import block, only_with, part
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3, scale3


@only_with("routes", otherwise=lambda model, data, factor, c_D, c_K: None)
@block
def couple_tethers(model, data, factor, c_D, c_K):
    """Factor the tensions' block and take their share off factor.W; after project_rows, before factor_interface."""
    tethers, spread, K = model.tethers, factor.spread, factor.tether_L
    factor.coupled[0] = 0
    if len(spread) == 0 or abs(c_K) == 0.0:
        return
    for j in range(len(tethers)):
        if tethers[j].coupled >= 0:
            fill_spread(model, data, factor, tethers[j])
    n = len(spread)
    for i in range(n):
        for j in range(i + 1):
            s = 0.0 * spread[0, 0]
            for c in range(len(factor.columns)):
                s += spread[i, c] * factor.columns[c].inverse_D * spread[j, c]
            factor.tether_W[i, j] = s
    for j in range(len(tethers)):
        i = tethers[j].coupled
        if i >= 0:
            factor.tether_W[i, i] += compliance(data, tethers[j], c_D, c_K)
    # an indefinite matrix: leave the coupling out; Newton's iteration then converges slowly, or the step gets shorter
    if cholesky(factor.tether_W, K, n):
        factor.coupled[0] = n
        cross_rows(model, factor)


@part
def compliance(data, tether, c_D, c_K):
    """1/k of Eq. (3) of ``tethers``; a slack tether has no rows, and any value serves."""
    L, _ = tether_length(tether, data)
    return L / (c_K * tether.stiffness + c_D * tether.damping) if is_taut(tether, data) else 1.0 + 0.0 * c_K


@part
def fill_spread(model, data, factor, tether):
    """A row of L^-1 A^T of the trees' factor: a unit tension sent inwards from its guides."""
    row = factor.spread[tether.coupled]
    for c in range(len(row)):
        row[c] = 0.0
    if is_taut(tether, data):
        route = model.routes[tether.route]
        for k in range(route.guide, route.guide + route.count + route.feeds):
            here, i = data.guides[k], model.guides[k].node
            if model.guides[k].is_way or is_feed(model, i):
                N, F = start_at_column(model, data, factor, model.guides[k], row)
                send_inwards(model, data, factor, model.nodes[i].parent, row, (N, F))
            else:
                send_inwards(model, data, factor, i, row, (load3(here.N), load3(here.F)))


@part
def start_at_column(model, data, factor, guide, row):
    """A unit tension on a coordinate alone: its entry in a row, and the wrench that goes on from the node's parent."""
    pivot = factor.columns[guide.column]
    y = column_pull(model, guide, data.q)
    row[guide.column] += y
    f = -y * pivot.inverse_D
    N, F = load3(pivot.U_N), scale3(f, load3(pivot.U_F))
    return add3(scale3(f, N), cross3(load3(data.nodes[guide.node].r), F)), F


@part
def send_inwards(model, data, factor, i, row, wrench):
    """Send one wrench inwards by Eq. (1) of ``projection``."""
    N, F = wrench
    while i > 0:
        node = model.nodes[i]
        for c in range(node.column + node.column_count - 1, node.column - 1, -1):
            pivot = factor.columns[c]
            s = load3(data.columns[c].s)
            y = dot3(s, N) if model.columns[c].is_rotation else dot3(s, F)
            row[c] += y
            f = -y * pivot.inverse_D
            N = axpy3(f, load3(pivot.U_N), N)
            F = axpy3(f, load3(pivot.U_F), F)
        N = add3(N, cross3(load3(data.nodes[i].r), F))
        i = node.parent


@part
def cross_rows(model, factor):
    """Fill Y of Eq. (2), and subtract Y^T Y from W."""
    spread, cross, W = factor.spread, factor.tether_Y, factor.W
    n, m = cross.shape
    for i in range(n):
        for k in range(m):
            cross[i, k] = 0.0
        # A S^-1 J^T: a column contributes where tether and closure touch the same sub-system
        for s in range(len(model.subsystems)):
            subsystem = model.subsystems[s]
            for c in range(subsystem.column_count):
                f = spread[i, subsystem.column + c] * factor.columns[subsystem.column + c].inverse_D
                at = subsystem.projection + c * subsystem.row_count
                for k in range(subsystem.row_count):
                    cross[i, model.row_lists[subsystem.row_list + k]] += f * factor.projection[at + k]
    for k in range(m):
        # Eq. (2): Y, column by column
        forward_substitute(factor.tether_L, cross[:, k], n)
    for k in range(m):
        # W - Y^T Y, the lower triangle that factor_interface reads
        for j in range(k + 1):
            for i in range(n):
                W[k, j] -= cross[i, k] * cross[i, j]


@only_with("routes", otherwise=lambda model, factor, rows: None)
@block
def couple_forces(model, factor, rows):
    """Fill y of Eq. (2) from the reduced forces, and add Y^T y to ``rows``."""
    y = factor.tether_y
    for i in range(factor.coupled[0]):
        s = 0.0 * y[0]
        for c in range(len(factor.columns)):
            s += factor.spread[i, c] * factor.columns[c].inverse_D * factor.columns[c].u
        y[i] = s
    forward_substitute(factor.tether_L, y, factor.coupled[0])
    for i in range(factor.coupled[0]):
        for k in range(len(rows)):
            rows[k] += factor.tether_Y[i, k] * y[i]


@only_with("routes", otherwise=lambda model, factor, mu: None)
@block
def add_tensions(model, factor, mu):
    """Take the tensions tau of Eq. (2) into the reduced forces."""
    y = factor.tether_y
    n = factor.coupled[0]
    for i in range(n):
        for k in range(len(mu)):
            y[i] += factor.tether_Y[i, k] * mu[k]
    back_substitute(factor.tether_L, y, n)
    for i in range(n):
        for c in range(len(factor.columns)):
            factor.columns[c].u -= factor.spread[i, c] * y[i]
