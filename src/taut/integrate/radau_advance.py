"""The adaptive time loop of the Radau method between two restarts, all of it compiled.

Step size: predictive controller [Hairer 1996, Eq. IV.8.25]. Samples are taken from the step's own polynomials:
velocities from the cubic through the begin and the stages, positions by its integral, multipliers from the parabola
through the stages; positions and velocities are then closed.
"""

from taut.dynamics.energy import dissipated_power, input_power
from taut.dynamics.residual import residual
from taut.integrate.closing import close_state, closing_limits, note_projection
from taut.integrate.methods.radau_tableau import GAMMA
from taut.integrate.radau_energy import is_energy_kept, step_works, stored_energies
from taut.integrate.radau_events import dense_state, end_value, first_event
from taut.integrate.radau_stages import place_stage
from taut.integrate.radau_step import (
    cubic,
    estimate_error,
    parabola,
    predict,
    refresh_factors,
    solve_stages,
)
from taut.integrate.radau_witness import HARMLESS, JUDGED, polish
from taut.integrate.radau_work import (
    ACCEPTED,
    DONE_STEP,
    END,
    ERROR,
    EVALUATED,
    EVENT,
    FACTOR_STEP,
    IS_FIRST,
    IS_FRESH,
    IS_PENDING,
    IS_REJECTED,
    IS_WITNESS,
    LAST_ERROR,
    LAST_STEP,
    LOGGED,
    NEWTON_FAILED,
    NEXT_SAMPLE,
    RATE,
    REFUSED_STEP,
    REJECTED,
    SAMPLE_GAP,
    STEP,
    STEP_END,
    STEP_GAP,
    STEP_ITERATIONS,
    TIME,
    TIME_SCALE,
    TOLERATED,
    WITNESS,
    WORK_IN,
    WORK_LOST,
)
from taut.integrate.status import AT_EVENT, DONE, MORE, SAMPLES_FULL
from taut.integrate.step_dense import before_step, open_step
from taut.integrate.step_events import (
    LEAST_STEP,
    MOST_CORRECTIONS,
    is_negligible,
    narrowed,
    next_size,
    secant_slope,
    without_event,
)
from taut.integrate.step_size import paced_step
from taut.kernels.arrays import copy
from taut.kernels.jit import block, entry, part

SAFETY = 0.9
LEAST_FACTOR, MOST_FACTOR = 0.125, 8.0
SAMPLE = 20.0  # samples are closed to so many times the limits of steps
SHORTEST_JUDGED = 1e-4  # of the machine's own time
LATER = 5.0  # steps after which another one is tried, where one could not be judged
HARD_RATE = 0.3  # Newton's iteration hardly converges: the step is at its limit
SLOW_RATE = 0.05  # a Newton matrix with a faster rate is kept while the step does not change


@block
def attempt_step(model, work, h):
    """Try a step; returns True if it is accepted and sets the next proposal."""
    clock, count = work.clock, work.count
    predict(work, h)
    if clock[FACTOR_STEP] != h or clock[RATE] > SLOW_RATE:
        refresh_factors(model, work, h)
    iterations = solve_stages(model, work, h)
    if iterations == 0:
        # with an old matrix the same step may still converge: that is tried first, and is no failure
        if count[IS_FRESH]:
            clock[STEP] = 0.4 * h
            count[NEWTON_FAILED] += 1
            count[IS_REJECTED] = 1
        clock[FACTOR_STEP] = 0.0
        return 0
    error = max(estimate_error(model, work, h), 1e-12)
    clock[ERROR] = error
    # fewer iterations allow a bolder step
    safety = min(SAFETY, SAFETY * 21.0 / (20.0 + iterations))
    factor = safety * error**-0.25
    if error < 1.0 and not count[IS_FIRST] and not count[IS_REJECTED]:
        factor = min(factor, safety * h / clock[LAST_STEP] * (clock[LAST_ERROR] / error**2) ** 0.25)
    factor = min(max(factor, LEAST_FACTOR), MOST_FACTOR)
    if not error < 1.0:
        clock[STEP] = h * (0.1 if count[IS_FIRST] else factor)
        count[REJECTED] += 1
        count[IS_REJECTED] = 1
        return 0
    # no larger step after one that hardly went through
    if count[IS_REJECTED] or clock[RATE] > HARD_RATE:
        factor = min(factor, 1.0)
    clock[STEP] = h * factor if not 1.0 <= factor <= 1.2 else h
    clock[LAST_ERROR] = max(error, 1e-2)
    return iterations


@block
def begin_powers(model, work, h):
    """Input and dissipated power at the begin of the step: of the last step's end, or the right limit after a jump."""
    stage, power = work.stage, work.power
    if not work.count[IS_FIRST]:
        copy(work.power_last, power[0])
        return
    # the begin as the step's own polynomials see it
    for c in range(len(work.v)):
        p0, p1, p2, p3 = cubic(work.v[c], work.V[0, c], work.V[1, c], work.V[2, c])
        work.x[c] = p1 / h
    for j in range(len(work.mu)):
        p0, p1, p2 = parabola(work.L[0, j], work.L[1, j], work.L[2, j])
        work.mu[j] = p0
    stage.time[0] = work.clock[TIME]
    copy(work.q, stage.q)
    copy(work.v, stage.v)
    copy(work.z, stage.z)
    copy(work.mu, stage.lam)
    residual(model, stage, work.x, work.mu, work.b)
    power[0, 0] = input_power(model, stage)
    power[0, 1] = dissipated_power(model, stage)
    stored_energies(model, stage, work.energies[0])
    work.count[EVALUATED] += 1


@block
def stage_powers(model, work, h):
    """Input and dissipated power at the converged stages: those of the last iterate would cost a digit."""
    stage, a, L, R, power = work.stage, work.a, work.L, work.R, work.power
    for i in range(3):
        place_stage(work, i, h)
        copy(L[i], stage.lam)
        residual(model, stage, a[i], L[i], R[i])
        power[i + 1, 0] = input_power(model, stage)
        power[i + 1, 1] = dissipated_power(model, stage)
    stored_energies(model, stage, work.energies[1])
    work.count[EVALUATED] += 3


@block
def take_sample(model, work, samples, h):
    """One sample inside the step."""
    k = work.count[NEXT_SAMPLE]
    data, v, V, L, Z, acceleration = work.stage, work.v, work.V, work.L, work.Z, samples.a
    s = (samples.times[k] - work.clock[TIME]) / h
    for c in range(len(v)):
        p0, p1, p2, p3 = cubic(v[c], V[0, c], V[1, c], V[2, c])
        acceleration[k, c] = (p1 + s * (2.0 * p2 + s * 3.0 * p3)) / h
    dense_state(model, work, h, s, data)
    for j in range(L.shape[1]):
        p0, p1, p2 = parabola(L[0, j], L[1, j], L[2, j])
        samples.lam[k, j] = p0 + s * (p1 + s * p2)
    for j in range(Z.shape[1]):
        p0, p1, p2, p3 = cubic(work.z[j], Z[0, j], Z[1, j], Z[2, j])
        samples.z[k, j] = p0 + s * (p1 + s * (p2 + s * p3))
    for j in range(2):
        p0, p1, p2, p3 = cubic(work.power[0, j], work.power[1, j], work.power[2, j], work.power[3, j])
        samples.work[k, j] = work.clock[WORK_IN + j] + h * s * (p0 + s * (p1 / 2.0 + s * (p2 / 3.0 + s * p3 / 4.0)))
    data.time[0] = samples.times[k]
    gap, speed = closing_limits(work.clock[TOLERATED])
    gap, speed = close_state(model, work.at, work.real, work.closing, data, h / GAMMA, SAMPLE * gap, SAMPLE * speed)
    note_projection(work.clock, SAMPLE_GAP, gap, speed)
    copy(data.q, samples.q[k])
    copy(data.v, samples.v[k])
    work.count[NEXT_SAMPLE] += 1


@block
def sample_step(model, work, samples):
    """Samples inside the step; returns False if the buffer is full before the step's end."""
    clock, count = work.clock, work.count
    while count[NEXT_SAMPLE] < len(samples.times):
        if not samples.times[count[NEXT_SAMPLE]] <= clock[STEP_END]:
            return True
        take_sample(model, work, samples, clock[DONE_STEP])
    return False


@block
def finish_step(model, work, samples):
    """Closed end state, work, log; the step becomes the past."""
    clock, count, data = work.clock, work.count, work.stage
    h = clock[DONE_STEP]
    data.time[0] = clock[STEP_END]
    copy(work.Q[2], data.q)
    copy(work.V[2], data.v)
    gap, speed = closing_limits(clock[TOLERATED])
    gap, speed = close_state(model, work.at, work.real, work.closing, data, h / GAMMA, gap, speed)
    note_projection(clock, STEP_GAP, gap, speed)
    copy(work.v, work.v_last)
    for i in range(3):
        copy(work.V[i], work.V_last[i])
        copy(work.L[i], work.L_last[i])
    copy(data.q, work.q)
    copy(data.v, work.v)
    copy(work.a[2], work.acceleration)
    copy(work.L[2], work.lam)
    copy(work.Z[2], work.z)
    copy(work.power[3], work.power_last)
    copy(work.energies[1], work.energies[0])
    clock[REFUSED_STEP] = 0.0
    given, lost = step_works(work, h)
    clock[WORK_IN] += given
    clock[WORK_LOST] += lost
    row = samples.log[count[LOGGED]]
    row[0], row[1], row[2], row[3] = clock[TIME], h, count[STEP_ITERATIONS], clock[ERROR]
    count[LOGGED] += 1
    clock[TIME] = clock[STEP_END]
    clock[LAST_STEP] = h
    count[ACCEPTED] += 1
    count[IS_FIRST] = 0
    count[IS_FRESH] = 0
    count[IS_REJECTED] = 0
    count[IS_PENDING] = 0


@block
def step_to_event(model, work, h, slope, low, high, event):
    """Take the step anew so that it ends at the event, which lies at about h and between ``low`` and ``high``.

    Returns its size, 0 if Newton's iteration fails, -1 if the event is at its start.
    """
    clock = work.clock
    proposed = clock[STEP]
    last_h, last_f = 0.0, 0.0
    for k in range(MOST_CORRECTIONS + 1):
        if not h > LEAST_STEP * max(abs(clock[TIME]), 1.0):
            return -1.0
        predict(work, h)
        refresh_factors(model, work, h)
        if solve_stages(model, work, h) == 0:
            clock[STEP], clock[FACTOR_STEP] = 0.4 * h, 0.0
            work.count[NEWTON_FAILED] += 1
            work.count[IS_REJECTED] = 1
            return 0.0
        f = end_value(model, work, h, event)
        low, high = narrowed(f, h, low, high)
        slope = secant_slope(k, slope, h, f, last_h, last_f)
        size = next_size(h, f, slope, low, high)
        if k == MOST_CORRECTIONS or is_negligible(k, size - h, h, clock[TIME]):
            break
        last_h, last_f = h, f
        h = size
    clock[STEP] = proposed
    clock[FACTOR_STEP] = 0.0
    return h


@block
def end_at_event(model, work, h):
    """The step's size, or less if an event lies in it; 0 if it must be tried anew, -1 if the event is at its start."""
    if len(model.events) == 0:
        return h
    s, event, slope, low, high = first_event(model, work, h)
    if event < 0:
        return without_event(work, s, event, h)
    work.count[EVENT] = event
    return step_to_event(model, work, s * h, slope, low * h, high * h, event)


@part
def is_judged(work, h):
    """Whether the audit looks at the step; not at events, where a law may be on either of its sides.

    Nor at steps so short that rounding of the velocities spoils the accelerations.
    """
    clock = work.clock
    is_due = work.count[EVENT] < 0 and clock[TIME] + h >= clock[WITNESS]
    return is_due and h > SHORTEST_JUDGED * clock[TIME_SCALE]


@block
def take_step(model, work, h):
    """Try a step; returns its size, 0 if it must be tried anew, -1 if an event is at its begin."""
    count = work.count
    iterations = attempt_step(model, work, h)
    if iterations == 0:
        return 0.0
    h = end_at_event(model, work, h)
    if h == 0.0:
        count[EVENT] = -1
    if h <= 0.0:
        return h
    if is_judged(work, h):
        size = polish(model, work, h)
        count[IS_WITNESS] = 1 if size <= JUDGED else 0
        if not count[IS_WITNESS]:
            work.clock[WITNESS] = work.clock[TIME] + LATER * h
        if not size <= HARMLESS:
            # the iteration that had converged went astray: the step is taken again as it was
            work.clock[STEP], work.clock[FACTOR_STEP] = h, 0.0
            return 0.0
    begin_powers(model, work, h)
    stage_powers(model, work, h)
    if not is_energy_kept(work, h):
        count[IS_WITNESS] = 0
        return 0.0
    count[STEP_ITERATIONS] = iterations
    return h


@entry
def radau_advance(model, work, samples, most_steps):
    """Steps until clock[END]; returns a code of ``integrate.status``.

    A full sample buffer interrupts the step between its solution and its end; the next call carries on from there.
    """
    clock, count = work.clock, work.count
    for _ in range(most_steps):
        if not count[IS_PENDING]:
            count[EVENT] = -1
            h = paced_step(model, work)
            code = before_step(work, samples.log, h)
            if code != MORE:
                return code
            h = take_step(model, work, h)
            if h < 0.0:
                return AT_EVENT
            if h == 0.0:
                continue
            code = open_step(model, work, h)
            if code != MORE:
                count[IS_WITNESS] = 0
                return code
        if not sample_step(model, work, samples):
            return SAMPLES_FULL
        finish_step(model, work, samples)
        if count[EVENT] >= 0:
            return AT_EVENT
        if count[IS_WITNESS]:
            break
    return DONE if clock[TIME] >= clock[END] else MORE
