"""One step of the generalized-alpha method: start, predict, iterate.

With the method's acceleration a beside that of the equations of motion, a step is [Arnold 2007]
    q_1 = q_0 (+) D,   D = h v_0 + h^2 ((1/2 - beta) a_0 + beta a_1),   v_1 = v_0 + h ((1 - gamma) a_0 + gamma a_1)  (1)
    (1 - alpha_m) a_1 + alpha_m a_0 = (1 - alpha_f) v'_1 + alpha_f v'_0                                              (2)
    R(t_1, q_1, v_1, v'_1, lam_1) = 0,   g(q_1) = 0 (index 3) or J v_1 + dg/dt = 0 (index 2)                         (3)
where (+) is the exponential for quaternions [Bruls 2012]. Newton's correction is taken in displacements (index
3) or velocities (index 2), with the multipliers multiplied by the same power of h, so that small steps lose no digits
[Bottasso 2007]. With f = beta h^2 or gamma h, and c = (1 - alpha_m) / (1 - alpha_f),
    (M + gamma h / c D + beta h^2 / c K) x - J^T mu = -f / c R,   J x = -g or -rate,  da_1 = x / f, dlam = c mu / f. (4)
a runs ahead of v' by alpha_m - alpha_f steps [Arnold 2015]: a = v' + h offset. At a restart, v'_0, lam_0 and
their slopes come from two short steps by implicit Euler's rule (a_1 = v'_1, gamma = 1, beta = 1/2), extrapolated to no
step at all: what the machine does after its fast motions have died out, which a jump of a signal sets off.
"""

import numpy as np

from taut.dynamics.forces import column_position
from taut.dynamics.laws import state_pace
from taut.dynamics.positions import move
from taut.dynamics.residual import factor_dragged, place_closures, residual, solve_dragged
from taut.integrate.closing import closing_step
from taut.integrate.step_dense import place_unknowns, powers
from taut.integrate.step_work import (
    BEGIN,
    FINAL,
)
from taut.kernels.arrays import copy
from taut.kernels.jit import block, kernel, part

# rows of K: rates at the begin and the end of the step, and at the begin of the step before
LATER, BEFORE = 1, 2
# rows of X: (a - v') / h at the begin, slope of a in the last step, a at begin and end, right-hand side, solution
OFFSET, SLOPE, A_BEGIN, A, B, CHANGE = range(6)
# rows of Y: multipliers at the begin and the end, their slope in the last step, right-hand side, solution
LAM, L, LAM_SLOPE, G, MU = range(5)

START_STEP = 0.1  # the short steps at a restart, against the step
LEAST_RATE = 1e-4  # a rate of convergence seen by chance is not trusted further
AGEING = 0.8  # exponent of a rate at every step that does not measure it anew [Hairer 1996, sec. IV.8]
SLOW_RATE = 0.1  # a Newton matrix with a faster rate is kept while the step does not change
SAME_STEP = 1e-3  # and a step that differs by less counts as the same
NEGLIGIBLE = 1e-2  # a correction this small against the goal ends the iteration whatever its rate


@block
def evaluate_begin(model, work):
    """The equations at the begin of the step, for a Newton matrix; after a restart also the powers there."""
    at, n, m = work.at, len(work.at.v), len(work.at.z)
    place_unknowns(model, work, BEGIN, at, work.clock[0].time)
    copy(work.Y[LAM], at.lam)
    residual(model, at, work.K[0, n : 2 * n], work.Y[LAM], work.X[B])
    if work.count[0].is_first:
        powers(model, at, work.K[0, 2 * n + m :])
        copy(at.z_rate, work.K[0, 2 * n : 2 * n + m])


@part
def count_factor(work, h):
    """A new Newton matrix, of which no rate of convergence is known."""
    work.clock[0].factor_step = h
    work.clock[0].rate = 0.0
    work.clock[0].trusted_rate = 1.0
    work.count[0].factored += 1
    work.count[0].evaluated += 1


@block
def refresh_factor(model, work, h, gamma, beta, c):
    """Newton matrix of Eq. (4) at the begin of the step."""
    evaluate_begin(model, work)
    factor_dragged(model, work.at, work.factor, gamma * h / c, beta * h * h / c)
    count_factor(work, h)


@block
def refresh_ahead(model, work, h, scheme):
    """Newton matrix of Eq. (4) where the step is expected to end.

    Where the begin is nearly singular (cranks in line), the matrix there says little about the end; halving the step
    would lead ever closer to the singular position, and never past it.
    """
    alpha_m, alpha_f, gamma, beta = scheme
    at, n, c = work.at, len(work.at.v), (1.0 - alpha_m) / (1.0 - alpha_f)
    predict(work, h)
    place_end(model, work, h, scheme)
    place_unknowns(model, work, FINAL, at, work.clock[0].time + h)
    copy(work.Y[L], at.lam)
    residual(model, at, work.K[LATER, n : 2 * n], work.Y[L], work.X[B])
    factor_dragged(model, at, work.factor, gamma * h / c, beta * h * h / c)
    count_factor(work, h)


@block
def predict(work, h):
    """Start values of the iteration: the last step's slopes carried on."""
    X, Y, n = work.X, work.Y, work.X.shape[1]
    for c in range(n):
        X[A_BEGIN, c] = work.K[0, n + c] + h * X[OFFSET, c]
        X[A, c] = X[A_BEGIN, c] + h * X[SLOPE, c]
    for j in range(Y.shape[1]):
        Y[L, j] = Y[LAM, j] + h * Y[LAM_SLOPE, j]


@kernel
def end_states(model, q, y, data, h):
    """Internal states of laws, z' = k (e - z), exactly for a stretch e that is linear over the step."""
    q_end, z, columns, n = data.q, data.z, model.columns, len(data.v)
    for c in range(len(columns) if len(z) > 0 else 0):
        column = columns[c]
        if column.state >= 0:
            s = column.state
            k = h * state_pace(column)
            e0 = column_position(column, q) - column.free
            e1 = column_position(column, q_end) - column.free
            z0 = y[BEGIN, 2 * n + s]
            lag = (e1 - e0) / k
            z[s] = e1 - lag + (z0 - e0 + lag) * np.exp(-k) if k > 1e-6 else z0 + k * (0.5 * (e0 + e1) - z0)
            y[FINAL, 2 * n + s] = z[s]


@block
def place_end(model, work, h, scheme):
    """Eqs. (1), (2): state at the end of the step for the present a."""
    alpha_m, alpha_f, gamma, beta = scheme
    q, y, K, X, data, n = work.q[BEGIN], work.y, work.K, work.X, work.stage, work.X.shape[1]
    f = 1.0 / (1.0 - alpha_f)
    for c in range(n):
        a0, a1, v0 = X[A_BEGIN, c], X[A, c], y[BEGIN, n + c]
        K[LATER, n + c] = f * ((1.0 - alpha_m) * a1 + alpha_m * a0 - alpha_f * K[0, n + c])
        data.v[c] = v0 + h * ((1.0 - gamma) * a0 + gamma * a1)
        y[FINAL, n + c] = data.v[c]
        y[FINAL, c] = h * v0 + h * h * ((0.5 - beta) * a0 + beta * a1)
    move(model, q, y[FINAL], data.q)
    end_states(model, q, y, data, h)
    data.time[0] = work.clock[0].time + h


@block
def newton_iteration(model, work, h, scheme, index):
    """Eq. (4) once; returns the size of the correction as a displacement."""
    alpha_m, alpha_f, gamma, beta = scheme
    X, Y, stage = work.X, work.Y, work.stage
    place_end(model, work, h, scheme)
    n, m = X.shape[1], Y.shape[1]
    residual(model, stage, work.K[LATER, n : 2 * n], Y[L], X[B])
    work.count[0].evaluated += 1
    work.count[0].iterations += 1
    ratio = (1.0 - alpha_m) / (1.0 - alpha_f)
    f = beta * h * h if index == 3 else gamma * h
    for c in range(n):
        X[B, c] *= -f / ratio
    for j in range(m):
        Y[G, j] = -stage.rows[j].value if index == 3 else -stage.rows[j].rate
    solve_dragged(model, work.at, work.factor, X[B], Y[G], X[CHANGE], Y[MU])
    total = 0.0
    for c in range(n):
        change = X[CHANGE, c] / f
        X[A, c] += change
        total += (gamma * h * h * change) ** 2
    for j in range(m):
        Y[L, j] += ratio / f * Y[MU, j]
    return np.sqrt(total / max(n, 1))


@block
def solve_step(model, work, h, scheme, index, goal, most):
    """Newton's iteration to an error of ``goal`` [rad or m]; returns the iterations, or 0 if it does not converge."""
    clock, is_bounded = work.clock[0], work.count[0].is_real_time
    last = 0.0
    found = 0
    for iteration in range(1, most + 1):
        size = newton_iteration(model, work, h, scheme, index)
        if not np.isfinite(size):
            break
        if iteration > 1:
            clock.rate = clock.trusted_rate = max(size / last, LEAST_RATE)
        rate = clock.trusted_rate
        # what remains after this iteration
        if size <= NEGLIGIBLE * goal or (rate < 1.0 and rate / (1.0 - rate) * size <= goal):
            found = iteration
            if iteration == 1:
                clock.trusted_rate = rate**AGEING
            break
        if is_bounded:
            if iteration == most:
                found = iteration
        elif iteration > 1 and (rate >= 1.0 or rate ** (most - iteration + 1) / (1.0 - rate) * size > goal):
            break
        last = size
    return found


@block
def hold_closures(model, at, factor, data, e, mu, x):
    """Take from a displacement e what the closures prevent, in the metric of the Newton matrix; needs residual."""
    rows, v = data.rows, data.v
    if len(rows) == 0:
        return
    for j in range(len(rows)):
        mu[j] = rows[j].rate
    for c in range(len(e)):
        v[c] += e[c]
    place_closures(model, data)
    for j in range(len(rows)):
        mu[j] -= rows[j].rate
    closing_step(model, at, factor, mu, x)
    for c in range(len(e)):
        e[c] += x[c]


@block
def keep_start(work, trial, step):
    """After each of the short steps of a restart: keep its end, and extrapolate from both."""
    X, Y, K = work.X, work.Y, work.K
    n = X.shape[1]
    if trial == -2:
        copy(X[A], X[OFFSET])
        copy(Y[L], Y[LAM_SLOPE])
        return
    ahead = work.clock[0].alpha_m - work.clock[0].alpha_f
    for c in range(n):
        slope = 2.0 * (X[A, c] - X[OFFSET, c]) / step
        K[0, n + c] = 2.0 * X[OFFSET, c] - X[A, c]
        X[SLOPE, c] = slope
        X[OFFSET, c] = ahead * slope
    for j in range(Y.shape[1]):
        slope = 2.0 * (Y[L, j] - Y[LAM_SLOPE, j]) / step
        Y[LAM, j] = 2.0 * Y[LAM_SLOPE, j] - Y[L, j]
        Y[LAM_SLOPE, j] = slope


@block
def iterate(model, work, h):
    """The two short steps of a restart, then the step itself; returns iterations, or 0, and if the matrix was fresh."""
    clock, count = work.clock[0], work.count[0]
    iterations = 0
    is_fresh = False
    for trial in range(0 if count.is_started else -2, 1):
        is_trial = trial < 0
        step = START_STEP * h * (trial + 3) if is_trial else h
        scheme = (0.0, 0.0, 1.0, 0.5) if is_trial else (clock.alpha_m, clock.alpha_f, clock.gamma, clock.beta)
        alpha_m, alpha_f, gamma, beta = scheme
        index = 2 if is_trial else count.index
        goal = clock.goal * START_STEP * START_STEP if is_trial else clock.goal
        if is_trial or not abs(clock.factor_step - h) < SAME_STEP * h or clock.rate > SLOW_RATE:
            refresh_factor(model, work, step, gamma, beta, (1.0 - alpha_m) / (1.0 - alpha_f))
            is_fresh = True
        predict(work, 0.0 if is_trial else h)
        iterations = solve_step(model, work, step, scheme, index, goal, count.most_iterations)
        if iterations == 0 and is_fresh and not is_trial and not count.is_real_time:
            refresh_ahead(model, work, step, scheme)
            predict(work, h)
            iterations = solve_step(model, work, step, scheme, index, goal, count.most_iterations)
        if is_trial:
            clock.factor_step = 0.0
            if iterations == 0:
                break
            keep_start(work, trial, step)
            if trial == -1:
                count.is_started = 1
    return iterations, is_fresh
