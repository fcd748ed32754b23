"""One Radau step: predict, iterate, estimate the error; ``advance`` closes its end.

Error estimate [Hairer 1996, Eq. IV.8.20] for q' = v, M v' = f + J^T lam: with the increments D_i, V_i - v of
the stages and weights e_i,
    r_q = v + 1/h sum e_i D_i,     r_v = f(q + h/gamma r_q) + 1/h M sum e_i (V_i - v)
    S e_v - J^T mu = h/gamma r_v,  J e_v = 0,     e_q = h/gamma (e_v + r_q)                               (1)
where S = M + h/gamma D + (h/gamma)^2 K is the real factor of the Newton iteration. Internal states z' = k (e - z) have
    e_z = h/gamma (z' + 1/h sum e_i (Z_i - z)) / (1 + h/gamma k).                                         (2)
The error counts as the largest displacement of any point of the machine [m]: by e_q itself; by e_v in the machine's own
time, in which an error of the velocity becomes one of the position; by e_z as the displacement of its coordinate.
"""

from taut.dynamics.constraints.interface import drop_self_stress
from taut.dynamics.forces.laws import is_motor, state_pace
from taut.dynamics.residual import factor_dragged, residual, solve_dragged
from taut.dynamics.tree.displacement import largest_displacement
from taut.dynamics.tree.positions import move
from taut.integrate.radau.stages import newton_iteration, settle_stages
from taut.integrate.radau.tableau import CUBIC, ERROR_WEIGHTS, GAMMA, MU, PARABOLA, C
from taut.integrate.step.newton_loop import newton_loop
from taut.kernels.arrays import copy, fill
from taut.kernels.jit import block, kernel, only_with

MOST_ITERATIONS = 10
NEWTON_GOAL = 0.001  # error left by Newton's iteration, relative to the tolerated error
HALTED = 0.1  # an iteration that stagnates is accepted if its error estimate is below this
LINEARISED = 2  # stage at which the Newton matrices are formed: the last, as ``evaluate_stages`` assumes


@block
def refresh_factors(model, work, h):
    """Newton matrices at the predicted end of the step.

    The closures' Jacobian turns while the machine moves, and the rate of a closure depends on it: d(J v)/dq = dJ/dt.
    A constant Jacobian from near the end of the step approximates all stages best; with that of the start, Newton's
    iteration takes twice as many iterations in an oscillating machine, or fails.
    """
    at = work.at
    # a consistent predicted end, so that the geometric terms see its forces
    settle_stages(model, work, h)
    at.time[0] = work.clock[0].time + C[LINEARISED] * h
    copy(work.Q[LINEARISED], at.q)
    copy(work.V[LINEARISED], at.v)
    copy(work.Z[LINEARISED], at.z)
    copy(work.L[LINEARISED], at.lam)
    residual(model, at, work.a[LINEARISED], work.L[LINEARISED], work.R[LINEARISED])
    for j in range(len(at.rows)):
        work.G[LINEARISED, j] = at.rows[j].rate
    # the eigenvalues of A^-1 split the three stages into one real and one complex system
    f = h / GAMMA
    factor_dragged(model, at, work.real, f, f * f)
    p = h / MU
    factor_dragged(model, at, work.paired, p, p * p)
    work.clock[0].factor_step = h
    work.count[0].factored += 1
    work.count[0].evaluated += 1
    work.count[0].is_fresh = 1
    # the first iteration need not evaluate this stage again, unless self-stress is removed from its multipliers
    work.count[0].is_end_known = 0 if work.real.rank[1] else 1


@block
def predict(work, h):
    """Start values: the last step's polynomials carried on, or no change after a restart."""
    v, v_last, V, D, L, lam = work.v, work.v_last, work.V, work.D, work.L, work.lam
    V_last, L_last = work.V_last, work.L_last
    # after a jump the old polynomial says nothing about the new forces
    if work.count[0].is_first:
        for i in range(3):
            for c in range(len(v)):
                V[i, c] = v[c]
                D[i, c] = C[i] * h * v[c]
            for j in range(len(lam)):
                L[i, j] = lam[j]
        return
    # extrapolate: t > 1 lies beyond the last step, in units of it
    s = h / work.clock[0].last_step
    for c in range(len(v)):
        p0, p1, p2, p3 = cubic(v_last[c], V_last[0, c], V_last[1, c], V_last[2, c])
        for i in range(3):
            t = 1.0 + C[i] * s
            V[i, c] = p0 + t * (p1 + t * (p2 + t * p3))
            D[i, c] = C[i] * h * 0.5 * (v[c] + V[i, c])
    for j in range(len(lam)):
        p0, p1, p2 = parabola(L_last[0, j], L_last[1, j], L_last[2, j])
        for i in range(3):
            t = 1.0 + C[i] * s
            L[i, j] = p0 + t * (p1 + t * p2)


@kernel
def cubic(y0, y1, y2, y3):
    """Coefficients of the cubic through the start and the stages."""
    return (
        CUBIC[0, 0] * y0 + CUBIC[0, 1] * y1 + CUBIC[0, 2] * y2 + CUBIC[0, 3] * y3,
        CUBIC[1, 0] * y0 + CUBIC[1, 1] * y1 + CUBIC[1, 2] * y2 + CUBIC[1, 3] * y3,
        CUBIC[2, 0] * y0 + CUBIC[2, 1] * y1 + CUBIC[2, 2] * y2 + CUBIC[2, 3] * y3,
        CUBIC[3, 0] * y0 + CUBIC[3, 1] * y1 + CUBIC[3, 2] * y2 + CUBIC[3, 3] * y3,
    )


@kernel
def parabola(y1, y2, y3):
    """Coefficients of the parabola through the stages."""
    return (
        PARABOLA[0, 0] * y1 + PARABOLA[0, 1] * y2 + PARABOLA[0, 2] * y3,
        PARABOLA[1, 0] * y1 + PARABOLA[1, 1] * y2 + PARABOLA[1, 2] * y3,
        PARABOLA[2, 0] * y1 + PARABOLA[2, 1] * y2 + PARABOLA[2, 2] * y3,
    )


@block
def drop_self_stresses(work):
    """Remove self-stress from predicted multipliers: Newton does not correct it, extrapolation amplifies it."""
    for i in range(3):
        drop_self_stress(work.real, work.L[i])


@block
def correct_stages(model, work, h, scheme):
    """One iteration for all stages; there is but one scheme."""
    return newton_iteration(model, work, h)


iterate_stages = newton_loop(correct_stages, halted=HALTED)


@block
def solve_stages(model, work, h):
    """Newton's iteration; returns the number of iterations, or 0 if it does not converge."""
    drop_self_stresses(work)
    # a new matrix: the rate of the last step does not apply, and one iteration measures none
    work.clock[0].rate, work.clock[0].trusted_rate = 0.0, 1.0
    iterations = iterate_stages(model, work, h, 0, NEWTON_GOAL, MOST_ITERATIONS)
    if iterations > 0:
        settle_stages(model, work, h)
    return iterations


@block
def estimate_error(model, work, h):
    """Estimate the error of the step by Eq. (1); returns it in tolerated errors."""
    v, q, D, V, b, g = work.v, work.q, work.D, work.V, work.b, work.g
    r_q, minus_a, stage = work.e_q, work.e_v, work.stage
    f = h / GAMMA
    e1, e2, e3 = ERROR_WEIGHTS[0], ERROR_WEIGHTS[1], ERROR_WEIGHTS[2]
    for c in range(len(v)):
        # Eq. (1); minus_a is the negative of the weighted stage increments, passed as an acceleration
        r_q[c] = v[c] + (e1 * D[0, c] + e2 * D[1, c] + e3 * D[2, c]) / h
        minus_a[c] = -(e1 * (V[0, c] - v[c]) + e2 * (V[1, c] - v[c]) + e3 * (V[2, c] - v[c])) / h
        b[c] = f * r_q[c]
    move(model, q, b, stage.q)
    copy(v, stage.v)
    copy(work.z, stage.z)
    stage.time[0] = work.clock[0].time
    residual(model, stage, minus_a, work.lam, b)
    work.count[0].evaluated += 1
    # the residual is M a - f, so the sign of f changes
    for c in range(len(v)):
        b[c] *= -f
    fill(g, 0.0)
    solve_dragged(model, work.at, work.real, b, g, work.x, work.mu)
    for c in range(len(v)):
        r_q[c] = f * (work.x[c] + r_q[c])
    return largest_error(model, work, h) / work.clock[0].tolerated


@block
def largest_error(model, work, h):
    """Largest error of any point [m] by the estimates of positions, velocities and internal states."""
    stage, clock = work.stage, work.clock[0]
    error = largest_displacement(model, stage, work.e_q, work.radius, work.reach)
    forget_slips(model, work.x)
    late = clock.time_scale * largest_displacement(model, stage, work.x, work.radius, work.reach)
    error = error if late <= error else late
    lag = largest_lag(model, work, h)
    return error if lag <= error else lag


@only_with("capstans", otherwise=lambda model, x: None)
@kernel
def forget_slips(model, x):
    """Leave out velocities of slip: without inertia they follow from forces, and no error of theirs outlives a step."""
    for c in range(len(model.columns)):
        if model.columns[c].is_slip:
            x[c] = 0.0


@kernel
def largest_lag(model, work, h):
    """Largest error of an internal state, as the displacement of its coordinate [m], Eq. (2)."""
    e1, e2, e3, f = ERROR_WEIGHTS[0], ERROR_WEIGHTS[1], ERROR_WEIGHTS[2], h / GAMMA
    z, Z, rates = work.z, work.Z, work.stage.z_rate
    largest = 0.0
    for c in range(len(model.columns) if len(z) > 0 else 0):
        column = model.columns[c]
        s = column.state
        if s >= 0:
            r_z = rates[s] + (e1 * (Z[0, s] - z[s]) + e2 * (Z[1, s] - z[s]) + e3 * (Z[2, s] - z[s])) / h
            e = abs(f * r_z / (1.0 + f * state_pace(column))) * work.reach[c]
            if is_motor(column):
                # the state is a force: take the displacement that it causes
                e *= f * f / column.armature
            largest = largest if e <= largest else e
    return largest
