"""The adaptive time loop of the Radau method between two restarts, all of it compiled.

Step size: predictive controller [Hairer 1996, Eq. IV.8.25]. Samples are taken from the step's own polynomials: velocities
from the cubic through the begin and the stages, positions by its integral, multipliers from the quadratic through the
stages; positions and velocities are then closed.
"""

from typing import NamedTuple

import numpy as np

from taut.dynamics.energy import dissipated_power, input_power
from taut.dynamics.positions import move
from taut.integrate.methods.radau_tableau import CUBIC, B, QUADRATIC
from taut.integrate.radau_stages import displacement_rates, place_stage
from taut.integrate.radau_step import close_positions, close_velocities, estimate_error, predict, refresh_factors, solve_stages
from taut.integrate.radau_work import (
    ACCEPTED,
    END,
    ERROR,
    EVALUATED,
    FACTOR_STEP,
    IS_FIRST,
    IS_FRESH,
    IS_REJECTED,
    LARGEST_STEP,
    LAST_ERROR,
    LAST_STEP,
    LOGGED,
    NEWTON_FAILED,
    RATE,
    REJECTED,
    SAMPLED,
    STEP,
    TIME,
    TOLERANCE,
    WORK_IN,
    WORK_LOST,
)
from taut.integrate.residual import residual
from taut.kernels.jit import block, kernel

SAFETY = 0.9
LEAST_FACTOR, MOST_FACTOR = 0.125, 8.0
CLOSED = 1e-11
CLOSED_RATE = 1e-10
SLOW_RATE = 0.05  # a Newton matrix with a faster rate is kept while the step does not change


class Samples(NamedTuple):
    """Where samples and the step log go."""

    times: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray
    z: np.ndarray
    work: np.ndarray
    log: np.ndarray  # per step: time, size, iterations, error


@kernel
def next_step(work):
    """Step to try: the proposed one, stretched or halved so that the end is met."""
    left = work.clock[END] - work.clock[TIME]
    h = min(work.clock[STEP], work.clock[LARGEST_STEP])
    if h >= 0.999 * left:
        return left
    return 0.5 * left if 2.0 * h > left else h


@block
def attempt_step(model, work, h):
    """Try a step; returns True if it is accepted and sets the next proposal."""
    clock, count = work.clock, work.count
    if not (count[IS_FRESH] or clock[FACTOR_STEP] == h and clock[RATE] < SLOW_RATE):
        refresh_factors(model, work, h)
    elif clock[FACTOR_STEP] != h:
        refresh_factors(model, work, h)
    predict(work, h)
    iterations = solve_stages(model, work, h)
    if iterations == 0:
        if count[IS_FRESH]:
            clock[STEP] = 0.4 * h
        count[NEWTON_FAILED] += 1
        count[IS_REJECTED] = 1
        refresh_factors(model, work, clock[STEP])
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
    if count[IS_REJECTED]:
        factor = min(factor, 1.0)
    clock[STEP] = h * factor if not 1.0 <= factor <= 1.2 else h
    clock[LAST_ERROR] = max(error, 1e-2)
    return iterations


@block
def stage_powers(model, work, h):
    """Input and dissipated power at the converged stages."""
    for i in range(3):
        place_stage(work, i, h)
        work.stage.lam[:] = work.L[i]
        residual(model, work.stage, work.a[i], work.L[i], work.R[i])
        work.power[i, 0] = input_power(model, work.stage)
        work.power[i, 1] = dissipated_power(model, work.stage)
    work.count[EVALUATED] += 3


@block
def take_sample(model, work, samples, h):
    """One sample inside the step."""
    k = work.count[SAMPLED]
    data = work.stage
    s = (samples.times[k] - work.clock[TIME]) / h
    for c in range(len(work.v)):
        y0, y1, y2, y3 = work.v[c], work.V[0, c], work.V[1, c], work.V[2, c]
        p0 = CUBIC[0, 0] * y0 + CUBIC[0, 1] * y1 + CUBIC[0, 2] * y2 + CUBIC[0, 3] * y3
        p1 = CUBIC[1, 0] * y0 + CUBIC[1, 1] * y1 + CUBIC[1, 2] * y2 + CUBIC[1, 3] * y3
        p2 = CUBIC[2, 0] * y0 + CUBIC[2, 1] * y1 + CUBIC[2, 2] * y2 + CUBIC[2, 3] * y3
        p3 = CUBIC[3, 0] * y0 + CUBIC[3, 1] * y1 + CUBIC[3, 2] * y2 + CUBIC[3, 3] * y3
        data.v[c] = p0 + s * (p1 + s * (p2 + s * p3))
        samples.a[k, c] = (p1 + s * (2.0 * p2 + s * 3.0 * p3)) / h
        # integral of d' in place of v: the same cubic through the rates of the displacement
        y1, y2, y3 = work.D_rate[0, c], work.D_rate[1, c], work.D_rate[2, c]
        p0 = CUBIC[0, 0] * y0 + CUBIC[0, 1] * y1 + CUBIC[0, 2] * y2 + CUBIC[0, 3] * y3
        p1 = CUBIC[1, 0] * y0 + CUBIC[1, 1] * y1 + CUBIC[1, 2] * y2 + CUBIC[1, 3] * y3
        p2 = CUBIC[2, 0] * y0 + CUBIC[2, 1] * y1 + CUBIC[2, 2] * y2 + CUBIC[2, 3] * y3
        p3 = CUBIC[3, 0] * y0 + CUBIC[3, 1] * y1 + CUBIC[3, 2] * y2 + CUBIC[3, 3] * y3
        work.x[c] = h * s * (p0 + s * (p1 / 2.0 + s * (p2 / 3.0 + s * p3 / 4.0)))
    move(model, work.q, work.x, data.q)
    for j in range(len(work.lam)):
        samples.lam[k, j] = quadratic(work.L[0, j], work.L[1, j], work.L[2, j], s)
    for j in range(len(work.z)):
        samples.z[k, j] = quadratic(work.Z[0, j], work.Z[1, j], work.Z[2, j], s)
    data.time[0] = samples.times[k]
    close_positions(model, work, data, CLOSED)
    close_velocities(model, work, data, CLOSED_RATE)
    samples.q[k, :] = data.q
    samples.v[k, :] = data.v
    for j in range(2):
        samples.work[k, j] = work.clock[WORK_IN + j] + h * quadratic_integral(
            work.power[0, j], work.power[1, j], work.power[2, j], s
        )
    work.count[SAMPLED] += 1


@kernel
def quadratic(y1, y2, y3, s):
    """The quadratic through the stages at s."""
    value = 0.0
    for p in range(2, -1, -1):
        value = value * s + QUADRATIC[p, 0] * y1 + QUADRATIC[p, 1] * y2 + QUADRATIC[p, 2] * y3
    return value


@kernel
def quadratic_integral(y1, y2, y3, s):
    """Its integral from 0 to s."""
    value = 0.0
    for p in range(2, -1, -1):
        value = (value + (QUADRATIC[p, 0] * y1 + QUADRATIC[p, 1] * y2 + QUADRATIC[p, 2] * y3) / (p + 1)) * s
    return value


@block
def finish_step(model, work, samples, h, iterations):
    """Samples, closed end state, work, log; the step becomes the past."""
    clock, count = work.clock, work.count
    end = clock[END] if h == clock[END] - clock[TIME] else clock[TIME] + h
    stage_powers(model, work, h)
    # the end state first, so that a sample at the end is the same
    while count[SAMPLED] < len(samples.times) and samples.times[count[SAMPLED]] <= end:
        take_sample(model, work, samples, h)
    data = work.stage
    data.time[0] = end
    data.q[:] = work.Q[2]
    data.v[:] = work.V[2]
    close_positions(model, work, data, CLOSED)
    close_velocities(model, work, data, CLOSED_RATE)
    work.v_last[:] = work.v
    work.q[:] = data.q
    work.v[:] = data.v
    work.acceleration[:] = work.a[2]
    work.lam[:] = work.L[2]
    work.z[:] = work.Z[2]
    for j in range(2):
        clock[WORK_IN + j] += h * (B[0] * work.power[0, j] + B[1] * work.power[1, j] + B[2] * work.power[2, j])
    if count[LOGGED] < len(samples.log):
        row = samples.log[count[LOGGED]]
        row[0], row[1], row[2], row[3] = clock[TIME], h, iterations, clock[ERROR]
        count[LOGGED] += 1
    clock[TIME] = end
    clock[LAST_STEP] = h
    count[ACCEPTED] += 1
    count[IS_FIRST] = 0
    count[IS_FRESH] = 0
    count[IS_REJECTED] = 0


@block
def radau_advance(model, work, samples, most_steps):
    """Steps until clock[END], a full log, or failure; returns 0 done, 1 more to do, 2 step too small, 3 not finite."""
    clock = work.clock
    for _ in range(most_steps):
        if clock[TIME] >= clock[END]:
            return 0
        h = next_step(work)
        if not h > 1e-14 * max(abs(clock[TIME]), 1e-3):
            return 2
        iterations = attempt_step(model, work, h)
        if iterations > 0:
            finish_step(model, work, samples, h, iterations)
            if work.count[LOGGED] >= len(samples.log):
                return 1
    return 0 if clock[TIME] >= clock[END] else 1
