"""The adaptive time loop of the explicit method between two restarts, all of it compiled.

After every step positions and velocities are closed, moving as little mass as possible. Samples come from the dense
output and are closed as well; their accelerations and multipliers are those of the equations of motion there.
"""

import numpy as np

from taut.dynamics.residual import stabilised_accelerations
from taut.integrate.explicit.step import dense_error, dense_terms, step_error, stiffness, take_stages
from taut.integrate.status import MORE, NOT_FINITE, TOO_STIFF
from taut.integrate.step.closing import close_state, note_projection
from taut.integrate.step.dense import close_step, place_unknowns, sample_state
from taut.integrate.step.size import asked_step
from taut.integrate.step.time_loop import sampling, step_trial, time_loop
from taut.integrate.step.to_event import end_value, ending_at_event, first_event, stepping_to_event
from taut.kernels.arrays import copy
from taut.kernels.dop853 import EXTENDED_STAGES, STAGES
from taut.kernels.jit import block, entry

SAFETY = 0.9
EXPONENT = 0.125
LEAST_FACTOR, MOST_FACTOR = 0.2, 6.0
FAR_TOO_LARGE = 1e30  # error assigned to a step that is not finite
CLOSED = 1e-12  # positions are closed to this at every step [m]; samples to twenty times that
CLOSED_RATE = 1e-11  # velocities are closed to this at every step [m/s]
STABLE = 6.1  # h times the largest eigenvalue at the border of the stability region
STIFF = 15  # the machine counts as stiff after so many steps near the stability limit
STIFF_LEFT = 1e5  # stiff only with more than so many steps to come in the segment, unless the step is fixed


@block
def is_accepted(work, h, error):
    """Whether a step that was tried is good enough; sets the next proposal."""
    clock, count = work.clock[0], work.count[0]
    clock.error = error
    if count.is_fixed:
        clock.step = clock.nominal
        return True
    # non-finite counts as far too large; Gustafsson's predictive controller [Hairer 1996, Eq. IV.8.25]
    factor = SAFETY * error**-EXPONENT if error < FAR_TOO_LARGE else LEAST_FACTOR
    if error < 1.0 and not count.is_first:
        factor = min(factor, SAFETY * h / clock.last_step * (clock.last_error / error**2) ** EXPONENT)
    factor = min(max(factor, LEAST_FACTOR), MOST_FACTOR)
    if not error < 1.0:
        clock.step = h * factor
        count.rejected += 1
        count.is_rejected = 1
        return False
    clock.step = h * (min(factor, 1.0) if count.is_rejected else factor)
    clock.last_error = max(error, 1e-4)
    return True


@block
def judge_step(work, h):
    """MORE, unless the state is not finite, or stability has kept the step short for long and the end is far."""
    clock, count = work.clock[0], work.count[0]
    if not clock.error < np.inf:
        return NOT_FINITE
    if stiffness(work, h) > STABLE:
        count.stiff_steps += 1
        count.easy_steps = 0
    else:
        count.easy_steps += 1
        if count.easy_steps >= 6:
            count.stiff_steps = 0
    is_hopeless = count.stiff_steps >= STIFF and not count.is_fixed and clock.end - clock.time > STIFF_LEFT * h
    return TOO_STIFF if is_hopeless else MORE


@block
def solve_step(model, work, h):
    """All stages of a step, and its polynomial; false if it is not finite."""
    take_stages(model, work, h, work.count[0].has_first, STAGES + 1)
    take_stages(model, work, h, STAGES + 1, EXTENDED_STAGES)
    dense_terms(work, h)
    # a non-finite end is judged by judge_step like any other
    return True


end_at_event = ending_at_event(first_event, stepping_to_event(solve_step, end_value))


@block
def take_step(model, work, samples, h):
    """Try a step; one with an event in it is repeated until it ends there.

    The stages of the dense output are evaluated after every step, also without samples in it, so that the motion does
    not depend on the sample times. Returns its size, 0 if it is rejected, -1 if the event is at its start.
    """
    clock, count = work.clock[0], work.count[0]
    take_stages(model, work, h, count.has_first, STAGES + 1)
    error = step_error(model, work, h)
    if error < 1.0 or (count.is_fixed and error < np.inf):
        take_stages(model, work, h, STAGES + 1, EXTENDED_STAGES)
        dense_terms(work, h)
        error = max(error, dense_error(model, work, h))
    if not is_accepted(work, h, error):
        return 0.0
    if not clock.error < np.inf:
        return h
    return end_at_event(model, work, h)


@block
def close_end(model, work, h):
    """Close positions and velocities at the end of an accepted step."""
    stage, n = work.stage, len(work.stage.v)
    place_unknowns(model, work, work.y_end, stage, work.clock[0].time + h)
    if work.count[0].is_closed:
        gap, speed = close_state(model, work.at, work.factor, work.closing, stage, 0.0, CLOSED, CLOSED_RATE)
        note_projection(work.clock[0].step_gaps, gap, speed)
    copy(stage.q, work.q_end)
    copy(stage.v, work.y_end[n : 2 * n])


@block
def take_sample(model, work, samples):
    """One sample inside the step, with the accelerations and multipliers of the equations of motion there."""
    clock, count, at = work.clock[0], work.count[0], work.at
    k = count.next_sample
    sample_state(model, work, samples, 0.0, 20.0 * CLOSED, 20.0 * CLOSED_RATE)
    at.time[0] = samples.times[k]
    copy(samples.q[k], at.q)
    copy(samples.v[k], at.v)
    copy(samples.z[k], at.z)
    stabilised_accelerations(model, at, work.factor, clock.damping, clock.stiffness)
    count.evaluated += 1
    copy(at.acceleration, samples.a[k])
    copy(at.lam, samples.lam[k])
    count.next_sample += 1


@block
def finish_step(model, work, samples):
    """The end of the step becomes the start of the next; so does its last stage, unless closing has moved the state."""
    K, count, n = work.K, work.count[0], len(work.stage.v)
    close_step(work, samples)
    copy(K[STAGES], K[0])
    for c in range(n):
        K[0, c] = work.y_begin[n + c]
    count.has_first = 0 if count.is_closed and len(work.stage.rows) > 0 else 1


@block
def settle_step(model, work, h):
    """Judge the end of a step, and close it."""
    code = judge_step(work, h)
    if code == MORE:
        close_end(model, work, h)
    return code


try_step = step_trial(asked_step, take_step, settle=settle_step)
loop = time_loop(try_step, sampling(take_sample), finish_step)


@entry
def explicit_advance(model, work, samples, most_steps):
    """Steps until the segment's end; returns a code of ``integrate.status``."""
    return loop(model, work, samples, most_steps)
