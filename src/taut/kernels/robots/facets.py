"""Which wrenches a robot can make: facets of the available wrench set, and the capacity margin of a required one.

The wrenches W f with lo <= f <= hi are a zonotope. Each of its facets has a normal c that is orthogonal to n - 1
independent columns of W, and its two sides lie at the supports
    up = sum_i max(c.w_i lo_i, c.w_i hi_i),   down = sum_i min(c.w_i lo_i, c.w_i hi_i).                            (1)
A box of required wrenches, w0 +- h, is inside by
    margin = min over c, |c| = 1, of (up - c.w0 - |c|.h,  c.w0 - |c|.h - down),                                    (2)
the capacity margin: the required wrenches can be made if and only if it is not negative [Bouchard 2010;
Gouttefarde 2010]. All wrenches can be made, with forces of any size, if every normal has columns on both sides:
    closure = min over c of min(max_i c.w_i, -min_i c.w_i) > 0.                                                    (3)
The normals are found from the other side: y = W^T c is zero but for r + 1 = m - n + 1 cables, and N^T y = 0 with the
nullspace N of W, so that the entries of y are the minors of r + 1 rows of N (for two redundant cables a cross product),
and c = (W^T)^+ y. Any c gives an upper bound of Eq. (2), so that nearly dependent columns do no harm.
"""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import block, part
from taut.kernels.robots.nullspace import SINGULAR, Balance, factor, fill_null, new_balance, wrench_direction

NOISE = 1e-12  # distance of a column from a plane that counts as zero, relative to the farthest column
SURE = 1e-3  # if the minors are larger than this, the columns that span a plane lie in it to rounding
TINY = 1e-14  # entries of y this small, relative to the largest: dependent columns, which have no normal


class Facets(Bundle):
    """Workspace for m cables and n wrench rows."""

    W: np.ndarray  # structure matrix, rows scaled [n, m]
    w0: np.ndarray  # centre w0 of the required wrenches, scaled [n]
    half: np.ndarray  # half widths h of the box of required wrenches, scaled [n]
    G: np.ndarray  # pseudoinverse (W^T)^+, a row per cable [m, n]
    c: np.ndarray  # normal c of a facet [n]
    y: np.ndarray  # y = W^T c of the chosen cables [m - n + 1]
    chosen: np.ndarray  # cables whose entry of y is not zero [m - n + 1]
    E: np.ndarray  # scratch: elimination of the chosen cables' rows of N [m - n, m - n + 1]
    dots: np.ndarray  # c.w_i of the chosen cables, or of all cables [m]
    count: np.ndarray  # number of chosen cables [1]
    worst: np.ndarray  # normal of the facet with the smallest margin [n]
    unit: np.ndarray  # a unit vector [m]
    scratch: np.ndarray  # scratch [m]
    found: np.ndarray  # results: margin, closure, reach along a direction
    solution: Balance


def new_facets(m: int, n: int) -> Facets:
    """A workspace for m cables and n wrench rows."""
    d = max(m - n, 0)
    sizes = {"w0": n, "half": n, "c": n, "y": d + 1, "worst": n, "unit": m, "dots": m, "scratch": m, "found": 3}
    integers = {"chosen": np.zeros(d + 1, np.int64), "count": np.zeros(1, np.int64)}
    return Facets(W=np.zeros((n, m)), G=np.zeros((m, n)), E=np.zeros((d + 1, d + 2)), solution=new_balance(m, n),
                  **integers, **{name: np.zeros(k) for name, k in sizes.items()})  # fmt: skip


@part
def null_minors(N, m, d, work):
    """y for the chosen cables, at |y| = 1; returns the size of the minors, 0 if they all vanish."""
    y, chosen, E, smallest = work.y, work.chosen, work.E, 0.0
    if d == 2:
        a, b, c = chosen[0], chosen[1], chosen[2]
        y[0] = N[b, 0] * N[c, 1] - N[b, 1] * N[c, 0]
        y[1] = N[c, 0] * N[a, 1] - N[c, 1] * N[a, 0]
        y[2] = N[a, 0] * N[b, 1] - N[a, 1] * N[b, 0]
    else:
        for j in range(d):
            for k in range(d + 1):
                E[j, k] = N[chosen[k], j]
        smallest = eliminate(d, work)
        if smallest <= TINY:
            return 0.0
    size = 0.0
    for k in range(d + 1):
        size += y[k] * y[k]
    size = np.sqrt(size)
    if size <= TINY:
        return 0.0
    for k in range(d + 1):
        y[k] /= size
    return size if d == 2 else smallest


@part
def eliminate(d, work):
    """The null vector y of the d x (d + 1) matrix E, by elimination with full pivoting; returns the smallest pivot."""
    E, y, smallest = work.E, work.y, 1.0
    # the unknown that belongs to each column
    place = E[d]
    for k in range(d + 1):
        place[k] = k
    for j in range(d):
        pivot = bring_pivot(E, j, d)
        smallest = min(smallest, pivot)
        if pivot <= TINY:
            return pivot
        for i in range(j + 1, d):
            share = E[i, j] / E[j, j]
            for k in range(j, d + 1):
                E[i, k] -= share * E[j, k]
    y[int(place[d])] = 1.0
    for j in range(d - 1, -1, -1):
        value = -E[j, d]
        for k in range(j + 1, d):
            value -= E[j, k] * y[int(place[k])]
        y[int(place[j])] = value / E[j, j]
    return smallest


@part
def bring_pivot(E, j, d):
    """Exchange rows and columns, with their places, so that the largest entry left is at j, j; returns it."""
    best, row, column = 0.0, j, j
    for i in range(j, d):
        for k in range(j, d + 1):
            if abs(E[i, k]) > best:
                best, row, column = abs(E[i, k]), i, k
    for k in range(d + 1):
        E[j, k], E[row, k] = E[row, k], E[j, k]
    for i in range(d + 1):
        E[i, j], E[i, column] = E[i, column], E[i, j]
    return best


@part
def normal_of(m, n, d, work):
    """c of the chosen cables, at |c| = 1, and y = W^T c; returns whether there is one."""
    c, G, y, chosen, size = work.c, work.G, work.y, work.chosen, 0.0
    minor = null_minors(work.solution.N, m, d, work)
    if minor <= TINY:
        return False
    for j in range(n):
        value = 0.0
        for k in range(d + 1):
            value += G[chosen[k], j] * y[k]
        c[j] = value
        size += value * value
    share = 1.0 / np.sqrt(size)
    for j in range(n):
        c[j] *= share
    if minor > SURE:
        for k in range(d + 1):
            work.dots[k] = y[k] * share
        work.count[0] = d + 1
    else:
        # nearly dependent columns: the others do not lie in the plane to rounding
        for i in range(m):
            dot = 0.0
            for j in range(n):
                dot += c[j] * work.W[j, i]
            work.dots[i] = dot
        work.count[0] = m
    return True


@part
def judge(lo, hi, m, n, direction, work):
    """Judge the facet of the present normal, Eqs. (2) and (3), into ``found``; how far w0 can go along a direction."""
    c, found, count = work.c, work.found, work.count[0]
    up, down, most, least, along, spread, rate = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        dot, i = work.dots[k], work.chosen[k] if count < m else k
        most, least = max(most, dot), min(least, dot)
        one, other = dot * hi[i], dot * lo[i]
        up += max(one, other)
        down += min(one, other)
    for j in range(n):
        along += c[j] * work.w0[j]
        spread += abs(c[j]) * work.half[j]
        rate += c[j] * direction[j]
    margin = min(up - along, along - down) - spread
    if margin < found[0]:
        found[0] = margin
        for j in range(n):
            work.worst[j] = c[j]
    # columns that span the plane lie on neither side, but for rounding
    both = min(most, -least)
    found[1] = min(found[1], both if both > NOISE * max(most, -least) else 0.0)
    if rate > 0.0:
        found[2] = min(found[2], (up - along - spread) / rate)
    elif rate < 0.0:
        found[2] = min(found[2], (down - along + spread) / rate)


@part
def flat(m, n, work):
    """A singular pose: the wrenches lie in a plane, whose normal is c; no closure, and no margin."""
    # singular pose: c is orthogonal to all columns up to rounding, T c = 0 in the order of the factorisation
    T, order, c, size = work.solution.T, work.solution.order, work.c, 1.0
    c[order[n - 1]] = 1.0
    for k in range(n - 1):
        j = n - 2 - k
        value = -T[j, n - 1]
        for i in range(j + 1, n - 1):
            value -= T[j, i] * c[order[i]]
        c[order[j]] = value / T[j, j] if abs(T[j, j]) > SINGULAR * abs(T[0, 0]) else 0.0
        size += c[order[j]] * c[order[j]]
    along, spread = 0.0, 0.0
    for j in range(n):
        c[j] /= np.sqrt(size)
        work.worst[j] = c[j]
        along += c[j] * work.w0[j]
        spread += abs(c[j]) * work.half[j]
    work.found[0], work.found[1], work.found[2] = -abs(along) - spread, 0.0, 0.0


@block
def find_margins(lo, hi, direction, work):
    """Capacity margin, closure and reach of the scaled W, w0 and half into ``found``; returns how far from singular.

    ``direction`` [n], scaled: the reach is the largest s for which w0 + s direction, with its box, can still be made.
    """
    n, m = work.W.shape
    d, chosen = m - n, work.chosen
    work.found[0], work.found[1], work.found[2] = np.inf, np.inf, np.inf
    regular = factor(work.W, m, n, work.solution)
    if regular <= SINGULAR:
        flat(m, n, work)
        return regular
    fill_null(m, n, work.solution)
    for i in range(m):
        for k in range(m):
            work.unit[k] = 1.0 if k == i else 0.0
        wrench_direction(work.unit, m, n, work.G[i], work.scratch, work.solution)
    for k in range(d + 1):
        chosen[k] = k
    while True:
        if normal_of(m, n, d, work):
            judge(lo, hi, m, n, direction, work)
        # next combination of d + 1 cables
        k = d
        while k >= 0 and chosen[k] == m - d - 1 + k:
            k -= 1
        if k < 0:
            return regular
        chosen[k] += 1
        for j in range(k + 1, d + 1):
            chosen[j] = chosen[j - 1] + 1
