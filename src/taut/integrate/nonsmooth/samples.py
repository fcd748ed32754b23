"""Samples inside a step of the non-smooth methods: its end as it is, and in between a state that is closed."""

from taut.dynamics.residual import place_closures
from taut.integrate.nonsmooth.rows import close_rates, close_rows
from taut.integrate.step.closing import CLOSED
from taut.integrate.step.dense import dense_unknowns, place_unknowns
from taut.kernels.arrays import copy
from taut.kernels.jit import block

CLOSED_SPEED = 1e-9  # velocities are closed to this error [m/s]; positions as in the other methods
# share of the step: a sample closer to its end belongs to the end. Step ends are sums with rounding, and impulses are
# means over a step, so that rounding must not decide to which step a sample belongs
AT_END = 1e-6


@block
def take_sample(model, work, samples):
    """One sample inside the step; at its end, the end itself."""
    answer, mean_a, lam_begin, mu, lam_end = work.answer, work.mean_a, work.lam_begin, work.mu, work.lam_end
    closed_end, closed, active, K_end = work.closed_end, work.closed, work.active, work.K_end
    K_begin = work.K_begin
    clock, count, stage = work.clock[0], work.count[0], work.stage
    k, n, m, h = count.next_sample, len(stage.v), len(stage.z), clock.done_step
    s = (samples.times[k] - clock.time) / h
    if s > 1.0 - AT_END:
        s = 1.0
    dense_unknowns(work, s)
    place_unknowns(model, work, work.y_now, stage, samples.times[k])
    if s == 1.0:
        # the end itself, which was closed after the polynomial was made
        copy(work.q_end, stage.q)
        copy(work.y_end[n : 2 * n], stage.v)
    for a in range(len(work.rows)):
        # a row that closes in this step is open before its end
        active[a] = 1 if closed_end[a] and (s == 1.0 or closed[a]) else 0
    if s < 1.0 and count.is_closed and len(stage.rows) > 0:
        close_rows(model, work, stage, active, 20.0 * CLOSED, answer, mu)
        place_closures(model, stage)
        close_rates(model, work, stage, active, CLOSED_SPEED, answer, mu)
    copy(stage.q, samples.q[k])
    copy(stage.v, samples.v[k])
    copy(stage.z, samples.z[k])
    for j in range(2):
        samples.work[k, j] = clock.works[j] + work.y_now[2 * n + m + j]
    # forces are interpolated linearly; an impulse is a mean over the step
    for c in range(n):
        line = (1.0 - s) * K_begin[n + c] + s * K_end[n + c]
        samples.a[k, c] = line if count.has_forces else mean_a[c]
    for j in range(len(work.lam_end)):
        line = (1.0 - s) * lam_begin[j] + s * lam_end[j]
        samples.lam[k, j] = line if count.has_forces else lam_end[j] / h
    for a in range(len(work.rows)):
        if s < 1.0 and not active[a]:
            samples.lam[k, work.rows[a]] = 0.0
    count.next_sample += 1
