"""Impacts inside a step: rows that were open at its begin and overlap at its end.

The gap along the step is Hermite's cubic through its values and rates at both ends; it vanishes at the fraction s, with
the rate u. All impacts of a step are one problem [Moreau 1988; Chen 2013],
    M w = J^T P,   J_B w = 0,   0 <= J_A w + (1 + e) u  complementary to  P_A >= 0                                 (1)
(closed rows take part with e = 0, and with P_A >= -h lam_A: what presses gives way by no more than it presses in the
step), where the first of them happens. Each impulse acts at its own place in the step, so the positions at the end are
    q_1 (+) h sum (1 - s_i) w_i,   M w_i = J_i^T P_i, and what the bilateral rows answer                          (2)
as they would be if every impact had been located: second order, and a body that strikes without rebound ends on the
surface. Behind the impact a reaction may press for the rest of the step: what then still approaches gets a second
impulse, without rebound, and half its share of (2).
"""

import numpy as np

from taut.dynamics.energy import elastic_energy, gravity_energy, kinetic_energy
from taut.dynamics.kinematics import kinematics
from taut.dynamics.residual import place_closures
from taut.integrate.alpha_step import CHANGE, MU, B, G, L
from taut.integrate.nonsmooth_rows import condense_mass, expand_impulses, solve_sided
from taut.integrate.nonsmooth_work import (
    ACTIVE,
    BOUND,
    CLOSED,
    CLOSED_END,
    GAP,
    GAP_RATE,
    HIT_BEFORE,
    HIT_BEHIND,
    HIT_IMPULSE,
    PLACE,
    Q_BAR,
    RATE_BEFORE,
    RATE_BEHIND,
    SHIFT,
    STRUCK,
    Z_BAR,
    rebound,
)
from taut.integrate.step_dense import dense_unknowns, place_unknowns
from taut.integrate.step_work import FINAL, NOW
from taut.kernels.arrays import add, fill
from taut.kernels.jit import block, part
from taut.kernels.lcp import SOLVED

JUMP = 6  # row of X: jump of the velocity
TOUCHING = 1e-10  # a gap no larger is none [m]
STILL = 1e-9  # a rate no larger is none [m/s]
PARTING = 1e-6  # and one no larger does not part a row that is pressed
MOST_ROUNDS = 4
HALVINGS = 60


@part
def gap_at(s, g0, r0, g1, r1):
    """Hermite's cubic; rates in gaps per step."""
    r = 1.0 - s
    return g0 + s * (g1 - g0 + r * (r0 * r - r1 * s + (g1 - g0) * (2.0 * s - 1.0)))


@part
def gap_slope(s, g0, r0, g1, r1):
    """Its derivative by s."""
    r = 1.0 - s
    return r0 * r * (1.0 - 3.0 * s) + 6.0 * s * r * (g1 - g0) - r1 * s * (2.0 - 3.0 * s)


@block
def impact_place(g0, r0, g1, r1):
    """Fraction of the step at which the gap vanishes; 0 for one that has none at the begin."""
    if g0 <= 0.0:
        return 0.0 if r0 < 0.0 else 1.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        s = 0.5 * (low + high)
        if gap_at(s, g0, r0, g1, r1) > 0.0:
            low = s
        else:
            high = s
    return high


@block
def find_impacts(model, work, h):
    """Which rows act, where in the step, and with which bound; returns how many strike. Needs the rows at its end."""
    rows, U, sides = work.rows, work.U, work.sides
    count = 0
    for a in range(len(rows)):
        here = work.stage.rows[rows[a]]
        is_new = not sides[CLOSED, a] and here.value <= 0.0 and here.rate < 0.0
        sides[ACTIVE, a] = 1 if is_new or sides[CLOSED, a] else 0
        U[PLACE, a], U[RATE_BEFORE, a] = 1.0, here.rate
        U[SHIFT, a] = h * max(work.Y[L, rows[a]], 0.0) if sides[CLOSED, a] else 0.0
        U[STRUCK, a] = is_new
        e = 0.0
        if is_new:
            count += 1
            e = rebound(work, a)
            g0, r0, r1 = U[GAP, a], h * U[GAP_RATE, a], h * here.rate
            s = impact_place(g0, r0, here.value, r1)
            U[PLACE, a] = s
            U[RATE_BEFORE, a] = min(gap_slope(s, g0, r0, here.value, r1) / h, 0.0)
        U[BOUND, a] = -(1.0 + e) * U[RATE_BEFORE, a]
    return count


@block
def jump_of_energy(model, data, jump):
    """Change of the kinetic energy at the placed state by a jump of the velocities."""
    before = kinetic_energy(model, data)
    add(jump, data.v)
    kinematics(model, data)
    after = kinetic_energy(model, data)
    for c in range(len(jump)):
        data.v[c] -= jump[c]
    kinematics(model, data)
    return after - before


@block
def stored_energy(model, data):
    """Of all kinds, at the placed state."""
    return kinetic_energy(model, data) + gravity_energy(model, data) + elastic_energy(model, data)


@block
def strike(model, work, h, share):
    """Eqs. (1), (2), with ``share`` of the impulses' lever on the positions; returns the energy lost, NaN if unsolved.

    Needs the rows where the impacts happen; places the machine at the end of the step. What the kinetic energy changes
    beyond the loss is work of what moves the exits and lengths.
    """
    stage, X, Y, U, y = work.stage, work.X, work.Y, work.U, work.y
    n, u = X.shape[1], len(work.rows)
    condense_mass(model, stage, work)
    fill(X[B], 0.0)
    fill(Y[G], 0.0)
    code = solve_sided(model, stage, work.mass, work.hard, work, work.sides[ACTIVE], X[B], Y[G], X[JUMP], Y[MU])
    if code != SOLVED:
        work.count[0].unsolved += 1
        return np.nan
    lost = 0.0
    given = jump_of_energy(model, stage, X[JUMP])
    for a in range(u):
        U[Z_BAR, a] -= U[SHIFT, a]
        # what is left of it for another round
        U[SHIFT, a] = max(U[SHIFT, a] + U[Z_BAR, a], 0.0) if work.sides[CLOSED, a] else 0.0
    for a in range(u):
        change = 0.0
        for b in range(u):
            change += work.hard.M[a, b] * U[Z_BAR, b]
        lost -= U[Z_BAR, a] * (U[RATE_BEFORE, a] + 0.5 * change)
        given -= U[Z_BAR, a] * (stage.rows[work.rows[a]].rate + 0.5 * change)
        U[RATE_BEHIND, a] = U[RATE_BEFORE, a] + change
        U[Q_BAR, a] = share * (1.0 - U[PLACE, a]) * U[Z_BAR, a]
    expand_impulses(model, stage, work.mass, work.hard, work, U[Q_BAR], X[CHANGE], Y[MU])
    y[FINAL, y.shape[1] - 2] += given
    for c in range(n):
        y[FINAL, c] += h * X[CHANGE, c]
        y[FINAL, n + c] += X[JUMP, c]
    place_unknowns(model, work, FINAL, stage, work.clock[0].time + h)
    place_closures(model, stage)
    return lost


@block
def place_first(model, work, h):
    """The machine where the first impact happens: a row's direction turns in the rest of the step."""
    first = 1.0
    for a in range(len(work.rows)):
        first = min(first, work.U[PLACE, a])
    dense_unknowns(work, first)
    place_unknowns(model, work, NOW, work.stage, work.clock[0].time + first * h)
    place_closures(model, work.stage)


@part
def keep_hits(work):
    """Rates before and behind the impacts, and their impulses, for the audit."""
    U = work.U
    for a in range(len(work.rows)):
        U[HIT_BEFORE, a], U[HIT_BEHIND, a], U[HIT_IMPULSE, a] = U[RATE_BEFORE, a], U[RATE_BEHIND, a], U[Z_BAR, a]


@block
def press(work, is_first):
    """Rows that still approach behind the impacts; says whether there are any. Those that have parted are left out."""
    rows, U, is_any = work.rows, work.U, False
    for a in range(len(rows)):
        here = work.stage.rows[rows[a]]
        if is_first and not work.sides[CLOSED, a] and here.value > TOUCHING:
            work.sides[ACTIVE, a] = 0
        if work.sides[ACTIVE, a] and here.rate < -1e-3 * STILL:
            is_any = True
        U[BOUND, a], U[RATE_BEFORE, a] = -here.rate, here.rate
    return is_any


@block
def take_impacts(model, work, h):
    """All impacts of the step; its end is placed, closed rows are marked. Returns False if a problem is unsolved."""
    count, sides, rows = work.count[0], work.sides, work.rows
    struck = find_impacts(model, work, h) if len(rows) > 0 else 0
    count.has_jump = struck
    lost = 0.0
    if struck > 0:
        before = stored_energy(model, work.stage) - work.y[FINAL, work.y.shape[1] - 2]
        place_first(model, work, h)
        lost = strike(model, work, h, 1.0)
        keep_hits(work)
        for k in range(MOST_ROUNDS):
            if not press(work, k == 0):
                break
            lost += strike(model, work, h, 0.5)
        # in a step that is too long for what strikes, no more is said to be lost than is
        fallen = before - stored_energy(model, work.stage) + work.y[FINAL, work.y.shape[1] - 2]
        lost = min(lost, max(fallen, 0.0)) if np.isfinite(lost) else lost
    for a in range(len(rows)):
        here = work.stage.rows[rows[a]]
        # what presses is opened by an impact only where that parts it: at the end of the step rows have turned a little
        is_parted = struck > 0 and (not sides[CLOSED, a] or work.U[RATE_BEHIND, a] > PARTING)
        is_pressed = not is_parted and work.Y[L, rows[a]] > 0.0
        sides[CLOSED_END, a] = 1 if sides[ACTIVE, a] and (is_pressed or here.rate <= STILL) else 0
        if not sides[CLOSED_END, a]:
            work.Y[L, rows[a]] = 0.0
    work.clock[0].step_loss = lost
    work.y[FINAL, work.y.shape[1] - 1] += lost
    return np.isfinite(lost)
