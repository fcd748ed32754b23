"""A super-element: constant matrices on a base that may be accelerated, with an end point linear in its coordinates.

With base at B, coordinates x and end P = B + p_0 + E^T x,
    M x'' + D x' + K x + U (B'' - g) = f_0 + E F,       force on the base: m (B'' - g) + U^T x'' - F                (1)
where F acts at the end. Its numbers lie in ``model.modal`` from ``node.modal`` on, in the order M, D, K (n x n each),
U, E (n x 3), f_0 (n), m, p_0 (3).
"""

from taut.kernels.jit import block, kernel, only_with, part
from taut.kernels.mat3 import mat_t_vec, mat_vec
from taut.kernels.vec3 import add3, axpy3, dot3, scale3, store3


@part
def vector_at(numbers, at):
    """Three consecutive entries of an array as a vector."""
    return (numbers[at], numbers[at + 1], numbers[at + 2])


@only_with("modal", otherwise=lambda model, data, node, R, x: x)
@block
def place_modal(model, data, node, R, x):
    """Columns' axes in the frame R of the base, and the end point."""
    numbers = model.modal
    n = node.column_count
    E = node.modal + 3 * n * n + 3 * n
    x = add3(x, mat_vec(R, vector_at(numbers, E + 3 * n + n + 1)))
    for c in range(n):
        s = mat_vec(R, vector_at(numbers, E + 3 * c))
        store3(data.columns[node.column + c].s, s)
        x = axpy3(data.q[node.coordinate + c], s, x)
    return x


@only_with("modal", otherwise=lambda model, data, node, acceleration, R, base: base)
@block
def modal_needs(model, data, node, acceleration, R, base):
    """Forces of the columns by Eq. (1), into ``own``; returns the force on the accelerated base."""
    n, numbers = node.column_count, model.modal
    M, U = node.modal, node.modal + 3 * n * n
    f_0 = U + 6 * n
    force = scale3(numbers[f_0 + n], base)
    # U is constant in the axes of the base
    local = mat_t_vec(R, base)
    for c in range(n):
        need = dot3(vector_at(numbers, U + 3 * c), local) - numbers[f_0 + c]
        for j in range(n):
            at = M + c * n + j
            i = node.column + j
            # M, D and K lie n x n numbers apart
            need += numbers[at] * acceleration[i] + numbers[at + n * n] * data.v[i]
            need += numbers[at + 2 * n * n] * data.q[node.coordinate + j]
        data.own[node.column + c] = need
        force = axpy3(acceleration[node.column + c], mat_vec(R, vector_at(numbers, U + 3 * c)), force)
    return force


@only_with("modal", otherwise=lambda model, data, node, x, R, base: base)
@block
def modal_inertia(model, data, node, x, R, base):
    """Inertia forces by Eq. (1), of accelerations alone."""
    n, numbers = node.column_count, model.modal
    M, U = node.modal, node.modal + 3 * n * n
    force = scale3(numbers[U + 7 * n], base)
    local = mat_t_vec(R, base)
    for c in range(n):
        need = dot3(vector_at(numbers, U + 3 * c), local)
        for j in range(n):
            need += numbers[M + c * n + j] * x[node.column + j]
        data.own[node.column + c] = need
        force = axpy3(x[node.column + c], mat_vec(R, vector_at(numbers, U + 3 * c)), force)
    return force


@only_with("modal", otherwise=lambda model, factor, node, R, c_D, c_K: 0.0)
@block
def fill_modal(model, factor, node, R, c_D, c_K):
    """Fill the factor with the band of S = M + c_D D + c_K K and with U; returns the mass m."""
    n, w, numbers = node.column_count, node.half_band, model.modal
    M, U = node.modal, node.modal + 3 * n * n
    for c in range(n):
        for i in range(min(w, c) + 1):
            at = M + c * n + c - i
            entry = numbers[at] + c_D * numbers[at + n * n] + c_K * numbers[at + 2 * n * n]
            factor.band[node.band + c * (w + 1) + i] = entry
        store3(factor.columns[node.column + c].U_F, mat_vec(R, vector_at(numbers, U + 3 * c)))
    return numbers[U + 7 * n]


@only_with(
    "modal",
    otherwise=lambda model, data, node, R, base, velocity, gravity: (base[0], base[1], base[2], base[0]),
)
@kernel
def modal_energies(model, data, node, R, base, velocity, gravity):
    """Kinetic, gravity and elastic energy, and the power lost in damping."""
    n, numbers = node.column_count, model.modal
    M, U = node.modal, node.modal + 3 * n * n
    m = numbers[U + 7 * n]
    # m times position and momentum of the base, to which the coordinates add their share by U
    moment, first = scale3(m, base), scale3(m, velocity)
    kinetic = 0.5 * m * dot3(velocity, velocity)
    elastic, lost = 0.0 * kinetic, 0.0 * kinetic
    for c in range(n):
        v_c, q_c = data.v[node.column + c], data.q[node.coordinate + c]
        coupling = mat_vec(R, vector_at(numbers, U + 3 * c))
        moment = axpy3(q_c, coupling, moment)
        first = axpy3(v_c, coupling, first)
        elastic -= numbers[U + 6 * n + c] * q_c
        for j in range(n):
            at = M + c * n + j
            v_j, q_j = data.v[node.column + j], data.q[node.coordinate + j]
            kinetic += 0.5 * v_c * numbers[at] * v_j
            lost += v_c * numbers[at + n * n] * v_j
            elastic += 0.5 * q_c * numbers[at + 2 * n * n] * q_j
    # add the coupling velocity.U^T x' only: ``first`` also holds m velocity, whose energy is counted above
    kinetic += dot3(velocity, first) - m * dot3(velocity, velocity)
    return kinetic, -dot3(gravity, moment), elastic, lost
