"""The adaptive time loop of the Radau method between two restarts, all of it compiled.

Step size: predictive controller [Hairer 1996, Eq. IV.8.25]. Samples are taken from the step's own polynomials:
velocities from the cubic through the start and the stages, positions by its integral, multipliers from the parabola
through the stages; positions and velocities are then closed.
"""

from taut.dynamics.energy import dissipated_power, input_power
from taut.dynamics.residual import residual
from taut.integrate.radau.energy import is_energy_kept, step_works, stored_energies
from taut.integrate.radau.events import dense_state, end_value, first_event
from taut.integrate.radau.inside import is_closed_inside
from taut.integrate.radau.stages import place_stage
from taut.integrate.radau.step import cubic, estimate_error, parabola, predict, refresh_factors, solve_stages
from taut.integrate.radau.tableau import GAMMA
from taut.integrate.radau.witness import HARMLESS, JUDGED, polish
from taut.integrate.step.closing import close_state, closing_limits, note_projection
from taut.integrate.step.size import paced_step
from taut.integrate.step.time_loop import sampling, step_trial, time_loop
from taut.integrate.step.to_event import ending_at_event, stepping_to_event
from taut.kernels.arrays import copy
from taut.kernels.jit import block, entry, part

SAFETY = 0.9
LEAST_FACTOR, MOST_FACTOR = 0.125, 8.0
SAMPLE = 20.0  # closing limits of samples, in multiples of those of steps
SHORTEST_JUDGED = 1e-4  # shortest step that is kept for the audit, relative to the machine's time scale
LATER = 5.0  # number of steps until the next attempt, if a step could not be polished for the audit
HARD_RATE = 0.3  # at a slower rate of convergence the step does not grow
SLOW_RATE = 0.05  # a Newton matrix with a lower (faster) rate of convergence is kept while the step does not change


@block
def attempt_step(model, work, h):
    """Try a step and propose the next; returns the number of Newton iterations, 0 if it must be tried again."""
    clock, count = work.clock[0], work.count[0]
    predict(work, h)
    if clock.factor_step != h or clock.rate > SLOW_RATE:
        refresh_factors(model, work, h)
    iterations = solve_stages(model, work, h)
    if iterations == 0:
        # an old matrix may be the cause: the same step is tried with a fresh one before it is shortened
        if count.is_fresh:
            clock.step = 0.4 * h
            count.newton_failed += 1
            count.is_rejected = 1
        clock.factor_step = 0.0
        return 0
    error = max(estimate_error(model, work, h), 1e-12)
    clock.error = error
    # safety factor by the number of iterations [Hairer 1996, sec. IV.8]
    safety = min(SAFETY, SAFETY * 21.0 / (20.0 + iterations))
    factor = safety * error**-0.25
    if error < 1.0 and not count.is_first and not count.is_rejected:
        factor = min(factor, safety * h / clock.last_step * (clock.last_error / error**2) ** 0.25)
    factor = min(max(factor, LEAST_FACTOR), MOST_FACTOR)
    if not error < 1.0:
        clock.step = h * (0.1 if count.is_first else factor)
        count.rejected += 1
        count.is_rejected = 1
        return 0
    # no growth after a rejection or slow convergence
    if count.is_rejected or clock.rate > HARD_RATE:
        factor = min(factor, 1.0)
    clock.step = h * factor if not 1.0 <= factor <= 1.2 else h
    clock.last_error = max(error, 1e-2)
    return iterations


@block
def begin_powers(model, work, h):
    """Input and dissipated power at the start of the step: of the last step's end, or the right limit after a jump."""
    stage, power = work.stage, work.power_begin
    if not work.count[0].is_first:
        copy(work.power_last, power)
        return
    # after a jump the powers need accelerations and multipliers: those of the collocation polynomial at the start
    for c in range(len(work.v)):
        p0, p1, p2, p3 = cubic(work.v[c], work.V[0, c], work.V[1, c], work.V[2, c])
        work.x[c] = p1 / h
    for j in range(len(work.mu)):
        p0, p1, p2 = parabola(work.L[0, j], work.L[1, j], work.L[2, j])
        work.mu[j] = p0
    stage.time[0] = work.clock[0].time
    copy(work.q, stage.q)
    copy(work.v, stage.v)
    copy(work.z, stage.z)
    copy(work.mu, stage.lam)
    residual(model, stage, work.x, work.mu, work.b)
    power[0] = input_power(model, stage)
    power[1] = dissipated_power(model, stage)
    stored_energies(model, stage, work.energy_begin)
    work.count[0].evaluated += 1


@block
def stage_powers(model, work, h):
    """Input and dissipated power at the converged stages; those of the last Newton iterate lack a digit."""
    stage, a, L, R, power = work.stage, work.a, work.L, work.R, work.power
    for i in range(3):
        place_stage(work, i, h)
        copy(L[i], stage.lam)
        residual(model, stage, a[i], L[i], R[i])
        power[i, 0] = input_power(model, stage)
        power[i, 1] = dissipated_power(model, stage)
    stored_energies(model, stage, work.energy_end)
    work.count[0].evaluated += 3


@block
def take_sample(model, work, samples):
    """Take one sample inside the step."""
    k, h = work.count[0].next_sample, work.clock[0].done_step
    data, v, V, L, Z, acceleration = work.stage, work.v, work.V, work.L, work.Z, samples.a
    s = (samples.times[k] - work.clock[0].time) / h
    for c in range(len(v)):
        # acceleration at a sample: derivative of the velocity cubic of the step
        p0, p1, p2, p3 = cubic(v[c], V[0, c], V[1, c], V[2, c])
        acceleration[k, c] = (p1 + s * (2.0 * p2 + s * 3.0 * p3)) / h
    dense_state(model, work, h, s, data)
    for j in range(L.shape[1]):
        p0, p1, p2 = parabola(L[0, j], L[1, j], L[2, j])
        samples.lam[k, j] = p0 + s * (p1 + s * p2)
    for j in range(Z.shape[1]):
        p0, p1, p2, p3 = cubic(work.z[j], Z[0, j], Z[1, j], Z[2, j])
        samples.z[k, j] = p0 + s * (p1 + s * (p2 + s * p3))
    # work up to s of the step: integral of the cubic through the powers
    for j in range(2):
        p0, p1, p2, p3 = cubic(work.power_begin[j], work.power[0, j], work.power[1, j], work.power[2, j])
        samples.work[k, j] = work.clock[0].works[j] + h * s * (p0 + s * (p1 / 2.0 + s * (p2 / 3.0 + s * p3 / 4.0)))
    # the interpolated state misses the closures by the order of the method, hence the projection
    data.time[0] = samples.times[k]
    gap, speed = closing_limits(work.clock[0].tolerated)
    gap, speed = close_state(model, work.at, work.real, work.closing, data, h / GAMMA, SAMPLE * gap, SAMPLE * speed)
    note_projection(work.clock[0].sample_gaps, gap, speed)
    copy(data.q, samples.q[k])
    copy(data.v, samples.v[k])
    work.count[0].next_sample += 1


@block
def finish_step(model, work, samples):
    """Closed end state, work, log; the step becomes the past."""
    clock, count, data = work.clock[0], work.count[0], work.stage
    h = clock.done_step
    data.time[0] = clock.step_end
    # stiffly accurate: the last stage is the end; index 2 leaves a drift of positions to be closed
    copy(work.Q[2], data.q)
    copy(work.V[2], data.v)
    gap, speed = closing_limits(clock.tolerated)
    gap, speed = close_state(model, work.at, work.real, work.closing, data, h / GAMMA, gap, speed)
    note_projection(clock.step_gaps, gap, speed)
    # stages are kept for the prediction of the next step, before the start state is overwritten
    copy(work.v, work.v_last)
    for i in range(3):
        copy(work.V[i], work.V_last[i])
        copy(work.L[i], work.L_last[i])
    copy(data.q, work.q)
    copy(data.v, work.v)
    copy(work.a[2], work.acceleration)
    copy(work.L[2], work.lam)
    copy(work.Z[2], work.z)
    copy(work.power[2], work.power_last)
    copy(work.energy_end, work.energy_begin)
    # step accepted: clear the memory of steps that were refused for their energy or their open loops
    clock.refused_step, clock.open_step = 0.0, 0.0
    given, lost = step_works(work, h)
    clock.works[0] += given
    clock.works[1] += lost
    row = samples.log[count.logged]
    row[0], row[1], row[2], row[3] = clock.time, h, count.step_iterations, clock.error
    count.logged += 1
    clock.time = clock.step_end
    if count.is_first:
        clock.jump_step = clock.step
    clock.last_step = h
    count.accepted += 1
    count.is_first = 0
    count.is_fresh = 0
    count.is_rejected = 0
    count.is_pending = 0


@block
def solve_step(model, work, h):
    """Solve a step that is to end at an event; false if its iteration fails."""
    clock, count = work.clock[0], work.count[0]
    predict(work, h)
    refresh_factors(model, work, h)
    if solve_stages(model, work, h) > 0:
        return True
    clock.step, clock.factor_step = 0.4 * h, 0.0
    count.newton_failed += 1
    count.is_rejected = 1
    return False


end_at_event = ending_at_event(first_event, stepping_to_event(solve_step, end_value))


@part
def is_judged(work, h):
    """Whether the step is kept for the audit: not at events, where a law may be on either of its sides.

    Nor if it is so short that rounding of the velocities spoils the accelerations.
    """
    clock = work.clock[0]
    is_due = work.count[0].event < 0 and clock.time + h >= clock.witness
    return is_due and h > SHORTEST_JUDGED * clock.time_scale


@block
def take_step(model, work, samples, h):
    """Try a step; returns its size, 0 if it must be tried again, -1 if an event is at its start."""
    count = work.count[0]
    iterations = attempt_step(model, work, h)
    if iterations == 0:
        return 0.0
    h = end_at_event(model, work, h)
    if h <= 0.0:
        return h
    if not is_closed_inside(model, work, h):
        return 0.0
    if is_judged(work, h):
        size = polish(model, work, h)
        count.is_witness = 1 if size <= JUDGED else 0
        if not count.is_witness:
            work.clock[0].witness = work.clock[0].time + LATER * h
        if not size <= HARMLESS:
            # further iterations diverged: take the step again without polishing it
            work.clock[0].step, work.clock[0].factor_step = h, 0.0
            return 0.0
    begin_powers(model, work, h)
    stage_powers(model, work, h)
    if not is_energy_kept(work, h):
        count.is_witness = 0
        return 0.0
    count.step_iterations = iterations
    return h


try_step = step_trial(paced_step, take_step)
loop = time_loop(try_step, sampling(take_sample), finish_step)


@entry
def radau_advance(model, work, samples, most_steps):
    """Steps until the segment's end; returns a code of ``integrate.status``."""
    return loop(model, work, samples, most_steps)
