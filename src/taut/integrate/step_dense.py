"""Inside a step: its unknowns as one polynomial, states and samples on it, and the step's place in time.

With s from 0 to 1 and r = 1 - s [Hairer 1993, sec. II.6],
    y(s) = y_0 + s (F_0 + r (F_1 + s (F_2 + r (F_3 + s (F_4 + ...)))))                                      (1)
The first three terms are Hermite's cubic through values and rates at both ends.
"""

from taut.dynamics.energy import dissipated_power, input_power
from taut.dynamics.lengths import is_used_up
from taut.dynamics.positions import move
from taut.integrate.closing import close_state, note_projection
from taut.integrate.radau_work import (
    ACCEPTED,
    DONE_STEP,
    END,
    ERROR,
    IS_FIRST,
    IS_PENDING,
    IS_REJECTED,
    LAST_STEP,
    LOGGED,
    NEXT_SAMPLE,
    SAMPLE_GAP,
    STEP_END,
    STEP_ITERATIONS,
    TIME,
    WORK_IN,
)
from taut.integrate.status import DONE, LOG_FULL, MORE, OUT_OF_ROPE, STEP_TOO_SMALL
from taut.integrate.step_work import BEGIN, FINAL, IS_CLOSED, NOW
from taut.kernels.arrays import copy
from taut.kernels.jit import block

RESOLVED = 1e-14  # least step against the time, which the clock can still tell from none


@block
def hermite_terms(work, h, last):
    """First three terms of Eq. (1), from the rates of stage 0 and of the last stage."""
    y, K, F = work.y, work.K, work.F
    for c in range(y.shape[1]):
        change = y[FINAL, c] - y[BEGIN, c]
        F[0, c] = change
        F[1, c] = h * K[0, c] - change
        F[2, c] = 2.0 * change - h * (K[last, c] + K[0, c])


@block
def dense_unknowns(work, s):
    """Eq. (1) at s, as the unknowns now."""
    y, F = work.y, work.F
    for c in range(y.shape[1]):
        f = 0.0
        for k in range(len(F) - 1, 0, -1):
            f = (F[k, c] + f) * (1.0 - s if k % 2 else s)
        y[NOW, c] = y[BEGIN, c] + s * (F[0, c] + f)


@block
def place_unknowns(model, work, which, data, time):
    """The state that belongs to the unknowns of that row."""
    n, m, y = len(data.v), len(data.z), work.y[which]
    move(model, work.q[BEGIN], y, data.q)
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
    clock = work.clock
    if clock[TIME] >= clock[END]:
        return DONE
    if work.count[LOGGED] >= len(log):
        return LOG_FULL
    return MORE if h > RESOLVED * max(abs(clock[TIME]), 1e-3) else STEP_TOO_SMALL


@block
def open_step(model, work, h):
    """An accepted step, whose end is in the stage data, waits for its samples: MORE, or why it cannot be taken."""
    clock, count = work.clock, work.count
    work.stage.time[0] = clock[TIME] + h
    if is_used_up(model, work.stage):
        return OUT_OF_ROPE
    clock[DONE_STEP] = h
    clock[STEP_END] = clock[END] if h == clock[END] - clock[TIME] else clock[TIME] + h
    count[IS_PENDING] = 1
    return MORE


@block
def sample_state(model, work, samples, f, limit, rate_limit):
    """State and work of one sample; it is closed where the method closes. The state stays in the stage data."""
    clock, count, stage = work.clock, work.count, work.stage
    k, n, m = count[NEXT_SAMPLE], len(stage.v), len(stage.z)
    dense_unknowns(work, (samples.times[k] - clock[TIME]) / clock[DONE_STEP])
    place_unknowns(model, work, NOW, stage, samples.times[k])
    if count[IS_CLOSED]:
        gap, speed = close_state(model, work.at, work.factor, work.closing, stage, f, limit, rate_limit)
        note_projection(clock, SAMPLE_GAP, gap, speed)
    copy(stage.q, samples.q[k])
    copy(stage.v, samples.v[k])
    copy(stage.z, samples.z[k])
    for j in range(2):
        samples.work[k, j] = clock[WORK_IN + j] + work.y[NOW, 2 * n + m + j]


@block
def is_sample_due(work, samples):
    """Whether the next sample lies in the step; 0 no, 1 yes, 2 the buffer is full."""
    k = work.count[NEXT_SAMPLE]
    if k >= len(samples.times):
        return 2
    return 1 if samples.times[k] <= work.clock[STEP_END] else 0


@block
def close_step(work, samples):
    """The end of the step becomes the begin of the next; a line in the log."""
    clock, count, y = work.clock, work.count, work.y
    n, m = len(work.stage.v), len(work.stage.z)
    copy(work.q[FINAL], work.q[BEGIN])
    for c in range(n):
        y[BEGIN, n + c] = y[FINAL, n + c]
    for j in range(m):
        y[BEGIN, 2 * n + j] = y[FINAL, 2 * n + j]
    for j in range(2):
        clock[WORK_IN + j] += y[FINAL, 2 * n + m + j]
    row = samples.log[count[LOGGED]]
    row[0], row[1], row[2], row[3] = clock[TIME], clock[DONE_STEP], count[STEP_ITERATIONS], clock[ERROR]
    count[LOGGED] += 1
    clock[TIME] = clock[STEP_END]
    clock[LAST_STEP] = clock[DONE_STEP]
    count[ACCEPTED] += 1
    count[IS_FIRST] = 0
    count[IS_REJECTED] = 0
    count[IS_PENDING] = 0
