"""Linear complementarity problems: find z with  0 <= z,  0 <= w = M z + q,  z.w = 0.

Two solvers and a judge. The first is Lemke's method with the lexicographic rule, which cannot cycle: it finds a
solution of every solvable problem whose M is positive semidefinite (symmetric or not), and ends on a ray where there is
none [Cottle 1992, secs. 4.4, 4.9]. The second are sweeps of projected Gauss and Seidel, whose guess of the set of
positive z Murty's least-index pivots then make exact [Cottle 1992, sec. 4.2]. Both work on the problem scaled to a unit
diagonal and a largest |q| of one; the set they end with is solved again from the given numbers. Every answer is
checked: in the scaled problem the error
    max_i |min(z_i, w_i)| / (1 + max z)                                                                        (1)
must be small, otherwise a failure code is returned.
"""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import block, part

SOLVED = 0
NO_SOLUTION = 1  # ended on a ray: no solution, if the matrix is positive semidefinite
NOT_FINITE = 2  # numbers that are not finite
TOO_HARD = 3  # neither solver found a set that solves it

PIVOT = 1e-11  # smaller entries of the scaled tableau are not used as pivots
SAME = 1e-12  # ratios that differ by less are a tie
ACCEPTED = 1e-10  # largest violation of Eq. (1) that is accepted
SWEEPS = 200
SETTLED = 1e-12  # sweeps end at this change of z
PIVOTS = 50  # most pivots per row


class Complementarity(Bundle):
    """Workspace for problems of up to n rows."""

    M: np.ndarray  # scaled matrix of the problem [n, n]
    q: np.ndarray  # scaled right-hand side of the problem [n]
    scale: np.ndarray  # scale of the rows [n]
    z: np.ndarray  # scaled solution [n]
    T: np.ndarray  # Lemke's tableau: columns of w, of z, of the artificial variable, right-hand side [n, 2 n + 2]
    basis: np.ndarray  # which column each row of the tableau stands for [n]
    rows: np.ndarray  # candidate rows for a pivot; rows of the positive z [n]
    count: np.recarray  # numbers of problems, of answers by the second solver, and of failures


def new_complementarity(n: int) -> Complementarity:
    """A workspace for problems of up to n rows."""
    of_rows = {name: np.zeros(n) for name in ("q", "scale", "z")}
    integers = {name: np.zeros(n, np.int64) for name in ("basis", "rows")}
    M, T = np.zeros((n, n)), np.zeros((n, 2 * n + 2))
    count = np.zeros(1, [(name, np.int64) for name in ("problems", "second", "failed")]).view(np.recarray)
    return Complementarity(M=M, T=T, count=count, **of_rows, **integers)


@block
def solve_complementarity(M, q, z, n, work):
    """Solve the problem of the first n rows into z; returns a code, and leaves zeros in z unless it is SOLVED."""
    work.count[0].problems += 1
    for i in range(n):
        z[i] = 0.0
    size = scale_problem(M, q, n, work)
    if not size < np.inf:
        work.count[0].failed += 1
        return NOT_FINITE
    if size == 0.0:
        return SOLVED
    code = lemke(n, work)
    if code != SOLVED or not is_solution(n, work):
        code = second_solver(n, work, code)
    if code == SOLVED:
        for i in range(n):
            z[i] = work.z[i] * work.scale[i] * size
    else:
        work.count[0].failed += 1
    return code


@block
def solve_by_second(M, q, z, n, work):
    """Solve by the second solver alone; returns the same codes as ``solve``."""
    for i in range(n):
        z[i] = 0.0
    size = scale_problem(M, q, n, work)
    if size == 0.0 or not size < np.inf:
        return SOLVED if size == 0.0 else NOT_FINITE
    code = second_solver(n, work, TOO_HARD)
    for i in range(n if code == SOLVED else 0):
        z[i] = work.z[i] * work.scale[i] * size
    return code


@block
def scale_problem(M, q, n, work):
    """Unit diagonal, largest |q| one; returns that largest, 0 if q >= 0 (then z = 0), inf if a number is not finite."""
    scale, largest, least = work.scale, 0.0, 0.0
    for i in range(n):
        scale[i] = 1.0 / np.sqrt(M[i, i]) if M[i, i] > 0.0 else 1.0
        if not abs(scale[i] * q[i]) < np.inf:
            return np.inf
        largest = max(largest, abs(scale[i] * q[i]))
        least = min(least, scale[i] * q[i])
    if least >= 0.0:
        return 0.0
    for i in range(n):
        work.q[i] = scale[i] * q[i] / largest
        for j in range(n):
            work.M[i, j] = scale[i] * M[i, j] * scale[j]
            if not abs(work.M[i, j]) < np.inf:
                return np.inf
    return largest


@block
def lemke(n, work):
    """Lemke's method on the scaled problem; fills work.z."""
    T, basis = work.T, work.basis
    # start tableau: w - M z - e z_0 = q
    row = 0
    for i in range(n):
        for j in range(n):
            T[i, j] = 1.0 if i == j else 0.0
            T[i, n + j] = -work.M[i, j]
        T[i, 2 * n], T[i, 2 * n + 1] = -1.0, work.q[i]
        basis[i] = i
        # among equal entries the last is the lexicographically smallest
        if work.q[i] <= work.q[row]:
            row = i
    entering = 2 * n
    for _ in range(PIVOTS * (n + 1)):
        leaving = basis[row]
        pivot_tableau(T, n, row, entering)
        basis[row] = entering
        if leaving == 2 * n:
            read_solution(n, work)
            return SOLVED
        entering = leaving + n if leaving < n else leaving - n
        row = leaving_row(n, entering, work)
        if row < 0:
            return NO_SOLUTION
    return TOO_HARD


@part
def pivot_tableau(T, n, row, column):
    """Exchange one variable of the basis: divide the pivot row, and eliminate the column from the others."""
    f = 1.0 / T[row, column]
    for j in range(2 * n + 2):
        T[row, j] *= f
    for i in range(n):
        g = T[i, column]
        if i != row and g != 0.0:
            for j in range(2 * n + 2):
                T[i, j] -= g * T[row, j]
            T[i, column] = 0.0
    T[row, column] = 1.0


@part
def leaving_row(n, column, work):
    """The lexicographically smallest ratio; the artificial variable leaves if it may; -1 if nothing bounds it."""
    T, basis, rows = work.T, work.basis, work.rows
    count = 0
    for i in range(n):
        if T[i, column] > PIVOT:
            rows[count] = i
            count += 1
    # compare right-hand sides first; among equals the columns of the inverse basis, one after the other
    for k in range(-1, n):
        if count <= 1:
            break
        j = 2 * n + 1 if k < 0 else k
        least = np.inf
        for i in range(count):
            least = min(least, T[rows[i], j] / T[rows[i], column])
        kept = 0
        for i in range(count):
            if T[rows[i], j] / T[rows[i], column] <= least + SAME * max(1.0, abs(least)):
                rows[kept] = rows[i]
                kept += 1
        count = kept
        for i in range(count if k < 0 else 0):
            if basis[rows[i]] == 2 * n:
                return rows[i]
    return rows[0] if count > 0 else -1


@part
def read_solution(n, work):
    """The z of the last tableau, then solved again from the problem's own numbers."""
    for i in range(n):
        work.z[i] = 0.0
    for i in range(n):
        if n <= work.basis[i] < 2 * n:
            work.z[work.basis[i] - n] = max(work.T[i, 2 * n + 1], 0.0)
    polish(n, work)


@block
def polish(n, work):
    """Solve for the set of positive z by elimination; keep the old z if that is singular or leaves the set."""
    rows, T, z, count = work.rows, work.T, work.z, 0
    for i in range(n):
        if z[i] > 0.0:
            rows[count] = i
            count += 1
    if not solve_set(work, count):
        return
    for i in range(count):
        if T[i, count] < -SETTLED:
            return
    for i in range(count):
        z[rows[i]] = max(T[i, count], 0.0)


@part
def eliminate_row(T, k, count):
    """Gaussian elimination of one column with the largest pivot; returns False if there is none."""
    p = k
    for i in range(k + 1, count):
        if abs(T[i, k]) > abs(T[p, k]):
            p = i
    if not abs(T[p, k]) > PIVOT:
        return False
    for j in range(k, count + 1):
        T[k, j], T[p, j] = T[p, j], T[k, j]
    f = 1.0 / T[k, k]
    for i in range(k + 1, count):
        g = T[i, k] * f
        for j in range(k, count + 1):
            T[i, j] -= g * T[k, j]
    return True


@block
def solve_set(work, count):
    """M_ss z_s = -q_s for the rows listed, into column ``count`` of the tableau; returns False if it is singular."""
    M, q, T, rows = work.M, work.q, work.T, work.rows
    for i in range(count):
        for j in range(count):
            T[i, j] = M[rows[i], rows[j]]
        T[i, count] = -q[rows[i]]
    for k in range(count):
        if not eliminate_row(T, k, count):
            return False
    for k in range(count - 1, -1, -1):
        s = T[k, count]
        for j in range(k + 1, count):
            s -= T[k, j] * T[j, count]
        T[k, count] = s / T[k, k]
    return True


@block
def second_solver(n, work, code):
    """Sweeps, then pivots by the least index; returns SOLVED or why neither solver has an answer."""
    sweep(n, work)
    if is_solution(n, work) or murty(n, work):
        work.count[0].second += 1
        return SOLVED
    return NO_SOLUTION if code == NO_SOLUTION else TOO_HARD


@block
def sweep(n, work):
    """Projected Gauss-Seidel from zero; polished."""
    M, q, z = work.M, work.q, work.z
    for i in range(n):
        z[i] = 0.0
    for _ in range(SWEEPS):
        change = 0.0
        for i in range(n):
            if M[i, i] > 0.0:
                w = q[i]
                for j in range(n):
                    w += M[i, j] * z[j]
                better = max(z[i] - w / M[i, i], 0.0)
                change = max(change, abs(better - z[i]))
                z[i] = better
        if not change > SETTLED:
            break
        if not change < 1.0 / SETTLED:  # the sweeps diverge
            break
    for i in range(n):
        z[i] = z[i] if z[i] < 1.0 / SETTLED else 0.0
    polish(n, work)


@part
def last_wrong(n, work):
    """The last row whose z, or w, is negative; -1 if there is none."""
    wrong = -1
    for i in range(n):
        w = work.q[i]
        for j in range(n):
            w += work.M[i, j] * work.z[j]
        if (work.z[i] if work.basis[i] else w) < -SETTLED:
            wrong = i
    return wrong


@block
def murty(n, work):
    """Exchange the last row that is wrong, from the set of positive z, until none is; returns whether it ended so."""
    z, rows, basis = work.z, work.rows, work.basis
    for i in range(n):
        basis[i] = 1 if z[i] > 0.0 else 0
    for _ in range(PIVOTS * (n + 1)):
        count = 0
        for i in range(n):
            z[i] = 0.0
            if basis[i]:
                rows[count] = i
                count += 1
        if not solve_set(work, count):
            return False
        for i in range(count):
            z[rows[i]] = work.T[i, count]
        wrong = last_wrong(n, work)
        if wrong < 0:
            for i in range(n):
                z[i] = max(z[i], 0.0)
            return is_solution(n, work)
        basis[wrong] = 1 - basis[wrong]
    return False


@block
def is_solution(n, work):
    """Whether z solves the scaled problem, Eq. (1)."""
    M, q, z = work.M, work.q, work.z
    largest, error = 0.0, 0.0
    for i in range(n):
        largest = max(largest, z[i])
        w = q[i]
        for j in range(n):
            w += M[i, j] * z[j]
        # compared so that a NaN is an error
        error = error if abs(min(z[i], w)) <= error else abs(min(z[i], w))
    return error <= ACCEPTED * (1.0 + largest)
