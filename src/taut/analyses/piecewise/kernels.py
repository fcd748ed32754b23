"""Accelerations of a machine with loops whose smooth forces are given, exact or piecewise linear.

    M(q) a = f(q, v) + B F(t) + J^T lam,     J a + bias + 2 alpha rate + beta^2 value = 0         [Tempel2018, Eq. 7]
    f ~ sum_i w_i(q) (f_i + A_i (q - q_i) + B_i (v - v_i)),   sum_i w_i = 1                         [Tempel2018, Eq. 9]
The mass matrix, the loops and the applied forces F stay exact. Weights fall with the distance to the points,
    w_i ~ exp(-25 d_i / min d)                                                              [Rewienski2003, sec. III]
in coordinates given by a matrix (here the absolute angles of the paper).
"""

import numpy as np

from taut.dynamics.closures import closures
from taut.dynamics.forces import external_wrenches
from taut.dynamics.inverse import bias_accelerations, collect_forces
from taut.dynamics.kinematics import kinematics
from taut.dynamics.residual import factor_newton, residual, solve_newton
from taut.kernels.arrays import fill
from taut.kernels.bundle import Bundle
from taut.kernels.jit import block, entry
from taut.kernels.vec3 import load3, scale3, store3

SHARPNESS = 25.0
LEAST_WEIGHT = 1e-6  # below it a point is not evaluated


class Points(Bundle):
    """Linearisation points, and the coordinates in which their distance is measured."""

    q: np.ndarray  # [point, column]
    v: np.ndarray  # [point, column]
    force: np.ndarray  # [point, column]
    stiffness: np.ndarray  # df/dq by the coordinate that moves [point, moved, column]
    damping: np.ndarray  # df/dv [point, moved, column]
    measure: np.ndarray  # distances are those of q @ measure [column, column]
    measured: np.ndarray  # the points in these coordinates [point, column]
    weights: np.ndarray  # scratch [point]
    here: np.ndarray  # scratch: where q is in these coordinates [column]


@entry
def smooth_force(model, data, force):
    """f(q, v) at data.q, v, time: all generalised forces but those of the loops, applied ones included."""
    fill(data.acceleration, 0.0)
    fill(data.lam, 0.0)
    residual(model, data, data.acceleration, data.lam, force)
    for c in range(len(force)):
        force[c] = -force[c]


@block
def find_weights(points, q):
    """Weights of the points, normalised."""
    here, measured = points.here, points.measured
    fill(here, 0.0)
    for k in range(len(q)):
        row, f = points.measure[k], q[k]
        for c in range(len(q)):
            here[c] += f * row[c]
    least = np.inf
    for i in range(len(points.weights)):
        d = 0.0
        for c in range(len(q)):
            d += (here[c] - measured[i, c]) ** 2
        points.weights[i] = np.sqrt(d)
        least = min(least, points.weights[i])
    total = 0.0
    for i in range(len(points.weights)):
        w = np.exp(-SHARPNESS * (points.weights[i] / max(least, 1e-12) - 1.0))
        points.weights[i] = w
        total += w
    for i in range(len(points.weights)):
        points.weights[i] /= total


@block
def piecewise_force(points, q, v, force):
    """Eq. (9)."""
    find_weights(points, q)
    fill(force, 0.0)
    for i in range(len(points.weights)):
        w = points.weights[i]
        if w < LEAST_WEIGHT:
            continue
        for c in range(len(q)):
            force[c] += w * points.force[i, c]
        for k in range(len(q)):
            f, g = w * (q[k] - points.q[i, k]), w * (v[k] - points.v[i, k])
            first, second = points.stiffness[i, k], points.damping[i, k]
            for c in range(len(q)):
                force[c] += f * first[c] + g * second[c]


@block
def applied_force(model, data, force):
    """B F(t) on top of the force: the applied wrenches as generalised forces; needs kinematics."""
    external_wrenches(model, data)
    for i in range(1, len(model.nodes)):
        here = data.nodes[i]
        store3(here.N, scale3(1.0, load3(here.external_N)))
        store3(here.F, scale3(1.0, load3(here.external_F)))
    collect_forces(model, data, data.force)
    for c in range(len(force)):
        force[c] += data.force[c]


@block
def loop_accelerations(model, data, factor, force, alpha, beta):  # noqa: PLR0913 (compiled)
    """Eq. (7) for given generalised forces; needs kinematics, accelerations at zero joint acceleration, closures."""
    factor_newton(model, data, factor, 0.0, 0.0)
    for i in range(len(data.lam)):
        row = data.rows[i]
        factor.rhs[i] = -(row.bias + 2.0 * alpha * row.rate + beta * beta * row.value)
    solve_newton(model, data, factor, force, factor.rhs, data.acceleration, data.lam)


@entry
def exact_accelerations(model, data, factor, force, alpha, beta):  # noqa: PLR0913 (compiled)
    """Eq. (7) with the exact forces."""
    fill(data.acceleration, 0.0)
    fill(data.lam, 0.0)
    residual(model, data, data.acceleration, data.lam, force)
    for c in range(len(force)):
        force[c] = -force[c]
    loop_accelerations(model, data, factor, force, alpha, beta)


@entry
def piecewise_accelerations(model, data, factor, points, force, alpha, beta):  # noqa: PLR0913 (compiled)
    """Eq. (7) with the forces of Eq. (9)."""
    kinematics(model, data)
    bias_accelerations(model, data)
    closures(model, data)
    piecewise_force(points, data.q, data.v, force)
    applied_force(model, data, force)
    fill(data.lam, 0.0)
    loop_accelerations(model, data, factor, force, alpha, beta)
