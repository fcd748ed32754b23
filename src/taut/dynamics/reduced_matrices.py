"""Matrices and energies of reduced cables; notation and equations of ``reduced``."""

from taut.dynamics.reduced import dot
from taut.kernels.jit import block, part
from taut.model.reduced import ALPHA, BETA, LENGTH


@block
def arms_of(tables, work, i):
    """du/dq at the stations into work.arms [xyz, shape, station]."""
    count, directions, shapes = tables.counts[i, 0], tables.counts[i, 1], tables.counts[i, 2]
    p = work.field[i, LENGTH]
    for x in range(3):
        t, t_alpha, t_beta = work.t[i, x], work.t_alpha[i, x], work.t_beta[i, x]
        for a in range(directions):
            arm, alpha = work.arms[x, a], tables.alpha[i, a]
            for k in range(count):
                arm[k] = p[k] * t_alpha[k] * alpha[k]
            if tables.counts[i, 3]:
                beta = tables.beta[i, a]
                for k in range(count):
                    arm[k] += p[k] * t_beta[k] * beta[k]
        for a in range(directions, shapes):
            arm, length = work.arms[x, a], tables.length[i, a - directions]
            for k in range(count):
                arm[k] = t[k] * length[k]


@block
def mass_of(tables, work, i):
    """Lower triangle of M, Eq. (2), into work.mass, and the coupling with the base; needs ``arms_of``."""
    count, directions, shapes = tables.counts[i, 0], tables.counts[i, 1], tables.counts[i, 2]
    rotary, p, matrix = tables.rotary[i], work.field[i, LENGTH], work.mass[i]
    for a in range(shapes):
        for b in range(a + 1):
            matrix[a, b] = 0.0
        matrix[a, a] = tables.mass_along[i, a]
    for x in range(3):
        if x == 1 and not tables.counts[i, 3]:
            continue
        moved = work.moved[x]
        for a in range(shapes):
            arm = work.arms[x, a]
            work.coupling[i, a, x] = dot(tables.mass_beyond[i], arm, count)
            for j in range(count):
                moved[j] = dot(tables.mass_between[i, j], arm, count)
            if a < directions:
                for k in range(count):
                    moved[k] += rotary[k] / (p[k] * p[k]) * arm[k]
            for b in range(a + 1):
                matrix[a, b] += dot(moved, work.arms[x, b], count)


@block
def geometric_of(tables, work, i, end):  # noqa: C901 (a branch for each pair of fields)
    """Forces on the second derivatives of u into work.geometric; ``end`` is that at the end, in the cable's axes."""
    count, directions, shapes = tables.counts[i, 0], tables.counts[i, 1], tables.counts[i, 2]
    is_spatial = tables.counts[i, 3]
    p, weight, matrix = work.field[i, LENGTH], tables.weight[i], work.geometric[i]
    aa, ab, bb = work.along[0], work.along[1], work.along[2]
    by_alpha, by_beta, product = work.moved[0], work.moved[1], work.moved[2]
    zero = 0.0 * p[0]
    for k in range(count):
        f0 = work.pull[i, 0, k] + weight[k] * end[0]
        f1 = work.pull[i, 1, k] + weight[k] * end[1]
        f2 = work.pull[i, 2, k] + weight[k] * end[2]
        flat = f0 * work.t[i, 0, k] + f2 * work.t[i, 2, k]
        aa[k] = -p[k] * flat
        by_alpha[k] = f0 * work.t_alpha[i, 0, k] + f2 * work.t_alpha[i, 2, k]
        by_beta[k] = zero
        if is_spatial:
            bb[k] = -p[k] * (flat + f1 * work.t[i, 1, k])
            ab[k] = p[k] * (f0 * work.t_beta[i, 2, k] - f2 * work.t_beta[i, 0, k])
            by_beta[k] = f0 * work.t_beta[i, 0, k] + f1 * work.t_beta[i, 1, k] + f2 * work.t_beta[i, 2, k]
    for a in range(directions):
        alpha = tables.alpha[i, a]
        for k in range(count):
            product[k] = aa[k] * alpha[k]
        if is_spatial:
            beta = tables.beta[i, a]
            for k in range(count):
                product[k] += ab[k] * beta[k]
        for b in range(a + 1):
            matrix[a, b] = dot(tables.alpha[i, b], product, count)
        if is_spatial:
            for k in range(count):
                product[k] = ab[k] * alpha[k] + bb[k] * beta[k]
            for b in range(a + 1):
                matrix[a, b] += dot(tables.beta[i, b], product, count)
    for a in range(directions, shapes):
        length = tables.length[i, a - directions]
        for b in range(directions, a + 1):
            matrix[a, b] = 0.0
        for k in range(count):
            product[k] = length[k] * by_alpha[k]
        for b in range(directions):
            matrix[a, b] = dot(tables.alpha[i, b], product, count)
        if is_spatial:
            for k in range(count):
                product[k] = length[k] * by_beta[k]
            for b in range(directions):
                matrix[a, b] += dot(tables.beta[i, b], product, count)


@part
def elastic_of(tables, i, q, at):
    """Elastic energy of one cable."""
    total = tables.energy[i] + 0.0 * q[at]
    for a in range(tables.counts[i, 2]):
        x = q[at + a]
        total += (tables.rest[i, a] + 0.5 * tables.stiffness[i, a] * x) * x
    return total


@part
def lost_power(tables, i, v, at):
    """Power lost in one cable's dampers."""
    total = 0.0 * v[at]
    for a in range(tables.counts[i, 2]):
        total += tables.damping[i, a] * v[at + a] * v[at + a]
    return total


@part
def stretching_energy(tables, i, v, at):
    """Kinetic energy of the elements' halves that move apart."""
    total = 0.0 * v[at]
    for a in range(tables.counts[i, 2]):
        total += 0.5 * tables.mass_along[i, a] * v[at + a] * v[at + a]
    return total


@block
def motion_energies(tables, work, i, place, speed, gravity):
    """Kinetic and gravity energy of one cable; place, speed and gravity in the cable's axes, base included."""
    count = tables.counts[i, 0]
    p, mass, rotary = work.field[i, LENGTH], tables.mass[i], tables.rotary[i]
    alpha, beta, stretch = work.rate[i, ALPHA], work.rate[i, BETA], work.rate[i, LENGTH]
    moved, u, u_rate = work.moved[0], work.along[0], work.along[1]
    kinetic = 0.0 * p[0]
    weight = 0.0 * p[0]
    for x in range(3):
        t, t_alpha, t_beta = work.t[i, x], work.t_alpha[i, x], work.t_beta[i, x]
        for k in range(count):
            turn = t_alpha[k] * alpha[k] + t_beta[k] * beta[k]
            u[k] = p[k] * t[k]
            u_rate[k] = stretch[k] * t[k] + p[k] * turn
            kinetic += 0.5 * rotary[k] * turn * turn
        for k in range(count):
            moved[k] = speed[x] + dot(tables.sums[i, k], u_rate, count)
        for k in range(count):
            kinetic += 0.5 * mass[k] * moved[k] * moved[k]
        weight -= gravity[x] * (tables.mass_total[i] * place[x] + dot(tables.mass_beyond[i], u, count))
    return kinetic, weight
