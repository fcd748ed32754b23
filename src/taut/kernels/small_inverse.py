"""Inverses of small dense matrices in place."""

from taut.kernels.jit import kernel


@kernel
def invert_right(C, n):
    """Turn [A | 1], n by 2n, into [1 | A^-1], by Gauss and Jordan with row pivots: A need not be symmetric."""
    for k in range(n):
        # pivot by rows: the diagonal may vanish
        p = k
        for i in range(k + 1, n):
            p = i if abs(C[i, k]) > abs(C[p, k]) else p
        pivot = 1.0 / C[p, k]
        for j in range(2 * n):
            scaled = C[p, j] * pivot
            C[p, j] = C[k, j]
            C[k, j] = scaled
        for i in range(n):
            f = C[i, k]
            if i != k:
                for j in range(2 * n):
                    C[i, j] -= f * C[k, j]
