"""Reduced cables: motion, forces and matrices from the fields at a few stations.

Directions and their derivatives, in the cable's axes:
    t = (sin a cos b, sin b, cos a cos b),   t' = t_a a' + t_b b',   t'' = t_a a'' + t_b b'' + t_bias          (1)
Station j stands for w_j elements; an element is the vector u = p t, the end is e = sum_j w_j u_j, and the middle of the
element at station k is c_k = sum_j W_kj u_j. Kinetic energy and the forces that follow from it:
    T = 1/2 sum_k m_k |c_k'|^2 + 1/2 sum_j J_j |t_j'|^2 + 1/2 sum_a m_a q_a'^2                                  (2)
    Q_a = sum_j (p_j A_j + (J_j t_j')') . dt_j/dq_a + (A_j . t_j - 1/2 J_j^p |t_j'|^2) dp_j/dq_a + m_a q_a'',
    A = W^T m (W u'' + base),   J = I + m r^2,   J^p = dJ/dp = m r,   r = p / 2 - l / 4                         (3)
where r is the distance of the half-links' centres from the element's middle, which grows as the element is stretched.
M = d2T/dq'dq' is symmetric and positive definite because all masses are positive. Elastic and damping forces are
linear and, by the choice of the shapes, diagonal. In the Newton matrix the forces A, with that of the end, act on the
second derivatives of u: the tension-geometric term.

Stations and shapes are worked on eight at a time (``kernels.lanes``).
"""

from taut.kernels.jit import block, part
from taut.kernels.lanes import WIDTH, eight, put, total
from taut.model.reduced import ALPHA, BETA, LENGTH

# Taylor coefficients of sine and cosine in x^2; at a quarter of the angle they are exact to rounding up to 3.5 rad
S1, S2, S3, S4, S5, S6, S7 = (-1 / 6, 1 / 120, -1 / 5040, 1 / 362880, -1 / 39916800, 1 / 6227020800, -1 / 1307674368000)
C1, C2, C3, C4, C5, C6, C7 = (-1 / 2, 1 / 24, -1 / 720, 1 / 40320, -1 / 3628800, 1 / 479001600, -1 / 87178291200)
C8 = 1 / 20922789888000


@part
def sine_cosine(x):
    """Sine and cosine without a branch, of eight at a time."""
    y = 0.25 * x
    z = y * y
    s = y * (1.0 + z * (S1 + z * (S2 + z * (S3 + z * (S4 + z * (S5 + z * (S6 + z * S7)))))))
    c = 1.0 + z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * (C6 + z * (C7 + z * C8)))))))
    s, c = 2.0 * s * c, 1.0 - 2.0 * s * s
    return 2.0 * s * c, 1.0 - 2.0 * s * s


@part
def weighted(rows, count, factors, at, k):
    """Columns k .. k + 7 of the sum of factors[at + a] rows[a]."""
    s = factors[at] * eight(rows[0], k)
    for a in range(1, count):
        s = s + factors[at + a] * eight(rows[a], k)
    return s


@part
def pair_weighted(rows, count, first, second, k):
    """Two sums as of ``weighted``, with a list of factors each: every entry of the rows is read once for both."""
    row = eight(rows[0], k)
    s, t = first[0] * row, second[0] * row
    for a in range(1, count):
        row = eight(rows[a], k)
        s = s + first[a] * row
        t = t + second[a] * row
    return s, t


@part
def directions_at(tables, i, q, at, k):
    """Alpha and beta at eight stations without the mean, from coordinates q[at..]; beta as alpha in the plane."""
    count = tables.counts[i, 1]
    alpha = weighted(tables.alpha[i], count, q, at, k)
    return alpha, weighted(tables.beta[i], count, q, at, k) if tables.counts[i, 3] else alpha


@part
def lengths_at(tables, i, q, at, k):
    """p at eight stations without the mean."""
    d = tables.counts[i, 1]
    return weighted(tables.length[i], tables.counts[i, 2] - d, q, at + d, k)


@block
def place_fields(tables, work, i, q, at):
    """Lengths and directions at the coordinates, Eq. (1)."""
    # the matrices of the last state no longer hold
    work.is_filled[i] = 0
    mean, t, t_alpha, t_beta = tables.mean[i], work.t[i], work.t_alpha[i], work.t_beta[i]
    for k in range(0, tables.counts[i, 0], WIDTH):
        put(work.length[i], k, eight(mean[LENGTH], k) + lengths_at(tables, i, q, at, k))
        alpha, beta = directions_at(tables, i, q, at, k)
        s, c = sine_cosine(eight(mean[ALPHA], k) + alpha)
        # in space, cos b shortens the components in the plane, and t has a derivative by b
        if tables.counts[i, 3]:
            y, h = sine_cosine(eight(mean[BETA], k) + beta)
            put(t[1], k, y)
            put(t_beta[0], k, -(s * y))
            put(t_beta[1], k, h)
            put(t_beta[2], k, -(c * y))
            s, c = s * h, c * h
        put(t[0], k, s)
        put(t[2], k, c)
        put(t_alpha[0], k, c)
        put(t_alpha[2], k, -s)


@part
def on_shapes(tables, i, by_alpha, by_beta, by_length, out):
    """What acts on the fields as it acts on the coordinates, in the filled-up order."""
    count, is_spatial, wide, all_wide = (
        tables.counts[i, 0],
        tables.counts[i, 3],
        tables.counts[i, 4],
        tables.counts[i, 5],
    )
    for b in range(0, wide, WIDTH):
        s = weighted(tables.alpha_at[i], count, by_alpha, 0, b)
        if is_spatial:
            s = s + weighted(tables.beta_at[i], count, by_beta, 0, b)
        put(out, b, s)
    for b in range(wide, all_wide, WIDTH):
        put(out, b, weighted(tables.length_at[i], count, by_length, 0, b - wide))


@block
def end_and_columns(tables, work, i):
    """The end e in the cable's axes, and its derivatives by the coordinates in work.columns, filled-up order."""
    count, is_spatial = tables.counts[i, 0], tables.counts[i, 3]
    by_alpha, by_beta, by_length = work.along[0], work.along[1], work.along[2]
    for x in range(3):
        # a plane cable has no component across its plane
        if x == 1 and not is_spatial:
            continue
        t, t_alpha, t_beta = work.t[i, x], work.t_alpha[i, x], work.t_beta[i, x]
        e = 0.0 * eight(t, 0)
        for k in range(0, count, WIDTH):
            weight = eight(tables.weight[i], k)
            lever = weight * eight(work.length[i], k)
            e = e + lever * eight(t, k)
            # derivatives of e by the fields at each station; on_shapes makes them derivatives by coordinates
            put(by_length, k, weight * eight(t, k))
            put(by_alpha, k, lever * eight(t_alpha, k))
            if is_spatial:
                put(by_beta, k, lever * eight(t_beta, k))
        on_shapes(tables, i, by_alpha, by_beta, by_length, work.columns[x])
        work.vector[x] = total(e)
    return work.vector[0], work.vector[1], work.vector[2]


@block
def velocity_products(tables, work, i, v, at):
    """Rates of the fields and the velocity products of t'' and u''; returns that of the end, in the cable's axes."""
    count, is_spatial = tables.counts[i, 0], tables.counts[i, 3]
    rate, t, t_alpha, t_beta, t_bias = work.rate[i], work.t[i], work.t_alpha[i], work.t_beta[i], work.t_bias[i]
    for k in range(0, count, WIDTH):
        alpha, beta = directions_at(tables, i, v, at, k)
        put(rate[ALPHA], k, alpha)
        put(rate[LENGTH], k, lengths_at(tables, i, v, at, k))
        turn = alpha * alpha
        if is_spatial:
            put(rate[BETA], k, beta)
            turn = turn + beta * beta
            # d2t/dadb = (t_beta z, 0, -t_beta x)
            across = 2.0 * (alpha * beta)
            put(t_bias[0], k, across * eight(t_beta[2], k) - turn * eight(t[0], k))
            put(t_bias[1], k, -(beta * beta * eight(t[1], k)))
            put(t_bias[2], k, -(across * eight(t_beta[0], k) + turn * eight(t[2], k)))
        else:
            put(t_bias[0], k, -(turn * eight(t[0], k)))
            put(t_bias[2], k, -(turn * eight(t[2], k)))
    for x in range(3):
        if x == 1 and not is_spatial:
            continue
        u_bias = work.u_bias[i, x]
        e = 0.0 * eight(t_bias[x], 0)
        for k in range(0, count, WIDTH):
            turned = eight(rate[ALPHA], k) * eight(t_alpha[x], k)
            if is_spatial:
                turned = turned + eight(rate[BETA], k) * eight(t_beta[x], k)
            u = 2.0 * (eight(rate[LENGTH], k) * turned) + eight(work.length[i], k) * eight(t_bias[x], k)
            put(u_bias, k, u)
            e = e + eight(tables.weight[i], k) * u
        work.vector[x] = total(e)
    return work.vector[0], work.vector[1], work.vector[2]


@block
def inertia_forces(tables, work, i, a, at, base):
    """Second derivatives and the forces A of Eq. (3), on a base that accelerates (in the cable's axes)."""
    count, is_spatial = tables.counts[i, 0], tables.counts[i, 3]
    work.is_filled[i] = 0
    t, t_alpha, t_beta, t_second, u_second = work.t[i], work.t_alpha[i], work.t_beta[i], work.t_second[i], work.u_second
    for k in range(0, count, WIDTH):
        # Eq. (1) twice differentiated: joint accelerations and the stored velocity products
        alpha, beta = directions_at(tables, i, a, at, k)
        stretch, p = lengths_at(tables, i, a, at, k), eight(work.length[i], k)
        for x in range(3):
            if x == 1 and not is_spatial:
                continue
            turned = alpha * eight(t_alpha[x], k)
            if is_spatial:
                turned = turned + beta * eight(t_beta[x], k)
            put(t_second[x], k, turned + eight(work.t_bias[i, x], k))
            put(u_second[x], k, stretch * eight(t[x], k) + p * turned + eight(work.u_bias[i, x], k))
    for k in range(0, count, WIDTH):
        # A of Eq. (3): W^T m W u'' + W^T m base, with both products in the tables
        beyond, between = eight(tables.mass_beyond[i], k), tables.mass_between[i]
        pull_x, pull_z = pair_weighted(between, count, u_second[0], u_second[2], k)
        put(work.pull[i, 0], k, pull_x + beyond * base[0])
        put(work.pull[i, 2], k, pull_z + beyond * base[2])
        if is_spatial:
            put(work.pull[i, 1], k, weighted(between, count, u_second[1], 0, k) + beyond * base[1])
    for x in range(3):
        # force on the base: the mass times its acceleration, and the inertia of the motion relative to it
        needed = 0.0 * eight(u_second[x], 0)
        for k in range(0, count, WIDTH):
            needed = needed + eight(tables.mass_beyond[i], k) * eight(u_second[x], k)
        work.load[i, x] = tables.mass_total[i] * base[x] + total(needed)


@part
def turning_inertia(tables, i, p, k):
    """Rotary inertia J of Eq. (3) at eight stations of lengths p, and its derivative by p."""
    r = 0.5 * p - tables.quarter[i]
    slope = eight(tables.mass[i], k) * r
    return eight(tables.rotary[i], k) + slope * r, slope


@part
def turned_at(tables, work, i, x, k):
    """Rate of t at eight stations, axis x."""
    turned = eight(work.rate[i, ALPHA], k) * eight(work.t_alpha[i, x], k)
    if tables.counts[i, 3]:
        turned = turned + eight(work.rate[i, BETA], k) * eight(work.t_beta[i, x], k)
    return turned


@block
def own_needs(tables, work, i, q, v, acceleration, at_q, at, own):
    """Generalised forces Q of Eq. (3) with the elastic and damping forces, into own[at + a]."""
    directions, shapes, is_spatial = tables.counts[i, 1], tables.counts[i, 2], tables.counts[i, 3]
    by_alpha, by_beta, by_length = work.along[0], work.along[1], work.along[2]
    for k in range(0, tables.counts[i, 0], WIDTH):
        p = eight(work.length[i], k)
        rotary, slope = turning_inertia(tables, i, p, k)
        drift = slope * eight(work.rate[i, LENGTH], k)
        # Eq. (3) by components: x and z for every cable, y only in space
        pull, turn = eight(work.pull[i, 0], k), turned_at(tables, work, i, 0, k)
        force = p * pull + rotary * eight(work.t_second[i, 0], k) + drift * turn
        alpha = force * eight(work.t_alpha[i, 0], k)
        beta = force * eight(work.t_beta[i, 0], k)
        length = pull * eight(work.t[i, 0], k) - 0.5 * slope * turn * turn
        pull, turn = eight(work.pull[i, 2], k), turned_at(tables, work, i, 2, k)
        force = p * pull + rotary * eight(work.t_second[i, 2], k) + drift * turn
        alpha = alpha + force * eight(work.t_alpha[i, 2], k)
        length = length + pull * eight(work.t[i, 2], k) - 0.5 * slope * turn * turn
        if is_spatial:
            beta = beta + force * eight(work.t_beta[i, 2], k)
            pull, turn = eight(work.pull[i, 1], k), turned_at(tables, work, i, 1, k)
            force = p * pull + rotary * eight(work.t_second[i, 1], k) + drift * turn
            beta = beta + force * eight(work.t_beta[i, 1], k)
            length = length + pull * eight(work.t[i, 1], k) - 0.5 * slope * turn * turn
            put(by_beta, k, beta)
        put(by_alpha, k, alpha)
        put(by_length, k, length)
    on_shapes(tables, i, by_alpha, by_beta, by_length, work.packed)
    # from the order padded to whole blocks of eight back to that of the coordinates
    skipped = tables.counts[i, 4] - directions
    for a in range(shapes):
        linear = tables.rest[i, a] + tables.stiffness[i, a] * q[at_q + a] + tables.damping[i, a] * v[at + a]
        inertia = work.packed[a if a < directions else a + skipped]
        own[at + a] = linear + inertia + tables.mass_along[i, a] * acceleration[at + a]
