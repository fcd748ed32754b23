"""Time stepping in a reduced space: Dormand and Prince's method of order 8(5,3) with dense output of order 7.

The loop is compiled with the equations of motion (``kernels.dop853``). The state is y = (q, u): all positions, of which
the eliminated ones only carry the guess for root tracking from step to step, and the velocities of those that are kept.
Where constraints remain, every accepted step is projected on them, positions and velocities, moving as little mass as
possible.
"""

import numpy as np

from taut.dynamics.residual import mass_step, place_closures
from taut.dynamics.spaces.equations import OK, state_rate
from taut.dynamics.tree.positions import move
from taut.kernels.arrays import copy
from taut.kernels.bundle import Bundle
from taut.kernels.dense import cubic_terms, dense_values
from taut.kernels.dop853 import EXTENDED_STAGES, STAGES, C, estimate, last_terms, stage_unknowns
from taut.kernels.jit import entry, kernel, part
from taut.model.tables import INT, REAL, Column

DONE, SAMPLES_LEFT, AT_SINGULARITY, NOT_FINITE = range(4)
CLOCK = (
    Column("time", REAL, (), "s", "end of the last step"),
    Column("step", REAL, (), "s", "step to try next"),
    Column("end", REAL, (), "s", "end of the run"),
    Column("tolerance", REAL, (), "-", "as asked for"),
)
COUNTS = (
    Column("accepted", INT, (), "-", "steps"),
    Column("rejected", INT, (), "-", "steps"),
    Column("sampled", INT, (), "-", "samples taken"),
    Column("code", INT, (), "-", "of the last failed evaluation"),
)

SAFETY, SMALLEST_FACTOR, LARGEST_FACTOR = 0.9, 0.2, 6.0
SMALLEST_STEP = 1e-9  # smallest step [s]; a space that needs shorter ones has reached a singularity


class Stepping(Bundle):
    """State and workspace of a run in a reduced space."""

    clock: np.recarray
    counts: np.recarray
    y: np.ndarray
    y_new: np.ndarray  # state at the end of the step
    stage: np.ndarray  # state at a stage of the step
    q_end: np.ndarray  # positions at the end of the step, by root tracking
    K: np.ndarray  # rates at the stages [ALL_STAGES, n]
    F: np.ndarray  # coefficients of the dense output [POWERS, n]
    step: np.ndarray  # projection step [column_count]
    times: np.ndarray  # times of the samples asked for [s]
    samples: np.ndarray  # states y at the samples [sample, n]


@entry
def advance(model, data, factor, space, work):
    """Step from the clock's time to its end, and sample; returns how it ended."""
    clock, counts = work.clock[0], work.counts[0]
    code = state_rate(model, data, factor, space, clock.time, work.y, work.K[0])
    while code == OK and clock.time < clock.end:
        h = min(clock.step, clock.end - clock.time)
        code = try_stages(model, data, factor, space, work, h)
        norm = error_norm(work, h) if code == OK else 1e3
        if code != OK or not norm < 1.0:
            counts.rejected += 1
            counts.code = code
            clock.step = h * (0.25 if code != OK else max(SMALLEST_FACTOR, SAFETY * norm ** (-1.0 / 8.0)))
            if clock.step < SMALLEST_STEP:
                return AT_SINGULARITY
            code = OK
            continue
        counts.accepted += 1
        sample(model, data, factor, space, work, h)
        accept(model, data, factor, space, work, clock.time + h)
        grow = LARGEST_FACTOR if norm == 0.0 else min(LARGEST_FACTOR, max(SMALLEST_FACTOR, SAFETY * norm ** (-0.125)))
        is_last = clock.time + h >= clock.end
        clock.time = clock.end if is_last else clock.time + h
        # a last step that was shortened to meet the end does not limit the next one
        clock.step = max(clock.step, h * grow) if is_last else h * grow
    if code != OK:
        counts.code = code
        return AT_SINGULARITY
    return DONE


@kernel
def try_stages(model, data, factor, space, work, h):
    """All stages and the rate at the end of the step, whose state stays in y_new."""
    t = work.clock[0].time
    for s in range(1, STAGES):
        stage_unknowns(work.K, work.y, s, h, work.stage)
        code = state_rate(model, data, factor, space, t + C[s] * h, work.stage, work.K[s])
        if code != OK:
            return code
    stage_unknowns(work.K, work.y, STAGES, h, work.y_new)
    code = state_rate(model, data, factor, space, t + h, work.y_new, work.K[STAGES])
    copy(data.q, work.q_end)
    return code


@part
def error_norm(work, h):
    """The mixed estimate of orders 5 and 3, against the tolerance."""
    y, y_new, K, tolerance = work.y, work.y_new, work.K, work.clock[0].tolerance
    fifth = 0.0
    third = 0.0
    for k in range(len(y)):
        scale = tolerance * (1.0 + max(abs(y[k]), abs(y_new[k])))
        fifth += (estimate(K, 1, k) / scale) ** 2
        third += (estimate(K, 0, k) / scale) ** 2
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
    t, taken = work.clock[0].time, work.counts[0].sampled
    end = t + h * (1.0 + 1e-12)
    if taken >= len(work.times) or work.times[taken] > end:
        return
    y, K, F = work.y, work.K, work.F
    cubic_terms(y, work.y_new, K[0], K[STAGES], h, F)
    for s in range(STAGES + 1, EXTENDED_STAGES):
        stage_unknowns(K, y, s, h, work.stage)
        state_rate(model, data, factor, space, t + C[s] * h, work.stage, K[s])
    last_terms(K, F, h)
    while taken < len(work.times) and work.times[taken] <= end:
        dense_values(y, F, (work.times[taken] - t) / h, work.samples[taken])
        taken += 1
    work.counts[0].sampled = taken
