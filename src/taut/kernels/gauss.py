"""Dense linear systems of a few unknowns, by elimination with partial pivoting."""

import numpy as np

from taut.kernels.jit import part


@part
def solve_dense(A, b):
    """Put the solution of A x = b into b; A is overwritten. False if A is singular or not finite."""
    n = len(b)
    for k in range(n):
        p = pivot_row(A, k)
        if not 0.0 < abs(A[p, k]) < np.inf:
            return False
        if p != k:
            b[k], b[p] = b[p], b[k]
            for j in range(n):
                A[k, j], A[p, j] = A[p, j], A[k, j]
        for i in range(k + 1, n):
            take_off(A, b, k, i)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            b[i] -= A[i, j] * b[j]
        b[i] /= A[i, i]
    return True


@part
def pivot_row(A, k):
    """Row with the largest entry of a column, on the diagonal or below."""
    p = k
    for i in range(k + 1, len(A)):
        if abs(A[i, k]) > abs(A[p, k]):
            p = i
    return p


@part
def take_off(A, b, k, i):
    """Eliminate an unknown from a row."""
    factor = A[i, k] / A[k, k]
    if factor != 0.0:
        for j in range(k + 1, len(b)):
            A[i, j] -= factor * A[k, j]
        b[i] -= factor * b[k]
