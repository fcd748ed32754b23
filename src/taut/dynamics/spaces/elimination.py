"""Some coordinates of a closed-loop machine expressed by the others: Gauss-Jordan elimination on the closure Jacobian.

With kept columns I and eliminated columns D, the pivot rows of J v = 0 give
    v = Gamma u,   Gamma_I = 1,   Gamma_D = -J_D^-1 J_I                                       (1)
and, with the closures' bias b = dJ/dt v,
    a = Gamma du/dt + gamma,   gamma_I = 0,   gamma_D = -J_D^-1 b                             (2)
[Sathuluri, Eqs. 4, 12, 23, 25]. Rows that are no pivots remain as constraints of the kept coordinates. A machine's
legs do not touch each other, so the elimination runs in blocks that have no entry in common; rows are exchanged inside
a block, the largest entry first.
"""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import kernel, part

SMALLEST_PIVOT = 1e-12  # smaller pivots, relative to the largest, do not determine their column


class Elimination(Bundle):
    """Which columns are eliminated by which rows, block by block, and the workspace of it."""

    blocks: np.ndarray  # per block: first and last row, first column, first kept column, last column [block, 5]
    rows: np.ndarray  # row numbers, candidates for pivots, block by block
    followers: np.ndarray  # per entry of rows: 1 if that row may become a pivot
    columns: np.ndarray  # columns of each block: eliminated ones, then the kept ones that its rows touch
    kept: np.ndarray  # numbers of the kept columns
    place: np.ndarray  # column -> its place among the kept, -1 if eliminated
    order: np.ndarray  # rows in the order of their pivots, set by eliminate_columns
    J: np.ndarray  # closure Jacobian, overwritten by multipliers and reduced rows [row_count, column_count]
    inverse_pivots: np.ndarray  # inverse pivot of every eliminated column [column_count]
    pivot_rows: np.ndarray  # pivot row of every column [column_count]; -1 for a kept one
    Gamma: np.ndarray  # columns by kept columns: v = Gamma u [column_count, kept_count]
    b: np.ndarray  # right-hand side of the rows [row_count]
    x: np.ndarray  # a step or acceleration of all columns [column_count]


@kernel
def eliminate_columns(e):
    """Reduce e.J in place; returns the sign of the determinant of the pivots, 0 where they are not determined."""
    J, order = e.J, e.order
    sign = 1
    largest = 0.0
    for i in range(len(e.rows)):
        order[i] = e.rows[i]
    for b in range(len(e.blocks)):
        first, last, begin, middle, end = e.blocks[b, 0], e.blocks[b, 1], e.blocks[b, 2], e.blocks[b, 3], e.blocks[b, 4]
        for k in range(middle - begin):
            c = e.columns[begin + k]
            # pivoting inside the block only: blocks share no column
            p = largest_entry(J, order, e.followers, first + k, last, c)
            r = order[p]
            size = abs(J[r, c])
            largest = max(largest, size)
            # singular position: the remaining rows do not determine this column
            if e.followers[p] == 0 or size <= SMALLEST_PIVOT * largest:
                return 0
            # sign of the determinant: its change between two states tells that a singular position lies between
            if p != first + k:
                order[p] = order[first + k]
                order[first + k] = r
                sign = -sign
            if J[r, c] < 0.0:
                sign = -sign
            e.inverse_pivots[c] = 1.0 / J[r, c]
            e.pivot_rows[c] = r
            clear_column(e, r, c, begin + k + 1, end, first, last)
    return sign


@part
def largest_entry(J, order, followers, first, last, c):
    """Place of the row with the largest entry in column c among those that may still become pivots."""
    p = first
    size = -1.0
    for i in range(first, last):
        entry = abs(J[order[i], c])
        if followers[i] and entry > size:
            size = entry
            p = i
    return p


@part
def clear_column(e, r, c, begin, end, first, last):
    """Scale the pivot row and take it off all other rows; their entries in column c stay as multipliers."""
    J, columns, order = e.J, e.columns, e.order
    f = e.inverse_pivots[c]
    for j in range(begin, end):
        J[r, columns[j]] *= f
    for i in range(first, last):
        row = order[i]
        f = J[row, c]
        if row != r and f != 0.0:
            for j in range(begin, end):
                d = columns[j]
                J[row, d] -= f * J[r, d]


@kernel
def fill_gamma(e):
    """Fill Gamma from the reduced rows, Eq. (1); the kept columns' part is never written and stays the identity."""
    for b in range(len(e.blocks)):
        begin, middle, end = e.blocks[b, 2], e.blocks[b, 3], e.blocks[b, 4]
        for k in range(begin, middle):
            c = e.columns[k]
            r = e.pivot_rows[c]
            for j in range(middle, end):
                d = e.columns[j]
                e.Gamma[c, e.place[d]] = -e.J[r, d]


@kernel
def solve_rows(e):
    """Apply the elimination to the right-hand side e.b; e.x = -J_D^-1 b on the eliminated columns, 0 on the kept."""
    b, x = e.b, e.x
    for c in range(len(x)):
        x[c] = 0.0
    for n in range(len(e.blocks)):
        first, last, begin, middle = e.blocks[n, 0], e.blocks[n, 1], e.blocks[n, 2], e.blocks[n, 3]
        # repeat the row operations done on J, whose multipliers are stored in its eliminated columns
        for k in range(begin, middle):
            c = e.columns[k]
            r = e.pivot_rows[c]
            b[r] *= e.inverse_pivots[c]
            for i in range(first, last):
                row = e.order[i]
                if row != r:
                    b[row] -= e.J[row, c] * b[r]
        for k in range(begin, middle):
            x[e.columns[k]] = -b[e.pivot_rows[e.columns[k]]]


@kernel
def expand_velocities(e, u, v):
    """Velocities v = Gamma u of all columns from those of the kept ones."""
    Gamma = e.Gamma
    for c in range(len(v)):
        s = 0.0
        for j in range(len(u)):
            s += Gamma[c, j] * u[j]
        v[c] = s
