"""One step of the explicit method: rates of the unknowns, stages, error, dense output.

    D' = d'(D, v),  v' = a(t, q_0 (+) D, v, z) with J a + bias = 0 (index 1),  z' by the laws,  W' = powers       (1)
d' is the velocity, but for the rotation vectors of quaternions: a Runge-Kutta-Munthe-Kaas method [MuntheKaas 1998].
With Baumgarte's coefficients the closures are held by J a + bias + 2 alpha rate + beta^2 value = 0 instead
[Baumgarte 1972].
"""

import numpy as np

from taut.dynamics.residual import residual, stabilised_accelerations
from taut.dynamics.tree.displacement import largest_displacement
from taut.integrate.radau.stages import displacement_rates
from taut.integrate.step.dense import dense_unknowns, hermite_terms, place_unknowns, powers
from taut.kernels.arrays import copy
from taut.kernels.dop853 import STAGES, C, estimate, last_terms, stage_unknowns
from taut.kernels.jit import block


@block
def evaluate_stage(model, work, i, time):
    """Evaluate Eq. (1) at the present unknowns, as stage i."""
    y_now = work.y_now
    K, at, clock = work.K, work.at, work.clock[0]
    n, m = len(at.v), len(at.z)
    place_unknowns(model, work, work.y_now, at, time)
    stabilised_accelerations(model, at, work.factor, clock.damping, clock.stiffness)
    displacement_rates(model, y_now[:n], at.v, K[i, :n])
    copy(at.acceleration, K[i, n : 2 * n])
    copy(at.z_rate, K[i, 2 * n : 2 * n + m])
    # power at driven points that are eliminated needs the forces that their joints transmit
    if work.count[0].has_driven:
        residual(model, at, at.acceleration, at.lam, work.rhs)
    powers(model, at, K[i, 2 * n + m :])
    work.count[0].evaluated += 1


@block
def take_stages(model, work, h, first, last):
    """Stages from first up to, without, last; those of the step, or those of its dense output."""
    y_earlier, y_begin, y_end, y_now = work.y_earlier, work.y_begin, work.y_end, work.y_now
    time = work.clock[0].time
    for i in range(first, last):
        stage_unknowns(work.K, y_begin, i, h, y_now)
        if i == STAGES - 1:
            copy(y_now, y_earlier)
        elif i == STAGES:
            copy(y_now, y_end)
        evaluate_stage(model, work, i, time + C[i] * h)
    if last == STAGES + 1:
        work.count[0].has_first = 1


@block
def step_error(model, work, h):
    """Error in tolerated errors, from the estimates of orders 5 and 3 [Hairer 1993, sec. II.10]."""
    third = largest_error(model, work, 0)
    fifth = largest_error(model, work, 1)
    below = np.sqrt(fifth * fifth + 0.01 * third * third)
    error = h * fifth * fifth / (below * work.clock[0].tolerated) if below != 0.0 else 0.0
    return 1e-12 if error < 1e-12 else error


@block
def largest_error(model, work, which):
    """Rate of the largest error of any point [m/s] by one of the estimates: of positions, velocities, and states."""
    at, rhs, answer, n = work.at, work.rhs, work.answer, len(work.at.v)
    for c in range(n):
        rhs[c] = estimate(work.K, which, c)
        answer[c] = estimate(work.K, which, n + c)
    error = largest_displacement(model, at, rhs, work.radius, work.reach)
    late = work.clock[0].time_scale * largest_displacement(model, at, answer, work.radius, work.reach)
    error = error if late <= error else late
    for c in range(n if len(at.z) > 0 else 0):
        s = model.columns[c].state
        if s >= 0:
            lag = abs(estimate(work.K, which, 2 * n + s)) * work.reach[c]
            error = error if lag <= error else lag
    return error


@block
def dense_error(model, work, h):
    """Error between the ends of the step in tolerated errors, from stages of the dense output against its polynomial.

    Both have order 7 or less and differ by about the polynomial's error. Measured on pendulums, twice the first such
    difference, and a fifth of the last, are between half and ten times the true error.
    """
    at, y_now, far, late, n = work.at, work.y_now, work.rhs, work.answer, len(work.at.v)
    error = 0.0
    for i, weight in ((STAGES + 1, 2.0), (STAGES + 3, 0.2)):
        dense_unknowns(work, C[i])
        for c in range(n):
            far[c], late[c] = y_now[c], y_now[n + c]
        stage_unknowns(work.K, work.y_begin, i, h, y_now)
        for c in range(n):
            far[c] -= y_now[c]
            late[c] -= y_now[n + c]
        size = largest_displacement(model, at, far, work.radius, work.reach)
        rate = largest_displacement(model, at, late, work.radius, work.reach)
        error = max(error, weight * max(size, work.clock[0].time_scale * rate))
    return error / work.clock[0].tolerated


@block
def stiffness(work, h):
    """h times the largest eigenvalue, from the last two stages, which lie at the same time [Hairer 1996, sec. IV.2]."""
    y_earlier, y_end = work.y_earlier, work.y_end
    K = work.K
    above = 0.0
    below = 0.0
    for c in range(2 * len(work.at.v)):
        above += (K[STAGES, c] - K[STAGES - 1, c]) ** 2
        below += (y_end[c] - y_earlier[c]) ** 2
    return h * np.sqrt(above / below) if below > 0.0 else 0.0


@block
def dense_terms(work, h):
    """Terms of the dense output, once its stages are there [Hairer 1993, sec. II.6]."""
    hermite_terms(work, h, work.K[0], work.K[STAGES])
    last_terms(work.K, work.F, h)
