"""Factor and solves of modal nodes: one node with many coordinates and a banded matrix of its own.

A modal node is the tip of a tree on a base that does not turn. Its coordinates x move its end point (and turn it) by
the columns' axes s, which may have any length. Beside them it couples with the acceleration A of its base:
    S x + U A = b,    U^T x + m A = f                                                              (1)
with S symmetric, of half-bandwidth w, in ``factor.band`` (row c holds S[c, c], S[c, c-1], .. S[c, c-w]), the force
part of U in the pivots. The columns are eliminated last first, as everywhere:
    S[c-i, c-j] -= S[c, c-i] S[c, c-j] / D,   U[c-i] -= S[c, c-i] U[c] / D,   m -= U[c] U[c]^T / D,   D = S[c, c] (2)
A load p at the end acts on the columns by s.p, and on the base. Where S is full, as of reduced cables, it is stored and
eliminated as said in ``dense``.
"""

from taut.dynamics.dense import eliminate_dense, reduce_line, row_product
from taut.kernels.inertia import sym_less_outer
from taut.kernels.jit import block, kernel, part
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3, scale3, store3
from taut.model.enums import JointKind

FULL = int(JointKind.REDUCED)


@block
def eliminate_band(node, band, pivots, mass):
    """Eq. (2), in place; returns what of the mass the parent carries."""
    if node.kind == FULL:
        return eliminate_dense(node, band, pivots, mass)
    n, w = node.column_count, node.half_band
    zero = 0.0 * band[node.band]
    m = (mass + zero, zero, zero, mass + zero, zero, mass + zero)
    for c in range(n - 1, -1, -1):
        at = node.band + c * (w + 1)
        pivot = pivots[node.column + c]
        f = 1.0 / band[at]
        pivot.inverse_D = f
        U = load3(pivot.U_F)
        for i in range(1, min(w, c) + 1):
            g = band[at + i] * f
            into = node.band + (c - i) * (w + 1)
            for j in range(i, min(w, c) + 1):
                band[into + j - i] -= g * band[at + j]
            store3(pivots[node.column + c - i].U_F, axpy3(-g, U, load3(pivots[node.column + c - i].U_F)))
        m = sym_less_outer(m, U, f)
    return m


@kernel
def reduce_band(node, factor, columns, axes, b, N, F):
    """Forces reduced inwards: fills u of the columns; returns the load on the base beside that at the end."""
    n, w = node.column_count, node.half_band
    band, pivots, load = factor.band, factor.columns, factor.load
    on_base = scale3(0.0, F)
    if node.kind == FULL:
        line = factor.line
        for c in range(n):
            k = node.column + c
            line[c] = b[k] - load[k] - dot3(load3(axes[k].s), F)
        reduce_line(node, band, pivots, line)
        for c in range(n):
            pivot = pivots[node.column + c]
            pivot.u = line[c]
            on_base = axpy3(line[c] * pivot.inverse_D, load3(pivot.U_F), on_base)
        return on_base
    for c in range(node.column, node.column + n):
        s = load3(axes[c].s)
        pivots[c].u = b[c] - load[c] - (dot3(s, N) if columns[c].is_rotation else dot3(s, F))
    for c in range(n - 1, -1, -1):
        at = node.band + c * (w + 1)
        pivot = pivots[node.column + c]
        f = pivot.u * pivot.inverse_D
        for i in range(1, min(w, c) + 1):
            pivots[node.column + c - i].u -= f * band[at + i]
        on_base = axpy3(f, load3(pivot.U_F), on_base)
    return on_base


@part
def expand_full(node, factor, axes, a, end, x):
    """``expand_band`` of a full matrix; returns the acceleration of the end."""
    band, pivots, line = factor.band, factor.columns, factor.line
    for c in range(node.column_count):
        k = node.column + c
        pivot = pivots[k]
        y = pivot.u - dot3(load3(pivot.U_F), a) - row_product(band, node.band + c * (node.half_band + 1), c, line)
        line[c] = y * pivot.inverse_D
        x[k] = line[c]
        end = axpy3(line[c], load3(axes[k].s), end)
    return end


@kernel
def expand_band(node, factor, columns, axes, alpha, a, r, x):
    """Solution outwards on an accelerated base; returns the accelerations of the end."""
    n, w = node.column_count, node.half_band
    band, pivots = factor.band, factor.columns
    turn, end = alpha, add3(a, cross3(alpha, r))
    if node.kind == FULL:
        return turn, expand_full(node, factor, axes, a, end, x)
    for c in range(n):
        at = node.band + c * (w + 1)
        pivot = pivots[node.column + c]
        y = pivot.u - dot3(load3(pivot.U_F), a)
        for i in range(1, min(w, c) + 1):
            y -= band[at + i] * x[node.column + c - i]
        y *= pivot.inverse_D
        x[node.column + c] = y
        s = load3(axes[node.column + c].s)
        if columns[node.column + c].is_rotation:
            turn = axpy3(y, s, turn)
        else:
            end = axpy3(y, s, end)
    return turn, end


@kernel
def project_band(node, factor, columns, axes, N, F, k):
    """A unit multiplier's wrench at the end goes inwards: fills column k of y; returns its force on the base."""
    n, w = node.column_count, node.half_band
    band, pivots, y = factor.band, factor.columns, factor.y
    if node.kind == FULL:
        line = factor.line
        for c in range(n):
            line[c] = dot3(load3(axes[node.column + c].s), F)
        reduce_line(node, band, pivots, line)
        for c in range(n):
            pivot = pivots[node.column + c]
            y[node.column + c, k] = line[c]
            F = axpy3(-line[c] * pivot.inverse_D, load3(pivot.U_F), F)
        return F
    for c in range(node.column, node.column + n):
        s = load3(axes[c].s)
        y[c, k] = dot3(s, N) if columns[c].is_rotation else dot3(s, F)
    for c in range(n - 1, -1, -1):
        at = node.band + c * (w + 1)
        pivot = pivots[node.column + c]
        f = y[node.column + c, k] * pivot.inverse_D
        for i in range(1, min(w, c) + 1):
            y[node.column + c - i, k] -= f * band[at + i]
        F = axpy3(-f, load3(pivot.U_F), F)
    return F
