"""The equations of motion in chosen coordinates: closed loops eliminated, the rest kept as constraints.

With M a + h = f + J^T lam in all coordinates and v = Gamma u, a = Gamma du/dt + gamma of ``elimination``,
    M_r du/dt = Gamma^T (f - h - M gamma) + J_r^T lam_r,     M_r = Gamma^T M Gamma                       (1)
    J_r du/dt + b_r = 0                                                                                  (2)
where J_r, b_r are the closure rows that eliminated nothing [Sathuluri, Eqs. 5-10, 13, 14, 21]. Eliminated positions
follow from the kept ones by Newton's method from where they were (root tracking), or in closed form for the legs that
have one [Sathuluri, sec. 3.2, 4.2].
"""

import numpy as np

from taut.dynamics.constraints.closures import closures
from taut.dynamics.constraints.interface import back_substitute, cholesky, cholesky_solve, forward_substitute
from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.forces.acting import external_wrenches, joint_forces
from taut.dynamics.inverse import bias_accelerations, body_wrenches, collect_forces
from taut.dynamics.modal.nodes import modal_wrenches
from taut.dynamics.signals import evaluate_signals
from taut.dynamics.spaces.elimination import Elimination, eliminate_columns, expand_velocities, fill_gamma, solve_rows
from taut.dynamics.spaces.leg_kinematics import Legs, place_legs
from taut.dynamics.tree.kinematics import node_velocities, place_nodes
from taut.dynamics.tree.mass_matrix import mass_matrix
from taut.dynamics.tree.positions import move
from taut.kernels.arrays import fill
from taut.kernels.bundle import Bundle
from taut.kernels.jit import block, entry, kernel, part
from taut.model.tables import INT, Column

OK, LOST, SINGULAR, CROSSED, NOT_POSITIVE = range(5)  # outcomes of an evaluation
COUNTS = (
    Column("evaluations", INT, (), "-", "of the equations of motion"),
    Column("iterations", INT, (), "-", "of Newton"),
    Column("sign", INT, (), "-", "of the pivots' determinant on this side; 0: not known"),
)

MOST_ITERATIONS = 20
FAST = 1e-2  # an iteration that reduces the gap at least this much keeps its matrix
CLOSED = 4e-15  # a loop is closed when its gap is this small against the machine's size
NEARLY_CLOSED = 1e-11  # a gap this small, against the machine's size, is accepted where the iteration stagnates


class Reduced(Bundle):
    """One choice of coordinates, and the workspace of its equations of motion."""

    elimination: Elimination
    legs: Legs
    rest: np.ndarray  # rows kept as constraints
    is_whole: np.ndarray  # per sub-system: 1 if all its columns are kept
    size: np.ndarray  # size of the machine [m], shape [1]
    counts: np.recarray
    applied: np.ndarray  # generalised forces besides the model's own [column_count]
    M: np.ndarray  # mass matrix of all columns
    MG: np.ndarray  # product M Gamma [column_count, kept_count]
    M_r: np.ndarray  # reduced mass matrix, Eq. (1) [kept_count, kept_count]
    L: np.ndarray  # Cholesky factor of M_r
    h: np.ndarray  # forces of all columns at zero acceleration
    f_r: np.ndarray  # Gamma^T (f - h - M gamma) [kept_count]
    J_r: np.ndarray  # Jacobian of the remaining rows, Eq. (2) [rest_count, kept_count]
    X: np.ndarray  # J_r L^-T
    W: np.ndarray  # J_r M_r^-1 J_r^T
    L_W: np.ndarray  # Cholesky factor of W
    lam: np.ndarray  # multipliers of the rows kept as constraints [rest_count]


@kernel
def close_loops(model, data, space):
    """Bring the eliminated coordinates to where the kept ones put them, with Gamma; returns how it ended.

    While it converges fast, Newton's method keeps its matrix; at the end that of the closed loops is formed.
    """
    e = space.elimination
    limit, nearly = CLOSED * space.size[0], NEARLY_CLOSED * space.size[0]
    # legs with a closed form need no iteration; Newton's method finds them closed
    place_legs(model, data, space.legs)
    evaluate_signals(model, data)
    before = np.inf
    for k in range(MOST_ITERATIONS):
        place_nodes(model, data)
        closures(model, data)
        worst = load_gaps(data, e)
        # closed to rounding, or nearly closed and no longer improving
        if worst <= limit or (worst <= nearly and worst > 0.25 * before):
            return finish_loops(model, data, space)
        # the elimination costs most: a matrix that still gains two digits an iteration is kept
        if k == 0 or worst > FAST * before:
            closure_jacobian(model, data, e.J)
            if eliminate_columns(e) == 0:
                return SINGULAR
        if not worst < np.inf:
            return LOST
        before = worst
        space.counts[0].iterations += 1
        solve_rows(e)
        move(model, data.q, e.x, data.q)
    return LOST


@part
def load_gaps(data, e):
    """Closure errors as right-hand side; returns the largest of the rows that eliminate."""
    worst = 0.0
    for i in range(len(e.rows)):
        row = e.rows[i]
        gap = data.rows[row].value
        e.b[row] = gap
        if e.followers[i] and not abs(gap) <= worst:  # "not <=" instead of ">": a NaN counts as a gap
            worst = abs(gap)
    return worst


@part
def finish_loops(model, data, space):
    """Gamma at the closed loops; CROSSED if they lie beyond a singular position."""
    e = space.elimination
    closure_jacobian(model, data, e.J)
    sign = eliminate_columns(e)
    if sign == 0:
        return SINGULAR
    fill_gamma(e)
    if space.counts[0].sign == 0:
        space.counts[0].sign = sign
    return OK if sign == space.counts[0].sign else CROSSED


@kernel
def reduce_mass(model, data, factor, space):
    """Mass matrix M_r, Eq. (1); sub-systems have no mass in common, and one kept as a whole needs no product."""
    M, MG, M_r, Gamma, place = space.M, space.MG, space.M_r, space.elimination.Gamma, space.elimination.place
    mass_matrix(model, data, factor, M)
    k = len(space.f_r)
    for i in range(k):
        for j in range(i + 1):
            M_r[i, j] = 0.0
    # M is block diagonal by sub-systems: each adds its own Gamma^T M Gamma
    for s in range(len(model.subsystems)):
        first = model.subsystems[s].column
        last = first + model.subsystems[s].column_count
        if space.is_whole[s]:
            add_whole(M, MG, M_r, place, first, last)
        elif last - first == 3:
            reduce_three(M, Gamma, MG, first, M_r)
        else:
            add_products(M, Gamma, MG, first, last, M_r)


@part
def reduce_three(M, Gamma, MG, c, M_r):
    """M Gamma and Gamma^T M Gamma for a leg of three columns, which most legs have, in one pass without inner loops."""
    m00, m10, m11 = M[c, c], M[c + 1, c], M[c + 1, c + 1]
    m20, m21, m22 = M[c + 2, c], M[c + 2, c + 1], M[c + 2, c + 2]
    for i in range(len(M_r)):
        a, b, d = Gamma[c, i], Gamma[c + 1, i], Gamma[c + 2, i]
        x = m00 * a + m10 * b + m20 * d
        y = m10 * a + m11 * b + m21 * d
        z = m20 * a + m21 * b + m22 * d
        MG[c, i], MG[c + 1, i], MG[c + 2, i] = x, y, z
        for j in range(i + 1):
            M_r[i, j] += x * Gamma[c, j] + y * Gamma[c + 1, j] + z * Gamma[c + 2, j]


@part
def add_products(M, Gamma, MG, first, last, M_r):
    """Products M Gamma and Gamma^T M Gamma (its lower triangle) for any number of columns."""
    k = len(M_r)
    for c in range(first, last):
        for j in range(k):
            t = 0.0
            for d in range(first, last):
                t += M[c, d] * Gamma[d, j]
            MG[c, j] = t
        for i in range(k):
            g = Gamma[c, i]
            for j in range(i + 1):
                M_r[i, j] += g * MG[c, j]


@part
def add_whole(M, MG, M_r, place, first, last):
    """A sub-system that is kept as a whole: Gamma is the identity there."""
    for c in range(first, last):
        for d in range(first, last):
            MG[c, place[d]] = M[c, d]
            M_r[place[c], place[d]] += M[c, d]


@kernel
def reduce_forces(model, data, space):
    """The right-hand side of Eq. (1), and gamma in elimination.x; needs velocities and reduce_mass."""
    e = space.elimination
    # h: forces at zero joint acceleration: weight and velocity products
    joint_forces(model, data)
    external_wrenches(model, data)
    bias_accelerations(model, data)
    body_wrenches(model, data)
    if model.settings[0].has_modal:
        fill(data.acceleration, 0.0)
        modal_wrenches(model, data, data.acceleration)
    collect_forces(model, data, space.h)
    closures(model, data)
    # gamma of ``elimination``, Eq. (2), from the closures' bias
    for i in range(len(e.b)):
        e.b[i] = data.rows[i].bias
    solve_rows(e)
    for j in range(len(space.f_r)):
        space.f_r[j] = 0.0
    # Eq. (1); Gamma^T M gamma by the product M Gamma of reduce_mass
    for c in range(len(space.h)):
        force = data.force[c] + space.applied[c] - space.h[c]
        gamma = e.x[c]
        for j in range(len(space.f_r)):
            space.f_r[j] += e.Gamma[c, j] * force - space.MG[c, j] * gamma


@kernel
def solve_reduced(space, du):
    """Accelerations of the kept coordinates by Eqs. (1), (2); returns how it ended."""
    k, c = len(space.f_r), len(space.rest)
    if not cholesky(space.M_r, space.L, k):
        return NOT_POSITIVE
    for j in range(k):
        du[j] = space.f_r[j]
    # no rows left over: the kept coordinates are independent
    if c == 0:
        cholesky_solve(space.L, du, k)
        return OK
    # Schur complement of the rows left over: half of the solve with M_r before the multipliers, half after
    forward_substitute(space.L, du, k)
    condense_rows(space, du)
    if not cholesky(space.W, space.L_W, c):
        return SINGULAR
    cholesky_solve(space.L_W, space.lam, c)
    for i in range(c):
        for j in range(k):
            du[j] += space.X[i, j] * space.lam[i]
    back_substitute(space.L, du, k)
    return OK


@part
def condense_rows(space, y):
    """Constraint rows through the factor: X = J_r L^-T, W = X X^T, and lam = -(b_r + X y) to be solved with W."""
    e, L, X, W = space.elimination, space.L, space.X, space.W
    k = len(y)
    for i in range(len(space.rest)):
        row = space.rest[i]
        for j in range(k):
            # a row that was no pivot holds, after the elimination, its entries in the kept columns
            space.J_r[i, j] = e.J[row, e.kept[j]]
            X[i, j] = space.J_r[i, j]
        forward_substitute(L, X[i], k)
        # right-hand side of W lam = -(b_r + J_r M_r^-1 f_r)
        s = -e.b[row]
        for j in range(k):
            s -= X[i, j] * y[j]
        space.lam[i] = s
        for m in range(i + 1):
            s = 0.0
            for j in range(k):
                s += X[i, j] * X[m, j]
            W[i, m] = s


@kernel
def place_in_space(model, data, space, y):
    """Positions and velocities of the whole machine from y = (q, u), whose eliminated entries are a guess."""
    nq = len(data.q)
    for k in range(nq):
        data.q[k] = y[k]
    unit_quaternions(model, data.q)
    code = close_loops(model, data, space)
    if code == OK:
        expand_velocities(space.elimination, y[nq:], data.v)
        node_velocities(model, data)
    return code


@block
def state_rate(model, data, factor, space, time, y, dy):
    """Time derivative of y = (q, u); leaves the accelerations in data. Returns how it ended."""
    nq = len(data.q)
    data.time[0] = time
    space.counts[0].evaluations += 1
    # the order matters: forces need velocities, and M Gamma of the mass
    code = place_in_space(model, data, space, y)
    if code != OK:
        return code
    reduce_mass(model, data, factor, space)
    reduce_forces(model, data, space)
    code = solve_reduced(space, dy[nq:])
    if code == OK:
        coordinate_rates(model, data.q, data.v, dy)
        expand_velocities(space.elimination, dy[nq:], data.acceleration)
        # a = Gamma du/dt + gamma, Eq. (2) of ``elimination``
        for c in range(len(data.v)):
            data.acceleration[c] += space.elimination.x[c]
    return code


@entry
def rate_in_space(model, data, factor, space, time, y, dy):
    """Entry of ``state_rate`` for Python."""
    return state_rate(model, data, factor, space, time, y, dy)


@kernel
def coordinate_rates(model, q, v, dq):
    """dq/dt for given velocities; of quaternions 1/2 w q."""
    columns = model.columns
    for c in range(len(columns)):
        j = columns[c].coordinate
        component = columns[c].component
        if component < 0:
            dq[j] = v[c]
        elif component == 0:
            x, y, z = 0.5 * v[c], 0.5 * v[c + 1], 0.5 * v[c + 2]
            dq[j] = -x * q[j + 1] - y * q[j + 2] - z * q[j + 3]
            dq[j + 1] = x * q[j] + y * q[j + 3] - z * q[j + 2]
            dq[j + 2] = y * q[j] + z * q[j + 1] - x * q[j + 3]
            dq[j + 3] = z * q[j] + x * q[j + 2] - y * q[j + 1]


@kernel
def unit_quaternions(model, q):
    """Bring the quaternions of q back to length one."""
    columns = model.columns
    for c in range(len(columns)):
        if columns[c].component == 0:
            j = columns[c].coordinate
            f = 1.0 / np.sqrt(q[j] * q[j] + q[j + 1] * q[j + 1] + q[j + 2] * q[j + 2] + q[j + 3] * q[j + 3])
            for k in range(j, j + 4):
                q[k] *= f
