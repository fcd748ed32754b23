"""Tension distribution: cable tensions f that balance a wrench within limits, W f = w, lo <= f <= hi.

With f = p + N x (``nullspace.py``) every rule is a small problem in m - n unknowns x within lo - p <= N x <= hi - p:
    nearest tensions to a goal g:   x nearest to N^T (g - p)                                                       (1)
    closed form: g = (lo + hi)/2 without limits [Pott2009];   shortest: f = p
    improved closed form: the cable that violates its limits most is set to that limit, and so on [Pott2018, sec. 3.7]
    smallest sum: x is moved by -t N^T 1 and brought back to the nearest point, until it stays                       (2)
(the proximal point method, which ends after finitely many steps in linear programs [Rockafellar 1976]). An infeasible
wrench has a proof (``nearest.py``), y with N^T y = 0, so that y = W^T c and
    c.W f >= sum_i min(y_i lo_i, y_i hi_i) > c.w   for all f within the limits:                                     (3)
c is the wrench direction in which the cables cannot go so far, and the difference at |c| = 1 how much is missing.
"""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import block, entry, part
from taut.kernels.robots.eight import CABLES, NULL, PAIR, ROWS, SUM, balance_eight, new_block
from taut.kernels.robots.nearest import (
    DEPENDENT,
    INFEASIBLE,
    SOLVED,
    UNBOUNDED,
    Nearest,
    append,
    directions,
    finish,
    most_violated,
    nearest,
    nearest_here,
    new_nearest,
)
from taut.kernels.robots.nullspace import SINGULAR, Balance, balance, factor, fill_null, new_balance, wrench_direction

# outcomes besides those of ``nearest.py``: singular pose; the rule ends outside the limits; the polytope has no
# interior
NO_BALANCE, VIOLATED, FLAT = 4, 5, 6
SLACK = 1e-12  # violation of the limits that counts as none, relative to the largest tension
STAYS = 1e-12  # a smaller step, relative to the largest tension, ends the iteration
NEARLY = 1e-8  # a smaller step, relative to the largest tension, means that the optimum is near
MOST_STEPS = 200
LONGER, LONGEST = 4.0, 1e6  # factor by which proximal steps grow while they make progress, and their largest size


class Distribution(Bundle):
    """Workspace for m cables and n wrench rows."""

    A: np.ndarray  # matrix of the limits: N, or N scaled [m, m - n]
    low: np.ndarray  # lower limits of N x: lo - p [m]
    high: np.ndarray  # upper limits of N x: hi - p [m]
    x: np.ndarray  # the unknowns x of f = p + N x [m - n]
    last: np.ndarray  # x before the last step [m - n]
    cost: np.ndarray  # gradient of the sum of tensions: N^T 1 [m - n]
    c: np.ndarray  # direction c of Eq. (3), |c| = 1 [n]
    missing: np.ndarray  # wrench missing along c, Eq. (3), one entry
    size: np.ndarray  # largest tension among the limits and p, one entry
    scratch: np.ndarray  # scratch [m]
    block: np.ndarray  # scratch of ``eight.py``
    solution: Balance
    near: Nearest


def new_distribution(m: int, n: int) -> Distribution:
    """A workspace for m cables and n wrench rows."""
    d = max(m - n, 1)
    sizes = {"low": m, "high": m, "x": d, "last": d, "cost": d, "c": n, "missing": 1, "size": 1, "scratch": m}
    return Distribution(A=np.zeros((m, d)), block=new_block(), solution=new_balance(m, n), near=new_nearest(m, d),
                        **{name: np.zeros(size) for name, size in sizes.items()})  # fmt: skip


@part
def prepare(W, w, lo, hi, work):
    """p, N and the limits of x; returns how far the pose is from singular, 0 where something is not a number."""
    n, m = W.shape
    regular = factor(W, m, n, work.solution)
    if regular > SINGULAR:
        balance(w, m, n, work.solution.p, work.solution)
        fill_null(m, n, work.solution)
        if put_limits(lo, hi, m, work):
            return regular
    return 0.0


@part
def put_limits(lo, hi, m, work):
    """The limits of x, and the largest tension in sight; returns whether p is finite."""
    size, total = 0.0, 0.0
    for i in range(m):
        p = work.solution.p[i]
        work.low[i], work.high[i] = lo[i] - p, hi[i] - p
        size, total = max(size, abs(p), abs(lo[i])), total + abs(p)
        if hi[i] < np.inf:
            size = max(size, abs(hi[i]))
    work.size[0] = size
    return total < np.inf


@part
def aim(goal, m, d, work):
    """Unknowns x nearest to the goal without limits, Eq. (1)."""
    p, N, x = work.solution.p, work.solution.N, work.x
    for j in range(d):
        x[j] = 0.0
        for i in range(m):
            x[j] += N[i, j] * (goal[i] - p[i])


@part
def put(f, lo, hi, m, d, work):
    """f = p + N x; what a limit holds is there exactly."""
    p, N, x, near = work.solution.p, work.solution.N, work.x, work.near
    for i in range(m):
        f[i] = p[i]
        for j in range(d):
            f[i] += N[i, j] * x[j]
    for k in range(near.count[0]):
        i = near.rows[k]
        f[i] = lo[i] if near.sides[k] > 0.0 else hi[i]
    for i in range(m):
        f[i] = min(max(f[i], lo[i]), hi[i])


@part
def show_missing(lo, hi, w, work):
    """Missing wrench by Eq. (3), from the proof, at |c| = 1."""
    m, n, y, c = len(lo), len(w), work.near.proof, work.c
    wrench_direction(y, m, n, c, work.scratch, work.solution)
    size, value = 0.0, 0.0
    for j in range(n):
        size += c[j] * c[j]
        value -= c[j] * w[j]
    for i in range(m):
        if y[i] != 0.0:
            value += y[i] * lo[i] if y[i] > 0.0 else y[i] * hi[i]
    size = np.sqrt(size)
    for j in range(n):
        c[j] /= size
    work.missing[0] = value / size


@block
def distribute(W, w, lo, hi, goal, f, work):
    """Tensions f nearest to a goal within the limits, Eq. (1); returns an outcome."""
    n, m = W.shape
    # fast path for eight cables in space; poses that it does not solve (singular, infeasible) are decided below
    if m == CABLES and n == ROWS and distribute_eight(W, w, lo, hi, goal, f, work) == SOLVED:
        return SOLVED
    if prepare(W, w, lo, hi, work) <= SINGULAR:
        return NO_BALANCE
    code = within_limits(lo, hi, goal, f, m, m - n, work)
    if code == INFEASIBLE:
        show_missing(lo, hi, w, work)
    return code


@part
def distribute_eight(W, w, lo, hi, goal, f, work):
    """Solve as ``distribute`` does, for eight cables and six rows where the pose is far from singular."""
    B, p, N = work.block, work.solution.p, work.solution.N
    if not balance_eight(W, w, B):
        return NO_BALANCE
    for i in range(CABLES):
        p[i], N[i, 0], N[i, 1] = B[SUM + i], B[NULL + i], B[NULL + PAIR + i]
    if not put_limits(lo, hi, CABLES, work):
        return NO_BALANCE
    return within_limits(lo, hi, goal, f, CABLES, CABLES - ROWS, work)


@part
def within_limits(lo, hi, goal, f, m, d, work):
    """Solve Eq. (1) with p and N at hand; returns an outcome."""
    aim(goal, m, d, work)
    code = nearest_here(work.solution.N, work.low, work.high, work.x, m, d, SLACK * work.size[0], work.near)
    if code == SOLVED:
        put(f, lo, hi, m, d, work)
    return code


@block
def distribute_freely(W, w, goal, f, work):
    """Tensions f nearest to a goal without limits; returns an outcome."""
    n, m = W.shape
    if prepare(W, w, goal, goal, work) <= SINGULAR:
        return NO_BALANCE
    aim(goal, m, m - n, work)
    p, N = work.solution.p, work.solution.N
    for i in range(m):
        f[i] = p[i]
        for j in range(m - n):
            f[i] += N[i, j] * work.x[j]
    return SOLVED


@block
def distribute_improved(W, w, lo, hi, goal, f, work):
    """The improved closed form about a goal; returns an outcome, VIOLATED where it ends outside of the limits."""
    n, m = W.shape
    d, near = m - n, work.near
    if prepare(W, w, lo, hi, work) <= SINGULAR:
        return NO_BALANCE
    aim(goal, m, d, work)
    N, slack, k = work.solution.N, SLACK * work.size[0], 0
    for j in range(d):
        near.x0[j] = work.x[j]
    for _ in range(d + 1):
        p, side, gap, norm = most_violated(N, work.low, work.high, work.x, m, d, slack)
        if p < 0:
            near.count[0] = k
            put(f, lo, hi, m, d, work)
            return SOLVED
        if k == d:
            break
        zz = directions(N, p, side, d, k, near)
        if zz <= DEPENDENT * norm:
            break
        near.rows[k], near.sides[k] = p, side
        k = append(zz, d, k, near)
        finish(work.low, work.high, work.x, d, k, near)
    return VIOLATED


@block
def distribute_least_sum(W, w, lo, hi, sign, f, work):
    """Tensions of the smallest sum (sign 1) or the largest (-1) within the limits, Eq. (2); returns an outcome."""
    n, m = W.shape
    d, x, last, cost = m - n, work.x, work.last, work.cost
    code = distribute(W, w, lo, hi, lo, f, work)
    if code != SOLVED:
        return code
    size, length = work.size[0], 0.0
    for j in range(d):
        cost[j] = 0.0
        for i in range(m):
            cost[j] += sign * work.solution.N[i, j]
        length += cost[j] * cost[j]
    first = size / np.sqrt(length) if length > STAYS * STAYS else 0.0
    step = first
    for _ in range(MOST_STEPS):
        moved = 0.0
        for j in range(d):
            last[j] = x[j]
            x[j] -= step * cost[j]
        code = nearest(work.solution.N, work.low, work.high, x, m, d, SLACK * size, work.near)
        for j in range(d):
            moved = max(moved, abs(x[j] - last[j]))
        if code != SOLVED or moved <= STAYS * size:
            put(f, lo, hi, m, d, work)
            return code
        step = next_step(step, first, moved / size)
    return UNBOUNDED


@part
def next_step(step, first, moved):
    """Next proximal step: longer while the point moves far; the first size again near the optimum, for accuracy."""
    return min(LONGER * step, LONGEST * first) if moved > NEARLY else first


@entry
def solve_distribution(W, w, lo, hi, goal, f, work):
    """Entry of ``distribute`` for Python."""
    return distribute(W, w, lo, hi, goal, f, work)


@entry
def solve_freely(W, w, goal, f, work):
    """Entry of ``distribute_freely`` for Python."""
    return distribute_freely(W, w, goal, f, work)


@entry
def solve_improved(W, w, lo, hi, goal, f, work):
    """Entry of ``distribute_improved`` for Python."""
    return distribute_improved(W, w, lo, hi, goal, f, work)


@entry
def solve_least_sum(W, w, lo, hi, sign, f, work):
    """Entry of ``distribute_least_sum`` for Python."""
    return distribute_least_sum(W, w, lo, hi, sign, f, work)
