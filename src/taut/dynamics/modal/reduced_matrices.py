"""Matrices and energies of reduced cables; notation and equations of ``reduced``.

Rows of matrices are numbered by the shapes, columns in the filled-up order: directions first, filled up with zeros to
a multiple of eight, and then lengths.
"""

from taut.dynamics.modal.reduced import turning_inertia, weighted
from taut.kernels.arrays import clear
from taut.kernels.jit import block, part, summing
from taut.kernels.lanes import WIDTH, eight, put
from taut.model.reduced import ALPHA, BETA, LENGTH


@summing
def dot(a, b, count):
    """Product of two vectors."""
    s = 0.0 * b[0]
    for k in range(count):
        s += a[k] * b[k]
    return s


@part
def row_end(tables, i, a):
    """Where the blocks of a row of a lower triangle end."""
    return (a // WIDTH + 1) * WIDTH if a < tables.counts[i, 1] else tables.counts[i, 5]


@part
def four_weighted(rows, count, factors, first, k):
    """Four weighted sums of rows, by four rows of factors from ``first`` on: rows are read once for all four."""
    f0, f1, f2, f3 = factors[first], factors[first + 1], factors[first + 2], factors[first + 3]
    row = eight(rows[0], k)
    s0, s1, s2, s3 = f0[0] * row, f1[0] * row, f2[0] * row, f3[0] * row
    for j in range(1, count):
        row = eight(rows[j], k)
        s0 = s0 + f0[j] * row
        s1 = s1 + f1[j] * row
        s2 = s2 + f2[j] * row
        s3 = s3 + f3[j] * row
    return s0, s1, s2, s3


@part
def add_four(matrix, first, k, sums):
    """Add to columns k .. k + 7 of four rows."""
    put(matrix[first], k, eight(matrix[first], k) + sums[0])
    put(matrix[first + 1], k, eight(matrix[first + 1], k) + sums[1])
    put(matrix[first + 2], k, eight(matrix[first + 2], k) + sums[2])
    put(matrix[first + 3], k, eight(matrix[first + 3], k) + sums[3])


@part
def arms_of(tables, work, i, x):
    """du/dq, axis x: by shape into work.arms [shape, station], by station into work.arms_at [station, filled up]."""
    count, directions, shapes = tables.counts[i, 0], tables.counts[i, 1], tables.counts[i, 2]
    is_spatial, wide = tables.counts[i, 3], tables.counts[i, 4]
    p, t, t_alpha, t_beta = work.length[i], work.t[i, x], work.t_alpha[i, x], work.t_beta[i, x]
    # by shape: rows along the stations, for the product with the masses
    for a in range(directions):
        for k in range(0, count, WIDTH):
            turned = eight(t_alpha, k) * eight(tables.alpha[i, a], k)
            if is_spatial:
                turned = turned + eight(t_beta, k) * eight(tables.beta[i, a], k)
            put(work.arms[a], k, eight(p, k) * turned)
    for a in range(directions, shapes):
        for k in range(0, count, WIDTH):
            put(work.arms[a], k, eight(t, k) * eight(tables.length[i, a - directions], k))
    # a transposed copy, with the shapes of one element side by side, as the second product reads them
    for k in range(count):
        row = work.arms_at[k]
        for b in range(0, wide, WIDTH):
            arm = p[k] * t_alpha[k] * eight(tables.alpha_at[i, k], b)
            if is_spatial:
                arm = arm + p[k] * t_beta[k] * eight(tables.beta_at[i, k], b)
            put(row, b, arm)
        for b in range(wide, tables.counts[i, 5], WIDTH):
            put(row, b, t[k] * eight(tables.length_at[i, k], b - wide))


@block
def mass_of(tables, work, i):
    """Lower triangle of M, Eq. (2), into work.mass, and the coupling with the base."""
    count, directions, shapes = tables.counts[i, 0], tables.counts[i, 1], tables.counts[i, 2]
    matrix, skipped = work.mass[i], tables.counts[i, 4] - directions
    clear(matrix)
    # m_a of Eq. (2): the stretching halves add to the diagonal only
    for a in range(shapes):
        matrix[a, a if a < directions else a + skipped] = tables.mass_along[i, a]
    for x in range(3):
        if x == 1 and not tables.counts[i, 3]:
            continue
        arms_of(tables, work, i, x)
        for b in range(0, tables.counts[i, 5], WIDTH):
            put(work.coupling[i, x], b, weighted(work.arms_at, count, tables.mass_beyond[i], 0, b))
        # four rows at a time, so that every entry of the arms is read once for four
        for a in range(0, shapes, 4):
            move_arms(tables, work, i, a)
            for b in range(0, row_end(tables, i, min(a + 3, shapes - 1)), WIDTH):
                add_four(matrix, a, b, four_weighted(work.arms_at, count, work.moved, 0, b))


@part
def move_arms(tables, work, i, a):
    """Mass times the arms of four shapes from a on, into work.moved."""
    count, directions, moved = tables.counts[i, 0], tables.counts[i, 1], work.moved
    for k in range(0, count, WIDTH):
        forces = four_weighted(tables.mass_between[i], count, work.arms, a, k)
        put(moved[0], k, forces[0])
        put(moved[1], k, forces[1])
        put(moved[2], k, forces[2])
        put(moved[3], k, forces[3])
        p = eight(work.length[i], k)
        turning = turning_inertia(tables, i, p, k)[0] / (p * p)
        for j in range(min(4, directions - a)):
            put(moved[j], k, eight(moved[j], k) + turning * eight(work.arms[a + j], k))


@part
def curvatures_of(tables, work, i, end):
    """Forces on the second derivatives of u by the fields: p t by alpha, beta and both, and those with p."""
    aa, ab, bb, by_alpha, by_beta = work.along[0], work.along[1], work.along[2], work.along[3], work.along[4]
    t, t_alpha, t_beta, pull = work.t[i], work.t_alpha[i], work.t_beta[i], work.pull[i]
    for k in range(0, tables.counts[i, 0], WIDTH):
        p, weight = eight(work.length[i], k), eight(tables.weight[i], k)
        # force at a station: of the cable's inertia, and of the cable's end by the station's Gauss weight
        f0 = eight(pull[0], k) + weight * end[0]
        f2 = eight(pull[2], k) + weight * end[2]
        # t_aa = -(t_x, 0, t_z), t_bb = -t, t_ab = (t_beta z, 0, -t_beta x)
        flat = f0 * eight(t[0], k) + f2 * eight(t[2], k)
        put(aa, k, -(p * flat))
        put(by_alpha, k, f0 * eight(t_alpha[0], k) + f2 * eight(t_alpha[2], k))
        if tables.counts[i, 3]:
            f1 = eight(pull[1], k) + weight * end[1]
            put(bb, k, -(p * (flat + f1 * eight(t[1], k))))
            put(ab, k, p * (f0 * eight(t_beta[2], k) - f2 * eight(t_beta[0], k)))
            turned = f0 * eight(t_beta[0], k) + f2 * eight(t_beta[2], k)
            put(by_beta, k, turned + f1 * eight(t_beta[1], k))


@part
def curve_shape(tables, work, i, a, j):
    """Curvatures times shape a, on alpha and on beta, into work.moved."""
    aa, ab, bb, by_alpha, by_beta = work.along[0], work.along[1], work.along[2], work.along[3], work.along[4]
    directions, on_alpha, on_beta = tables.counts[i, 1], work.moved[j], work.moved[4 + j]
    for k in range(0, tables.counts[i, 0], WIDTH):
        if a < directions:
            alpha, beta = eight(tables.alpha[i, a], k), eight(tables.beta[i, a], k)
            put(on_alpha, k, eight(aa, k) * alpha + eight(ab, k) * beta)
            put(on_beta, k, eight(ab, k) * alpha + eight(bb, k) * beta)
        else:
            length = eight(tables.length[i, a - directions], k)
            put(on_alpha, k, eight(by_alpha, k) * length)
            put(on_beta, k, eight(by_beta, k) * length)


@block
def geometric_of(tables, work, i, end):
    """Forces on the second derivatives of u into work.geometric; ``end`` is that at the end, in the cable's axes."""
    count, shapes, is_spatial = tables.counts[i, 0], tables.counts[i, 2], tables.counts[i, 3]
    matrix = work.geometric[i]
    curvatures_of(tables, work, i, end)
    clear(matrix)
    for a in range(0, shapes, 4):
        for j in range(min(4, shapes - a)):
            curve_shape(tables, work, i, a + j, j)
        # u is linear in the lengths: no second derivatives between them
        for b in range(0, min(tables.counts[i, 4], row_end(tables, i, min(a + 3, shapes - 1))), WIDTH):
            add_four(matrix, a, b, four_weighted(tables.alpha_at[i], count, work.moved, 0, b))
            if is_spatial:
                add_four(matrix, a, b, four_weighted(tables.beta_at[i], count, work.moved, 4, b))


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
    p, mass = work.length[i], tables.mass[i]
    alpha, beta, stretch = work.rate[i, ALPHA], work.rate[i, BETA], work.rate[i, LENGTH]
    moved, u, u_rate = work.moved[0], work.along[0], work.along[1]
    kinetic = 0.0 * p[0]
    weight = 0.0 * p[0]
    for x in range(3):
        t, t_alpha, t_beta = work.t[i, x], work.t_alpha[i, x], work.t_beta[i, x]
        for k in range(count):
            # Eq. (2): rates of u = p t; the rotary term needs only the direction
            turn = t_alpha[k] * alpha[k] + t_beta[k] * beta[k]
            u[k] = p[k] * t[k]
            u_rate[k] = stretch[k] * t[k] + p[k] * turn
            r = 0.5 * p[k] - tables.quarter[i]
            kinetic += 0.5 * (tables.rotary[i, k] + mass[k] * r * r) * turn * turn
        for k in range(count):
            # velocity of the elements' middles, c_k' = base + sum_j W_kj u_j'
            moved[k] = speed[x] + dot(tables.sums[i, k], u_rate, count)
        for k in range(count):
            kinetic += 0.5 * mass[k] * moved[k] * moved[k]
        weight -= gravity[x] * (tables.mass_total[i] * place[x] + dot(tables.mass_beyond[i], u, count))
    return kinetic, weight
