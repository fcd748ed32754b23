"""The small dense system of the constraints, W lam = b with W = J M^-1 J^T symmetric.

Full rank: Cholesky L L^T (complex symmetric for complex W). Redundant rows make W singular; then W, scaled so that the
largest of the rows that hold the same point, or the same axes, has a unit diagonal, is factored with diagonal pivoting
to P L S L^T P^T with L of full column rank r and S of signs, and
    lam = L (L^T L)^-1 S (L^T L)^-1 L^T b                               (1)
is the least-squares solution of smallest norm, in the scaled rows. The accelerations do not depend on that choice.
Rows of one point share a scale: the row across the plane of a planar linkage is zero but for rounding, and scaled on
its own this rounding would be taken for a pivot. All signs are +1 unless compression makes a real Newton matrix
indefinite; the same factorisation serves then.
"""

import numpy as np

from taut.kernels.jit import kernel, part

RANK_TOLERANCE = 1e-11  # a pivot this small against its diagonal is redundant
NOTHING = 1e-22  # a diagonal this small against the largest is rounding: the row constrains nothing movable


@part
def least_diagonal(W, n):
    """Diagonal entries of W up to this size are rounding."""
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(W[i, i]))
    return NOTHING * largest


@part
def is_negative(d):
    """Whether a pivot is a negative real number: its square root would not be real."""
    return d.imag == 0.0 and d.real < 0.0


@part
def factor_row(W, L, i):
    """Row i of the lower factor of W, whose diagonal holds reciprocals, from the rows above; returns its pivot.

    L may be W itself.
    """
    for j in range(i):
        s = W[i, j]
        for k in range(j):
            s -= L[i, k] * L[j, k]
        L[i, j] = s * L[j, j]
    d = W[i, i]
    for k in range(i):
        d -= L[i, k] * L[i, k]
    return d


@kernel
def cholesky(W, L, n):
    """Lower factor of W[:n, :n]; returns False at the first pivot that is negative, or small against its diagonal."""
    least = least_diagonal(W, n)
    for i in range(n):
        d = factor_row(W, L, i)
        if not abs(d) > max(RANK_TOLERANCE * abs(W[i, i]), least) or is_negative(d):
            return False
        L[i, i] = 1.0 / np.sqrt(d)  # store the inverse of the pivot: solves then need no division
    return True


@part
def forward_substitute(L, b, n):
    """b <- L^-1 b for a factor of ``cholesky``."""
    for i in range(n):
        s = b[i]
        for k in range(i):
            s -= L[i, k] * b[k]
        b[i] = s * L[i, i]


@part
def back_substitute(L, b, n):
    """b <- L^-T b."""
    for i in range(n - 1, -1, -1):
        s = b[i]
        for k in range(i + 1, n):
            s -= L[k, i] * b[k]
        b[i] = s * L[i, i]


@kernel
def cholesky_solve(L, b, n):
    """Overwrite b with the solution for a factor of ``cholesky``."""
    forward_substitute(L, b, n)
    back_substitute(L, b, n)


@kernel
def factor_interface(factor, most):
    """Factor W (lower triangle given); returns its rank, ``most`` or less in a singular position."""
    n = len(factor.rhs)
    if most == n and not has_noise(factor, n) and cholesky(factor.W, factor.L, n):
        factor.rank[0], factor.rank[1] = n, 0
    else:
        factor.rank[0], factor.rank[1] = pivoted_cholesky(factor, n, most), 1
        gram_matrix(factor, n, factor.rank[0])
    return factor.rank[0]


@kernel
def largest_of_groups(factor, n, largest):
    """For every row, the largest diagonal entry of the rows that share its scale."""
    W, group = factor.W, factor.group
    for i in range(n):
        g = group[i]
        if g == i or abs(W[i, i]) > abs(largest[g]):
            largest[g] = W[i, i]
    for i in range(n):
        largest[i] = largest[group[i]]


@kernel
def has_noise(factor, n):
    """Whether the diagonal entry of a row is rounding against the rows that share its scale."""
    largest_of_groups(factor, n, factor.scale)
    for i in range(n):
        if not abs(factor.W[i, i]) > NOTHING * abs(factor.scale[i]):
            return True
    return False


@kernel
def pivoted_cholesky(factor, n, most):
    """Rank-revealing factor of the scaled W: rows of L in the original order, ``order`` the pivots taken.

    A linkage that moves only by its special dimensions has a larger rank wherever its loops are not quite closed, as at
    the iterates of Newton's method; there the ``most`` rows that are farthest from dependent are taken.
    """
    W, L, scale, order, sign = factor.W, factor.L, factor.scale, factor.order, factor.sign
    remaining = factor.rhs
    least = least_diagonal(W, n)
    largest_of_groups(factor, n, scale)
    for i in range(n):
        order[i] = -1
        d = scale[i]
        is_held = abs(d) > least and abs(W[i, i]) > NOTHING * abs(d)
        scale[i] = 1.0 / np.sqrt(-d if is_negative(d) else d) if is_held else 0.0 * d
        remaining[i] = W[i, i] * scale[i] * scale[i]
    rank = 0
    for _ in range(most):
        # pivot: the largest remaining diagonal that is not rounding against its original value
        p = -1
        largest = 0.0
        for i in range(n):
            own = abs(W[i, i] * scale[i] * scale[i])
            if order[i] < 0 and abs(remaining[i]) > max(largest, RANK_TOLERANCE * own):
                largest = abs(remaining[i])
                p = i
        if p < 0:
            break
        sign[rank] = -1.0 if is_negative(remaining[p]) else 1.0
        pivot = 1.0 / np.sqrt(sign[rank] * remaining[p])
        for i in range(n):
            if order[i] < 0:
                s = (W[i, p] if i >= p else W[p, i]) * scale[i] * scale[p]
                for k in range(rank):
                    s -= L[i, k] * sign[k] * L[p, k]
                L[i, rank] = sign[rank] * s * pivot
                remaining[i] -= sign[rank] * L[i, rank] * L[i, rank]
            else:
                L[i, rank] = 0.0
        order[p] = rank
        rank += 1
    return rank


@kernel
def gram_matrix(factor, n, rank):
    """Cholesky factor of L^T L into factor.gram (W's upper part is scratch)."""
    L, gram = factor.L, factor.gram
    for i in range(rank):
        for j in range(i + 1):
            s = L[0, i] * L[0, j]
            for k in range(1, n):
                s += L[k, i] * L[k, j]
            gram[i, j] = s
    for i in range(rank):
        gram[i, i] = 1.0 / np.sqrt(factor_row(gram, gram, i))


@kernel
def solve_interface(factor, b):
    """Overwrite b, which is not factor.rhs, with lam."""
    n = len(b)
    rank = factor.rank[0]
    if not factor.rank[1]:
        cholesky_solve(factor.L, b, n)
        return
    # Eq. (1)
    L, scale, y = factor.L, factor.scale, factor.rhs
    for j in range(rank):
        s = 0.0 * b[0]
        for i in range(n):
            s += L[i, j] * scale[i] * b[i]
        y[j] = s
    cholesky_solve(factor.gram, y, rank)
    for j in range(rank):
        y[j] *= factor.sign[j]
    cholesky_solve(factor.gram, y, rank)
    expand_columns(factor, y, b)


@part
def expand_columns(factor, y, b):
    """b <- L y, scaled back to the rows as the closures have them."""
    L, rank = factor.L, factor.rank[0]
    for i in range(len(b)):
        s = 0.0 * b[0]
        for j in range(rank):
            s += L[i, j] * y[j]
        b[i] = factor.scale[i] * s


@kernel
def drop_self_stress(factor, lam):
    """Remove the self-stress from lam: the part in the null space of W, which accelerates nothing."""
    if not factor.rank[1]:
        return
    L, scale, y = factor.L, factor.scale, factor.rhs
    n, rank = len(lam), factor.rank[0]
    for j in range(rank):
        s = 0.0 * lam[0]
        for i in range(n):
            if abs(scale[i]) > 0.0:
                s += L[i, j] * lam[i] / scale[i]
        y[j] = s
    cholesky_solve(factor.gram, y, rank)
    expand_columns(factor, y, lam)
