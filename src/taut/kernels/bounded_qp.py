"""Small quadratic problems with bounds: the optimum of 1/2 x.W x + b.x over low <= x <= high.

W is symmetric and positive semidefinite, bounds may be infinite. The optimum obeys, with the slope g = W x + b,
    g_i >= 0 where x_i = low_i,   g_i <= 0 where x_i = high_i,   g_i = 0 between them                              (1)
and with bounds 0 and infinity this is 0 <= x, 0 <= g, x.g = 0. It is a linear complementarity problem: x_i is
measured from the value in its bounds nearest to zero, as one z or as the difference of two, and a bound at the
distance d in such a direction adds a multiplier y,
    0 <= z  complementary to  W z + q + f y >= 0,     0 <= y  complementary to  f (d - z) >= 0                     (2)
whose matrix is positive semidefinite too [Cottle 1992, sec. 1.2]; f > 0 balances the scales of both rows. A
problem that ``lcp`` cannot solve is unbounded: b has a part outside the range of W along an infinite direction.
"""

from functools import cache

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import block, entry, part
from taut.kernels.lcp import SOLVED, Complementarity, new_complementarity, solve_complementarity

RANK = 1e-12  # an eigenvalue this small against the largest is zero
EXACT = 1e-13  # allowed violation of Eq. (1) at unit diagonal, relative to the largest entry of b
FIRM = 1e-8  # regularisation where rounding, or b outside the range of W, leaves no solution
MOST_ROUNDS = 5  # most refinements with the active set


class Bounded(Bundle):
    """Workspace for problems of up to n variables: at most 4 n rows of Eq. (2)."""

    scale: np.ndarray  # scale of the variables, for a unit diagonal of W [n]
    base: np.ndarray  # scaled value from which a variable is measured [n]
    owner: np.ndarray  # variable that a row belongs to [2 n]
    sign: np.ndarray  # direction in which a row measures its variable [2 n]
    bound: np.ndarray  # row of Eq. (2) for the bound of a variable, -1 for none [2 n]
    M: np.ndarray  # matrix of the complementarity problem, Eq. (2) [4 n, 4 n]
    q: np.ndarray  # right-hand side of the complementarity problem, Eq. (2) [4 n]
    z: np.ndarray  # solution of the complementarity problem, Eq. (2) [4 n]
    problem: Complementarity


def new_bounded(n: int) -> Bounded:
    """A workspace for problems of up to n variables."""
    m = 4 * n
    integers = {name: np.zeros(2 * n, np.int64) for name in ("owner", "bound")}
    numbers = {name: np.zeros(k) for name, k in (("scale", n), ("base", n), ("sign", 2 * n), ("q", m), ("z", m))}
    return Bounded(M=np.zeros((m, m)), problem=new_complementarity(m), **integers, **numbers)


@block
def solve_bounded(W, b, low, high, x, n, firm, work):
    """Eq. (1) for the first n variables into x; returns a code of ``lcp``, and leaves x inside its bounds.

    ``firm``, zero or small against 1, is added to the diagonal of Eq. (2): a solution of nearly least norm then exists.
    """
    count = list_rows(W, low, high, n, work)
    size = fill_rows(W, b, n, count, work)
    m = add_bounds(low, high, count, size, work)
    for r in range(m):
        work.M[r, r] += firm
    code = solve_complementarity(work.M, work.q, work.z, m, work.problem)
    read_variables(low, high, x, n, count, work)
    return code


@part
def list_rows(W, low, high, n, work):
    """Scales, bases and directions of the variables; returns the number of rows."""
    count = 0
    for i in range(n):
        work.scale[i] = 1.0 / np.sqrt(W[i, i]) if W[i, i] > 0.0 else 1.0
        base = min(max(0.0, low[i]), high[i])
        work.base[i] = base / work.scale[i]
        if base < high[i] or base == low[i]:
            work.owner[count], work.sign[count] = i, 1.0
            count += 1
        if base > low[i]:
            work.owner[count], work.sign[count] = i, -1.0
            count += 1
    return count


@part
def fill_rows(W, b, n, count, work):
    """W z + q of Eq. (2); returns the largest |q|."""
    owner, sign, scale, size = work.owner, work.sign, work.scale, 0.0
    for r in range(count):
        i = owner[r]
        g = scale[i] * b[i]
        for j in range(n):
            g += scale[i] * W[i, j] * scale[j] * work.base[j]
        work.q[r] = sign[r] * g
        size = max(size, abs(g))
        for s in range(count):
            work.M[r, s] = sign[r] * scale[i] * W[i, owner[s]] * scale[owner[s]] * sign[s]
    return size


@part
def add_bounds(low, high, count, size, work):
    """The rows of bounds; returns the number of all rows."""
    M, m = work.M, count
    for r in range(count):
        i = work.owner[r]
        bound = high[i] if work.sign[r] > 0.0 else low[i]
        d = abs(bound / work.scale[i] - work.base[i])
        work.bound[r] = m if d < np.inf else -1
        if d < np.inf:
            f = size / d if d > size > 0.0 else 1.0
            for k in range(m + 1):
                M[k, m], M[m, k] = 0.0, 0.0
            M[r, m], M[m, r], work.q[m] = f, -f, f * d
            m += 1
    return m


@part
def read_variables(low, high, x, n, count, work):
    """Variables x from the solution z; those at a bound are set to it exactly."""
    z, owner, sign, base = work.z, work.owner, work.sign, work.base
    for i in range(n):
        x[i] = 0.0
    for r in range(count):
        x[owner[r]] += sign[r] * z[r]
    for i in range(n):
        x[i] = min(max(min(max(0.0, low[i]), high[i]) + work.scale[i] * x[i], low[i]), high[i])
    for r in range(count):
        i, k = owner[r], work.bound[r]
        if k >= 0 and z[k] > 0.0 and sign[r] * (x[i] / work.scale[i] - base[i]) > 0.5 * z[r]:
            x[i] = high[i] if sign[r] > 0.0 else low[i]


@entry
def solve_rows(W, b, low, high, x, firm, work):
    """Entry of ``solve_bounded`` for Python."""
    return solve_bounded(W, b, low, high, x, len(x), firm, work)


def bounded_qp(
    W: np.ndarray, b: np.ndarray, low: np.ndarray | float, high: np.ndarray | float = np.inf
) -> tuple[np.ndarray, float]:
    """The optimum, and how far Eq. (1) is violated against the largest entry of b.

    Where there is none, the optimum for the part of b in the range of W: the violation tells. Where there are many,
    because W is singular, one of them with few variables between their bounds.
    """
    n = len(b)
    if n == 0:
        return np.zeros(0), 0.0
    low, high = (np.array(np.broadcast_to(bound, n), float) for bound in (low, high))
    W, b, x = np.ascontiguousarray(W, float), np.ascontiguousarray(b, float), np.zeros(n)
    code = solve_rows(W, b, low, high, x, 0.0, workspace(n))
    left = violations(W, b, low, high, x)
    scale = 1.0 / np.sqrt(np.where(np.diag(W) > 0.0, np.diag(W), 1.0))
    if code != SOLVED or np.any(scale * left > EXACT * np.abs(scale * b).max()):
        problem = (W * np.outer(scale, scale), scale * b, low / scale, high / scale)
        y = mended(*problem, x / scale, is_solved=code == SOLVED)
        # variables at a bound are set to it exactly
        x = np.where(y <= problem[2], low, np.where(y >= problem[3], high, np.clip(scale * y, low, high)))
        left = violations(W, b, low, high, x)
    return x, float(left.max()) / max(float(np.abs(b).max()), 1e-300)


@cache
def workspace(n: int) -> Bounded:
    """A workspace for every size, shared because its content does not outlast a call."""
    return new_bounded(n)


def mended(  # noqa: PLR0913
    W: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray, x: np.ndarray, *, is_solved: bool
) -> np.ndarray:
    """The optimum of a problem with unit diagonal where ``lcp`` failed or was inaccurate."""
    if not is_solved:
        W, b = in_range(W, b)
        solve_rows(W, b, low, high, x, FIRM, workspace(len(b)))
    return refined(W, b, low, high, x)


def in_range(W: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """W without rounding, and the part of b in its range."""
    values, vectors = np.linalg.eigh(W)
    kept = vectors[:, values > RANK * max(float(values[-1]), 1e-300)]
    P = kept @ kept.T
    return P @ W @ P, P @ b


def refined(W: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Solve again for the free variables while that improves: distant bounds cost digits in ``lcp``."""
    worst = float(violations(W, b, low, high, x).max())
    for _ in range(MOST_ROUNDS if worst > 0.0 else 0):
        aimed = x - (W @ x + b)
        better = np.where(aimed <= low, low, np.where(aimed >= high, high, x))
        free = (low < aimed) & (aimed < high)
        better[free] -= np.linalg.lstsq(W[np.ix_(free, free)], (W @ better + b)[free], rcond=RANK)[0]
        better = np.clip(better, low, high)
        now = float(violations(W, b, low, high, better).max())
        if not now < worst:
            break
        x, worst = better, now
    return x


def violations(W: np.ndarray, b: np.ndarray, low: np.ndarray, high: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Violation of Eq. (1) by every variable: its slope, unless a bound blocks that direction."""
    g = W @ x + b
    return np.maximum(np.where(x < high, -g, 0.0), np.where(x > low, g, 0.0))
