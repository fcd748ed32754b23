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
from taut.dynamics.residual import condense_newton, expand_newton, reduce_newton, residual
from taut.integrate.alpha_step import A_BEGIN, CHANGE, LATER, MU, A, B, G, L, end_states
from taut.integrate.nonsmooth_forces import copy_state
from taut.integrate.nonsmooth_impacts import JUMP
from taut.integrate.nonsmooth_newton import full_newton_loop, newton_loop
from taut.integrate.nonsmooth_rows import condense_mass, find_multipliers, split_rows
from taut.integrate.nonsmooth_work import (
    ACTIVE,
    BOUND,
    GAP_RATE,
    SHIFT,
    Z_BAR,
    rebound,
)
from taut.integrate.step_dense import place_unknowns, powers
from taut.integrate.step_work import BEGIN, FINAL
from taut.kernels.arrays import copy
from taut.kernels.jit import block, part
from taut.kernels.lcp import SOLVED

TOTAL = 7  # row of X: mean acceleration of the step with its impulses
NOTHING, DEFECT = 5, 6  # rows of Y: no multipliers; what the rows see of a wrong jump


@part
def impulse_factor(clock, h):
    """g of Eq. (3)."""
    return (1.0 - clock.alpha_m) / ((1.0 - clock.alpha_f) * clock.gamma * h)


@part
def jump_share(clock):
    """m of Eq. (3)."""
    return clock.d_jump * clock.gamma / clock.d_end - 1.0


@part
def end_time(clock, h):
    """The end of the step; the last one meets that of its segment."""
    return clock.end if h == clock.end - clock.time else clock.time + h


@block
def place_impulses(model, work, h):
    """Eq. (2): state at the end of the step for the present a_1 and w."""
    clock, q, y, K, X, data, n = work.clock[0], work.q[BEGIN], work.y, work.K, work.X, work.stage, work.X.shape[1]
    alpha_m, alpha_f, gamma = clock.alpha_m, clock.alpha_f, clock.gamma
    f = 1.0 / (1.0 - alpha_f)
    for c in range(n):
        a0, a1, w, v0 = X[A_BEGIN, c], X[A, c], X[JUMP, c], y[BEGIN, n + c]
        K[LATER, n + c] = f * ((1.0 - alpha_m) * a1 + alpha_m * a0 - alpha_f * K[0, n + c])
        data.v[c] = v0 + h * ((1.0 - gamma) * a0 + gamma * a1) + w
        y[FINAL, n + c] = data.v[c]
        y[FINAL, c] = h * v0 + h * h * (clock.d_begin * a0 + clock.d_end * a1) + clock.d_jump * h * w
    move(model, q, y[FINAL], data.q)
    end_states(model, q, y, data, h)
    data.time[0] = end_time(clock, h)


@block
def refresh_impulses(model, work, h):
    """Newton and mass matrix at the begin of the step; after a restart also the powers there."""
    at, K, X, Y = work.at, work.K, work.X, work.Y
    n, m = len(at.v), len(at.z)
    place_unknowns(model, work, BEGIN, at, work.clock[0].time)
    if work.count[0].is_first:
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
    at, clock, X, Y = work.at, work.clock[0], work.X, work.Y
    g = impulse_factor(clock, h)
    for c in range(X.shape[1]):
        X[TOTAL, c] = acceleration[c] + g * X[JUMP, c]
    for j in range(Y.shape[1]):
        at.lam[j] = g * Y[L, j]
    residual(model, at, X[TOTAL], at.lam, X[B])
    condense_newton(model, at, work.factor, 1.0 / g, clock.d_end * h / (clock.gamma * g))
    condense_mass(model, at, work)
    share, W = jump_share(clock), work.factor.W
    if share != 0.0:
        for i in range(len(W)):
            for j in range(i + 1):
                W[i, j] = (1.0 + share) * W[i, j] - share * work.mass.W[i, j]
    split_rows(work, W, work.soft)
    clock.first_rate = -1.0
    clock.factor_step = h
    clock.rate = 0.0
    clock.trusted_rate = 1.0
    work.count[0].factored += 1
    work.count[0].evaluated += 1


@block
def impulse_defects(model, work, h):
    """Right-hand sides of Eq. (3), with -R / g - (1 + m) e in X[B] and -e in X[CHANGE], and its rows' bounds."""
    clock, X, Y, U, stage, rows, n = work.clock[0], work.X, work.Y, work.U, work.stage, work.rows, work.X.shape[1]
    place_impulses(model, work, h)
    residual(model, stage, work.K[LATER, n : 2 * n], Y[NOTHING], X[B])
    mass_product(model, stage, X[JUMP], Y[L], X[CHANGE])
    work.count[0].evaluated += 1
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
    clock, at, X, Y, U, rows = work.clock[0], work.at, work.X, work.Y, work.U, work.rows
    n, m, share = X.shape[1], Y.shape[1], jump_share(work.clock[0])
    impulse_defects(model, work, h)
    work.count[0].iterations += 1
    reduce_newton(model, at, work.factor, X[B], Y[MU])
    reduce_newton(model, at, work.mass, X[CHANGE], Y[DEFECT])
    for j in range(m):
        Y[MU, j] -= share * Y[DEFECT, j]
    if find_multipliers(work, work.soft, work.sides[ACTIVE], Y[G], Y[MU]) != SOLVED:
        work.count[0].unsolved += 1
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
        X[A, c] += (dv - dw) / (clock.gamma * h)
        total += (h * dv) ** 2 + (h * dw) ** 2
    return np.sqrt(total / max(n, 1))


converge_impulses = newton_loop(impulse_iteration)
converge_impulses_fully = full_newton_loop(impulse_iteration, refresh_impulses_here)


@part
def mean_motion(work, smooth, h):
    """Mean acceleration and multipliers of the step, into X[TOTAL] and Y[G]."""
    X, Y = work.X, work.Y
    for c in range(X.shape[1]):
        X[TOTAL, c] = smooth[c] + X[JUMP, c] / h
    for j in range(Y.shape[1]):
        Y[G, j] = Y[L, j] / h
