"""Inside a step: states and samples on its polynomial (``kernels.dense``), and the step's place in time."""

from taut.dynamics.energy import dissipated_power, input_power
from taut.dynamics.forces.lengths import is_used_up
from taut.dynamics.forces.routes import is_off_sheave
from taut.dynamics.tree.positions import move
from taut.integrate.status import DONE, LOG_FULL, MORE, OFF_SHEAVE, OUT_OF_ROPE, STEP_TOO_SMALL
from taut.integrate.step.closing import close_state, note_projection
from taut.kernels.arrays import copy
from taut.kernels.dense import cubic_terms, dense_values
from taut.kernels.jit import block

RESOLVED = 1e-14  # least step relative to the time, above rounding of the clock


@block
def hermite_terms(work, h, K_begin, K_end):
    """The cubic through the unknowns and their rates at both ends."""
    cubic_terms(work.y_begin, work.y_end, K_begin, K_end, h, work.F)


@block
def dense_unknowns(work, s):
    """Set the unknowns to their values at s in the step."""
    dense_values(work.y_begin, work.F, s, work.y_now)


@block
def place_unknowns(model, work, y, data, time):
    """The state that belongs to unknowns of the step."""
    n, m = len(data.v), len(data.z)
    move(model, work.q_begin, y, data.q)
    for c in range(n):
        data.v[c] = y[n + c]
    for j in range(m):
        data.z[j] = y[2 * n + j]
    data.time[0] = time


@block
def powers(model, data, target):
    """Input and dissipated power at the evaluated state, as rates of the works."""
    target[0] = input_power(model, data)
    target[1] = dissipated_power(model, data)


@block
def before_step(work, log, h):
    """Whether a step of this size can be tried: MORE if so, else why not."""
    clock = work.clock[0]
    if clock.time >= clock.end:
        return DONE
    if work.count[0].logged >= len(log):
        return LOG_FULL
    return MORE if h > RESOLVED * max(abs(clock.time), 1e-3) else STEP_TOO_SMALL


@block
def open_step(model, work, h):
    """An accepted step, whose end is in the stage data, waits for its samples: MORE, or why it cannot be taken."""
    clock, count = work.clock[0], work.count[0]
    work.stage.time[0] = clock.time + h
    if is_used_up(model, work.stage):
        count.is_witness = 0
        return OUT_OF_ROPE
    if is_off_sheave(model, work.stage):
        count.is_witness = 0
        return OFF_SHEAVE
    clock.done_step = h
    clock.step_end = clock.end if h == clock.end - clock.time else clock.time + h
    count.is_pending = 1
    return MORE


@block
def sample_state(model, work, samples, f, limit, rate_limit):
    """State and work of one sample; it is closed where the method closes. The state stays in the stage data."""
    clock, count, stage = work.clock[0], work.count[0], work.stage
    k, n, m = count.next_sample, len(stage.v), len(stage.z)
    dense_unknowns(work, (samples.times[k] - clock.time) / clock.done_step)
    place_unknowns(model, work, work.y_now, stage, samples.times[k])
    if count.is_closed:
        gap, speed = close_state(model, work.at, work.factor, work.closing, stage, f, limit, rate_limit)
        note_projection(clock.sample_gaps, gap, speed)
    copy(stage.q, samples.q[k])
    copy(stage.v, samples.v[k])
    copy(stage.z, samples.z[k])
    for j in range(2):
        samples.work[k, j] = clock.works[j] + work.y_now[2 * n + m + j]


@block
def close_step(work, samples):
    """The end of the step becomes the start of the next; a line in the log."""
    y_begin, y_end = work.y_begin, work.y_end
    clock, count = work.clock[0], work.count[0]
    n, m = len(work.stage.v), len(work.stage.z)
    copy(work.q_end, work.q_begin)
    # the displacement starts at zero again; velocities and internal states carry on
    for c in range(n):
        y_begin[n + c] = y_end[n + c]
    for j in range(m):
        y_begin[2 * n + j] = y_end[2 * n + j]
    for j in range(2):
        clock.works[j] += y_end[2 * n + m + j]
    # the log line of the step: start, size, iterations, error
    row = samples.log[count.logged]
    row[0], row[1], row[2], row[3] = clock.time, clock.done_step, count.step_iterations, clock.error
    count.logged += 1
    clock.time = clock.step_end
    clock.last_step = clock.done_step
    count.accepted += 1
    count.is_first = 0
    count.is_rejected = 0
    count.is_pending = 0
