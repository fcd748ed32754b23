"""Tension distributions that look at all of the feasible polytope lo - p <= N x <= hi - p (``distribution.py``).

Smallest p-norm: Newton's method on sum f^p, whose quadratic model at f has its optimum at f (p - 2)/(p - 1) with the
weights H = f^(p-2); with L L^T = N^T H N and y = L^T x the nearest point to it is a problem of ``nearest.py``.     (1)
Largest distance t to the limits: lo + t <= f <= hi - t, a linear program in x and t, solved as in Eq. (2) there.    (2)
Analytic centre: largest sum of log(f - lo) + log(hi - f), by damped Newton steps from the point of Eq. (2).        (3)
Barycentre: centroid of the polytope by its content: of an interval, or of a polygon that is a large square cut by
every limit [Mikelsons 2008; Gouttefarde 2015].                                                                    (4)
"""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import block, entry, part
from taut.kernels.robots.distribution import (
    FLAT,
    MOST_STEPS,
    NO_BALANCE,
    SLACK,
    STAYS,
    Distribution,
    distribute,
    new_distribution,
    next_step,
    prepare,
    put,
)
from taut.kernels.robots.nearest import INFEASIBLE, SOLVED, STUCK, UNBOUNDED, Nearest, nearest, new_nearest
from taut.kernels.robots.nullspace import SINGULAR

FLOOR = 1e-4  # smallest tension used in weights, relative to the largest
HALVINGS = 40
BARELY = 1e-10  # a narrower polytope has no interior; relative to the size of the limits


class Interior(Bundle):
    """Workspace for m cables and n wrench rows."""

    H: np.ndarray  # weights H of Eq. (1) [m]
    goal: np.ndarray  # tensions to which the nearest feasible ones are looked for [m]
    trial: np.ndarray  # trial tensions [m]
    L: np.ndarray  # Cholesky factor of N^T H N, or Newton matrix of Eq. (3) [d, d]
    y: np.ndarray  # y of Eq. (1), or x and t of Eq. (2) [d + 1]
    g: np.ndarray  # y before a step of Eq. (2), or gradient of Eq. (3) [d + 1]
    B: np.ndarray  # rows of the limits in Eq. (2) [2 m, d + 1]
    low: np.ndarray  # lower bounds of the rows of B [2 m]
    high: np.ndarray  # upper bounds of the rows of B [2 m]
    polygon: np.ndarray  # corners of the polygon of Eq. (4), x and y [2 m + 4, 2]
    cut: np.ndarray  # corners of the polygon after a cut [2 m + 4, 2]
    corners: np.ndarray  # number of corners of the polygon, one entry
    content: np.ndarray  # length or area of the polytope, one entry
    distance: np.ndarray  # t of Eq. (2), one entry
    near: Nearest  # workspace of the linear program of Eq. (2)
    plain: Distribution


def new_interior(m: int, n: int) -> Interior:
    """A workspace for m cables and n wrench rows."""
    d = max(m - n, 1)
    sizes = {"H": m, "goal": m, "trial": m, "y": d + 1, "g": d + 1, "low": 2 * m, "high": 2 * m, "content": 1,
             "distance": 1}  # fmt: skip
    return Interior(L=np.zeros((d, d)), B=np.zeros((2 * m, d + 1)), polygon=np.zeros((2 * m + 4, 2)),
                    cut=np.zeros((2 * m + 4, 2)), corners=np.zeros(1, np.int64), near=new_nearest(2 * m, d + 1),
                    plain=new_distribution(m, n), **{name: np.zeros(k) for name, k in sizes.items()})  # fmt: skip


@part
def cholesky(A, d):
    """The lower triangle of A, in its place."""
    for j in range(d):
        for i in range(j, d):
            value = A[i, j]
            for k in range(j):
                value -= A[i, k] * A[j, k]
            A[i, j] = np.sqrt(max(value, 0.0)) if i == j else value / A[j, j]


@part
def forwards(L, b, d):
    """Solve L b' = b in place, forwards."""
    for i in range(d):
        for k in range(i):
            b[i] -= L[i, k] * b[k]
        b[i] /= L[i, i]


@part
def backwards(L, b, d):
    """Solve L^T b' = b in place, backwards."""
    for i in range(d - 1, -1, -1):
        for k in range(i + 1, d):
            b[i] -= L[k, i] * b[k]
        b[i] /= L[i, i]


@part
def fill_weights(f, p, m, work):
    """Weights and the goal of Eq. (1), less the particular solution."""
    largest = 0.0
    for i in range(m):
        largest = max(largest, abs(f[i]))
    for i in range(m):
        work.H[i] = max(abs(f[i]) / largest, FLOOR) ** (p - 2.0)
        slope = f[i] * (abs(f[i]) / largest) ** (p - 2.0)
        work.goal[i] = f[i] - slope / work.H[i] / (p - 1.0) - work.plain.solution.p[i]


@part
def weighted_step(f, p, m, d, work):
    """Newton's point of Eq. (1) into ``work.trial``; returns an outcome of ``nearest``."""
    plain, H, L, y = work.plain, work.H, work.L, work.y
    N = plain.solution.N
    fill_weights(f, p, m, work)
    for j in range(d):
        y[j] = 0.0
        for k in range(d):
            L[j, k] = 0.0
        for i in range(m):
            y[j] += N[i, j] * H[i] * work.goal[i]
            for k in range(d):
                L[j, k] += N[i, j] * H[i] * N[i, k]
    cholesky(L, d)
    forwards(L, y, d)
    for i in range(m):
        for j in range(d):
            plain.A[i, j] = N[i, j]
        forwards(L, plain.A[i], d)
    code = nearest(plain.A, plain.low, plain.high, y, m, d, SLACK * plain.size[0], plain.near)
    backwards(L, y, d)
    put_tensions(work.trial, y, m, d, plain)
    return code


@part
def put_tensions(f, x, m, d, plain):
    """Tensions f = p + N x."""
    for i in range(m):
        f[i] = plain.solution.p[i]
        for j in range(d):
            f[i] += plain.solution.N[i, j] * x[j]


@part
def power_sum(f, step, other, p, scale):
    """Sum of the p-th powers at f + step (other - f), in units of a scale."""
    total = 0.0
    for i in range(len(f)):
        total += (abs(f[i] + step * (other[i] - f[i])) / scale) ** p
    return total


@part
def descend(f, lo, hi, p, scale, work):
    """Go towards ``work.trial`` as long as the sum of powers falls; returns the way and the gain, as shares."""
    m, step, moved, before, now = len(f), 1.0, 0.0, power_sum(f, 0.0, f, p, scale), 0.0
    for i in range(m):
        moved = max(moved, abs(work.trial[i] - f[i]) / scale)
    for _ in range(HALVINGS):
        now = power_sum(f, step, work.trial, p, scale)
        if now <= before or moved <= 1e-6:
            break
        step *= 0.5
    for i in range(m):
        f[i] = min(max(f[i] + step * (work.trial[i] - f[i]), lo[i]), hi[i])
    return step * moved, (before - now) / before


@block
def distribute_power(W, w, lo, hi, p, f, work):
    """Tensions of the smallest p-norm, p >= 2, within the limits, Eq. (1); returns an outcome."""
    n, m = W.shape
    for i in range(m):
        work.goal[i] = 0.0
    code = distribute(W, w, lo, hi, work.goal, f, work.plain)
    if code != SOLVED or p == 2.0 or m == n:
        return code
    for k in range(MOST_STEPS):
        scale = 0.0
        for i in range(m):
            scale = max(scale, abs(f[i]))
        # the problem itself is feasible: if the scaled one is not, the polytope is a single point up to rounding
        if scale == 0.0 or weighted_step(f, p, m, m - n, work) != SOLVED:
            return SOLVED
        moved, gain = descend(f, lo, hi, p, scale, work)
        # tensions that approach zero do so ever more slowly, and no longer change the sum
        if moved <= STAYS or k > MOST_STEPS // 2 and gain <= STAYS:
            return SOLVED
    return STUCK


@part
def fill_distances(m, d, work):
    """Fill the rows and bounds of the linear program of Eq. (2)."""
    plain, B, low, high = work.plain, work.B, work.low, work.high
    for i in range(m):
        for j in range(d):
            B[i, j], B[m + i, j] = plain.solution.N[i, j], plain.solution.N[i, j]
        B[i, d], B[m + i, d] = -1.0, 1.0
        low[i], high[i], low[m + i], high[m + i] = plain.low[i], np.inf, -np.inf, plain.high[i]


@part
def climb(m, d, work):
    """Take proximal steps of Eq. (2) until they stay at one point; returns an outcome."""
    y, g, size = work.y, work.g, work.plain.size[0]
    for j in range(d + 1):
        y[j] = 0.0
    step = 2.0 * size
    for _ in range(MOST_STEPS):
        moved = 0.0
        for j in range(d + 1):
            g[j] = y[j]
        y[d] += step
        code = nearest(work.B, work.low, work.high, y, 2 * m, d + 1, SLACK * size, work.near)
        for j in range(d + 1):
            moved = max(moved, abs(y[j] - g[j]))
        if code != SOLVED or moved <= STAYS * size:
            return code
        step = next_step(step, 2.0 * size, moved / size)
    return UNBOUNDED


@block
def distribute_far(W, w, lo, hi, f, work):
    """Tensions as far from the limits as can be, Eq. (2); returns an outcome.

    INFEASIBLE comes with the smallest excess: ``work.distance`` is negative then.
    """
    n, m = W.shape
    d = m - n
    if prepare(W, w, lo, hi, work.plain) <= SINGULAR:
        return NO_BALANCE
    fill_distances(m, d, work)
    code = climb(m, d, work)
    work.distance[0] = work.y[d]
    put_tensions(f, work.y, m, d, work.plain)
    if code == SOLVED and work.y[d] < -BARELY * work.plain.size[0]:
        return INFEASIBLE
    for i in range(m):
        f[i] = min(max(f[i], lo[i]), hi[i])
    return code


@part
def log_step(f, lo, hi, m, d, work):
    """Newton's step of Eq. (3) into ``work.trial`` [tensions]; returns its slope, which is not negative."""
    N, L, y, g = work.plain.solution.N, work.L, work.y, work.g
    for j in range(d):
        g[j] = 0.0
        for i in range(m):
            g[j] += N[i, j] * (1.0 / (f[i] - lo[i]) - 1.0 / (hi[i] - f[i]))
        y[j] = g[j]
        for k in range(d):
            L[j, k] = 0.0
            for i in range(m):
                L[j, k] += N[i, j] * N[i, k] * ((f[i] - lo[i]) ** -2.0 + (hi[i] - f[i]) ** -2.0)
    cholesky(L, d)
    forwards(L, y, d)
    backwards(L, y, d)
    slope = 0.0
    for j in range(d):
        slope += g[j] * y[j]
    for i in range(m):
        work.trial[i] = 0.0
        for j in range(d):
            work.trial[i] += N[i, j] * y[j]
    return slope


@block
def distribute_central(W, w, lo, hi, f, work):
    """The analytic centre, Eq. (3), of a polytope with an inside; returns an outcome."""
    n, m = W.shape
    d, size = m - n, 0.0
    code = distribute_far(W, w, lo, hi, f, work)
    for i in range(m):
        size = max(size, hi[i] - lo[i])
    if code != SOLVED or work.distance[0] <= BARELY * size:
        return FLAT if code == SOLVED else code
    for _ in range(MOST_STEPS):
        # damped Newton step for self-concordant functions: it never leaves the interior
        slope = np.sqrt(log_step(f, lo, hi, m, d, work))
        damping = 1.0 if slope < 0.25 else 1.0 / (1.0 + slope)
        for i in range(m):
            f[i] += damping * work.trial[i]
        if slope <= 1e-12:
            return SOLVED
    return SOLVED if slope <= 1e-9 else STUCK


@part
def cut_polygon(a, b, bound, count, work):
    """Keep the part of the polygon with a x + b y <= bound; returns the number of its corners."""
    P, cut, kept = work.polygon, work.cut, 0
    for k in range(count):
        x, y = P[k, 0], P[k, 1]
        nx, ny = P[(k + 1) % count, 0], P[(k + 1) % count, 1]
        here, there = a * x + b * y - bound, a * nx + b * ny - bound
        if here <= 0.0:
            cut[kept, 0], cut[kept, 1] = x, y
            kept += 1
        if (here < 0.0 < there) or (there < 0.0 < here):
            share = here / (here - there)
            cut[kept, 0], cut[kept, 1] = x + share * (nx - x), y + share * (ny - y)
            kept += 1
    for k in range(kept):
        P[k, 0], P[k, 1] = cut[k, 0], cut[k, 1]
    return kept


@part
def polygon_centre(m, work):
    """Cut the polygon of Eq. (4); its centroid into the plain workspace's x; returns its area."""
    plain, P = work.plain, work.polygon
    N, size = plain.solution.N, 1.0
    for i in range(m):
        size += abs(plain.low[i]) + abs(plain.high[i])
    for k in range(4):
        P[k, 0], P[k, 1] = size * (1.0 if k in (0, 3) else -1.0), size * (1.0 if k < 2 else -1.0)
    count = 4
    for i in range(m):
        count = cut_polygon(N[i, 0], N[i, 1], plain.high[i], count, work)
        count = cut_polygon(-N[i, 0], -N[i, 1], -plain.low[i], count, work)
    area, cx, cy = 0.0, 0.0, 0.0
    for k in range(1, count - 1):
        ax, ay = P[k, 0] - P[0, 0], P[k, 1] - P[0, 1]
        bx, by = P[k + 1, 0] - P[0, 0], P[k + 1, 1] - P[0, 1]
        part_area = 0.5 * (ax * by - ay * bx)
        area += part_area
        cx += part_area * (ax + bx) / 3.0
        cy += part_area * (ay + by) / 3.0
    if area > 0.0:
        plain.x[0], plain.x[1] = P[0, 0] + cx / area, P[0, 1] + cy / area
    work.corners[0] = count
    return area


@block
def distribute_bary(W, w, lo, hi, f, work):
    """The barycentre, Eq. (4), with up to two redundant cables; returns an outcome.

    A polytope without content, a point or an edge, has the tensions nearest to the middle of the limits instead.
    """
    n, m = W.shape
    d, plain, size = m - n, work.plain, 0.0
    for i in range(m):
        work.goal[i] = 0.5 * (lo[i] + hi[i])
        size = max(size, hi[i] - lo[i])
    code = distribute(W, w, lo, hi, work.goal, f, plain)
    work.content[0] = 0.0
    if code != SOLVED or d == 0:
        return code
    plain.near.count[0] = 0
    if d == 1:
        lowest, highest = -np.inf, np.inf
        for i in range(m):
            a = plain.solution.N[i, 0]
            if a != 0.0:
                one, other = plain.low[i] / a, plain.high[i] / a
                lowest, highest = max(lowest, min(one, other)), min(highest, max(one, other))
        work.content[0] = max(highest - lowest, 0.0)
        plain.x[0] = 0.5 * (lowest + highest)
    else:
        work.content[0] = polygon_centre(m, work)
    if work.content[0] > (BARELY * size) ** d:
        put(f, lo, hi, m, d, plain)
    return SOLVED


@entry
def solve_power(W, w, lo, hi, p, f, work):
    """Entry of ``distribute_power`` for Python."""
    return distribute_power(W, w, lo, hi, p, f, work)


@entry
def solve_far(W, w, lo, hi, f, work):
    """Entry of ``distribute_far`` for Python."""
    return distribute_far(W, w, lo, hi, f, work)


@entry
def solve_central(W, w, lo, hi, f, work):
    """Entry of ``distribute_central`` for Python."""
    return distribute_central(W, w, lo, hi, f, work)


@entry
def solve_bary(W, w, lo, hi, f, work):
    """Entry of ``distribute_bary`` for Python."""
    return distribute_bary(W, w, lo, hi, f, work)
