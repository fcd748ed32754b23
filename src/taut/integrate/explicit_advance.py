"""The adaptive time loop of the explicit method between two restarts, all of it compiled.

After every step positions and velocities are closed, moving as little mass as possible. Samples come from the dense
output and are closed as well; their accelerations and multipliers are those of the equations of motion there.
"""

import numpy as np

from taut.dynamics.residual import stabilised_accelerations
from taut.integrate.closing import close_state, note_projection
from taut.integrate.explicit_step import dense_terms, step_error, stiffness, take_stages
from taut.integrate.methods.dop853_tableau import EXTENDED_STAGES, STAGES
from taut.integrate.radau_work import (
    END,
    ERROR,
    EVALUATED,
    EVENT,
    IS_FIRST,
    IS_PENDING,
    IS_REJECTED,
    LAST_ERROR,
    LAST_STEP,
    NEXT_SAMPLE,
    REJECTED,
    STEP,
    STEP_GAP,
    TIME,
)
from taut.integrate.status import (
    AT_EVENT,
    DONE,
    MORE,
    NOT_FINITE,
    REFUSED,
    SAMPLES_FULL,
    TOO_STIFF,
)
from taut.integrate.step_dense import (
    before_step,
    close_step,
    is_sample_due,
    open_step,
    place_unknowns,
    sample_state,
)
from taut.integrate.step_events import (
    LEAST_STEP,
    MOST_CORRECTIONS,
    end_value,
    first_event,
    is_negligible,
    narrowed,
    next_size,
    secant_slope,
    without_event,
)
from taut.integrate.step_size import asked_step
from taut.integrate.step_work import (
    BEGIN,
    DAMPING,
    EASY_STEPS,
    FINAL,
    HAS_FIRST,
    IS_CLOSED,
    IS_FIXED,
    NOMINAL,
    STIFF_STEPS,
    STIFFNESS,
)
from taut.kernels.arrays import copy
from taut.kernels.jit import block, entry

SAFETY = 0.9
EXPONENT = 0.125
LEAST_FACTOR, MOST_FACTOR = 0.2, 6.0
FAR_TOO_LARGE = 1e30  # an error
CLOSED = 1e-12  # positions are closed to this at every step [m]; samples to twenty times that
CLOSED_RATE = 1e-11  # and velocities to this [m/s]
STABLE = 6.1  # h times eigenvalue at which the method is about to be unstable
STIFF = 15  # so many steps near that limit ...
STIFF_LEFT = 1e5  # ... and so many more to come in the segment are too many, unless the step was asked for


@block
def is_accepted(model, work, h):
    """Whether a step that was tried is good enough; sets the next proposal."""
    clock, count = work.clock, work.count
    error = step_error(model, work, h)
    clock[ERROR] = error
    if count[IS_FIXED]:
        clock[STEP] = clock[NOMINAL]
        return True
    # not finite: as if far too large; from two steps whose errors grow the third is foreseen [Hairer 1996, Eq. IV.8.25]
    factor = SAFETY * error**-EXPONENT if error < FAR_TOO_LARGE else LEAST_FACTOR
    if error < 1.0 and not count[IS_FIRST]:
        factor = min(factor, SAFETY * h / clock[LAST_STEP] * (clock[LAST_ERROR] / error**2) ** EXPONENT)
    factor = min(max(factor, LEAST_FACTOR), MOST_FACTOR)
    if not error < 1.0:
        clock[STEP] = h * factor
        count[REJECTED] += 1
        count[IS_REJECTED] = 1
        return False
    clock[STEP] = h * (min(factor, 1.0) if count[IS_REJECTED] else factor)
    clock[LAST_ERROR] = max(error, 1e-4)
    return True


@block
def judge_step(work, h):
    """MORE, unless the state is not finite, or stability has kept the step short for long and the end is far."""
    clock, count = work.clock, work.count
    if not clock[ERROR] < np.inf:
        return NOT_FINITE
    if stiffness(work, h) > STABLE:
        count[STIFF_STEPS] += 1
        count[EASY_STEPS] = 0
    else:
        count[EASY_STEPS] += 1
        if count[EASY_STEPS] >= 6:
            count[STIFF_STEPS] = 0
    is_hopeless = count[STIFF_STEPS] >= STIFF and not count[IS_FIXED] and clock[END] - clock[TIME] > STIFF_LEFT * h
    return TOO_STIFF if is_hopeless else MORE


@block
def take_step(model, work, samples, h):
    """Try a step; one with an event in it is taken anew until it ends there.

    Returns its size, 0 if it is rejected, -1 if the event is at its begin.
    """
    clock, count, times = work.clock, work.count, samples.times
    corrections = -1
    last_h = 0.0
    last_f = 0.0
    is_dense = False  # the stages of the dense output are taken behind those of the step, when they are needed
    slope, low, high = 0.0, 0.0, h
    while True:
        first = STAGES + 1 if is_dense else count[HAS_FIRST]
        take_stages(model, work, h, first, EXTENDED_STAGES if is_dense else STAGES + 1)
        if not is_dense:
            if corrections < 0 and not is_accepted(model, work, h):
                return 0.0
            if not clock[ERROR] < np.inf:
                return h
            next_time = times[count[NEXT_SAMPLE]] if count[NEXT_SAMPLE] < len(times) else -np.inf
            is_dense = len(model.events) > 0 or next_time <= clock[TIME] + 1.01 * h
            if not is_dense:
                return h
            continue
        dense_terms(work, h)
        is_dense = False
        if corrections < 0:
            s, event, slope, low, high = first_event(model, work, h)
            if event < 0:
                return without_event(work, s, event, h)
            count[EVENT] = event
            low, high, h = low * h, high * h, s * h
        else:
            f = end_value(model, work, h, count[EVENT])
            low, high = narrowed(f, h, low, high)
            slope = secant_slope(corrections, slope, h, f, last_h, last_f)
            size = next_size(h, f, slope, low, high)
            if corrections == MOST_CORRECTIONS or is_negligible(corrections, size - h, h, clock[TIME]):
                break
            last_h, last_f = h, f
            h = size
        if not h > LEAST_STEP * max(abs(clock[TIME]), 1.0):
            return -1.0
        corrections += 1
    return h


@block
def close_end(model, work, h):
    """The closed end of an accepted step."""
    stage, n = work.stage, len(work.stage.v)
    place_unknowns(model, work, FINAL, stage, work.clock[TIME] + h)
    if work.count[IS_CLOSED]:
        gap, speed = close_state(model, work.at, work.factor, work.closing, stage, 0.0, CLOSED, CLOSED_RATE)
        note_projection(work.clock, STEP_GAP, gap, speed)
    copy(stage.q, work.q[FINAL])
    copy(stage.v, work.y[FINAL, n : 2 * n])


@block
def take_sample(model, work, samples):
    """One sample inside the step, with the accelerations and multipliers of the equations of motion there."""
    clock, count, at = work.clock, work.count, work.at
    k = count[NEXT_SAMPLE]
    sample_state(model, work, samples, 0.0, 20.0 * CLOSED, 20.0 * CLOSED_RATE)
    at.time[0] = samples.times[k]
    copy(samples.q[k], at.q)
    copy(samples.v[k], at.v)
    copy(samples.z[k], at.z)
    stabilised_accelerations(model, at, work.factor, clock[DAMPING], clock[STIFFNESS])
    count[EVALUATED] += 1
    copy(at.acceleration, samples.a[k])
    copy(at.lam, samples.lam[k])
    count[NEXT_SAMPLE] += 1


@block
def finish_step(work, samples):
    """The end of the step becomes the begin of the next; so does its last stage, unless closing has moved the state."""
    K, count, n = work.K, work.count, len(work.stage.v)
    close_step(work, samples)
    copy(K[STAGES], K[0])
    for c in range(n):
        K[0, c] = work.y[BEGIN, n + c]
    count[HAS_FIRST] = 0 if count[IS_CLOSED] and len(work.stage.rows) > 0 else 1


@block
def try_step(model, work, samples):
    """One step: MORE if it waits for its samples, REFUSED, or why the run ends."""
    work.count[EVENT] = -1
    h = asked_step(model, work)
    code = before_step(work, samples.log, h)
    if code != MORE:
        return code
    h = take_step(model, work, samples, h)
    if h < 0.0:
        return AT_EVENT
    if h == 0.0:
        return REFUSED
    code = judge_step(work, h)
    if code != MORE:
        return code
    close_end(model, work, h)
    return open_step(model, work, h)


@entry
def explicit_advance(model, work, samples, most_steps):
    """Steps until clock[END]; returns a code of ``integrate.status``.

    A full sample buffer interrupts the step between its solution and its end; the next call carries on from there.
    """
    clock, count = work.clock, work.count
    for _ in range(most_steps):
        if not count[IS_PENDING]:
            code = try_step(model, work, samples)
            if code == REFUSED:
                continue
            if code != MORE:
                return code
        due = is_sample_due(work, samples)
        while due == 1:
            take_sample(model, work, samples)
            due = is_sample_due(work, samples)
        if due == 2:
            return SAMPLES_FULL
        finish_step(work, samples)
        if count[EVENT] >= 0:
            return AT_EVENT
    return DONE if clock[TIME] >= clock[END] else MORE
