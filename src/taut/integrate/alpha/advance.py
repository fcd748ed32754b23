"""The time loop of the generalized-alpha method between two restarts, all of it compiled.

Error of a step, from the local error of the positions h^3 (beta + (alpha_m - alpha_f)/2 - 1/6) v'', per second:
    e = h (beta + (alpha_m - alpha_f)/2 - 1/6) (v'_1 - v'_0)                                                     (1)
Errors accumulate in an oscillating machine; with a share of the tolerance for each second, the error of a run is about
the tolerance, as it is with Radau. Work is the integral of the parabola through the powers at three step ends, of order
3. Samples lie on cubic Hermite polynomials and are then closed.
"""

import numpy as np

from taut.dynamics.residual import residual
from taut.dynamics.tree.displacement import largest_displacement
from taut.integrate.alpha.step import hold_closures, iterate, place_end
from taut.integrate.radau.stages import displacement_rates
from taut.integrate.status import MORE, NOT_FINITE, REFUSED
from taut.integrate.step.closing import CLOSED, CLOSED_RATE, close_state, note_projection
from taut.integrate.step.dense import close_step, hermite_terms, place_unknowns, powers, sample_state
from taut.integrate.step.size import asked_step
from taut.integrate.step.time_loop import sampling, step_trial, time_loop
from taut.integrate.step.to_event import end_value, ending_at_event, first_event, stepping_to_event
from taut.kernels.arrays import copy
from taut.kernels.jit import block, entry

SAFETY = 0.9
LEAST_FACTOR, MOST_FACTOR = 0.2, 2.0
SHARE = 0.2  # error allowed per second, relative to the tolerance
KEPT_FACTOR = 1.2  # a smaller growth is not taken, because it would cost a new Newton matrix


@block
def step_error(model, work, h):
    """Error of the step by Eq. (1) in tolerated errors, projected onto the motions that the closures allow."""
    answer, rhs, K_end, K_begin = work.answer, work.rhs, work.K_end, work.K_begin
    clock, n = work.clock[0], len(work.a_end)
    f = h * (clock.beta + 0.5 * (clock.alpha_m - clock.alpha_f) - 1.0 / 6.0)
    for c in range(n):
        rhs[c] = f * (K_end[n + c] - K_begin[n + c])
    if not work.count[0].is_fixed:
        hold_closures(model, work.at, work.factor, work.stage, rhs, work.mu, answer)
    error = largest_displacement(model, work.stage, rhs, work.radius, work.reach)
    return max(error / (SHARE * clock.tolerated), 1e-12)


@block
def is_accepted(model, work, h, iterations, is_fresh):
    """Whether a step that was tried is good enough; sets the next proposal."""
    clock, count = work.clock[0], work.count[0]
    # Newton failed: an old matrix may be to blame, so the same step is tried with a fresh one before it is halved
    if iterations == 0:
        count.newton_failed += 1
        count.is_rejected = 1
        clock.factor_step = 0.0
        if is_fresh:
            clock.step = 0.5 * h
        return False
    clock.error = step_error(model, work, h)
    if count.is_fixed:
        clock.step = clock.nominal
        return True
    # order 2: the error of Eq. (1) grows with the square of the step
    factor = min(max(SAFETY / np.sqrt(clock.error), LEAST_FACTOR), MOST_FACTOR)
    if not clock.error < 1.0:
        clock.step = h * factor
        count.rejected += 1
        count.is_rejected = 1
        return False
    # no growth right after a rejection, and no small growth, which would only cost a new Newton matrix
    if count.is_rejected:
        factor = min(factor, 1.0)
    clock.step = h if 1.0 <= factor <= KEPT_FACTOR else h * factor
    return True


@block
def end_rates(model, work, h):
    """Rates at the end of the step, its work, and its polynomial."""
    K_end, K_begin, y_begin, y_end = work.K_end, work.K_begin, work.y_begin, work.y_end
    stage, clock, n = work.stage, work.clock[0], len(work.a_end)
    scheme = (clock.alpha_m, clock.alpha_f, clock.gamma, clock.beta)
    place_end(model, work, h, scheme)
    copy(work.lam_end, stage.lam)
    # the powers need transmitted forces at the converged end; those of the last iterate belong to an older state
    residual(model, stage, K_end[n : 2 * n], work.lam_end, work.rhs)
    work.count[0].evaluated += 1
    powers(model, stage, K_end[len(work.K_end) - 2 :])
    copy(stage.z_rate, K_end[2 * n : 2 * n + len(stage.z)])
    displacement_rates(model, y_end[:n], stage.v, K_end[:n])
    for c in range(n):
        K_begin[c] = y_begin[n + c]
    # works last: they integrate the powers just found
    for j in range(len(work.K_end) - 2, len(work.K_end)):
        y_end[j] = step_work(work, j, h)
    hermite_terms(work, h, work.K_begin, work.K_end)


@block
def solve_step(model, work, h):
    """Solve a step that is to end at an event; false if its iteration fails."""
    iterations, is_fresh = iterate(model, work, h)
    if iterations == 0 and not is_fresh:
        # the matrix may belong to a step of another size: try again with a fresh one
        work.clock[0].factor_step = 0.0
        iterations, is_fresh = iterate(model, work, h)
    if iterations == 0:
        return is_accepted(model, work, h, iterations, is_fresh)
    end_rates(model, work, h)
    return True


end_at_event = ending_at_event(first_event, stepping_to_event(solve_step, end_value))


@block
def take_step(model, work, samples, h):
    """Try a step; one with an event in it is repeated until it ends there.

    Returns its size, 0 if it is rejected, -1 if the event is at its start.
    """
    count = work.count[0]
    iterations, is_fresh = iterate(model, work, h)
    count.step_iterations = iterations
    if not is_accepted(model, work, h, iterations, is_fresh):
        return 0.0
    end_rates(model, work, h)
    return end_at_event(model, work, h)


@block
def close_end(model, work, h):
    """Close the end of a step."""
    stage, clock, n = work.stage, work.clock[0], len(work.a_end)
    place_unknowns(model, work, work.y_end, stage, clock.time + h)
    # with index 3 velocities obey the closures to the method's order only; a restart needs them closed
    is_last = work.count[0].event >= 0 or h == clock.end - clock.time
    rate_limit = CLOSED_RATE if is_last else np.inf
    gap, speed = close_state(model, work.at, work.factor, work.closing, stage, h, CLOSED, rate_limit)
    note_projection(work.clock[0].step_gaps, gap, speed)
    copy(stage.q, work.q_end)
    copy(stage.v, work.y_end[n : 2 * n])
    return MORE


@block
def step_work(work, j, h):
    """Work of the step: the parabola through three powers, a line in the first step."""
    P0, P1, P2 = work.K_before[j], work.K_begin[j], work.K_end[j]
    bend = 0.0
    if not work.count[0].is_first:
        last = work.clock[0].last_step
        bend = ((P2 - P1) / h - (P1 - P0) / last) / (last + h)
    return h * (0.5 * (P1 + P2) - bend * h * h / 6.0)


@block
def take_sample(model, work, samples):
    """Take one sample inside the step."""
    lam_begin, lam_end, K_end, K_begin = work.lam_begin, work.lam_end, work.K_end, work.K_begin
    sample_state(model, work, samples, work.clock[0].done_step, 20.0 * CLOSED, 20.0 * CLOSED_RATE)
    k, h, n = work.count[0].next_sample, work.clock[0].done_step, len(work.a_end)
    F, acceleration = work.F, samples.a
    s = (samples.times[k] - work.clock[0].time) / h
    r = 1.0 - s
    for c in range(n):
        swing = r * (1.0 - 3.0 * s) * K_begin[n + c] - s * (2.0 - 3.0 * s) * K_end[n + c]
        acceleration[k, c] = 6.0 * s * r * F[0, n + c] / h + swing
    for j in range(len(work.lam_end)):
        samples.lam[k, j] = r * lam_begin[j] + s * lam_end[j]
    work.count[0].next_sample += 1


@block
def finish_step(model, work, samples):
    """The end of the step becomes the start of the next."""
    a_begin, offset, a_slope, a_end = work.a_begin, work.offset, work.a_slope, work.a_end
    lam_slope, lam_begin, lam_end, K_before = work.lam_slope, work.lam_begin, work.lam_end, work.K_before
    K_end, K_begin = work.K_end, work.K_begin
    h, n = work.clock[0].done_step, len(work.a_end)
    copy(K_begin, K_before)
    copy(K_end, K_begin)
    for c in range(n):
        a_slope[c] = (a_end[c] - a_begin[c]) / h
        offset[c] = (a_end[c] - K_begin[n + c]) / h
    for j in range(len(work.lam_end)):
        lam_slope[j] = (lam_end[j] - lam_begin[j]) / h
        lam_begin[j] = lam_end[j]
    close_step(work, samples)


@block
def refused(work, h):
    """End the run: in real time a refused step is not tried again."""
    return NOT_FINITE if work.count[0].is_real_time else REFUSED


try_step = step_trial(asked_step, take_step, refused=refused, settle=close_end)
loop = time_loop(try_step, sampling(take_sample), finish_step)


@entry
def alpha_advance(model, work, samples, most_steps):
    """Steps until the segment's end; returns a code of ``integrate.status``."""
    return loop(model, work, samples, most_steps)
