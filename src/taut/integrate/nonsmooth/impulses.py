"""A step whose reactions are impulses: start, active rows, guess, solution, end. Its equations, and Newton's iteration
on them, are those of ``nonsmooth.impulse_newton``.

A row is active if it overlaps at the predictor v~'_1 = 0 (generalized-alpha), or half a step ahead (Moreau-Jean). That
is decided once, before the iteration, which starts from the last steps carried on.
"""

from taut.dynamics.residual import expand_newton, place_closures, reduce_newton, residual
from taut.integrate.alpha.advance import step_work
from taut.integrate.alpha.step import SAME_STEP, SLOW_RATE
from taut.integrate.events.impact_law import PARTING, STILL, loss_part
from taut.integrate.nonsmooth.impulse_newton import (
    converge_impulses,
    converge_impulses_fully,
    impulse_iteration,
    mean_motion,
    place_impulses,
    refresh_impulses,
)
from taut.integrate.nonsmooth.rows import condense_mass
from taut.integrate.nonsmooth.work import rebound
from taut.integrate.radau.stages import displacement_rates
from taut.integrate.step.dense import hermite_terms, place_unknowns, powers
from taut.kernels.arrays import copy, fill
from taut.kernels.jit import block, part

AGED = 2.0  # a matrix is renewed when its rate of convergence is worse by this factor than at first
HELD = 1e-2  # allowed rate of held rows, relative to the velocity error that Newton's iteration may leave
MOST_POLISHING = 2
LOOK = 0.5  # Moreau-Jean looks for an overlap this fraction of a step ahead


@block
def start_impulses(model, work):
    """Accelerations without reactions at the start of the step: v~'_0 and a_0."""
    a_begin, a_end, rhs = work.a_begin, work.a_end, work.rhs
    at, n = work.at, len(work.a_end)
    place_unknowns(model, work, work.y_begin, at, work.clock[0].time)
    fill(a_end, 0.0)
    # M a = f, solved with the mass factor and zero multipliers
    residual(model, at, a_end, work.no_lam, rhs)
    for c in range(n):
        rhs[c] = -rhs[c]
    condense_mass(model, at, work)
    reduce_newton(model, at, work.mass, rhs, work.mu)
    # reactions are impulses of the step, not part of the smooth acceleration: no multipliers
    fill(work.mu, 0.0)
    expand_newton(model, at, work.mass, work.mu, a_end)
    for c in range(n):
        work.K_begin[n + c] = a_end[c]
        a_begin[c] = a_end[c]
    work.count[0].is_started = 1


@block
def choose_active(model, work, h):
    """Rows that overlap at the predictor; with stabilisation also those that are closed."""
    a_begin, jump, a_end, gap_rate_begin = work.a_begin, work.jump, work.a_end, work.gap_rate_begin
    gap_begin, closed, active = work.gap_begin, work.closed, work.active
    clock = work.clock[0]
    if len(work.rows) == 0:
        return
    # generalized-alpha looks at the end of the step as predicted by v~'_1 = 0
    if not work.count[0].is_theta:
        f = 1.0 / (1.0 - clock.alpha_m)
        for c in range(len(work.a_end)):
            a_end[c] = f * (clock.alpha_f * work.K_begin[len(work.a_end) + c] - clock.alpha_m * a_begin[c])
            jump[c] = 0.0
        place_impulses(model, work, h)
        place_closures(model, work.stage)
    for a in range(len(work.rows)):
        gap = gap_begin[a] + LOOK * h * gap_rate_begin[a]
        if not work.count[0].is_theta:
            gap = work.stage.rows[work.rows[a]].value
        # where positions are closed, a row in contact stays active: rounding of its gap must not open it
        active[a] = 1 if gap <= 0.0 or (work.count[0].is_closed and closed[a]) else 0


@part
def carried_on(work, h):
    """Extrapolation weights of the last three steps: constant, linear or quadratic, by how many steps were steady."""
    last, steady = work.clock[0].last_step, work.count[0].steady
    if steady <= 0 or not abs(h - last) < SAME_STEP * h:
        return 1.0, 0.0, 0.0
    if steady == 1:
        return 2.0, -1.0, 0.0
    return 3.0, -3.0, 1.0


@block
def guess_impulses(work, h):
    """Start of the iteration: the last steps carried on; open rows have no impulse."""
    a_earlier, a_before, jump_1, jump_2 = work.a_earlier, work.a_before, work.jump_1, work.jump_2
    jump_3, a_begin, jump, a_end, impulse_1 = work.jump_3, work.a_begin, work.jump, work.a_end, work.impulse_1
    impulse_2, impulse_3, lam_end = work.impulse_2, work.impulse_3, work.lam_end
    last = work.clock[0].last_step
    p, q, r = carried_on(work, h)
    f = h / last if last > 0.0 else 1.0
    for c in range(len(work.a_end)):
        a_end[c] = p * a_begin[c] + q * a_before[c] + r * a_earlier[c]
        jump[c] = f * (p * jump_1[c] + q * jump_2[c] + r * jump_3[c])
    for j in range(len(work.lam_end)):
        lam_end[j] = f * (p * impulse_1[j] + q * impulse_2[j] + r * impulse_3[j])
    for a in range(len(work.rows)):
        row = work.rows[a]
        lam_end[row] = max(lam_end[row], 0.0) if work.active[a] else 0.0


@part
def is_aged(clock):
    """Whether a new Newton matrix saves iterations: this one is slow, or much slower than it was."""
    return clock.rate > SLOW_RATE or (clock.first_rate > 0.0 and clock.rate > AGED * clock.first_rate)


@block
def take_impulses(model, work, h):
    """The step; returns iterations, or 0, and if the matrix was fresh."""
    clock, count = work.clock[0], work.count[0]
    is_fresh = False
    scheme = (clock.alpha_m, clock.alpha_f, clock.gamma, 0.0)
    if not count.is_started:
        start_impulses(model, work)
    # active rows are fixed before Newton, which might otherwise alternate between two sets
    choose_active(model, work, h)
    guess_impulses(work, h)
    if not abs(clock.factor_step - h) < SAME_STEP * h or is_aged(clock):
        refresh_impulses(model, work, h)
        is_fresh = True
    iterations = converge_impulses(model, work, h, scheme, clock.goal, count.most_iterations)
    # the rate of convergence with a fresh matrix, with which later rates are compared to see whether it is too old
    if clock.first_rate < 0.0 and clock.rate > 0.0:
        clock.first_rate = clock.rate
    # last resort: full Newton with a matrix for every iterate
    if iterations == 0 and is_fresh:
        guess_impulses(work, h)
        iterations = converge_impulses_fully(model, work, h, scheme, clock.goal)
    return iterations, is_fresh


@part
def keep_impulses(work, a_begin, is_steady):
    """After a step: its jump and impulses, from which the next one starts, if no row has closed or opened."""
    a_earlier, a_before, jump_1, jump_2 = work.a_earlier, work.a_before, work.jump_1, work.jump_2
    jump_3, jump, impulse_1, impulse_2 = work.jump_3, work.jump, work.impulse_1, work.impulse_2
    impulse_3, lam_end = work.impulse_3, work.lam_end
    copy(a_before, a_earlier)
    copy(a_begin, a_before)
    copy(jump_2, jump_3)
    copy(jump_1, jump_2)
    copy(jump, jump_1)
    copy(impulse_2, impulse_3)
    copy(impulse_1, impulse_2)
    copy(lam_end, impulse_1)
    work.count[0].steady = work.count[0].steady + 1 if is_steady else 0
    work.count[0].was_rough = work.count[0].is_rough


@block
def evaluate_end(model, work, h):
    """The equations at the end of the step, with its mean accelerations and multipliers."""
    mean_a, rhs, row_rhs = work.mean_a, work.rhs, work.row_rhs
    stage, n = work.stage, len(work.a_end)
    place_impulses(model, work, h)
    mean_motion(work, work.K_end[n : 2 * n], h)
    copy(row_rhs, stage.lam)
    residual(model, stage, mean_a, row_rhs, rhs)
    work.count[0].evaluated += 1


@part
def held_rate(work):
    """Largest rate of a row that the step should hold."""
    worst = 0.0
    for j in range(len(work.place)):
        a = work.place[j]
        if a < 0 or (work.active[a] and work.restitution[a] == 0.0 and work.lam_end[j] > 0.0):
            worst = max(worst, abs(work.stage.rows[j].rate))
    return worst


@block
def impulse_work(model, work, h):
    """Works of the step from the powers at its ends; moves the stage.

    A reaction is a mean over its step. Where it changes much, the power at the start is computed with this step's
    reaction, not the last one's, which would spoil the quadrature.
    """
    mean_a, rhs, row_rhs, K_end, y_end = work.mean_a, work.rhs, work.row_rhs, work.K_end, work.y_end
    stage, count, F = work.stage, work.count[0], work.F
    first = len(work.K_end) - 2
    if count.is_rough or count.was_rough:
        place_unknowns(model, work, work.y_begin, stage, work.clock[0].time)
        copy(row_rhs, stage.lam)
        residual(model, stage, mean_a, row_rhs, rhs)
        count.evaluated += 1
        powers(model, stage, F[0, first:])
        for j in range(first, len(work.K_end)):
            y_end[j] = 0.5 * h * (F[0, j] + K_end[j])
    else:
        for j in range(first, len(work.K_end)):
            y_end[j] = step_work(work, j, h)


@block
def end_impulses(model, work, h):
    """Rates at the end of the step, its work and polynomial; marks the rows that are closed.

    Without projection, further corrections may be needed: rows have turned since the matrix was formed.
    """
    lam_end, gap_rate_begin, was_struck, K_end = work.lam_end, work.gap_rate_begin, work.was_struck, work.K_end
    K_begin, y_begin, y_end = work.K_begin, work.y_begin, work.y_end
    stage, n = work.stage, len(work.a_end)
    evaluate_end(model, work, h)
    if not work.count[0].is_closed:
        for _ in range(MOST_POLISHING):
            if not held_rate(work) > HELD * work.clock[0].goal / h:
                break
            impulse_iteration(model, work, h, (0.0, 0.0, 0.0, 0.0))
            evaluate_end(model, work, h)
    powers(model, stage, K_end[len(work.K_end) - 2 :])
    copy(stage.z_rate, K_end[2 * n : 2 * n + len(stage.z)])
    displacement_rates(model, y_end[:n], stage.v, K_end[:n])
    for c in range(n):
        K_begin[c] = y_begin[n + c]
    work.count[0].has_jump = 0
    is_rough = work.count[0].is_first != 0 or not abs(h - work.clock[0].last_step) < SAME_STEP * h
    lost = 0.0
    for a in range(len(work.rows)):
        impulse, rate, before = lam_end[work.rows[a]], stage.rows[work.rows[a]].rate, min(gap_rate_begin[a], 0.0)
        is_active = work.active[a]
        was_struck[a] = is_active and before < -STILL and impulse > 0.0 and not work.closed[a]
        work.closed_end[a] = 1 if is_active and impulse > 0.0 and rate <= PARTING else 0
        if is_active:
            overlap = abs(min(impulse, rate + rebound(work, a, before) * before))
            work.clock[0].overlap = max(work.clock[0].overlap, overlap)
            lost += loss_part(impulse, before, rate)
        is_rough = is_rough or work.closed_end[a] != work.closed[a]
        if was_struck[a] != 0.0:
            work.count[0].has_jump += 1
    work.count[0].is_rough = 1 if is_rough or work.count[0].has_jump > 0 else 0
    impulse_work(model, work, h)
    work.clock[0].step_loss = lost
    y_end[len(work.K_end) - 1] += lost
    hermite_terms(work, h, work.K_begin, work.K_end)
    # velocities are interpolated linearly: the smooth accelerations at both ends do not include the reactions
    for c in range(n, 2 * n):
        work.F[1, c] = 0.0
        work.F[2, c] = 0.0
