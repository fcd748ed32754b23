"""Time stepping in a reduced space: Dormand and Prince's method of order 8(5,3) with dense output of order 7.

The coefficients are those of scipy's DOP853 [Hairer 1993, sec. II.5, II.6]; the loop is compiled with the equations of
motion. The state is y = (q, u): all positions, of which the eliminated ones only carry the guess for root tracking
from step to step, and the velocities of the kept coordinates. Where constraints remain, every accepted step is
projected on them, positions and velocities, moving as little mass as possible.
"""

import numpy as np
from scipy.integrate import DOP853

from taut.dynamics.positions import move
from taut.dynamics.residual import mass_step, place_closures
from taut.dynamics.spaces import OK, state_rate
from taut.kernels.arrays import copy
from taut.kernels.bundle import Bundle
from taut.kernels.jit import entry, kernel, part

STAGES = 12
EXTRA = 3
ALL_STAGES = STAGES + 1 + EXTRA
A = np.zeros((ALL_STAGES, ALL_STAGES))
A[:STAGES, :STAGES] = DOP853.A
A[STAGES, :STAGES] = DOP853.B
A[STAGES + 1 :, :] = DOP853.A_EXTRA
C = np.concatenate([DOP853.C, [1.0], DOP853.C_EXTRA])
E3, E5, D = DOP853.E3.copy(), DOP853.E5.copy(), DOP853.D.copy()
POWERS = 7  # coefficients of the dense output

DONE, SAMPLES_LEFT, AT_SINGULARITY, NOT_FINITE = range(4)
TIME, STEP, END, TOLERANCE = range(4)  # entries of clock
ACCEPTED, REJECTED, SAMPLED, CODE = range(4)  # entries of counts

SAFETY, SMALLEST_FACTOR, LARGEST_FACTOR = 0.9, 0.2, 6.0
SMALLEST_STEP = 1e-9  # of the run, below which a space that cannot go on has ended [s]


class Stepping(Bundle):
    """State and workspace of a run in a reduced space."""

    clock: np.ndarray  # time, step size, end, tolerance
    counts: np.ndarray  # accepted and rejected steps, samples taken, code of the last failed evaluation
    y: np.ndarray
    y_new: np.ndarray  # at the end of the step
    stage: np.ndarray  # and at a stage
    q_end: np.ndarray  # root-tracked positions at the end of the step
    K: np.ndarray  # stage rates [ALL_STAGES, n]
    F: np.ndarray  # coefficients of the dense output [POWERS, n]
    step: np.ndarray  # projection step [column_count]
    times: np.ndarray  # samples asked for [s]
    samples: np.ndarray  # y there [sample, n]


@entry
def advance(model, data, factor, space, work):
    """Step from the clock's time to its end, and sample; returns how it ended."""
    clock, counts = work.clock, work.counts
    code = state_rate(model, data, factor, space, clock[TIME], work.y, work.K[0])
    while code == OK and clock[TIME] < clock[END]:
        h = min(clock[STEP], clock[END] - clock[TIME])
        code = try_stages(model, data, factor, space, work, h)
        norm = error_norm(work, h) if code == OK else 1e3
        if code != OK or not norm < 1.0:
            counts[REJECTED] += 1
            counts[CODE] = code
            clock[STEP] = h * (0.25 if code != OK else max(SMALLEST_FACTOR, SAFETY * norm ** (-1.0 / 8.0)))
            if clock[STEP] < SMALLEST_STEP:
                return AT_SINGULARITY
            code = OK
            continue
        counts[ACCEPTED] += 1
        sample(model, data, factor, space, work, h)
        accept(model, data, factor, space, work, clock[TIME] + h)
        grow = LARGEST_FACTOR if norm == 0.0 else min(LARGEST_FACTOR, max(SMALLEST_FACTOR, SAFETY * norm ** (-0.125)))
        is_last = clock[TIME] + h >= clock[END]
        clock[TIME] = clock[END] if is_last else clock[TIME] + h
        # a step cut by the end says little about the next one
        clock[STEP] = max(clock[STEP], h * grow) if is_last else h * grow
    if code != OK:
        counts[CODE] = code
        return AT_SINGULARITY
    return DONE


@part
def stage_state(work, s, h, target):
    """y + h sum_j A[s, j] K[j]."""
    y, y_new, K = work.y, target, work.K
    for k in range(len(y)):
        y_new[k] = 0.0
    for j in range(s):
        a = A[s, j]
        if a != 0.0:
            for k in range(len(y)):
                y_new[k] += a * K[j, k]
    for k in range(len(y)):
        y_new[k] = y[k] + h * y_new[k]


@kernel
def try_stages(model, data, factor, space, work, h):
    """All stages and the rate at the end of the step, whose state stays in y_new."""
    t = work.clock[TIME]
    for s in range(1, STAGES):
        stage_state(work, s, h, work.stage)
        code = state_rate(model, data, factor, space, t + C[s] * h, work.stage, work.K[s])
        if code != OK:
            return code
    stage_state(work, STAGES, h, work.y_new)
    code = state_rate(model, data, factor, space, t + h, work.y_new, work.K[STAGES])
    copy(data.q, work.q_end)
    return code


@part
def error_norm(work, h):
    """The mixed estimate of orders 5 and 3, against the tolerance."""
    y, y_new, K, tolerance = work.y, work.y_new, work.K, work.clock[TOLERANCE]
    fifth = 0.0
    third = 0.0
    for k in range(len(y)):
        scale = tolerance * (1.0 + max(abs(y[k]), abs(y_new[k])))
        e5 = 0.0
        e3 = 0.0
        for s in range(STAGES + 1):
            e5 += E5[s] * K[s, k]
            e3 += E3[s] * K[s, k]
        fifth += (e5 / scale) ** 2
        third += (e3 / scale) ** 2
    if fifth == 0.0 and third == 0.0:
        return 0.0
    return abs(h) * fifth / np.sqrt((fifth + 0.01 * third) * len(y))


@kernel
def accept(model, data, factor, space, work, time):
    """Take the step: the root-tracked positions of its last evaluation, projected where constraints remain."""
    nq = len(data.q)
    for k in range(len(work.y)):
        work.y[k] = work.q_end[k] if k < nq else work.y_new[k]
        work.K[0, k] = work.K[STAGES, k]
    if len(space.rest) > 0:
        state_rate(model, data, factor, space, time, work.y, work.K[0])
        place_closures(model, data)
        for _ in range(3):
            if largest_gap(data.rows) <= 1e-14 * space.size[0]:
                break
            mass_step(model, data, factor, False, work.step)
            move(model, data.q, work.step, data.q)
            place_closures(model, data)
        mass_step(model, data, factor, True, work.step)
        for k in range(nq):
            work.y[k] = data.q[k]
        kept = space.elimination.kept
        for j in range(len(kept)):
            work.y[nq + j] += work.step[kept[j]]
        state_rate(model, data, factor, space, time, work.y, work.K[0])


@part
def largest_gap(rows):
    """Largest closure error."""
    worst = 0.0
    for i in range(len(rows)):
        worst = max(worst, abs(rows[i].value))
    return worst


@kernel
def sample(model, data, factor, space, work, h):
    """Read the samples inside the step off its dense output; needs three more evaluations."""
    t, taken = work.clock[TIME], work.counts[SAMPLED]
    end = t + h * (1.0 + 1e-12)
    if taken >= len(work.times) or work.times[taken] > end:
        return
    y, K, F = work.y, work.K, work.F
    for k in range(len(y)):
        change = work.y_new[k] - y[k]
        F[0, k] = change
        F[1, k] = h * K[0, k] - change
        F[2, k] = 2.0 * change - h * (K[STAGES, k] + K[0, k])
    for s in range(STAGES + 1, ALL_STAGES):
        stage_state(work, s, h, work.stage)
        state_rate(model, data, factor, space, t + C[s] * h, work.stage, K[s])
    for i in range(4):
        for k in range(len(y)):
            total = 0.0
            for s in range(ALL_STAGES):
                total += D[i, s] * K[s, k]
            F[3 + i, k] = h * total
    while taken < len(work.times) and work.times[taken] <= end:
        x = (work.times[taken] - t) / h
        for k in range(len(y)):
            value = 0.0
            for i in range(POWERS - 1, -1, -1):
                value = (value + F[i, k]) * (x if i % 2 == 0 else 1.0 - x)
            work.samples[taken, k] = y[k] + value
        taken += 1
    work.counts[SAMPLED] = taken
