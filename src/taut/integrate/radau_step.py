"""One Radau step: predict, iterate, estimate the error, close the positions.

Error estimate [Hairer 1996, Eq. IV.8.20] for q' = v, M v' = f + J^T lam: with Z the stage increments and weights e,
    r_q = v + 1/h sum e_i D_i,     r_v = f(q + h/gamma r_q) + 1/h M sum e_i (V_i - v)
    S e_v - J^T mu = h/gamma r_v,  J e_v = 0,     e_q = h/gamma (e_v + r_q)                               (1)
where S = M + h/gamma D + (h/gamma)^2 K is the real factor of the Newton iteration.
"""

import numpy as np

from taut.dynamics.closures import closures
from taut.dynamics.kinematics import kinematics
from taut.dynamics.positions import move
from taut.integrate.methods.radau_tableau import CUBIC, C, ERROR_WEIGHTS, GAMMA, MU, QUADRATIC
from taut.integrate.radau_stages import newton_iteration
from taut.integrate.radau_work import (
    EVALUATED,
    FACTOR_STEP,
    FACTORED,
    IS_FIRST,
    IS_FRESH,
    ITERATIONS,
    LAST_STEP,
    RATE,
    TIME,
    TOLERANCE,
)
from taut.integrate.residual import factor_newton, residual, solve_newton
from taut.kernels.jit import block, kernel

MOST_ITERATIONS = 10
NEWTON_GOAL = 0.01  # Newton error against the tolerated error
CLOSED = 1e-12  # positions are closed to this, times the size of the machine
MOST_CLOSINGS = 4


@block
def refresh_factors(model, work, h):
    """Newton matrices at the begin of the step."""
    at = work.at
    at.time[0] = work.clock[TIME]
    at.q[:] = work.q
    at.v[:] = work.v
    at.z[:] = work.z
    at.lam[:] = work.lam
    residual(model, at, work.acceleration, work.lam, work.b)
    f = h / GAMMA
    factor_newton(model, at, work.real, f, f * f)
    p = h / MU
    factor_newton(model, at, work.paired, p, p * p)
    work.clock[FACTOR_STEP] = h
    work.count[FACTORED] += 1
    work.count[EVALUATED] += 1
    work.count[IS_FRESH] = 1


@kernel
def predict(work, h):
    """Start values: the last step's polynomials carried on, or rest of change after a restart."""
    n, m = len(work.v), len(work.lam)
    if work.count[IS_FIRST]:
        for i in range(3):
            for c in range(n):
                work.V[i, c] = work.v[c]
                work.D[i, c] = C[i] * h * work.v[c]
            for j in range(m):
                work.L[i, j] = work.lam[j]
        return
    s = h / work.clock[LAST_STEP]
    # velocities: the cubic through the begin and the stages of the last step
    for c in range(n):
        y0, y1, y2, y3 = work.v_last[c], work.V[0, c], work.V[1, c], work.V[2, c]
        for i in range(3):
            t = 1.0 + C[i] * s
            value = 0.0
            for p in range(3, -1, -1):
                value = value * t + CUBIC[p, 0] * y0 + CUBIC[p, 1] * y1 + CUBIC[p, 2] * y2 + CUBIC[p, 3] * y3
            work.V[i, c] = value
    for i in range(3):
        for c in range(n):
            work.D[i, c] = C[i] * h * 0.5 * (work.v[c] + work.V[i, c])
    for j in range(m):
        y1, y2, y3 = work.L[0, j], work.L[1, j], work.L[2, j]
        for i in range(3):
            t = 1.0 + C[i] * s
            value = 0.0
            for p in range(2, -1, -1):
                value = value * t + QUADRATIC[p, 0] * y1 + QUADRATIC[p, 1] * y2 + QUADRATIC[p, 2] * y3
            work.L[i, j] = value


@block
def solve_stages(model, work, h):
    """Newton's iteration; returns the number of iterations, or 0 if it does not converge."""
    last = 0.0
    rate = work.clock[RATE]
    for iteration in range(1, MOST_ITERATIONS + 1):
        size = newton_iteration(model, work, h)
        work.count[ITERATIONS] += 1
        if not np.isfinite(size):
            return 0
        if iteration > 1:
            rate = size / last
            if rate >= 1.0 or (rate ** (MOST_ITERATIONS - iteration) / (1.0 - rate) * size > NEWTON_GOAL and iteration > 2):
                work.clock[RATE] = rate
                return 0
            work.clock[RATE] = max(rate, 1e-3)
        done = rate / max(1.0 - rate, 1e-3) * size if rate < 1.0 else size
        if (iteration > 1 or work.clock[RATE] < 0.1) and done <= NEWTON_GOAL or size == 0.0:
            return iteration
        last = size
    return 0


@block
def estimate_error(model, work, h):
    """Eq. (1); returns the error in tolerated errors."""
    n, m = len(work.v), len(work.lam)
    stage = work.stage
    f = h / GAMMA
    e1, e2, e3 = ERROR_WEIGHTS
    r_q, minus_a = work.e_q, work.e_v
    for c in range(n):
        start = work.v[c]
        r_q[c] = start + (e1 * work.D[0, c] + e2 * work.D[1, c] + e3 * work.D[2, c]) / h
        increments = e1 * (work.V[0, c] - start) + e2 * (work.V[1, c] - start) + e3 * (work.V[2, c] - start)
        minus_a[c] = -increments / h
        work.b[c] = f * r_q[c]
    move(model, work.q, work.b, stage.q)
    stage.v[:] = work.v
    stage.z[:] = work.z
    stage.time[0] = work.clock[TIME]
    residual(model, stage, minus_a, work.lam, work.b)
    work.count[EVALUATED] += 1
    for c in range(n):
        work.b[c] *= -f
    for j in range(m):
        work.g[j] = 0.0
    solve_newton(model, work.at, work.real, work.b, work.g, work.e_v, work.mu)
    total = 0.0
    for c in range(n):
        work.e_q[c] = f * (work.e_v[c] + r_q[c])
        e = work.e_q[c] / work.scale[c]
        total += e * e
    return np.sqrt(total / max(n, 1))


@block
def close_positions(model, work, data, limit):
    """Close the loops at the state in ``data`` along soft directions (the metric of the Newton matrix)."""
    m = len(work.lam)
    if m == 0:
        return 0.0
    worst = np.inf
    for _ in range(MOST_CLOSINGS):
        kinematics(model, data)
        closures(model, data)
        size = 0.0
        for j in range(m):
            work.g[j] = -data.rows[j].value
            size = max(size, abs(data.rows[j].value))
        worst = size
        if not size > limit:
            break
        work.b[:] = 0.0
        solve_newton(model, work.at, work.real, work.b, work.g, work.e_v, work.mu)
        move(model, data.q, work.e_v, data.q)
    return worst


@block
def close_velocities(model, work, data, limit):
    """The same for velocities; needs the placed state of close_positions."""
    m = len(work.lam)
    if m == 0:
        return 0.0
    worst = np.inf
    for _ in range(MOST_CLOSINGS):
        size = 0.0
        for j in range(m):
            work.g[j] = -data.rows[j].rate
            size = max(size, abs(data.rows[j].rate))
        worst = size
        if not size > limit:
            break
        work.b[:] = 0.0
        solve_newton(model, work.at, work.real, work.b, work.g, work.e_v, work.mu)
        for c in range(len(work.v)):
            data.v[c] += work.e_v[c]
        kinematics(model, data)
        closures(model, data)
    return worst
