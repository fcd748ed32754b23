"""Tensions that balance a wrench: W f = w, as one solution and a basis of all others.

Householder's QR factorisation of W^T with exchanged columns, W^T P = Q [T; 0], gives
    f = p + N x,   p = Q_1 T^-T P^T w,   N = Q_2,                                                                 (1)
p the shortest solution, N orthonormal [Golub 2013, sec. 5.5]. If the smallest diagonal entry of T vanishes beside the
largest the pose is singular: some wrench cannot be made at all.
"""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import part

SINGULAR = 1e-11  # smallest against largest entry of T's diagonal


class Balance(Bundle):
    """Workspace for up to m cables and n wrench rows."""

    V: np.ndarray  # Householder vectors below and on the diagonal, T above [m, n]
    diagonal: np.ndarray  # of T [n]
    scale: np.ndarray  # 2 / v.v [n]
    order: np.ndarray  # P: row of w that a column of T belongs to [n]
    p: np.ndarray  # Eq. (1) [m]
    N: np.ndarray  # Eq. (1) [m, m]; the first m - n columns


def new_balance(m: int, n: int) -> Balance:
    """A workspace."""
    return Balance(V=np.zeros((m, n)), diagonal=np.zeros(n), scale=np.zeros(n), order=np.zeros(n, np.int64),
                   p=np.zeros(m), N=np.zeros((m, max(m - n, 1))))  # fmt: skip


@part
def factor(W, m, n, work):
    """Factor W^T (W is n x m); returns how far it is from singular: the smallest against the largest entry of T."""
    V, diagonal, scale = work.V, work.diagonal, work.scale
    for j in range(n):
        work.order[j] = j
        for i in range(m):
            V[i, j] = W[j, i]
    for j in range(n):
        length = bring_longest(m, n, j, work)
        if length == 0.0:
            return 0.0
        diagonal[j] = -length if V[j, j] > 0.0 else length
        V[j, j] -= diagonal[j]
        scale[j] = -1.0 / (diagonal[j] * V[j, j])
        for c in range(j + 1, n):
            dot = 0.0
            for i in range(j, m):
                dot += V[i, j] * V[i, c]
            dot *= scale[j]
            for i in range(j, m):
                V[i, c] -= dot * V[i, j]
    return abs(diagonal[n - 1]) / abs(diagonal[0])


@part
def bring_longest(m, n, j, work):
    """Exchange column j for the longest of those left; returns its length."""
    V, order, largest, chosen = work.V, work.order, -1.0, j
    for c in range(j, n):
        square = 0.0
        for i in range(j, m):
            square += V[i, c] * V[i, c]
        if square > largest:
            largest, chosen = square, c
    if chosen != j:
        order[j], order[chosen] = order[chosen], order[j]
        for i in range(m):
            V[i, j], V[i, chosen] = V[i, chosen], V[i, j]
    return np.sqrt(largest)


@part
def reflect(x, m, n, work):
    """x = Q x."""
    V = work.V
    for j in range(n - 1, -1, -1):
        dot = 0.0
        for i in range(j, m):
            dot += V[i, j] * x[i]
        dot *= work.scale[j]
        for i in range(j, m):
            x[i] -= dot * V[i, j]


@part
def balance(w, m, n, p, work):
    """The shortest solution p of Eq. (1)."""
    V, order = work.V, work.order
    for j in range(n):
        value = w[order[j]]
        for i in range(j):
            value -= V[i, j] * p[i]
        p[j] = value / work.diagonal[j]
    for i in range(n, m):
        p[i] = 0.0
    reflect(p, m, n, work)


@part
def fill_null(m, n, work):
    """N of Eq. (1)."""
    N, V = work.N, work.V
    for c in range(m - n):
        for i in range(m):
            N[i, c] = 0.0
        N[n + c, c] = 1.0
        for j in range(n - 1, -1, -1):
            dot = 0.0
            for i in range(j, m):
                dot += V[i, j] * N[i, c]
            dot *= work.scale[j]
            for i in range(j, m):
                N[i, c] -= dot * V[i, j]


@part
def wrench_direction(y, m, n, c, q, work):
    """The c with W^T c = y for a y in the range of W^T; q is scratch [m]."""
    V = work.V
    for i in range(m):
        q[i] = y[i]
    # Q^T y
    for j in range(n):
        dot = 0.0
        for i in range(j, m):
            dot += V[i, j] * q[i]
        dot *= work.scale[j]
        for i in range(j, m):
            q[i] -= dot * V[i, j]
    for j in range(n - 1, -1, -1):
        value = q[j]
        for k in range(j + 1, n):
            value -= V[j, k] * c[work.order[k]]
        c[work.order[j]] = value / work.diagonal[j]
