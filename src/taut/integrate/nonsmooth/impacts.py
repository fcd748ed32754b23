"""Impacts inside a step: rows that were open at its start and overlap at its end.

The gap along the step is Hermite's cubic through its values and rates at both ends; it vanishes at the fraction s, with
the rate u. All impacts of a step are one problem [Moreau 1988; Chen 2013],
    M w = J^T P,   J_B w = 0,   0 <= J_A w + (1 + e) u  complementary to  P_A >= 0                                 (1)
(closed rows take part with e = 0 and P_A >= -h lam_A: a contact loses at most the impulse it carries in the step),
at the state of the first impact. Each impulse acts at its own place in the step, so the positions at the end are
    q_1 (+) h sum (1 - s_i) w_i,   M w_i = J_i^T P_i, and what the bilateral rows answer                          (2)
as they would be if every impact had been located: second order, and a body that strikes without rebound ends on the
surface. After the impact a reaction may act for the rest of the step: rows that still approach get a second impulse,
without rebound, with half the share of (2).
"""

import numpy as np

from taut.dynamics.energy import elastic_energy, gravity_energy, kinetic_energy
from taut.dynamics.residual import place_closures
from taut.dynamics.tree.kinematics import kinematics
from taut.integrate.events.impact_law import PARTING, STILL, TOUCHING, loss_part
from taut.integrate.nonsmooth.rows import condense_mass, expand_impulses, solve_sided
from taut.integrate.nonsmooth.work import rebound
from taut.integrate.step.dense import dense_unknowns, place_unknowns
from taut.kernels.arrays import add, fill
from taut.kernels.jit import block, part
from taut.kernels.lcp import SOLVED

MOST_ROUNDS = 4
HALVINGS = 60


@part
def gap_at(s, g0, r0, g1, r1):
    """Hermite's cubic; rates in gaps per step."""
    r = 1.0 - s
    return g0 + s * (g1 - g0 + r * (r0 * r - r1 * s + (g1 - g0) * (2.0 * s - 1.0)))


@part
def gap_slope(s, g0, r0, g1, r1):
    """Derivative of the gap's cubic by s."""
    r = 1.0 - s
    return r0 * r * (1.0 - 3.0 * s) + 6.0 * s * r * (g1 - g0) - r1 * s * (2.0 - 3.0 * s)


@block
def impact_place(g0, r0, g1, r1):
    """Fraction of the step at which the gap vanishes; 0 for one that has none at the start."""
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
    rate_before, gap_rate_begin, was_struck = work.rate_before, work.gap_rate_begin, work.was_struck
    struck_at, bound, shift, gap_begin = work.struck_at, work.bound, work.shift, work.gap_begin
    closed, active = work.closed, work.active
    rows = work.rows
    count = 0
    for a in range(len(rows)):
        here = work.stage.rows[rows[a]]
        # open at the start, overlapping and still closing at the end: an impact inside the step
        is_new = not closed[a] and here.value <= 0.0 and here.rate < 0.0
        active[a] = 1 if is_new or closed[a] else 0
        struck_at[a], rate_before[a] = 1.0, here.rate
        # a closed row may lose at most the impulse with which it presses in this step
        shift[a] = h * max(work.lam_end[rows[a]], 0.0) if closed[a] else 0.0
        was_struck[a] = is_new
        e = 0.0
        if is_new:
            count += 1
            # located on the cubic of the gap, so that positions are corrected to second order by Eq. (2)
            g0, r0, r1 = gap_begin[a], h * gap_rate_begin[a], h * here.rate
            s = impact_place(g0, r0, here.value, r1)
            struck_at[a] = s
            rate_before[a] = min(gap_slope(s, g0, r0, here.value, r1) / h, 0.0)
            e = rebound(work, a, rate_before[a])
        bound[a] = -(1.0 + e) * rate_before[a]
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
    """Kinetic, gravity and elastic energy at the placed state."""
    return kinetic_energy(model, data) + gravity_energy(model, data) + elastic_energy(model, data)


@block
def strike(model, work, h, share):
    """Eqs. (1), (2), with ``share`` of the impulses' lever on the positions; returns the energy lost, NaN if unsolved.

    Needs the rows where the impacts happen; places the machine at the end of the step. What the kinetic energy changes
    beyond the loss is work of what moves the exits and lengths.
    """
    answer, jump, rhs, mu, row_rhs = work.answer, work.jump, work.rhs, work.mu, work.row_rhs
    rate_before, rate_behind, struck_at, shift = work.rate_before, work.rate_behind, work.struck_at, work.shift
    q_listed, z, y_end = work.q_listed, work.z, work.y_end
    stage = work.stage
    n, u = len(work.a_end), len(work.rows)
    condense_mass(model, stage, work)
    fill(rhs, 0.0)
    fill(row_rhs, 0.0)
    code = solve_sided(model, stage, work.mass, work.hard, work, work.active, rhs, row_rhs, jump, mu)
    if code != SOLVED:
        work.count[0].unsolved += 1
        return np.nan
    lost = 0.0
    given = jump_of_energy(model, stage, jump)
    for a in range(u):
        z[a] -= shift[a]
        # the part of the contact's impulse that is left for another round
        shift[a] = max(shift[a] + z[a], 0.0) if work.closed[a] else 0.0
    for a in range(u):
        change = 0.0
        for b in range(u):
            change += work.hard.M[a, b] * z[b]
        rate_behind[a] = rate_before[a] + change
        lost += loss_part(z[a], rate_before[a], rate_behind[a])
        given -= z[a] * (stage.rows[work.rows[a]].rate + 0.5 * change)
        q_listed[a] = share * (1.0 - struck_at[a]) * z[a]
    expand_impulses(model, stage, work.mass, work.hard, work, q_listed, answer, mu)
    y_end[len(work.y_end) - 2] += given
    for c in range(n):
        y_end[c] += h * answer[c]
        y_end[n + c] += jump[c]
    place_unknowns(model, work, work.y_end, stage, work.clock[0].time + h)
    place_closures(model, stage)
    return lost


@block
def place_first(model, work, h):
    """Place the machine at the first impact, because directions of rows turn during the rest of the step."""
    first = 1.0
    for a in range(len(work.rows)):
        first = min(first, work.struck_at[a])
    dense_unknowns(work, first)
    place_unknowns(model, work, work.y_now, work.stage, work.clock[0].time + first * h)
    place_closures(model, work.stage)


@part
def keep_hits(work):
    """Rates before and after the impacts, and their impulses, for the audit."""
    rate_before, rate_behind, hit_impulse = work.rate_before, work.rate_behind, work.hit_impulse
    hit_before, hit_behind, z = work.hit_before, work.hit_behind, work.z
    for a in range(len(work.rows)):
        hit_before[a], hit_behind[a], hit_impulse[a] = rate_before[a], rate_behind[a], z[a]


@block
def press(work, is_first):
    """Mark rows that still approach after the impacts; returns whether there are any. Parted rows become inactive."""
    rate_before, bound = work.rate_before, work.bound
    rows, is_any = work.rows, False
    for a in range(len(rows)):
        here = work.stage.rows[rows[a]]
        if is_first and not work.closed[a] and here.value > TOUCHING:
            work.active[a] = 0
        if work.active[a] and here.rate < -1e-3 * STILL:
            is_any = True
        bound[a], rate_before[a] = -here.rate, here.rate
    return is_any


@block
def take_impacts(model, work, h):
    """All impacts of the step; its end is placed, closed rows are marked. Returns False if a problem is unsolved."""
    closed_end, closed, active = work.closed_end, work.closed, work.active
    count, rows = work.count[0], work.rows
    struck = find_impacts(model, work, h) if len(rows) > 0 else 0
    count.has_jump = struck
    lost = 0.0
    if struck > 0:
        before = stored_energy(model, work.stage) - work.y_end[len(work.y_end) - 2]
        place_first(model, work, h)
        lost = strike(model, work, h, 1.0)
        keep_hits(work)
        for k in range(MOST_ROUNDS):
            if not press(work, k == 0):
                break
            lost += strike(model, work, h, 0.5)
        # clip the impact loss to the actual energy drop, which is less in a step that is too long
        fallen = before - stored_energy(model, work.stage) + work.y_end[len(work.y_end) - 2]
        lost = min(lost, max(fallen, 0.0)) if np.isfinite(lost) else lost
    for a in range(len(rows)):
        here = work.stage.rows[rows[a]]
        # an active contact opens only if its post-impact rate exceeds PARTING: rows have turned a little since
        is_parted = struck > 0 and (not closed[a] or work.rate_behind[a] > PARTING)
        is_pressed = not is_parted and work.lam_end[rows[a]] > 0.0
        closed_end[a] = 1 if active[a] and (is_pressed or here.rate <= STILL) else 0
        if not closed_end[a]:
            work.lam_end[rows[a]] = 0.0
    work.clock[0].step_loss = lost
    work.y_end[len(work.y_end) - 1] += lost
    return np.isfinite(lost)
