"""A step whose reactions are forces: generalized-alpha with closed one-sided rows in a complementarity problem.

Bilateral rows, and one-sided rows that are closed at the start of the step, act by multipliers in the equations of
motion, at the velocity level:
    R(t_1, q_1, v_1, v'_1, lam_1) = 0,   J_B v_1 + dg_B/dt = 0,   0 <= J_A v_1 + dg_A/dt  compl. to  lam_A >= 0      (1)
with the recursions of ``alpha.step`` for q_1, v_1 and a_1. A row that opens has lam = 0 and a rate > 0; forces are
continuous there, so that the order stays two. Rows that close are handled in ``nonsmooth.impacts``: after an impact
the accelerations are computed as at a start.
"""

import numpy as np

from taut.dynamics.residual import condense_newton, residual
from taut.integrate.alpha.step import (
    count_factor,
    evaluate_begin,
    place_end,
    predict,
    with_start,
)
from taut.integrate.nonsmooth.rows import solve_sided, split_rows
from taut.integrate.step.newton_loop import full_newton_loop, newton_loop
from taut.kernels.arrays import copy
from taut.kernels.jit import block, part
from taut.kernels.lcp import SOLVED


@block
def refresh_forces(model, work, h, gamma, beta, c):
    """Newton matrix at the start of the step; after a restart also the powers there."""
    evaluate_begin(model, work)
    factor_rows(model, work, h, gamma * h / c, beta * h * h / c)


@block
def factor_rows(model, work, h, c_D, c_K):
    """Factor the Newton matrix at the evaluated state, and split its rows."""
    condense_newton(model, work.at, work.factor, c_D, c_K)
    split_rows(work, work.factor.W, work.soft)
    count_factor(work, h)


@block
def refresh_forces_here(model, work, h, scheme):
    """Newton matrix at the present iterate of the end of the step."""
    alpha_m, alpha_f, gamma, beta = scheme
    at, stage, n = work.at, work.stage, len(work.a_end)
    place_end(model, work, h, scheme)
    copy_state(stage, at)
    copy(work.lam_end, at.lam)
    residual(model, at, work.K_end[n : 2 * n], work.lam_end, work.rhs)
    f = (1.0 - alpha_f) / (1.0 - alpha_m)
    factor_rows(model, work, h, f * gamma * h, f * beta * h * h)


@part
def copy_state(source, target):
    """Time, coordinates, velocities and internal states."""
    target.time[0] = source.time[0]
    copy(source.q, target.q)
    copy(source.v, target.v)
    copy(source.z, target.z)


@block
def forces_iteration(model, work, h, scheme):
    """Newton's correction of Eq. (1); returns its size as a displacement, NaN if the problem has no solution."""
    answer, a_end, rhs, mu, lam_end = work.answer, work.a_end, work.rhs, work.mu, work.lam_end
    row_rhs, bound, shift, z = work.row_rhs, work.bound, work.shift, work.z
    alpha_m, alpha_f, gamma, _ = scheme
    stage, rows = work.stage, work.rows
    place_end(model, work, h, scheme)
    n, m = len(work.a_end), len(work.lam_end)
    residual(model, stage, work.K_end[n : 2 * n], lam_end, rhs)
    work.count[0].evaluated += 1
    # the correction is in velocities; scale the multipliers by the same factor
    f = gamma * h * (1.0 - alpha_f) / (1.0 - alpha_m)
    for c in range(n):
        rhs[c] *= -f
    for j in range(m):
        row_rhs[j] = -stage.rows[j].rate
    for a in range(len(rows)):
        bound[a] = -stage.rows[rows[a]].rate
        shift[a] = f * lam_end[rows[a]]
    code = solve_sided(model, work.at, work.factor, work.soft, work, work.active, rhs, row_rhs, answer, mu)
    if code != SOLVED:
        work.count[0].unsolved += 1
        return np.nan
    total = 0.0
    for c in range(n):
        a_end[c] += answer[c] / (gamma * h)
        total += (h * answer[c]) ** 2
    for j in range(m):
        lam_end[j] += mu[j] / f
    for a in range(len(rows)):
        lam_end[rows[a]] = z[a] / f
    return np.sqrt(total / max(n, 1))


converge_forces = newton_loop(forces_iteration, patience=2, is_foreseeing=False)
converge_forces_fully = full_newton_loop(forces_iteration, refresh_forces_here)


@block
def guess_forces(work, h):
    """Start of the iteration: the last step's slopes; open rows have no force."""
    predict(work, h)
    for a in range(len(work.rows)):
        row = work.rows[a]
        work.lam_end[row] = max(work.lam_end[row], 0.0) if work.active[a] else 0.0


@part
def solve_forces(model, work, h, scheme, goal, is_short):
    """Newton's iteration with the matrix at the start of the step."""
    return converge_forces(model, work, h, scheme, goal, work.count[0].most_iterations)


@part
def solve_fully(model, work, h, scheme, goal, is_short):
    """Newton's iteration from the start again, with a matrix of its own for each correction."""
    guess_forces(work, 0.0 if is_short else h)
    return converge_forces_fully(model, work, h, scheme, goal)


iterate_forces = with_start(refresh_forces, guess_forces, solve_forces, solve_fully)


@block
def take_forces(model, work, h):
    """A step in which rows act that were closed at its start; returns as ``iterate`` of ``alpha.step``."""
    for a in range(len(work.rows)):
        work.active[a] = work.closed[a]
    return iterate_forces(model, work, h)
