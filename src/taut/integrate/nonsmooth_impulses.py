"""A step whose reactions are impulses: the velocity-level schemes as published, generalized-alpha and Moreau-Jean.

The smooth velocity v~ knows no reaction; the velocity v = v~ + w has its jumps, with the impulses P of all rows in the
step [Wang 2018; Chen 2013]:
    R(t_1, q_1, v_1, v~'_1, 0) = 0,    M w = J^T P,    J_B v_1 + dg_B/dt = 0,
    0 <= J_A v_1 + dg_A/dt + e (rate of the gap at the begin)  complementary to  P_A >= 0                            (1)
    v~_1 = v_0 + h ((1 - gamma) a_0 + gamma a_1),  (1 - alpha_m) a_1 + alpha_m a_0 = (1 - alpha_f) v~'_1 + alpha_f v~'_0
    q_1 = q_0 (+) h v_0 + h^2 (d_0 a_0 + d_1 a_1) + d_w h w                                                         (2)
generalized-alpha: d_0 = 1/2 - beta, d_1 = beta, d_w = 1/2, active rows overlap at the predictor v~'_1 = 0; Moreau-Jean:
alpha_m = alpha_f = 0, gamma = theta, d_0 = theta (1 - theta), d_1 = theta^2, d_w = theta, active rows overlap half a
step ahead [Moreau 1988; Jean 1999]. With g = (1 - alpha_m) / ((1 - alpha_f) gamma h) and e = M w - J^T P, Newton's
correction has (g M + (d_w - d_1 / gamma) h K) dw beside S = M + D / g + d_1 h / (gamma g) K. Because that is a
combination of S, M and D, with m = d_w gamma / d_1 - 1 (0 for Moreau-Jean, -0.01 for rho_infinity = 0.8) it becomes
    S y = -R / g - (1 + m) e + (1 + m) J^T dP,   M dw = J^T dP - e,   dv = y - m dw,   da_1 = (dv - dw) / (gamma h)  (3)
and the rows see J dv with W = (1 + m) J S^-1 J^T - m J M^-1 J^T. Only m D dw / g is left out; the residual is exact.
Reactions have order one: a multiplier is the mean over the step.
"""

import numpy as np

from taut.dynamics.mass_product import mass_product
from taut.dynamics.positions import move
from taut.dynamics.residual import (
    condense_newton,
    expand_newton,
    place_closures,
    reduce_newton,
    residual,
)
from taut.integrate.alpha_advance import step_work
from taut.integrate.alpha_step import (
    A_BEGIN,
    CHANGE,
    LATER,
    MU,
    SAME_STEP,
    SLOPE,
    SLOW_RATE,
    A,
    B,
    G,
    L,
    end_states,
)
from taut.integrate.nonsmooth_forces import copy_state
from taut.integrate.nonsmooth_impacts import JUMP, PARTING, STILL
from taut.integrate.nonsmooth_newton import full_newton_loop, newton_loop
from taut.integrate.nonsmooth_rows import condense_mass, find_multipliers, split_rows
from taut.integrate.nonsmooth_work import (
    ACTIVE,
    BOUND,
    CLOSED,
    CLOSED_END,
    D_BEGIN,
    D_END,
    D_JUMP,
    FIRST_RATE,
    GAP,
    GAP_RATE,
    HAS_JUMP,
    IS_ROUGH,
    IS_THETA,
    OVERLAP,
    SHIFT,
    STEP_LOSS,
    STRUCK,
    UNSOLVED,
    WAS_ROUGH,
    Z_BAR,
    rebound,
)
from taut.integrate.radau_stages import displacement_rates
from taut.integrate.radau_work import END, EVALUATED, FACTOR_STEP, FACTORED, IS_FIRST, ITERATIONS, LAST_STEP, RATE, TIME
from taut.integrate.step_dense import hermite_terms, place_unknowns, powers
from taut.integrate.step_work import (
    ALPHA_F,
    ALPHA_M,
    BEGIN,
    FINAL,
    GAMMA,
    GOAL,
    IS_CLOSED,
    IS_STARTED,
    MOST_ITERATIONS,
    TRUSTED_RATE,
)
from taut.kernels.arrays import copy, fill
from taut.kernels.jit import block, part
from taut.kernels.lcp import SOLVED

TOTAL = 7  # row of X: mean acceleration of the step with its impulses
JUMP_BEGIN, JUMP_BEFORE = 8, 9  # rows of X: jumps of the last two steps
# rows of Y: no multipliers; impulses of the last two steps; what the rows see of a wrong jump
NOTHING, IMPULSE_BEGIN, IMPULSE_BEFORE, DEFECT = 5, 6, 7, 8
AGED = 4.0  # a rate of convergence so much worse than with a new matrix
LOOK = 0.5  # of the step: how far ahead Moreau-Jean looks for an overlap


@part
def impulse_factor(clock, h):
    """g of Eq. (3)."""
    return (1.0 - clock[ALPHA_M]) / ((1.0 - clock[ALPHA_F]) * clock[GAMMA] * h)


@part
def jump_share(clock):
    """m of Eq. (3)."""
    return clock[D_JUMP] * clock[GAMMA] / clock[D_END] - 1.0


@part
def end_time(clock, h):
    """The end of the step; the last one meets that of its segment."""
    return clock[END] if h == clock[END] - clock[TIME] else clock[TIME] + h


@block
def place_impulses(model, work, h):
    """Eq. (2): state at the end of the step for the present a_1 and w."""
    clock, q, y, K, X, data, n = work.clock, work.q[BEGIN], work.y, work.K, work.X, work.stage, work.X.shape[1]
    alpha_m, alpha_f, gamma = clock[ALPHA_M], clock[ALPHA_F], clock[GAMMA]
    f = 1.0 / (1.0 - alpha_f)
    for c in range(n):
        a0, a1, w, v0 = X[A_BEGIN, c], X[A, c], X[JUMP, c], y[BEGIN, n + c]
        K[LATER, n + c] = f * ((1.0 - alpha_m) * a1 + alpha_m * a0 - alpha_f * K[0, n + c])
        data.v[c] = v0 + h * ((1.0 - gamma) * a0 + gamma * a1) + w
        y[FINAL, n + c] = data.v[c]
        y[FINAL, c] = h * v0 + h * h * (clock[D_BEGIN] * a0 + clock[D_END] * a1) + clock[D_JUMP] * h * w
    move(model, q, y[FINAL], data.q)
    end_states(model, q, y, data, h)
    data.time[0] = end_time(clock, h)


@block
def start_impulses(model, work):
    """Accelerations that know no reaction, at the begin of the step: v~'_0 and a_0."""
    at, X, n = work.at, work.X, work.X.shape[1]
    place_unknowns(model, work, BEGIN, at, work.clock[TIME])
    fill(X[A], 0.0)
    residual(model, at, X[A], work.Y[NOTHING], X[B])
    for c in range(n):
        X[B, c] = -X[B, c]
    condense_mass(model, at, work)
    reduce_newton(model, at, work.mass, X[B], work.Y[MU])
    fill(work.Y[MU], 0.0)
    expand_newton(model, at, work.mass, work.Y[MU], X[A])
    for c in range(n):
        work.K[0, n + c] = X[A, c]
        X[A_BEGIN, c] = X[A, c]
    work.count[IS_STARTED] = 1


@block
def refresh_impulses(model, work, h):
    """Newton and mass matrix at the begin of the step; after a restart also the powers there."""
    at, K, X, Y = work.at, work.K, work.X, work.Y
    n, m = len(at.v), len(at.z)
    place_unknowns(model, work, BEGIN, at, work.clock[TIME])
    if work.count[IS_FIRST]:
        mean_motion(work, K[0, n : 2 * n], h)
        copy(Y[G], at.lam)
        residual(model, at, X[TOTAL], Y[G], X[B])
        powers(model, at, K[0, 2 * n + m :])
        copy(at.z_rate, K[0, 2 * n : 2 * n + m])
    factor_impulses(model, work, h, K[0, n : 2 * n])


@block
def refresh_impulses_here(model, work, h, scheme):
    """The same at the present iterate of the end of the step."""
    place_impulses(model, work, h)
    copy_state(work.stage, work.at)
    n = work.X.shape[1]
    factor_impulses(model, work, h, work.K[LATER, n : 2 * n])


@block
def factor_impulses(model, work, h, acceleration):
    """Matrices of Eq. (3) at the state of ``at``, whose smooth acceleration is given."""
    at, clock, X, Y = work.at, work.clock, work.X, work.Y
    g = impulse_factor(clock, h)
    for c in range(X.shape[1]):
        X[TOTAL, c] = acceleration[c] + g * X[JUMP, c]
    for j in range(Y.shape[1]):
        at.lam[j] = g * Y[L, j]
    residual(model, at, X[TOTAL], at.lam, X[B])
    condense_newton(model, at, work.factor, 1.0 / g, clock[D_END] * h / (clock[GAMMA] * g))
    condense_mass(model, at, work)
    share, W = jump_share(clock), work.factor.W
    if share != 0.0:
        for i in range(len(W)):
            for j in range(i + 1):
                W[i, j] = (1.0 + share) * W[i, j] - share * work.mass.W[i, j]
    split_rows(work, W, work.soft)
    clock[FIRST_RATE] = -1.0
    clock[FACTOR_STEP] = h
    clock[RATE] = 0.0
    clock[TRUSTED_RATE] = 1.0
    work.count[FACTORED] += 1
    work.count[EVALUATED] += 1


@block
def choose_active(model, work, h):
    """Rows that overlap at the predictor; with stabilisation also those that are closed."""
    clock, X, sides, U = work.clock, work.X, work.sides, work.U
    if len(work.rows) == 0:
        return
    if not work.count[IS_THETA]:
        f = 1.0 / (1.0 - clock[ALPHA_M])
        for c in range(X.shape[1]):
            X[A, c] = f * (clock[ALPHA_F] * work.K[0, X.shape[1] + c] - clock[ALPHA_M] * X[A_BEGIN, c])
            X[JUMP, c] = 0.0
        place_impulses(model, work, h)
        place_closures(model, work.stage)
    for a in range(len(work.rows)):
        gap = U[GAP, a] + LOOK * h * U[GAP_RATE, a]
        if not work.count[IS_THETA]:
            gap = work.stage.rows[work.rows[a]].value
        sides[ACTIVE, a] = 1 if gap <= 0.0 or (work.count[IS_CLOSED] and sides[CLOSED, a]) else 0


@block
def impulse_defects(model, work, h):
    """Right-hand sides of Eq. (3), with -R / g - (1 + m) e in X[B] and -e in X[CHANGE], and its rows' bounds."""
    clock, X, Y, U, stage, rows, n = work.clock, work.X, work.Y, work.U, work.stage, work.rows, work.X.shape[1]
    place_impulses(model, work, h)
    residual(model, stage, work.K[LATER, n : 2 * n], Y[NOTHING], X[B])
    mass_product(model, stage, X[JUMP], Y[L], X[CHANGE])
    work.count[EVALUATED] += 1
    f, share = 1.0 / impulse_factor(clock, h), 1.0 + jump_share(clock)
    for c in range(n):
        e = X[CHANGE, c]
        X[B, c] = -f * X[B, c] - share * e
        X[CHANGE, c] = -e
    for j in range(Y.shape[1]):
        Y[G, j] = -stage.rows[j].rate
    for a in range(len(rows)):
        U[BOUND, a] = -stage.rows[rows[a]].rate - rebound(work, a) * min(U[GAP_RATE, a], 0.0)
        U[SHIFT, a] = Y[L, rows[a]]


@block
def impulse_iteration(model, work, h, scheme):
    """Eq. (3) once; returns the size of the correction as a displacement, NaN if the problem has no solution."""
    clock, at, X, Y, U, rows = work.clock, work.at, work.X, work.Y, work.U, work.rows
    n, m, share = X.shape[1], Y.shape[1], jump_share(work.clock)
    impulse_defects(model, work, h)
    work.count[ITERATIONS] += 1
    reduce_newton(model, at, work.factor, X[B], Y[MU])
    reduce_newton(model, at, work.mass, X[CHANGE], Y[DEFECT])
    for j in range(m):
        Y[MU, j] -= share * Y[DEFECT, j]
    if find_multipliers(work, work.soft, work.sides[ACTIVE], Y[G], Y[MU]) != SOLVED:
        work.count[UNSOLVED] += 1
        return np.nan
    for j in range(m):
        Y[MU, j] *= 1.0 + share
    expand_newton(model, at, work.factor, Y[MU], X[TOTAL])
    for j in range(m):
        Y[MU, j] /= 1.0 + share
        Y[L, j] += Y[MU, j]
    expand_newton(model, at, work.mass, Y[MU], X[B])
    for a in range(len(rows)):
        Y[L, rows[a]] = U[Z_BAR, a]
    total = 0.0
    for c in range(n):
        dw = X[B, c]
        dv = X[TOTAL, c] - share * dw
        X[JUMP, c] += dw
        X[A, c] += (dv - dw) / (clock[GAMMA] * h)
        total += (h * dv) ** 2 + (h * dw) ** 2
    return np.sqrt(total / max(n, 1))


converge_impulses = newton_loop(impulse_iteration)
converge_impulses_fully = full_newton_loop(impulse_iteration, refresh_impulses_here)


@block
def guess_impulses(work, h):
    """Start of the iteration: the last two steps carried on; open rows have no impulse."""
    X, Y, last = work.X, work.Y, work.clock[LAST_STEP]
    f = h / last if last > 0.0 else 1.0
    # only steps of the same size go on along a line
    e = 1.0 if abs(f - 1.0) < SAME_STEP and not work.count[IS_FIRST] else 0.0
    for c in range(X.shape[1]):
        X[A, c] = X[A_BEGIN, c] + e * h * X[SLOPE, c]
        X[JUMP, c] = f * X[JUMP_BEGIN, c] + e * (X[JUMP_BEGIN, c] - X[JUMP_BEFORE, c])
    for j in range(Y.shape[1]):
        Y[L, j] = f * Y[IMPULSE_BEGIN, j] + e * (Y[IMPULSE_BEGIN, j] - Y[IMPULSE_BEFORE, j])
    for a in range(len(work.rows)):
        row = work.rows[a]
        Y[L, row] = max(Y[L, row], 0.0) if work.sides[ACTIVE, a] else 0.0


@part
def is_aged(clock):
    """Whether a new Newton matrix saves iterations: this one is slow, or much slower than it was."""
    return clock[RATE] > SLOW_RATE or (clock[FIRST_RATE] > 0.0 and clock[RATE] > AGED * clock[FIRST_RATE])


@block
def take_impulses(model, work, h):
    """The step; returns iterations, or 0, and if the matrix was fresh."""
    clock, count = work.clock, work.count
    is_fresh = False
    scheme = (clock[ALPHA_M], clock[ALPHA_F], clock[GAMMA], 0.0)
    if not count[IS_STARTED]:
        start_impulses(model, work)
    choose_active(model, work, h)
    guess_impulses(work, h)
    if not abs(clock[FACTOR_STEP] - h) < SAME_STEP * h or is_aged(clock):
        refresh_impulses(model, work, h)
        is_fresh = True
    iterations = converge_impulses(model, work, h, scheme, clock[GOAL], count[MOST_ITERATIONS])
    if clock[FIRST_RATE] < 0.0 and clock[RATE] > 0.0:
        clock[FIRST_RATE] = clock[RATE]
    if iterations == 0 and is_fresh:
        guess_impulses(work, h)
        iterations = converge_impulses_fully(model, work, h, scheme, clock[GOAL])
    return iterations, is_fresh


@part
def keep_impulses(work):
    """After a step: its jump and impulses, from which the next one starts."""
    copy(work.X[JUMP_BEGIN], work.X[JUMP_BEFORE])
    copy(work.Y[IMPULSE_BEGIN], work.Y[IMPULSE_BEFORE])
    copy(work.X[JUMP], work.X[JUMP_BEGIN])
    copy(work.Y[L], work.Y[IMPULSE_BEGIN])
    work.count[WAS_ROUGH] = work.count[IS_ROUGH]


@part
def mean_motion(work, smooth, h):
    """Mean acceleration and multipliers of the step, into X[TOTAL] and Y[G]."""
    X, Y = work.X, work.Y
    for c in range(X.shape[1]):
        X[TOTAL, c] = smooth[c] + X[JUMP, c] / h
    for j in range(Y.shape[1]):
        Y[G, j] = Y[L, j] / h


@block
def impulse_work(model, work, h):
    """Works of the step from the powers at its ends; moves the stage.

    A reaction is a mean over its step. Where it changes much, its power at the begin is that of this step's reaction, not
    of the last one's: the sum over unequal steps would not hold.
    """
    stage, count, K, y, X, Y, F = work.stage, work.count, work.K, work.y, work.X, work.Y, work.F
    first = K.shape[1] - 2
    if count[IS_ROUGH] or count[WAS_ROUGH]:
        place_unknowns(model, work, BEGIN, stage, work.clock[TIME])
        copy(Y[G], stage.lam)
        residual(model, stage, X[TOTAL], Y[G], X[B])
        count[EVALUATED] += 1
        powers(model, stage, F[0, first:])
        for j in range(first, K.shape[1]):
            y[FINAL, j] = 0.5 * h * (F[0, j] + K[LATER, j])
    else:
        for j in range(first, K.shape[1]):
            y[FINAL, j] = step_work(work, j, h)


@block
def end_impulses(model, work, h):
    """Rates at the end of the step, its work and polynomial; marks the rows that are closed."""
    stage, K, y, X, Y, U, n = work.stage, work.K, work.y, work.X, work.Y, work.U, work.X.shape[1]
    place_impulses(model, work, h)
    mean_motion(work, K[LATER, n : 2 * n], h)
    copy(Y[G], stage.lam)
    residual(model, stage, X[TOTAL], Y[G], X[B])
    work.count[EVALUATED] += 1
    powers(model, stage, K[LATER, K.shape[1] - 2 :])
    copy(stage.z_rate, K[LATER, 2 * n : 2 * n + len(stage.z)])
    displacement_rates(model, y[FINAL, :n], stage.v, K[LATER, :n])
    for c in range(n):
        K[0, c] = y[BEGIN, n + c]
    work.count[HAS_JUMP] = 0
    is_rough = work.count[IS_FIRST] != 0 or not abs(h - work.clock[LAST_STEP]) < SAME_STEP * h
    lost = 0.0
    for a in range(len(work.rows)):
        impulse, rate, before = Y[L, work.rows[a]], stage.rows[work.rows[a]].rate, min(U[GAP_RATE, a], 0.0)
        is_active = work.sides[ACTIVE, a]
        U[STRUCK, a] = is_active and before < -STILL and impulse > 0.0 and not work.sides[CLOSED, a]
        work.sides[CLOSED_END, a] = 1 if is_active and impulse > 0.0 and rate <= PARTING else 0
        if is_active:
            overlap = abs(min(impulse, rate + rebound(work, a) * before))
            work.clock[OVERLAP] = max(work.clock[OVERLAP], overlap)
            lost -= 0.5 * impulse * (before + rate)
        is_rough = is_rough or work.sides[CLOSED_END, a] != work.sides[CLOSED, a]
        if U[STRUCK, a] != 0.0:
            work.count[HAS_JUMP] += 1
    work.count[IS_ROUGH] = 1 if is_rough or work.count[HAS_JUMP] > 0 else 0
    impulse_work(model, work, h)
    work.clock[STEP_LOSS] = lost
    y[FINAL, K.shape[1] - 1] += lost
    hermite_terms(work, h, LATER)
    # velocities as a line: the smooth accelerations at both ends know nothing of the reactions between them
    for c in range(n, 2 * n):
        work.F[1, c] = 0.0
        work.F[2, c] = 0.0
