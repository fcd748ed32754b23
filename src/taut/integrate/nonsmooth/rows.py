"""Solves with one-sided rows: bilateral rows are met exactly, one-sided ones become a complementarity problem.

With a factored matrix S, two-sided rows B and the one-sided rows A that act, a solve finds x, mu and z with
    S x - J^T mu = b,   J_B x = g_B,   0 <= J_A x - g_A  complementary to  z = mu_A + shift >= 0                  (1)
W = J S^-1 J^T is in the factor. With mu_B = W_BB^-1 (g_B - J_B S^-1 b - W_BA mu_A) what remains is, Y = W_BB^-1 W_BA,
    0 <= M z + q  complementary to  z >= 0,   M = W_AA - W_AB Y,
    q = J_A S^-1 b - g_A + Y^T (g_B - J_B S^-1 b) - M shift                                                      (2)
[Cottle 1992, sec. 5.9; Bruls 2014]. Redundant bilateral rows are left to ``dynamics.constraints.interface``.
"""

import numpy as np

from taut.dynamics.constraints.interface import cholesky_solve, factor_interface, factor_row, solve_interface
from taut.dynamics.constraints.projection import add_multipliers, project_rows
from taut.dynamics.forces.coupling import add_tensions
from taut.dynamics.residual import expand_newton, place_closures, reduce_newton
from taut.dynamics.tree.factor import clear_branches, eliminate
from taut.dynamics.tree.positions import move
from taut.dynamics.tree.solve import expand_outwards
from taut.kernels.arrays import add, fill
from taut.kernels.jit import block, part
from taut.kernels.lcp import SOLVED, solve_complementarity

BOOST = 1e-13  # relative increase of the diagonal, by which dependent rows share a correction
MOST_CLOSINGS = 8
MOST_RATES = 3
FELT = 10.0  # last corrections above this multiple of the limit change the rates noticeably


@part
def interface_entry(W, i, j):
    """Entry of a symmetric matrix whose lower triangle is given."""
    return W[i, j] if i >= j else W[j, i]


@block
def split_rows(work, W, sided):
    """Factor the bilateral part of W, and condense W on the one-sided rows, Eq. (2)."""
    rows, place, Y, M, both = work.rows, work.place, sided.Y, sided.M, sided.both
    n, u = len(place), len(rows)
    # unit rows in place of the one-sided ones, so that the solver for redundant rows can be used as it is
    for i in range(n):
        for j in range(i + 1):
            is_both = place[i] < 0 and place[j] < 0
            both.W[i, j] = W[i, j] if is_both else (1.0 if i == j else 0.0)
    factor_interface(both, work.most_rank[0])
    for a in range(u):
        for i in range(n):
            Y[a, i] = interface_entry(W, i, rows[a]) if place[i] < 0 else 0.0
        solve_interface(both, Y[a])
    for a in range(u):
        # M of Eq. (2), both triangles
        for b in range(a + 1):
            s = interface_entry(W, rows[a], rows[b])
            for i in range(n):
                if place[i] < 0:
                    s -= interface_entry(W, rows[a], i) * Y[b, i]
            M[a, b] = s
            M[b, a] = s


@block
def condense_mass(model, data, work):
    """Factor of the mass matrix at the placed state, and its rows."""
    mass = work.mass
    for c in range(len(mass.columns)):
        mass.columns[c].added = 0.0
        mass.columns[c].held = 0.0
    for i in range(len(mass.nodes)):
        for k in range(6):
            mass.nodes[i].rotary[k] = 0.0
    mass.coupled[0] = 0
    clear_branches(model.nodes, mass.nodes)
    eliminate(model, data, mass, 0.0, 0.0)
    project_rows(model, data, mass)
    split_rows(work, mass.W, work.hard)


@part
def list_active(work, is_active):
    """The active rows one after the other; returns how many."""
    count = 0
    for a in range(len(work.rows)):
        work.z[a] = 0.0
        if is_active[a]:
            work.listed[count] = a
            count += 1
    return count


@part
def fill_problem(work, sided, count, mu):
    """Problem of the listed rows, Eq. (2); mu is g_B - J_B S^-1 b in bilateral rows, J_A S^-1 b in the others."""
    bound, shift, q_listed = work.bound, work.shift, work.q_listed
    rows, place, listed = work.rows, work.place, work.listed
    for k in range(count):
        a = listed[k]
        s = mu[rows[a]] - bound[a]
        for i in range(len(mu)):
            if place[i] < 0:
                s += sided.Y[a, i] * mu[i]
        for j in range(len(rows)):
            s -= sided.M[a, j] * shift[j]
        q_listed[k] = s
        for j in range(count):
            work.M_listed[k, j] = sided.M[a, listed[j]]


@block
def solve_sided(model, data, factor, sided, work, is_active, b, g, x, mu):
    """Solve Eq. (1) with work.bound and work.shift; returns a code of ``kernels.lcp``. mu of open rows: -shift."""
    reduce_newton(model, data, factor, b, mu)
    code = find_multipliers(work, sided, is_active, g, mu)
    expand_newton(model, data, factor, mu, x)
    return code


@block
def find_multipliers(work, sided, is_active, g, mu):
    """The rows of Eq. (1): from mu = J S^-1 b to the multipliers."""
    shift, q_listed, z = work.shift, work.q_listed, work.z
    rows, place, listed = work.rows, work.place, work.listed
    count = list_active(work, is_active)
    for i in range(len(mu)):
        if place[i] < 0:
            mu[i] = g[i] - mu[i]
    # Eq. (2): open rows take no part in the complementarity problem
    fill_problem(work, sided, count, mu)
    code = SOLVED
    if count > 0:
        code = solve_complementarity(work.M_listed, q_listed, z, count, work.problem)
    spread_listed(z, listed, count)
    for i in range(len(mu)):
        if place[i] >= 0:
            mu[i] = 0.0
    # bilateral rows: multipliers as if all one-sided rows were open, then corrected by Y for those that press
    solve_interface(sided.both, mu)
    for a in range(len(rows)):
        take_share(mu, sided.Y[a], rows[a], z[a] - shift[a])
    return code


@part
def spread_listed(z, listed, count):
    """Reorder values of the listed rows to those of all one-sided rows, in place."""
    for k in range(count - 1, -1, -1):
        value = z[k]
        z[k] = 0.0
        z[listed[k]] = value


@part
def take_share(mu, y, row, change):
    """Set a one-sided multiplier, and change the bilateral multipliers that follow from it by Y."""
    if change != 0.0:
        for i in range(len(mu)):
            mu[i] -= change * y[i]
        mu[row] = change


@block
def expand_alone(model, data, factor, mu, x):
    """x = S^-1 J^T mu, the second half of ``closing.closing_step``."""
    columns = factor.columns
    for c in range(len(columns)):
        columns[c].u = 0.0
    add_multipliers(model, factor, mu)
    fill(factor.tether_y, 0.0)
    add_tensions(model, factor, mu)
    expand_outwards(model, data, factor, x)


@block
def expand_impulses(model, data, factor, sided, work, impulses, x, mu):
    """x = S^-1 J^T mu for given one-sided multipliers, with the bilateral ones that keep J_B x = 0."""
    for i in range(len(mu)):
        mu[i] = 0.0
    for a in range(len(work.rows)):
        take_share(mu, sided.Y[a], work.rows[a], impulses[a])
    expand_alone(model, data, factor, mu, x)


@block
def close_rows(model, work, data, is_closed, limit, x, mu):
    """Close the positions of bilateral and of marked one-sided rows; moves data.q. In the metric of the Newton matrix,
    so that stiff springs are hardly strained by it."""
    rows, place, last = data.rows, work.place, 0.0
    for _ in range(MOST_CLOSINGS if len(rows) > 0 else 0):
        place_closures(model, data)
        gap = 0.0
        for i in range(len(rows)):
            if place[i] < 0 or is_closed[place[i]]:
                # compared so that a NaN is taken as the largest
                gap = gap if abs(rows[i].value) <= gap else abs(rows[i].value)
                mu[i] = -rows[i].value
            else:
                mu[i] = 0.0
        if not gap > limit:
            return
        closing_multipliers(work, work.soft, is_closed, mu)
        expand_alone(model, work.at, work.factor, mu, x)
        move(model, data.q, x, data.q)
        # at the rate of convergence so far the next gap is below the limit: skip the check
        if 5.0 * gap * gap < limit * last:
            if gap > FELT * limit:
                place_closures(model, data)
            return
        last = gap


@block
def close_rates(model, work, data, is_closed, limit, x, mu):
    """Close the rates of bilateral and marked one-sided rows at the placed state: changes data.v above the limit.

    First in the metric of the Newton matrix that is at hand; where that is not enough, in that of the masses here,
    which closes them at once and can only reduce the kinetic energy.
    """
    rows, place = data.rows, work.place
    for k in range(MOST_RATES):
        speed = 0.0
        for i in range(len(rows)):
            is_held = place[i] < 0 or is_closed[place[i]] != 0
            mu[i] = -rows[i].rate if is_held else 0.0
            speed = max(speed, abs(mu[i]))
        if not speed > limit:
            return
        # cheap first try: the Newton factor is at hand, though formed a step ago
        if k == 0:
            closing_multipliers(work, work.soft, is_closed, mu)
            expand_alone(model, work.at, work.factor, mu, x)
        else:
            condense_mass(model, data, work)
            closing_multipliers(work, work.hard, is_closed, mu)
            expand_alone(model, data, work.mass, mu, x)
        # the correction changes velocities, and with them the rates at the placed state
        add(x, data.v)
        place_closures(model, data)


@block
def closing_multipliers(work, sided, is_closed, mu):
    """W mu = g on bilateral and marked one-sided rows, in place."""
    rows, place, listed, A, z = work.rows, work.place, work.listed, work.M_listed, work.z
    count = 0
    for a in range(len(rows)):
        if is_closed[a]:
            # Schur complement: eliminate the bilateral rows by Y
            s = mu[rows[a]]
            for i in range(len(mu)):
                if place[i] < 0:
                    s -= sided.Y[a, i] * mu[i]
            z[count] = s
            listed[count] = a
            count += 1
        mu[rows[a]] = 0.0
    solve_interface(sided.both, mu)
    for i in range(count):
        for j in range(i + 1):
            A[i, j] = sided.M[listed[i], listed[j]]
        # equal rows make M singular; the boost splits the correction between them
        A[i, i] += BOOST * A[i, i]
    solve_small(A, z, count)
    for k in range(count):
        take_share(mu, sided.Y[listed[k]], rows[listed[k]], z[k])


@part
def solve_small(A, z, n):
    """Cholesky in place; a pivot that is rounding, as of dependent rows, gives a zero component."""
    for i in range(n):
        d = factor_row(A, A, i)
        A[i, i] = 1.0 / np.sqrt(d) if d > 1e-11 * A[i, i] else 0.0
    cholesky_solve(A, z, n)
