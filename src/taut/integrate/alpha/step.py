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
their slopes come from two short steps by implicit Euler's rule (a_1 = v'_1, gamma = 1, beta = 1/2), extrapolated to
zero length: the motion after the decay of the fast motions that a jump of a signal excites.
"""

import numpy as np

from taut.dynamics.forces.acting import column_position
from taut.dynamics.forces.laws import state_pace
from taut.dynamics.residual import factor_dragged, place_closures, residual, solve_dragged
from taut.dynamics.tree.positions import move
from taut.integrate.step.closing import closing_step
from taut.integrate.step.dense import place_unknowns, powers
from taut.integrate.step.newton_loop import newton_loop
from taut.kernels.arrays import copy
from taut.kernels.jit import block, kernel, part

START_STEP = 0.1  # size of the short steps at a restart, relative to the step
SLOW_RATE = 0.1  # a Newton matrix with a lower (faster) rate of convergence is kept while the step does not change
SAME_STEP = 1e-3  # relative difference below which two steps count as equal


@block
def evaluate_begin(model, work):
    """The equations at the start of the step, for a Newton matrix; after a restart also the powers there."""
    at, n, m = work.at, len(work.at.v), len(work.at.z)
    place_unknowns(model, work, work.y_begin, at, work.clock[0].time)
    copy(work.lam_begin, at.lam)
    residual(model, at, work.K_begin[n : 2 * n], work.lam_begin, work.rhs)
    if work.count[0].is_first:
        powers(model, at, work.K_begin[2 * n + m :])
        copy(at.z_rate, work.K_begin[2 * n : 2 * n + m])


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
    """Newton matrix of Eq. (4) at the start of the step."""
    evaluate_begin(model, work)
    factor_dragged(model, work.at, work.factor, gamma * h / c, beta * h * h / c)
    count_factor(work, h)


@block
def refresh_ahead(model, work, h, scheme):
    """Newton matrix of Eq. (4) where the step is expected to end.

    Where the start is nearly singular (cranks in line), its matrix approximates the end badly, and halving the step
    would lead ever closer to the singular position, never past it.
    """
    alpha_m, alpha_f, gamma, beta = scheme
    at, n, c = work.at, len(work.at.v), (1.0 - alpha_m) / (1.0 - alpha_f)
    predict(work, h)
    place_end(model, work, h, scheme)
    place_unknowns(model, work, work.y_end, at, work.clock[0].time + h)
    copy(work.lam_end, at.lam)
    residual(model, at, work.K_end[n : 2 * n], work.lam_end, work.rhs)
    factor_dragged(model, at, work.factor, gamma * h / c, beta * h * h / c)
    count_factor(work, h)


@block
def predict(work, h):
    """Start values of the iteration: the last step's slopes carried on."""
    a_begin, offset, a_slope, a_end = work.a_begin, work.offset, work.a_slope, work.a_end
    lam_slope, lam_begin, lam_end = work.lam_slope, work.lam_begin, work.lam_end
    n = len(work.a_end)
    for c in range(n):
        a_begin[c] = work.K_begin[n + c] + h * offset[c]
        a_end[c] = a_begin[c] + h * a_slope[c]
    for j in range(len(work.lam_end)):
        lam_end[j] = lam_begin[j] + h * lam_slope[j]


@kernel
def end_states(model, q, y_begin, y_end, data, h):
    """Internal states of laws, z' = k (e - z), exactly for a stretch e that is linear over the step."""
    q_end, z, columns, n = data.q, data.z, model.columns, len(data.v)
    for c in range(len(columns) if len(z) > 0 else 0):
        column = columns[c]
        if column.state >= 0:
            s = column.state
            k = h * state_pace(column)
            e0 = column_position(column, q) - column.free
            e1 = column_position(column, q_end) - column.free
            z0 = y_begin[2 * n + s]
            lag = (e1 - e0) / k
            z[s] = e1 - lag + (z0 - e0 + lag) * np.exp(-k) if k > 1e-6 else z0 + k * (0.5 * (e0 + e1) - z0)
            y_end[2 * n + s] = z[s]


@block
def place_end(model, work, h, scheme):
    """Place the state at the end of the step for the present a, Eqs. (1), (2)."""
    a_begin, a_end, K_end, K_begin, y_begin = work.a_begin, work.a_end, work.K_end, work.K_begin, work.y_begin
    y_end = work.y_end
    alpha_m, alpha_f, gamma, beta = scheme
    q, data, n = work.q_begin, work.stage, len(work.a_end)
    f = 1.0 / (1.0 - alpha_f)
    for c in range(n):
        a0, a1, v0 = a_begin[c], a_end[c], y_begin[n + c]
        K_end[n + c] = f * ((1.0 - alpha_m) * a1 + alpha_m * a0 - alpha_f * K_begin[n + c])
        data.v[c] = v0 + h * ((1.0 - gamma) * a0 + gamma * a1)
        y_end[n + c] = data.v[c]
        y_end[c] = h * v0 + h * h * ((0.5 - beta) * a0 + beta * a1)
    move(model, q, y_end, data.q)
    end_states(model, q, y_begin, y_end, data, h)
    data.time[0] = work.clock[0].time + h


@block
def newton_iteration(model, work, h, indexed):
    """One iteration of Eq. (4), for a scheme and an index; returns the size of the correction as a displacement."""
    scheme, index = indexed
    answer, a_end, rhs, mu, lam_end = work.answer, work.a_end, work.rhs, work.mu, work.lam_end
    row_rhs = work.row_rhs
    alpha_m, alpha_f, gamma, beta = scheme
    stage = work.stage
    place_end(model, work, h, scheme)
    n, m = len(work.a_end), len(work.lam_end)
    residual(model, stage, work.K_end[n : 2 * n], lam_end, rhs)
    work.count[0].evaluated += 1
    # Eq. (4): unknown is a displacement (index 3) or a velocity (index 2), multipliers scaled alike
    ratio = (1.0 - alpha_m) / (1.0 - alpha_f)
    f = beta * h * h if index == 3 else gamma * h
    for c in range(n):
        rhs[c] *= -f / ratio
    for j in range(m):
        row_rhs[j] = -stage.rows[j].value if index == 3 else -stage.rows[j].rate
    solve_dragged(model, work.at, work.factor, rhs, row_rhs, answer, mu)
    total = 0.0
    for c in range(n):
        change = answer[c] / f
        a_end[c] += change
        # the correction as a displacement, for both indices, so that one goal fits both
        total += (gamma * h * h * change) ** 2
    for j in range(m):
        lam_end[j] += ratio / f * mu[j]
    return np.sqrt(total / max(n, 1))


solve_step = newton_loop(newton_iteration)


@block
def hold_closures(model, at, factor, data, e, mu, x):
    """Project a displacement e onto the motions that the closures allow, in the metric of the Newton matrix."""
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
    offset, a_slope, a_end, lam_slope = work.offset, work.a_slope, work.a_end, work.lam_slope
    lam_begin, lam_end, K_begin = work.lam_begin, work.lam_end, work.K_begin
    n = len(work.a_end)
    # the first short step: store its end in vectors that are not used before the restart is done
    if trial == -2:
        copy(a_end, offset)
        copy(lam_end, lam_slope)
        return
    # steps of s and 2 s: values extrapolated to zero length, slopes from their difference
    ahead = work.clock[0].alpha_m - work.clock[0].alpha_f
    for c in range(n):
        slope = 2.0 * (a_end[c] - offset[c]) / step
        K_begin[n + c] = 2.0 * offset[c] - a_end[c]
        a_slope[c] = slope
        offset[c] = ahead * slope
    for j in range(len(work.lam_end)):
        slope = 2.0 * (lam_end[j] - lam_slope[j]) / step
        lam_begin[j] = 2.0 * lam_slope[j] - lam_end[j]
        lam_slope[j] = slope


def with_start(refresh, guess, solve, rescue):
    """The iteration of a step, preceded by the two short steps of a restart, for smooth and non-smooth variants.

    Args:
        refresh: Newton matrix at the start of the step, of (model, work, h, gamma, beta, c).
        guess: start of the iteration, of (work, h), with h = 0 for a short step.
        solve: Newton's iteration, of (model, work, h, scheme, goal, is_short); returns iterations, or 0.
        rescue: second attempt after a fresh matrix has failed; signature of ``solve``.
    """

    @block
    def iterate(model, work, h):
        """Returns iterations of the step, or 0, and if its matrix was fresh."""
        clock, count = work.clock[0], work.count[0]
        iterations = 0
        is_fresh = False
        # a restart takes two short steps of implicit Euler first; their ends only give start values
        for trial in range(0 if count.is_started else -2, 1):
            is_short = trial < 0
            step = START_STEP * h * (trial + 3) if is_short else h
            scheme = (0.0, 0.0, 1.0, 0.5) if is_short else (clock.alpha_m, clock.alpha_f, clock.gamma, clock.beta)
            alpha_m, alpha_f, gamma, beta = scheme
            goal = clock.goal * START_STEP * START_STEP if is_short else clock.goal
            # a matrix serves as long as the step is the same and the iteration converges fast
            if is_short or not abs(clock.factor_step - h) < SAME_STEP * h or clock.rate > SLOW_RATE:
                refresh(model, work, step, gamma, beta, (1.0 - alpha_m) / (1.0 - alpha_f))
                is_fresh = True
            guess(work, 0.0 if is_short else h)
            iterations = solve(model, work, step, scheme, goal, is_short)
            if iterations == 0 and is_fresh:
                iterations = rescue(model, work, step, scheme, goal, is_short)
            # the next step has another length and scheme, so this matrix must not be used again
            if is_short:
                clock.factor_step = 0.0
                if iterations == 0:
                    break
                keep_start(work, trial, step)
                if trial == -1:
                    count.is_started = 1
        return iterations, is_fresh

    return iterate


@part
def solve_smooth(model, work, h, scheme, goal, is_short):
    """Newton's iteration of Eq. (4); a short step has index 2."""
    index = 2 if is_short else work.count[0].index
    return solve_step(model, work, h, (scheme, index), goal, work.count[0].most_iterations)


@part
def solve_ahead(model, work, h, scheme, goal, is_short):
    """Iterate again with the matrix at the predicted end, which leads past singular positions."""
    if is_short or work.count[0].is_real_time:
        return 0
    refresh_ahead(model, work, h, scheme)
    predict(work, h)
    return solve_smooth(model, work, h, scheme, goal, is_short)


iterate = with_start(refresh_factor, predict, solve_smooth, solve_ahead)
