"""The time loop of the generalized-alpha method between two restarts, all of it compiled.

Error of a step, from the local error of the positions h^3 (beta + (alpha_m - alpha_f)/2 - 1/6) v'', per second:
    e = h (beta + (alpha_m - alpha_f)/2 - 1/6) (v'_1 - v'_0)                                                     (1)
A machine that swings carries such errors on; with a share of the tolerance for each second, the error of a run is about
as large as the tolerance, as it is with Radau. Work is the integral
of the parabola through the powers at three step ends, order 3. Samples lie on Hermite's cubics and are then closed.
"""

import numpy as np

from taut.dynamics.displacement import largest_displacement
from taut.dynamics.residual import residual
from taut.integrate.alpha_step import (
    A_BEGIN,
    BEFORE,
    CHANGE,
    LAM,
    LAM_SLOPE,
    LATER,
    MU,
    OFFSET,
    SLOPE,
    A,
    B,
    L,
    hold_closures,
    iterate,
    place_end,
)
from taut.integrate.closing import CLOSED, CLOSED_RATE, close_state, note_projection
from taut.integrate.radau_stages import displacement_rates
from taut.integrate.status import MORE, NOT_FINITE, REFUSED
from taut.integrate.step_dense import (
    close_step,
    hermite_terms,
    place_unknowns,
    powers,
    sample_state,
)
from taut.integrate.step_events import (
    end_value,
    first_event,
    stepping_to_event,
    without_event,
)
from taut.integrate.step_size import asked_step
from taut.integrate.step_work import (
    BEGIN,
    FINAL,
)
from taut.integrate.time_loop import sampling, step_trial, time_loop
from taut.kernels.arrays import copy
from taut.kernels.jit import block, entry

SAFETY = 0.9
LEAST_FACTOR, MOST_FACTOR = 0.2, 2.0
SHARE = 0.2  # of the tolerance, for the error of a second
KEPT_FACTOR = 1.2  # a step is not enlarged for less: the Newton matrix stays


@block
def step_error(model, work, h):
    """Eq. (1) in tolerated errors, without what the closures prevent."""
    clock, K, X, n = work.clock[0], work.K, work.X, work.X.shape[1]
    f = h * (clock.beta + 0.5 * (clock.alpha_m - clock.alpha_f) - 1.0 / 6.0)
    for c in range(n):
        X[B, c] = f * (K[LATER, n + c] - K[0, n + c])
    if not work.count[0].is_fixed:
        hold_closures(model, work.at, work.factor, work.stage, X[B], work.Y[MU], X[CHANGE])
    error = largest_displacement(model, work.stage, X[B], work.radius, work.reach)
    return max(error / (SHARE * clock.tolerated), 1e-12)


@block
def is_accepted(model, work, h, iterations, is_fresh):
    """Whether a step that was tried is good enough; sets the next proposal."""
    clock, count = work.clock[0], work.count[0]
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
    factor = min(max(SAFETY / np.sqrt(clock.error), LEAST_FACTOR), MOST_FACTOR)
    if not clock.error < 1.0:
        clock.step = h * factor
        count.rejected += 1
        count.is_rejected = 1
        return False
    if count.is_rejected:
        factor = min(factor, 1.0)
    clock.step = h if 1.0 <= factor <= KEPT_FACTOR else h * factor
    return True


@block
def end_rates(model, work, h):
    """Rates at the end of the step, its work, and its polynomial."""
    stage, clock, K, y, n = work.stage, work.clock[0], work.K, work.y, work.X.shape[1]
    scheme = (clock.alpha_m, clock.alpha_f, clock.gamma, clock.beta)
    place_end(model, work, h, scheme)
    copy(work.Y[L], stage.lam)
    residual(model, stage, K[LATER, n : 2 * n], work.Y[L], work.X[B])
    work.count[0].evaluated += 1
    powers(model, stage, K[LATER, K.shape[1] - 2 :])
    copy(stage.z_rate, K[LATER, 2 * n : 2 * n + len(stage.z)])
    displacement_rates(model, y[FINAL, :n], stage.v, K[LATER, :n])
    for c in range(n):
        K[0, c] = y[BEGIN, n + c]
    for j in range(K.shape[1] - 2, K.shape[1]):
        y[FINAL, j] = step_work(work, j, h)
    hermite_terms(work, h, LATER)


@block
def solve_step(model, work, h):
    """Solve a step that is to end at an event; false if its iteration fails."""
    iterations, is_fresh = iterate(model, work, h)
    if iterations == 0 and not is_fresh:
        # on the way to an event the matrix is that of another step: once more with its own
        work.clock[0].factor_step = 0.0
        iterations, is_fresh = iterate(model, work, h)
    if iterations == 0:
        return is_accepted(model, work, h, iterations, is_fresh)
    end_rates(model, work, h)
    return True


step_to_event = stepping_to_event(solve_step, end_value)


@block
def take_step(model, work, samples, h):
    """Try a step; one with an event in it is taken anew until it ends there.

    Returns its size, 0 if it is rejected, -1 if the event is at its begin.
    """
    count = work.count[0]
    iterations, is_fresh = iterate(model, work, h)
    count.step_iterations = iterations
    if not is_accepted(model, work, h, iterations, is_fresh):
        return 0.0
    end_rates(model, work, h)
    s, event, slope, low, high = first_event(model, work, h)
    if event < 0:
        return without_event(work, s, event, h)
    count.event = event
    return step_to_event(model, work, s * h, slope, low * h, high * h)


@block
def close_end(model, work, h):
    """The closed end of a step."""
    stage, clock, n = work.stage, work.clock[0], work.X.shape[1]
    place_unknowns(model, work, FINAL, stage, clock.time + h)
    # with index 3 velocities obey the closures to the method's order only; a restart needs them closed
    is_last = work.count[0].event >= 0 or h == clock.end - clock.time
    rate_limit = CLOSED_RATE if is_last else np.inf
    gap, speed = close_state(model, work.at, work.factor, work.closing, stage, h, CLOSED, rate_limit)
    note_projection(work.clock[0].step_gaps, gap, speed)
    copy(stage.q, work.q[FINAL])
    copy(stage.v, work.y[FINAL, n : 2 * n])
    return MORE


@block
def step_work(work, j, h):
    """Work of the step: the parabola through three powers, a line in the first step."""
    P0, P1, P2 = work.K[BEFORE, j], work.K[0, j], work.K[LATER, j]
    bend = 0.0
    if not work.count[0].is_first:
        last = work.clock[0].last_step
        bend = ((P2 - P1) / h - (P1 - P0) / last) / (last + h)
    return h * (0.5 * (P1 + P2) - bend * h * h / 6.0)


@block
def take_sample(model, work, samples):
    """One sample inside the step."""
    sample_state(model, work, samples, work.clock[0].done_step, 20.0 * CLOSED, 20.0 * CLOSED_RATE)
    k, h, n = work.count[0].next_sample, work.clock[0].done_step, work.X.shape[1]
    K, F, Y, acceleration = work.K, work.F, work.Y, samples.a
    s = (samples.times[k] - work.clock[0].time) / h
    r = 1.0 - s
    for c in range(n):
        swing = r * (1.0 - 3.0 * s) * K[0, n + c] - s * (2.0 - 3.0 * s) * K[LATER, n + c]
        acceleration[k, c] = 6.0 * s * r * F[0, n + c] / h + swing
    for j in range(Y.shape[1]):
        samples.lam[k, j] = r * Y[LAM, j] + s * Y[L, j]
    work.count[0].next_sample += 1


@block
def finish_step(model, work, samples):
    """The end of the step becomes the begin of the next."""
    h, n, K, X, Y = work.clock[0].done_step, work.X.shape[1], work.K, work.X, work.Y
    copy(K[0], K[BEFORE])
    copy(K[LATER], K[0])
    for c in range(n):
        X[SLOPE, c] = (X[A, c] - X[A_BEGIN, c]) / h
        X[OFFSET, c] = (X[A, c] - K[0, n + c]) / h
    for j in range(Y.shape[1]):
        Y[LAM_SLOPE, j] = (Y[L, j] - Y[LAM, j]) / h
        Y[LAM, j] = Y[L, j]
    close_step(work, samples)


@block
def refused(work, h):
    """In real time there is no second try."""
    return NOT_FINITE if work.count[0].is_real_time else REFUSED


try_step = step_trial(asked_step, take_step, refused=refused, settle=close_end)
loop = time_loop(try_step, sampling(take_sample), finish_step)


@entry
def alpha_advance(model, work, samples, most_steps):
    """Steps until the segment's end; returns a code of ``integrate.status``."""
    return loop(model, work, samples, most_steps)
