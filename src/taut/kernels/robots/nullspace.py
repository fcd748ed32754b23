"""Tensions that balance a wrench: W f = w, as one solution and a basis of all others.

Householder's QR factorisation of W^T with exchanged columns, W^T P = Q [T; 0], gives
    f = p + N x,   p = Q_1 T^-T P^T w,   N = Q_2,                                                                 (1)
p the shortest solution, N orthonormal [Golub 2013, sec. 5.5]. If the smallest diagonal entry of T vanishes beside the
largest the pose is singular: some wrench cannot be made at all.

Reflections are kept as whole rows with zeros in front, so that loops over cables have one length and become wide
instructions where that length is known to the compiler.
"""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import part, summing

SINGULAR = 1e-11  # a pose is singular below this ratio of the smallest to the largest diagonal entry of T


class Balance(Bundle):
    """Workspace for up to m cables and n wrench rows."""

    V: np.ndarray  # Householder vectors by rows [n, m]
    T: np.ndarray  # upper triangle T [n, n]
    squares: np.ndarray  # squared lengths of the columns that are left, for pivoting [n]
    scale: np.ndarray  # factors 2 / v.v of the reflections [n]
    order: np.ndarray  # permutation P: row of w that a column of T belongs to [n]
    p: np.ndarray  # shortest solution p, Eq. (1) [m]
    N: np.ndarray  # basis N of the other solutions, Eq. (1) [m, m - n]
    x: np.ndarray  # scratch [m]


def new_balance(m: int, n: int) -> Balance:
    """A workspace for up to m cables and n wrench rows."""
    return Balance(V=np.zeros((n, m)), T=np.zeros((n, n)), squares=np.zeros(n), scale=np.zeros(n),
                   order=np.zeros(n, np.int64), p=np.zeros(m), N=np.zeros((m, max(m - n, 1))),
                   x=np.zeros(m))  # fmt: skip


@summing
def row_dot(V, j, x, m):
    """Scalar product of row j of V with x."""
    total = 0.0
    for i in range(m):
        total += V[j, i] * x[i]
    return total


@summing
def rows_dot(V, j, c, m):
    """Scalar product of rows j and c of V."""
    total = 0.0
    for i in range(m):
        total += V[j, i] * V[c, i]
    return total


@part
def factor(W, m, n, work):
    """Factor W^T (W is n x m); returns how far it is from singular: the smallest against the largest entry of T."""
    V, T, squares, order = work.V, work.T, work.squares, work.order
    for j in range(n):
        order[j] = j
        for i in range(m):
            V[j, i] = W[j, i]
        squares[j] = rows_dot(V, j, j, m)
    for j in range(n):
        bring_longest(m, n, j, work)
        # entries before the pivot belong to T
        for i in range(j):
            T[i, j], V[j, i] = V[j, i], 0.0
        length = np.sqrt(rows_dot(V, j, j, m))
        if length == 0.0:
            return 0.0
        T[j, j] = -length if V[j, j] > 0.0 else length
        V[j, j] -= T[j, j]
        work.scale[j] = -1.0 / (T[j, j] * V[j, j])
        for c in range(j + 1, n):
            dot = work.scale[j] * rows_dot(V, j, c, m)
            for i in range(m):
                V[c, i] -= dot * V[j, i]
            squares[c] -= V[c, j] * V[c, j]
    return abs(T[n - 1, n - 1]) / abs(T[0, 0])


@part
def bring_longest(m, n, j, work):
    """Exchange row j for the longest of those that are left."""
    V, order, squares, chosen = work.V, work.order, work.squares, j
    for c in range(j + 1, n):
        if squares[c] > squares[chosen]:
            chosen = c
    if chosen != j:
        order[j], order[chosen] = order[chosen], order[j]
        squares[chosen] = squares[j]
        for i in range(m):
            V[j, i], V[chosen, i] = V[chosen, i], V[j, i]


@part
def reflect(x, m, n, work):
    """Apply the reflections to a vector: x = Q x."""
    V = work.V
    for k in range(n):
        j = n - 1 - k
        dot = work.scale[j] * row_dot(V, j, x, m)
        for i in range(m):
            x[i] -= dot * V[j, i]


@part
def balance(w, m, n, p, work):
    """The shortest solution p of Eq. (1)."""
    T, order = work.T, work.order
    for j in range(n):
        value = w[order[j]]
        for i in range(j):
            value -= T[i, j] * p[i]
        p[j] = value / T[j, j]
    for i in range(n, m):
        p[i] = 0.0
    reflect(p, m, n, work)


@part
def fill_null(m, n, work):
    """Fill the basis N of Eq. (1)."""
    N, x = work.N, work.x
    for c in range(m - n):
        for i in range(m):
            x[i] = 1.0 if i == n + c else 0.0
        reflect(x, m, n, work)
        for i in range(m):
            N[i, c] = x[i]


@part
def wrench_direction(y, m, n, c, q, work):
    """The c with W^T c = y for a y in the range of W^T; q is scratch [m]."""
    V, T, order = work.V, work.T, work.order
    for i in range(m):
        q[i] = y[i]
    # Q^T y, by the reflections of the QR factorisation one after the other
    for j in range(n):
        dot = work.scale[j] * row_dot(V, j, q, m)
        for i in range(m):
            q[i] -= dot * V[j, i]
    for k in range(n):
        j = n - 1 - k
        value = q[j]
        for i in range(j + 1, n):
            value -= T[j, i] * c[order[i]]
        c[order[j]] = value / T[j, j]
