"""Piecewise linear forces in place of the exact ones; mass matrix, loops and applied forces stay exact.

    M(q) a = f(q, v) + B F(t) + J^T lam,    f ~ sum_i w_i(q) (f_i + A_i (q - q_i) + B_i (v - v_i))  [Tempel2018, Eq. 9]
Weights are those of inverse distances [Shepard1968], smooth wherever the machine is and made of few products:
    w_i ~ (d_i^2 + e^2)^-16,   sum_i w_i = 1,   d_i = |P (q - q_i, v - v_i)|                              (1)
with P the few directions in which most of the training motion lies; or, for the published recipe, sharper ones:
    w_i ~ exp(-s d_i / min d)                                                        [Rewienski2003, sec. III]  (2)
"""

import numpy as np

from taut.dynamics.forces.feed import rod_properties
from taut.kernels.arrays import fill
from taut.kernels.inertia import has_matter
from taut.kernels.jit import kernel, only_with, part
from taut.kernels.mat3 import column, load6, load9, mat_vec, sym_rotated, sym_vec
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3, scale3, store3, sub3

LEAST_WEIGHT = 1e-13  # a point with a smaller weight is skipped: its share is rounding


@only_with("q", otherwise=lambda points, work, q, v, force: None)
@kernel
def piecewise_forces(points, work, q, v, force):
    """Piecewise linear forces f of [Tempel2018, Eq. 9] at (q, v)."""
    find_weights(points, work, q, v)
    fill(force, 0.0)
    n = len(force)
    for i in range(len(points.q)):
        w = work.weights[i]
        # far points have weights below rounding; skipping them saves most of the products
        if w.real < LEAST_WEIGHT:
            continue
        base = points.force[i]
        for c in range(n):
            force[c] += w * base[c]
        # [Tempel2018, Eq. 9]; matrices are stored by rows of k, so that the inner loop runs along memory
        for k in range(n):
            f, g = w * (q[k] - points.q[i, k]), w * (v[k] - points.v[i, k])
            first, second = points.stiffness[i, k], points.damping[i, k]
            for c in range(n):
                force[c] += f * first[c] + g * second[c]


@part
def find_weights(points, work, q, v):
    """Weights of the points by Eq. (1), or by Eq. (2) if a sharpness s is given."""
    here, weights, sharpness = work.here, work.weights, points.sharpness[0]
    for k in range(len(here)):
        row = points.measure[k]
        at = 0.0 * q[0]
        for c in range(len(q)):
            at += row[c] * q[c] + row[len(q) + c] * v[c]
        here[k] = at
    nearest = 0
    for i in range(len(weights)):
        d = points.least[0] + 0.0 * q[0]
        for k in range(len(here)):
            away = here[k] - points.measured[i, k]
            d += away * away
        weights[i] = d
        if d.real < weights[nearest].real:
            nearest = i
    # relative to the nearest point, which cancels in the normalised weights and avoids overflow
    least, total = weights[nearest], 0.0 * q[0]
    for i in range(len(weights)):
        w = least / weights[i]
        if sharpness > 0.0:
            w = np.exp(-sharpness * (1.0 / np.sqrt(w) - 1.0))
        else:
            w *= w
            w *= w
            w *= w
            w *= w
        weights[i] = w
        total += w
    for i in range(len(weights)):
        weights[i] /= total


@only_with("piecewise", otherwise=lambda model, data, acceleration: None)
@kernel
def inertial_wrenches(model, data, acceleration):
    """Wrenches that the joint accelerations alone need, less the applied ones: M a - B F before it is collected."""
    work = data.piecewise
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        here = data.nodes[i]
        # accelerations without velocity products and weight, which are part of the fitted forces f
        alpha = load3(work.alpha[node.parent])
        a = add3(load3(work.a[node.parent]), cross3(alpha, load3(here.r)))
        for c in range(node.column, node.column + node.column_count):
            s = load3(data.columns[c].s)
            if model.columns[c].is_rotation:
                alpha = axpy3(acceleration[c], s, alpha)
            else:
                a = axpy3(acceleration[c], s, a)
        store3(work.alpha[i], alpha)
        store3(work.a[i], a)
        N, F = (0.0 * a[0], 0.0 * a[0], 0.0 * a[0]), scale3(0.0, a)
        # inertia less applied wrenches, which are exact here: the fitted forces do not contain them
        if has_matter(node):
            N, F = inertial_wrench(node, here, alpha, a)
        store3(here.N, sub3(N, load3(here.external_N)))
        store3(here.F, sub3(F, load3(here.external_F)))


@part
def inertial_wrench(node, here, alpha, a):
    """Inertia wrench of a body about its origin, without velocity products."""
    R = load9(here.R)
    if node.is_rod:
        mass, com, across, along = rod_properties(node, 1.0)
        t = column(R, 2)
        d = scale3(com, t)
        N = axpy3(across, alpha, scale3((along - across) * dot3(t, alpha), t))
        F = scale3(mass, add3(a, cross3(alpha, d)))
    else:
        d = mat_vec(R, load3(node.com))
        N = sym_vec(sym_rotated(R, load6(node.inertia)), alpha)
        F = scale3(node.mass, add3(a, cross3(alpha, d)))
    return add3(N, cross3(d, F)), F
