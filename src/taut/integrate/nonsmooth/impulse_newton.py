"""A step whose reactions are impulses: the velocity-level schemes as published, generalized-alpha and Moreau-Jean.

The smooth velocity v~ is without reactions; the velocity v = v~ + w includes the jumps by the impulses P of all rows in
the step [Wang 2018; Chen 2013]:
    R(t_1, q_1, v_1, v~'_1, 0) = 0,    M w = J^T P,    J_B v_1 + dg_B/dt = 0,
    0 <= J_A v_1 + dg_A/dt + e (rate of the gap at the start)  complementary to  P_A >= 0                            (1)
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

from taut.dynamics.residual import condense_newton, expand_newton, reduce_newton, residual
from taut.dynamics.tree.mass_product import mass_product
from taut.dynamics.tree.positions import move
from taut.integrate.alpha.step import end_states
from taut.integrate.nonsmooth.forces import copy_state
from taut.integrate.nonsmooth.rows import condense_mass, find_multipliers, split_rows
from taut.integrate.nonsmooth.work import rebound
from taut.integrate.step.dense import place_unknowns, powers
from taut.integrate.step.newton_loop import full_newton_loop, newton_loop
from taut.kernels.arrays import copy
from taut.kernels.jit import block, part
from taut.kernels.lcp import SOLVED


@part
def impulse_factor(clock, h):
    """Factor g of Eq. (3)."""
    return (1.0 - clock.alpha_m) / ((1.0 - clock.alpha_f) * clock.gamma * h)


@part
def jump_share(clock):
    """Share m of the jump in Eq. (3)."""
    return clock.d_jump * clock.gamma / clock.d_end - 1.0


@part
def end_time(clock, h):
    """The end of the step; the last one meets that of its segment."""
    return clock.end if h == clock.end - clock.time else clock.time + h


@block
def place_impulses(model, work, h):
    """Place the state at the end of the step for the present a_1 and w, Eq. (2)."""
    a_begin, jump, a_end, K_end, K_begin = work.a_begin, work.jump, work.a_end, work.K_end, work.K_begin
    y_begin, y_end = work.y_begin, work.y_end
    clock, q, data, n = work.clock[0], work.q_begin, work.stage, len(work.a_end)
    alpha_m, alpha_f, gamma = clock.alpha_m, clock.alpha_f, clock.gamma
    f = 1.0 / (1.0 - alpha_f)
    for c in range(n):
        a0, a1, w, v0 = a_begin[c], a_end[c], jump[c], y_begin[n + c]
        K_end[n + c] = f * ((1.0 - alpha_m) * a1 + alpha_m * a0 - alpha_f * K_begin[n + c])
        data.v[c] = v0 + h * ((1.0 - gamma) * a0 + gamma * a1) + w
        y_end[n + c] = data.v[c]
        y_end[c] = h * v0 + h * h * (clock.d_begin * a0 + clock.d_end * a1) + clock.d_jump * h * w
    move(model, q, y_end, data.q)
    end_states(model, q, y_begin, y_end, data, h)
    data.time[0] = end_time(clock, h)


@block
def refresh_impulses(model, work, h):
    """Newton and mass matrix at the start of the step; after a restart also the powers there."""
    mean_a, rhs, row_rhs, K_begin = work.mean_a, work.rhs, work.row_rhs, work.K_begin
    at = work.at
    n, m = len(at.v), len(at.z)
    place_unknowns(model, work, work.y_begin, at, work.clock[0].time)
    if work.count[0].is_first:
        mean_motion(work, K_begin[n : 2 * n], h)
        copy(row_rhs, at.lam)
        residual(model, at, mean_a, row_rhs, rhs)
        powers(model, at, K_begin[2 * n + m :])
        copy(at.z_rate, K_begin[2 * n : 2 * n + m])
    factor_impulses(model, work, h, K_begin[n : 2 * n])


@block
def refresh_impulses_here(model, work, h, scheme):
    """Newton and mass matrix at the present iterate of the end of the step."""
    place_impulses(model, work, h)
    copy_state(work.stage, work.at)
    n = len(work.a_end)
    factor_impulses(model, work, h, work.K_end[n : 2 * n])


@block
def factor_impulses(model, work, h, acceleration):
    """Matrices of Eq. (3) at the state of ``at``, whose smooth acceleration is given."""
    mean_a, jump, rhs, lam_end = work.mean_a, work.jump, work.rhs, work.lam_end
    at, clock = work.at, work.clock[0]
    g = impulse_factor(clock, h)
    # tension-geometric terms need accelerations and multipliers that include the impulses, spread over the step
    for c in range(len(work.a_end)):
        mean_a[c] = acceleration[c] + g * jump[c]
    for j in range(len(work.lam_end)):
        at.lam[j] = g * lam_end[j]
    residual(model, at, mean_a, at.lam, rhs)
    condense_newton(model, at, work.factor, 1.0 / g, clock.d_end * h / (clock.gamma * g))
    condense_mass(model, at, work)
    share, W = jump_share(clock), work.factor.W
    # W = (1 + m) J S^-1 J^T - m J M^-1 J^T, the matrix of the rows that belongs to Eq. (3)
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
    """Right-hand sides of Eq. (3), with -R / g - (1 + m) e in rhs and -e in answer, and its rows' bounds."""
    answer, jump, rhs, no_lam, lam_end = work.answer, work.jump, work.rhs, work.no_lam, work.lam_end
    row_rhs, gap_rate_begin, bound, shift = work.row_rhs, work.gap_rate_begin, work.bound, work.shift
    clock, stage, rows, n = work.clock[0], work.stage, work.rows, len(work.a_end)
    place_impulses(model, work, h)
    residual(model, stage, work.K_end[n : 2 * n], no_lam, rhs)
    # e = M w - J^T P by itself: as a difference of two residuals it would drown in elastic forces
    mass_product(model, stage, jump, lam_end, answer)
    work.count[0].evaluated += 1
    f, share = 1.0 / impulse_factor(clock, h), 1.0 + jump_share(clock)
    for c in range(n):
        e = answer[c]
        rhs[c] = -f * rhs[c] - share * e
        answer[c] = -e
    for j in range(len(work.lam_end)):
        row_rhs[j] = -stage.rows[j].rate
    # Eq. (1) for the corrections dP of the impulses: the bounds of the rates, and P so far as the shift of dP
    for a in range(len(rows)):
        bound[a] = -stage.rows[rows[a]].rate - rebound(work, a, gap_rate_begin[a]) * min(gap_rate_begin[a], 0.0)
        shift[a] = lam_end[rows[a]]


@block
def impulse_iteration(model, work, h, scheme):
    """One iteration of Eq. (3); returns its size as a displacement, NaN if the complementarity has no solution."""
    answer, mean_a, jump, a_end, rhs = work.answer, work.mean_a, work.jump, work.a_end, work.rhs
    row_defect, mu, lam_end, row_rhs, z = work.row_defect, work.mu, work.lam_end, work.row_rhs, work.z
    clock, at, rows = work.clock[0], work.at, work.rows
    n, m, share = len(work.a_end), len(work.lam_end), jump_share(work.clock[0])
    impulse_defects(model, work, h)
    # Eq. (3): rows of both solves, by S and by M, combined before the complementarity problem
    reduce_newton(model, at, work.factor, rhs, mu)
    reduce_newton(model, at, work.mass, answer, row_defect)
    for j in range(m):
        mu[j] -= share * row_defect[j]
    if find_multipliers(work, work.soft, work.active, row_rhs, mu) != SOLVED:
        work.count[0].unsolved += 1
        return np.nan
    # in Eq. (3) the solve with S has the load (1 + m) J^T dP, the solve with M the load J^T dP: scale dP in between
    for j in range(m):
        mu[j] *= 1.0 + share
    expand_newton(model, at, work.factor, mu, mean_a)
    for j in range(m):
        mu[j] /= 1.0 + share
        lam_end[j] += mu[j]
    expand_newton(model, at, work.mass, mu, rhs)
    for a in range(len(rows)):
        lam_end[rows[a]] = z[a]
    total = 0.0
    for c in range(n):
        # Eq. (3): dv = y - m dw, da_1 = (dv - dw) / (gamma h)
        dw = rhs[c]
        dv = mean_a[c] - share * dw
        jump[c] += dw
        a_end[c] += (dv - dw) / (clock.gamma * h)
        total += (h * dv) ** 2 + (h * dw) ** 2
    return np.sqrt(total / max(n, 1))


converge_impulses = newton_loop(impulse_iteration, patience=2, is_foreseeing=False)
converge_impulses_fully = full_newton_loop(impulse_iteration, refresh_impulses_here)


@part
def mean_motion(work, smooth, h):
    """Mean acceleration and multipliers of the step, into mean_a and row_rhs."""
    mean_a, jump, lam_end, row_rhs = work.mean_a, work.jump, work.lam_end, work.row_rhs
    for c in range(len(work.a_end)):
        mean_a[c] = smooth[c] + jump[c] / h
    for j in range(len(work.lam_end)):
        row_rhs[j] = lam_end[j] / h
