"""Factor and solves of modal nodes with a full matrix: the same as ``bands``, eight entries at a time.

Row c holds S[c, 0] .. S[c, c] from node.band + c (half_band + 1) on; half_band + 1 is a multiple of eight, and entries
right of the diagonal are not read. The columns are eliminated last first:
    S[i, j] -= S[c, i] S[c, j] / D,   U[i] -= S[c, i] U[c] / D,   m -= U[c] U[c]^T / D,   D = S[c, c],   j <= i < c  (1)
A base on the ground does not move: U and m are not needed there.
"""

from taut.kernels.inertia import sym_less_outer
from taut.kernels.jit import block, only_with, part
from taut.kernels.lanes import WIDTH, eight, put, total
from taut.kernels.vec3 import axpy3, dot3, load3, scale3, store3


@part
def no_mass(number):
    """A symmetric matrix of zeros."""
    zero = 0.0 * number
    return zero, zero, zero, zero, zero, zero


@only_with("reduced", otherwise=lambda model, factor, node, mass: no_mass(factor.columns[0].u))
@block
def eliminate_dense(model, factor, node, mass):
    """Eliminate columns with a full matrix, Eq. (1), in place; returns what of the mass the parent carries."""
    band, pivots = factor.band, factor.columns
    wide = node.half_band + 1
    zero = 0.0 * band[node.band]
    m = (mass + zero, zero, zero, mass + zero, zero, mass + zero)
    for c in range(node.column_count - 1, -1, -1):
        at = node.band + c * wide
        pivot = pivots[node.column + c]
        f = 1.0 / band[at + c]
        pivot.inverse_D = f
        U = load3(pivot.U_F)
        for i in range(c):
            g = band[at + i] * f
            into = node.band + i * wide
            # whole blocks of eight write past the diagonal, where nothing is read
            for j in range(0, i + 1, WIDTH):
                put(band, into + j, eight(band, into + j) - g * eight(band, at + j))
            # a cable on the world hands no forces to a parent, so its columns U are not needed
            if node.parent > 0:
                other = pivots[node.column + i]
                store3(other.U_F, axpy3(-g, U, load3(other.U_F)))
        m = sym_less_outer(m, U, f)
    return m


@only_with("reduced", otherwise=lambda model, data, factor, node, b, F: F)
@part
def reduce_dense(model, data, factor, node, b, F):
    """Forces reduced inwards: fills u of the columns; returns the load on the base beside that at the end."""
    pivots, line = factor.columns, factor.line
    for c in range(node.column_count):
        k = node.column + c
        line[c] = b[k] - factor.load[k] - dot3(load3(data.columns[k].s), F)
    reduce_line(node, factor.band, pivots, line)
    on_base = scale3(0.0, F)
    for c in range(node.column_count):
        pivot = pivots[node.column + c]
        pivot.u = line[c]
        if node.parent > 0:
            on_base = axpy3(line[c] * pivot.inverse_D, load3(pivot.U_F), on_base)
    return on_base


@only_with("reduced", otherwise=lambda model, factor, node, a, x: None)
@part
def expand_dense(model, factor, node, a, x):
    """Solution outwards on a base with the acceleration a."""
    band, pivots, line = factor.band, factor.columns, factor.line
    for c in range(node.column_count):
        k = node.column + c
        pivot = pivots[k]
        y = pivot.u - row_product(band, node.band + c * (node.half_band + 1), c, line)
        if node.parent > 0:
            y -= dot3(load3(pivot.U_F), a)
        line[c] = y * pivot.inverse_D
        x[k] = line[c]


@only_with("reduced", otherwise=lambda model, data, factor, node, F, k: F)
@part
def project_dense(model, data, factor, node, F, k):
    """A unit multiplier's wrench at the end goes inwards: fills column k of y; returns its force on the base."""
    pivots, line = factor.columns, factor.line
    for c in range(node.column_count):
        line[c] = dot3(load3(data.columns[node.column + c].s), F)
    reduce_line(node, factor.band, pivots, line)
    for c in range(node.column_count):
        pivot = pivots[node.column + c]
        factor.y[node.column + c, k] = line[c]
        if node.parent > 0:
            F = axpy3(-line[c] * pivot.inverse_D, load3(pivot.U_F), F)
    return F


@part
def reduce_line(node, band, pivots, line):
    """line <- L^-1 line, in place."""
    wide = node.half_band + 1
    for c in range(node.column_count - 1, 0, -1):
        at = node.band + c * wide
        f = line[c] * pivots[node.column + c].inverse_D
        whole = c - c % WIDTH
        for i in range(0, whole, WIDTH):
            put(line, i, eight(line, i) - f * eight(band, at + i))
        for i in range(whole, c):
            line[i] -= f * band[at + i]


@part
def row_product(band, at, c, line):
    """Sum of S[c, i] line[i] over i < c."""
    whole = c - c % WIDTH
    s = 0.0 * line[0]
    if whole > 0:
        sums = eight(band, at) * eight(line, 0)
        for i in range(WIDTH, whole, WIDTH):
            sums = sums + eight(band, at + i) * eight(line, i)
        s = total(sums)
    for i in range(whole, c):
        s += band[at + i] * line[i]
    return s
