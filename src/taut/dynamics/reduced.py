"""Reduced cables: motion, forces and matrices from the fields at a few stations.

Directions and their derivatives, in the cable's axes:
    t = (sin a cos b, sin b, cos a cos b),   t' = t_a a' + t_b b',   t'' = t_a a'' + t_b b'' + t_bias          (1)
Station j stands for w_j elements; an element is the vector u = p t, the end is e = sum_j w_j u_j, and the middle of the
element at station k is c_k = sum_j W_kj u_j. Kinetic energy and the forces that follow from it:
    T = 1/2 sum_k m_k |c_k'|^2 + 1/2 sum_j J_j |t_j'|^2 + 1/2 sum_a m_a q_a'^2                                  (2)
    Q_a = sum_j (p_j A_j + J_j t_j'') . dt_j/dq_a + A_j . t_j dp_j/dq_a + m_a q_a'',   A = W^T m (W u'' + base) (3)
M = d2T/dq'dq' is symmetric and positive definite because all masses are positive. Elastic and damping forces are
linear and, by the choice of the shapes, diagonal. In the Newton matrix the forces A, with that of the end, act on the
second derivatives of u: the tension-geometric term.
"""

from taut.kernels.jit import block, part, summing
from taut.model.reduced import ALPHA, BETA, LENGTH

# Taylor coefficients of sine and cosine in x^2; at a quarter of the angle they are exact to rounding up to 3.5 rad
S1, S2, S3, S4, S5, S6, S7 = (-1 / 6, 1 / 120, -1 / 5040, 1 / 362880, -1 / 39916800, 1 / 6227020800, -1 / 1307674368000)
C1, C2, C3, C4, C5, C6, C7 = (-1 / 2, 1 / 24, -1 / 720, 1 / 40320, -1 / 3628800, 1 / 479001600, -1 / 87178291200)
C8 = 1 / 20922789888000


@part
def sine_cosine(x):
    """Sine and cosine without a branch, so that a loop over stations is done several at a time."""
    y = 0.25 * x
    z = y * y
    s = y * (1.0 + z * (S1 + z * (S2 + z * (S3 + z * (S4 + z * (S5 + z * (S6 + z * S7)))))))
    c = 1.0 + z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * (C6 + z * (C7 + z * C8)))))))
    s, c = 2.0 * s * c, 1.0 - 2.0 * s * s
    return 2.0 * s * c, 1.0 - 2.0 * s * s


@summing
def dot(a, b, count):
    """Product of two vectors."""
    s = 0.0 * b[0]
    for k in range(count):
        s += a[k] * b[k]
    return s


@part
def fields_of(tables, work, i, q, at, field):
    """Fields of one cable from its coordinates q[at..], without the mean."""
    count, directions, shapes = tables.counts[i, 0], tables.counts[i, 1], tables.counts[i, 2]
    wide, packed = tables.counts[i, 4], work.packed
    for a in range(wide):
        packed[a] = 0.0
    for a in range(directions):
        packed[a] = q[at + a]
    alpha, beta, length = field[i, ALPHA], field[i, BETA], field[i, LENGTH]
    for k in range(count):
        alpha[k] = dot(tables.alpha_at[i, k], packed, wide)
        length[k] = 0.0
    if tables.counts[i, 3]:
        for k in range(count):
            beta[k] = dot(tables.beta_at[i, k], packed, wide)
    for a in range(directions, shapes):
        f, row = q[at + a], tables.length[i, a - directions]
        for k in range(count):
            length[k] += f * row[k]


@block
def place_fields(tables, work, i, q, at):  # noqa: C901 (short loops, one array each)
    """Fields and directions at the coordinates, Eq. (1)."""
    count = tables.counts[i, 0]
    work.is_filled[i] = 0
    fields_of(tables, work, i, q, at, work.field)
    for f in range(3):
        row, mean = work.field[i, f], tables.mean[i, f]
        for k in range(count):
            row[k] += mean[k]
    alpha, beta = work.field[i, ALPHA], work.field[i, BETA]
    tx, ty, tz = work.t[i, 0], work.t[i, 1], work.t[i, 2]
    ax, az = work.t_alpha[i, 0], work.t_alpha[i, 2]
    for k in range(count):
        s, c = sine_cosine(alpha[k])
        tx[k] = s
        tz[k] = c
    if not tables.counts[i, 3]:
        for k in range(count):
            ax[k] = tz[k]
            az[k] = -tx[k]
        return
    bx, by, bz = work.t_beta[i, 0], work.t_beta[i, 1], work.t_beta[i, 2]
    for k in range(count):
        s, c = sine_cosine(beta[k])
        ty[k] = s
        by[k] = c
    for k in range(count):
        bx[k] = -tx[k] * ty[k]
    for k in range(count):
        bz[k] = -tz[k] * ty[k]
    for k in range(count):
        ax[k] = tz[k] * by[k]
    for k in range(count):
        az[k] = -tx[k] * by[k]
    for k in range(count):
        tx[k] = -az[k]
    for k in range(count):
        tz[k] = ax[k]


@block
def end_and_columns(tables, work, i):  # noqa: C901 (a branch for each field and axis)
    """The end e in the cable's axes, and its derivatives by the coordinates in work.columns."""
    count, directions, shapes = tables.counts[i, 0], tables.counts[i, 1], tables.counts[i, 2]
    p, weight = work.field[i, LENGTH], tables.weight[i]
    by_alpha, by_beta, by_length = work.along[0], work.along[1], work.along[2]
    e0 = 0.0 * p[0]
    e1 = 0.0 * p[0]
    e2 = 0.0 * p[0]
    for x in range(3):
        if x == 1 and not tables.counts[i, 3]:
            continue
        column = work.columns[x]
        t, t_alpha, t_beta = work.t[i, x], work.t_alpha[i, x], work.t_beta[i, x]
        for k in range(count):
            by_length[k] = weight[k] * t[k]
        for k in range(count):
            by_alpha[k] = weight[k] * p[k] * t_alpha[k]
        for a in range(directions):
            column[a] = dot(tables.alpha[i, a], by_alpha, count)
        if tables.counts[i, 3]:
            for k in range(count):
                by_beta[k] = weight[k] * p[k] * t_beta[k]
            for a in range(directions):
                column[a] += dot(tables.beta[i, a], by_beta, count)
        for a in range(directions, shapes):
            column[a] = dot(tables.length[i, a - directions], by_length, count)
        e = dot(p, by_length, count)
        if x == 0:
            e0 = e
        elif x == 1:
            e1 = e
        else:
            e2 = e
    return e0, e1, e2


@block
def velocity_products(tables, work, i, v, at):  # noqa: C901 (a branch for each field and axis)
    """Rates of the fields and what they alone give of t'' and u''; returns that of the end, in the cable's axes."""
    count, is_spatial = tables.counts[i, 0], tables.counts[i, 3]
    fields_of(tables, work, i, v, at, work.rate)
    alpha, beta, stretch = work.rate[i, ALPHA], work.rate[i, BETA], work.rate[i, LENGTH]
    p, weight = work.field[i, LENGTH], tables.weight[i]
    b0 = 0.0 * p[0]
    b1 = 0.0 * p[0]
    b2 = 0.0 * p[0]
    for x in range(3):
        if x == 1 and not is_spatial:
            continue
        t, t_alpha, t_beta = work.t[i, x], work.t_alpha[i, x], work.t_beta[i, x]
        t_bias, u_bias = work.t_bias[i, x], work.u_bias[i, x]
        if not is_spatial:
            for k in range(count):
                t_bias[k] = -t[k] * alpha[k] * alpha[k]
            for k in range(count):
                u_bias[k] = 2.0 * stretch[k] * t_alpha[k] * alpha[k] + p[k] * t_bias[k]
        else:
            if x == 1:
                for k in range(count):
                    t_bias[k] = -t[k] * beta[k] * beta[k]
            else:
                # d2t/dadb = (t_beta z, 0, -t_beta x)
                across = work.t_beta[i, 2 - x]
                sign = 2.0 if x == 0 else -2.0
                for k in range(count):
                    turn = alpha[k] * alpha[k] + beta[k] * beta[k]
                    t_bias[k] = sign * across[k] * alpha[k] * beta[k] - t[k] * turn
            for k in range(count):
                u_bias[k] = 2.0 * stretch[k] * (t_alpha[k] * alpha[k] + t_beta[k] * beta[k]) + p[k] * t_bias[k]
        b = dot(weight, u_bias, count)
        if x == 0:
            b0 = b
        elif x == 1:
            b1 = b
        else:
            b2 = b
    return b0, b1, b2


@block
def inertia_forces(tables, work, i, a, at, base):
    """Second derivatives and the forces A of Eq. (3), on a base that accelerates (in the cable's axes)."""
    count, is_spatial = tables.counts[i, 0], tables.counts[i, 3]
    work.is_filled[i] = 0
    fields_of(tables, work, i, a, at, work.second)
    alpha, beta, stretch = work.second[i, ALPHA], work.second[i, BETA], work.second[i, LENGTH]
    p, beyond = work.field[i, LENGTH], tables.mass_beyond[i]
    for x in range(3):
        work.load[i, x] = tables.mass_total[i] * base[x]
        if x == 1 and not is_spatial:
            continue
        pull, t_second, u_second = work.pull[i, x], work.t_second[i, x], work.u_second[i, x]
        t, t_alpha, t_beta = work.t[i, x], work.t_alpha[i, x], work.t_beta[i, x]
        t_bias, u_bias = work.t_bias[i, x], work.u_bias[i, x]
        if is_spatial:
            for k in range(count):
                t_second[k] = t_alpha[k] * alpha[k] + t_beta[k] * beta[k]
        else:
            for k in range(count):
                t_second[k] = t_alpha[k] * alpha[k]
        for k in range(count):
            u_second[k] = stretch[k] * t[k] + p[k] * t_second[k] + u_bias[k]
        for k in range(count):
            t_second[k] += t_bias[k]
        for j in range(count):
            pull[j] = dot(tables.mass_between[i, j], u_second, count) + beyond[j] * base[x]
        work.load[i, x] += dot(beyond, u_second, count)


@block
def own_needs(tables, work, i, q, v, acceleration, at_q, at, own):  # noqa: C901 (a branch for each field)
    """Q of Eq. (3) with the elastic and damping forces into own[at + a]."""
    count, directions, shapes = tables.counts[i, 0], tables.counts[i, 1], tables.counts[i, 2]
    is_spatial = tables.counts[i, 3]
    p, rotary = work.field[i, LENGTH], tables.rotary[i]
    by_alpha, by_beta, by_length = work.along[0], work.along[1], work.along[2]
    for x in range(3):
        if x == 1 and not is_spatial:
            continue
        pull, t_second = work.pull[i, x], work.t_second[i, x]
        t, t_alpha, t_beta = work.t[i, x], work.t_alpha[i, x], work.t_beta[i, x]
        if x == 0:
            for k in range(count):
                by_alpha[k] = (p[k] * pull[k] + rotary[k] * t_second[k]) * t_alpha[k]
            for k in range(count):
                by_length[k] = pull[k] * t[k]
            if is_spatial:
                for k in range(count):
                    by_beta[k] = (p[k] * pull[k] + rotary[k] * t_second[k]) * t_beta[k]
        else:
            for k in range(count):
                by_alpha[k] += (p[k] * pull[k] + rotary[k] * t_second[k]) * t_alpha[k]
            for k in range(count):
                by_length[k] += pull[k] * t[k]
            if is_spatial:
                for k in range(count):
                    by_beta[k] += (p[k] * pull[k] + rotary[k] * t_second[k]) * t_beta[k]
    for a in range(shapes):
        linear = tables.rest[i, a] + tables.stiffness[i, a] * q[at_q + a] + tables.damping[i, a] * v[at + a]
        own[at + a] = linear + tables.mass_along[i, a] * acceleration[at + a]
    for a in range(directions):
        own[at + a] += dot(tables.alpha[i, a], by_alpha, count)
    if is_spatial:
        for a in range(directions):
            own[at + a] += dot(tables.beta[i, a], by_beta, count)
    for a in range(directions, shapes):
        own[at + a] += dot(tables.length[i, a - directions], by_length, count)
