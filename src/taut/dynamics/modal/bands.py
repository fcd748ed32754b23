"""Factor and solves of modal nodes: one node with many coordinates and a banded matrix of its own.

A modal node is the tip of a tree on a base that does not turn. Its coordinates x move its end point (and turn it) by
the columns' axes s, which may have any length. Beside them it couples with the acceleration A of its base:
    S x + U A = b,    U^T x + m A = f                                                              (1)
with S symmetric, of half-bandwidth w, in ``factor.band`` (row c holds S[c, c], S[c, c-1], .. S[c, c-w]), the force
part of U in the pivots. The columns are eliminated last first, as everywhere:
    S[c-i, c-j] -= S[c, c-i] S[c, c-j] / D,   U[c-i] -= S[c, c-i] U[c] / D,   m -= U[c] U[c]^T / D,   D = S[c, c] (2)
A load p at the end acts on the columns by s.p, and on the base. Where S is full, as of reduced cables, it is stored and
eliminated by ``full_matrix``.
"""

from taut.dynamics.modal.full_matrix import eliminate_dense, expand_dense, no_mass, project_dense, reduce_dense
from taut.kernels.inertia import sym_less_outer
from taut.kernels.jit import block, kernel, only_with, part
from taut.kernels.vec3 import axpy3, dot3, load3, scale3, store3
from taut.model.enums import JointKind
from taut.model.tables import MODAL_TABLES

FULL = int(JointKind.REDUCED)


@only_with(*MODAL_TABLES, otherwise=lambda model, factor, node, mass: no_mass(factor.columns[0].u))
@block
def eliminate_band(model, factor, node, mass):
    """Eliminate the columns of a banded node, Eq. (2), in place; returns what of the mass the parent carries."""
    if node.kind == FULL:
        return eliminate_dense(model, factor, node, mass)
    band, pivots = factor.band, factor.columns
    n, w = node.column_count, node.half_band
    zero = 0.0 * band[node.band]
    # the base translates only, so the whole mass couples with it alike in all directions
    m = (mass + zero, zero, zero, mass + zero, zero, mass + zero)
    for c in range(n - 1, -1, -1):
        at = node.band + c * (w + 1)
        pivot = pivots[node.column + c]
        f = 1.0 / band[at]
        pivot.inverse_D = f
        U = load3(pivot.U_F)
        # Eq. (2), only inside the band
        for i in range(1, min(w, c) + 1):
            g = band[at + i] * f
            into = node.band + (c - i) * (w + 1)
            for j in range(i, min(w, c) + 1):
                band[into + j - i] -= g * band[at + j]
            store3(pivots[node.column + c - i].U_F, axpy3(-g, U, load3(pivots[node.column + c - i].U_F)))
        m = sym_less_outer(m, U, f)
    return m


@only_with(*MODAL_TABLES, otherwise=lambda model, data, factor, node, b, N, F: F)
@kernel
def reduce_band(model, data, factor, node, b, N, F):
    """Forces reduced inwards: fills u of the columns; returns the load on the base beside that at the end."""
    if node.kind == FULL:
        return reduce_dense(model, data, factor, node, b, F)
    n, pivots, columns, axes = node.column_count, factor.columns, model.columns, data.columns
    for c in range(node.column, node.column + n):
        pivots[c].u = b[c] - factor.load[c]
    # most solves have no load at the end: skip a dot product per column
    if not (is_nothing(N) and is_nothing(F)):
        for c in range(node.column, node.column + n):
            s = load3(axes[c].s)
            pivots[c].u -= dot3(s, N) if columns[c].is_rotation else dot3(s, F)
    reduce_columns(node, factor.band, pivots)
    on_base = scale3(0.0, F)
    # a base on the ground does not move: the load on it is not needed
    if node.parent > 0:
        for c in range(node.column, node.column + n):
            on_base = axpy3(pivots[c].u * pivots[c].inverse_D, load3(pivots[c].U_F), on_base)
    return on_base


@part
def reduce_columns(node, band, pivots):
    """u <- L^-1 u, the last column first."""
    n, w = node.column_count, node.half_band
    if w == 1:
        # tridiagonal, as for Ritz cables: the last value stays in a register
        at = node.band + 2 * n - 1
        u = pivots[node.column + n - 1].u
        for c in range(node.column + n - 1, node.column, -1):
            u = pivots[c - 1].u - u * (pivots[c].inverse_D * band[at])
            pivots[c - 1].u = u
            at -= 2
        return
    for c in range(n - 1, 0, -1):
        at = node.band + c * (w + 1)
        f = pivots[node.column + c].u * pivots[node.column + c].inverse_D
        for i in range(1, min(w, c) + 1):
            pivots[node.column + c - i].u -= f * band[at + i]


@part
def is_nothing(vector):
    """Whether all components are zero."""
    return vector[0] == 0.0 and vector[1] == 0.0 and vector[2] == 0.0


@only_with(*MODAL_TABLES, otherwise=lambda model, factor, node, a, x: None)
@kernel
def expand_band(model, factor, node, a, x):
    """Solution outwards on a base with the acceleration a; a leaf, so the acceleration of its end is unused."""
    if node.kind == FULL:
        expand_dense(model, factor, node, a, x)
        return
    n, w = node.column_count, node.half_band
    band, pivots = factor.band, factor.columns
    first = node.column
    if node.parent > 0:
        for c in range(first, first + n):
            pivots[c].u -= dot3(load3(pivots[c].U_F), a)
    if w == 1:
        at = node.band + 1
        y = 0.0 * pivots[first].u
        for c in range(first, first + n):
            # the first column has no neighbour, and its entry of the band is zero
            f = pivots[c].inverse_D
            y = pivots[c].u * f - y * (band[at] * f)
            x[c] = y
            at += 2
    else:
        for c in range(n):
            at = node.band + c * (w + 1)
            y = pivots[first + c].u
            for i in range(1, min(w, c) + 1):
                y -= band[at + i] * x[first + c - i]
            x[first + c] = y * pivots[first + c].inverse_D


@kernel
def project_band(model, data, factor, node, N, F, k):
    """A unit multiplier's wrench at the end goes inwards: fills column k of y; returns its force on the base."""
    if node.kind == FULL:
        return project_dense(model, data, factor, node, F, k)
    n, w = node.column_count, node.half_band
    band, pivots, columns, axes, y = factor.band, factor.columns, model.columns, data.columns, factor.y
    # generalised forces of the unit wrench
    for c in range(node.column, node.column + n):
        s = load3(axes[c].s)
        y[c, k] = dot3(s, N) if columns[c].is_rotation else dot3(s, F)
    # Eq. (1) of ``projection`` inside the band; F collects what reaches the base
    for c in range(n - 1, -1, -1):
        at = node.band + c * (w + 1)
        pivot = pivots[node.column + c]
        f = y[node.column + c, k] * pivot.inverse_D
        for i in range(1, min(w, c) + 1):
            y[node.column + c - i, k] -= f * band[at + i]
        F = axpy3(-f, load3(pivot.U_F), F)
    return F
