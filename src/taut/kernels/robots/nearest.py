"""The nearest point of a polytope: the dual method of Goldfarb and Idnani for small problems.

    min |x - x0|^2,    low <= A x <= high                                                                          (1)
with any rows A, bounds that may be infinite, and few unknowns. The method starts at x0 and adds the bound that is
violated most, one at a time; with the orthonormal basis Q and the triangle T of the normals that hold, n = Q T, a
further normal a has
    z = a - Q Q^T a,   r = T^-1 Q^T a                                                                             (2)
x moves along z until the bound holds, or until the multiplier of a bound that holds vanishes along -r, and that bound
is left [Goldfarb 1983]. If z = 0 and no multiplier ever vanishes the bounds contradict each other, and y >= 0 with
    sum y_i n_i = 0,   sum y_i b_i > 0                                                                            (3)
(y = 1 for the new one, -r for the others) is the proof. No matrix is inverted, and nothing is allocated.
"""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import block, part

SOLVED, INFEASIBLE, STUCK, UNBOUNDED = 0, 1, 2, 3  # outcomes of the search
DEPENDENT = 1e-12  # |z|^2 that counts as zero, relative to |a|^2
NOTHING = 1e-20  # |z|^2 that counts as zero by itself: rows have sizes near one
KEPT = 0.5  # if projection leaves more than this share of |a|^2, no digits have cancelled
ROUNDS = 30  # most changes of the active set per row


class Nearest(Bundle):
    """Workspace for up to n rows of d unknowns."""

    Q: np.ndarray  # orthonormal basis of the active normals, in columns [d, d]
    T: np.ndarray  # upper triangle T of n = Q T [d, d]
    rows: np.ndarray  # active set: rows at one of their bounds [d]
    sides: np.ndarray  # 1 at the low bound, -1 at the high one [d]
    u: np.ndarray  # multipliers of the active rows [d]
    r: np.ndarray  # vector r of Eq. (2) [d]
    z: np.ndarray  # vector z of Eq. (2) [d]
    s: np.ndarray  # scratch [d]
    x0: np.ndarray  # start x0 of the search [d]
    # proof that the bounds contradict each other, Eq. (3): positive for low bounds, negative for high ones [n]
    proof: np.ndarray
    count: np.ndarray  # number of active rows, one entry


def new_nearest(n: int, d: int) -> Nearest:
    """A workspace for up to n rows of d unknowns."""
    d = max(d, 1)
    vectors = {name: np.zeros(d) for name in ("u", "r", "z", "s", "x0", "sides")}
    return Nearest(Q=np.zeros((d, d)), T=np.zeros((d, d)), rows=np.zeros(d, np.int64), proof=np.zeros(n),
                   count=np.zeros(1, np.int64), **vectors)  # fmt: skip


@block
def nearest(A, low, high, x, n, d, slack, work):
    """Solve Eq. (1) for the first n rows and d unknowns, from x0 = x into x; returns an outcome.

    A bound that is violated by no more than the slack holds.
    """
    return nearest_here(A, low, high, x, n, d, slack, work)


@part
def nearest_here(A, low, high, x, n, d, slack, work):
    """Solve as ``nearest`` does, inlined into the caller."""
    for j in range(d):
        work.x0[j] = x[j]
    k = 0
    for _ in range(ROUNDS * (n + 1)):
        p, side, gap, norm = most_violated(A, low, high, x, n, d, slack)
        if p < 0:
            return finish(low, high, x, d, k, work)
        u_new = 0.0
        # until bound p holds; each round drops one active bound, so there are at most k rounds
        for _ in range(d + 1):
            zz = directions(A, p, side, d, k, work)
            leaving, t1 = first_to_leave(k, work)
            t2 = gap / zz if zz > max(DEPENDENT * norm, NOTHING) else np.inf
            t = min(t1, t2)
            if t == np.inf:
                prove(p, side, n, k, work)
                return INFEASIBLE
            move(x, t, t2 < np.inf, d, k, work)
            u_new += t
            gap -= t * zz
            if t == t2:
                work.rows[k], work.sides[k], work.u[k] = p, side, u_new
                k = append(zz, d, k, work)
                break
            k = leave(A, leaving, d, k, work)
    return STUCK


@part
def first_to_leave(k, work):
    """The bound whose multiplier vanishes first along -r, and after which step."""
    u, r, leaving, t1 = work.u, work.r, -1, np.inf
    for j in range(k):
        if r[j] > 0.0 and u[j] < t1 * r[j]:
            leaving, t1 = j, u[j] / r[j]
    return leaving, t1


@part
def move(x, t, is_free, d, k, work):
    """Multipliers and, where z is not zero, x after a step t."""
    for j in range(k):
        work.u[j] -= t * work.r[j]
    if is_free:
        for j in range(d):
            x[j] += t * work.z[j]


@part
def most_violated(A, low, high, x, n, d, slack):
    """The row that is violated most, its side, by how much, and |a|^2; row -1 if there is none."""
    p, side, gap, norm = -1, 1.0, slack, 0.0
    for i in range(n):
        value = 0.0
        for j in range(d):
            value += A[i, j] * x[j]
        under, over = low[i] - value, value - high[i]
        if max(under, over) > gap:
            p, gap = i, max(under, over)
            side = 1.0 if under > over else -1.0
    if p >= 0:
        for j in range(d):
            norm += A[p, j] * A[p, j]
    return p, side, gap, norm


@part
def square(z, d):
    """Sum of the squares of the first d entries."""
    zz = 0.0
    for j in range(d):
        zz += z[j] * z[j]
    return zz


@part
def directions(A, p, side, d, k, work):
    """z and r of Eq. (2) for the normal side * A[p]; returns z.z."""
    Q, T, z, r, s = work.Q, work.T, work.z, work.r, work.s
    for j in range(d):
        z[j] = side * A[p, j]
    for c in range(k):
        s[c] = 0.0
    zz = square(z, d)
    # orthogonalise again only if digits have cancelled; twice is enough for full accuracy
    for _ in range(2):
        before = zz
        for c in range(k):
            dot = 0.0
            for j in range(d):
                dot += Q[j, c] * z[j]
            s[c] += dot
            for j in range(d):
                z[j] -= dot * Q[j, c]
        zz = square(z, d)
        if zz > KEPT * before:
            break
    for c in range(k - 1, -1, -1):
        value = s[c]
        for j in range(c + 1, k):
            value -= T[c, j] * r[j]
        r[c] = value / T[c, c]
    return zz


@part
def append(zz, d, k, work):
    """The new normal, whose z and Q^T a are at hand, into basis and triangle; returns the number of those that hold."""
    length = np.sqrt(zz)
    for j in range(d):
        work.Q[j, k] = work.z[j] / length
    for c in range(k):
        work.T[c, k] = work.s[c]
    work.T[k, k] = length
    return k + 1


@part
def leave(A, leaving, d, k, work):
    """Leave one bound, and make basis and triangle of the others anew; returns their number."""
    rows, sides, u = work.rows, work.sides, work.u
    for j in range(leaving, k - 1):
        rows[j], sides[j], u[j] = rows[j + 1], sides[j + 1], u[j + 1]
    for j in range(leaving, k - 1):
        zz = directions(A, rows[j], sides[j], d, j, work)
        append(zz, d, j, work)
    return k - 1


@part
def finish(low, high, x, d, k, work):
    """Compute x again from x0 and the bounds that hold, without the rounding of the iteration; returns SOLVED."""
    Q, T, s, rows, sides = work.Q, work.T, work.s, work.rows, work.sides
    # components of x: Q^T x = T^-T b in the active normals, those of x0 in all other directions
    for c in range(k):
        value = low[rows[c]] if sides[c] > 0.0 else -high[rows[c]]
        for j in range(c):
            value -= T[j, c] * s[j]
        s[c] = value / T[c, c]
    for j in range(d):
        x[j] = work.x0[j]
    for c in range(k):
        dot = 0.0
        for j in range(d):
            dot += Q[j, c] * x[j]
        for j in range(d):
            x[j] += (s[c] - dot) * Q[j, c]
    work.count[0] = k
    return SOLVED


@part
def prove(p, side, n, k, work):
    """Write down the proof, Eq. (3), that the bounds contradict each other."""
    for i in range(n):
        work.proof[i] = 0.0
    for j in range(k):
        work.proof[work.rows[j]] -= work.sides[j] * work.r[j]
    work.proof[p] += side
