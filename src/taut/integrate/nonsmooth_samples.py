"""Samples inside a step of the non-smooth methods: its end as it is, and in between a state that is closed."""

from taut.dynamics.residual import place_closures
from taut.integrate.alpha_step import CHANGE, LAM, LATER, MU, L
from taut.integrate.closing import CLOSED as CLOSED_POSITION
from taut.integrate.nonsmooth_impulse_newton import TOTAL
from taut.integrate.nonsmooth_rows import close_rates, close_rows
from taut.integrate.nonsmooth_work import ACTIVE, CLOSED, CLOSED_END
from taut.integrate.step_dense import dense_unknowns, place_unknowns
from taut.integrate.step_work import FINAL, NOW
from taut.kernels.arrays import copy
from taut.kernels.jit import block

CLOSED_SPEED = 1e-9  # velocities are closed to this [m/s]; positions to that of the other methods
# of the step: a sample this near to its end is there; times of many steps add up with some rounding, and impulses are
# means over a step: which step a sample belongs to must not be left to chance
AT_END = 1e-6


@block
def take_sample(model, work, samples):
    """One sample inside the step; at its end, the end itself."""
    clock, count, stage = work.clock[0], work.count[0], work.stage
    k, n, m, h = count.next_sample, len(stage.v), len(stage.z), clock.done_step
    K, X, Y, sides = work.K, work.X, work.Y, work.sides
    s = (samples.times[k] - clock.time) / h
    if s > 1.0 - AT_END:
        s = 1.0
    dense_unknowns(work, s)
    place_unknowns(model, work, NOW, stage, samples.times[k])
    if s == 1.0:
        # the end itself, which was closed after the polynomial was made
        copy(work.q[FINAL], stage.q)
        copy(work.y[FINAL, n : 2 * n], stage.v)
    for a in range(len(work.rows)):
        # one that closes in this step is open before its end
        sides[ACTIVE, a] = 1 if sides[CLOSED_END, a] and (s == 1.0 or sides[CLOSED, a]) else 0
    if s < 1.0 and count.is_closed and len(stage.rows) > 0:
        close_rows(model, work, stage, sides[ACTIVE], 20.0 * CLOSED_POSITION, X[CHANGE], Y[MU])
        place_closures(model, stage)
        close_rates(model, work, stage, sides[ACTIVE], CLOSED_SPEED, X[CHANGE], Y[MU])
    copy(stage.q, samples.q[k])
    copy(stage.v, samples.v[k])
    copy(stage.z, samples.z[k])
    for j in range(2):
        samples.work[k, j] = clock.works[j] + work.y[NOW, 2 * n + m + j]
    # forces by their line, impulses by their mean
    for c in range(n):
        line = (1.0 - s) * K[0, n + c] + s * K[LATER, n + c]
        samples.a[k, c] = line if count.has_forces else X[TOTAL, c]
    for j in range(Y.shape[1]):
        line = (1.0 - s) * Y[LAM, j] + s * Y[L, j]
        samples.lam[k, j] = line if count.has_forces else Y[L, j] / h
    for a in range(len(work.rows)):
        if s < 1.0 and not sides[ACTIVE, a]:
            samples.lam[k, work.rows[a]] = 0.0
    count.next_sample += 1
