"""Stages of the Radau method: positions, internal states, residuals, and one Newton iteration on all three.

Unknown are the stage velocities V_i and multipliers; positions follow by quadrature,
    D_i = h sum_j A_ij d'(D_j, V_j),   Q_i = q (+) D_i,   a_i = 1/h sum_j (A^-1)_ij (V_j - v)           (1)
and the closures hold at velocity level (index 2) [Hairer 1996, sec. VII.4].
"""

import numpy as np

from taut.dynamics.forces.acting import column_position
from taut.dynamics.forces.laws import is_motor, state_goal, state_pace
from taut.dynamics.residual import residual, solve_dragged
from taut.dynamics.signals import evaluate_signals
from taut.dynamics.tree.positions import move
from taut.integrate.radau.tableau import A_INVERSE, GAMMA, MU, T_INVERSE, A, C, T
from taut.kernels.arrays import copy
from taut.kernels.jit import block, kernel, only_with, part
from taut.kernels.rotations import rotation_vector_rate

SHORT = 0.03  # steps shorter than this fraction of the machine's time scale count as that long
FORCE = 0.01  # weight of multiplier corrections, as displacements: the motion needs them less accurately


@block
def displacement_rates(model, D, V, rate):
    """Rates d' of Eq. (1): the velocity, but for the rotation vectors of quaternions."""
    columns = model.columns
    for c in range(len(V)):
        rate[c] = V[c]
    for c in range(len(columns)):
        if columns[c].component == 0:
            d = rotation_vector_rate((D[c], D[c + 1], D[c + 2]), (V[c], V[c + 1], V[c + 2]))
            rate[c], rate[c + 1], rate[c + 2] = d


@block
def stage_accelerations(work, h):
    """Accelerations of the stages, Eq. (1)."""
    v, V, a = work.v, work.V, work.a
    for c in range(len(v)):
        d0, d1, d2 = V[0, c] - v[c], V[1, c] - v[c], V[2, c] - v[c]
        for i in range(3):
            a[i, c] = (A_INVERSE[i, 0] * d0 + A_INVERSE[i, 1] * d1 + A_INVERSE[i, 2] * d2) / h


@block
def stage_positions(model, work, h):
    """Positions of the stages, Eq. (1), with the turns of the last displacement."""
    D, V, rates, q, Q = work.D, work.V, work.D_rate, work.q, work.Q
    for i in range(3):
        displacement_rates(model, D[i], V[i], rates[i])
    for c in range(V.shape[1]):
        r0, r1, r2 = rates[0, c], rates[1, c], rates[2, c]
        for i in range(3):
            D[i, c] = h * (A[i, 0] * r0 + A[i, 1] * r1 + A[i, 2] * r2)
    for i in range(3):
        move(model, q, D[i], Q[i])


@block
def stage_goals(model, work, h):
    """Where the internal states tend to at the stages, in the place of the states themselves."""
    stage = work.stage
    for i in range(3):
        is_asked = False
        for c in range(len(model.columns)):
            column = model.columns[c]
            if column.state >= 0:
                # motors need the signals at this stage's time
                if is_motor(column) and not is_asked:
                    stage.time[0] = work.clock[0].time + C[i] * h
                    evaluate_signals(model, stage)
                    is_asked = True
                e = column_position(column, work.Q[i]) - column.free
                work.Z[i, column.state] = state_goal(column, e, work.V[i, c], stage.signals)


@block
def stage_states(model, work, h):
    """Internal states of laws, z' = k (g - z), solved for all stages at once: (1 + h k A) Z = z + h k A g."""
    if len(work.z) == 0:
        return
    stage_goals(model, work, h)
    for c in range(len(model.columns)):
        column = model.columns[c]
        if column.state < 0:
            continue
        s = column.state
        k = h * state_pace(column)
        e0, e1, e2 = work.Z[0, s], work.Z[1, s], work.Z[2, s]
        # solve the 3 x 3 system by Cramer's rule
        m00, m01, m02 = 1.0 + k * A[0, 0], k * A[0, 1], k * A[0, 2]
        m10, m11, m12 = k * A[1, 0], 1.0 + k * A[1, 1], k * A[1, 2]
        m20, m21, m22 = k * A[2, 0], k * A[2, 1], 1.0 + k * A[2, 2]
        r0 = work.z[s] + k * (A[0, 0] * e0 + A[0, 1] * e1 + A[0, 2] * e2)
        r1 = work.z[s] + k * (A[1, 0] * e0 + A[1, 1] * e1 + A[1, 2] * e2)
        r2 = work.z[s] + k * (A[2, 0] * e0 + A[2, 1] * e1 + A[2, 2] * e2)
        c0, c1, c2 = m11 * m22 - m12 * m21, m12 * m20 - m10 * m22, m10 * m21 - m11 * m20
        d = m00 * c0 + m01 * c1 + m02 * c2
        work.Z[0, s] = (r0 * c0 + r1 * (m02 * m21 - m01 * m22) + r2 * (m01 * m12 - m02 * m11)) / d
        work.Z[1, s] = (r0 * c1 + r1 * (m00 * m22 - m02 * m20) + r2 * (m02 * m10 - m00 * m12)) / d
        work.Z[2, s] = (r0 * c2 + r1 * (m01 * m20 - m00 * m21) + r2 * (m00 * m11 - m01 * m10)) / d


@block
def settle_stages(model, work, h):
    """Accelerations, positions and internal states that follow from the corrected velocities."""
    stage_accelerations(work, h)
    stage_positions(model, work, h)
    stage_states(model, work, h)


@block
def evaluate_stages(model, work, h):
    """Residuals and constraint rates at all stages; at the last one they may be known from the Newton matrix."""
    a, L, R, G, stage = work.a, work.L, work.R, work.G, work.stage
    rows = stage.rows
    unknown = 3
    if work.count[0].is_end_known:
        work.count[0].is_end_known = 0
        unknown = 2
    else:
        settle_stages(model, work, h)
    for i in range(unknown):
        place_stage(work, i, h)
        residual(model, stage, a[i], L[i], R[i])
        for j in range(len(rows)):
            G[i, j] = rows[j].rate
    work.count[0].evaluated += unknown


@block
def place_stage(work, i, h):
    """State of stage i into the stage data."""
    stage = work.stage
    stage.time[0] = work.clock[0].time + C[i] * h
    copy(work.Q[i], stage.q)
    copy(work.V[i], stage.v)
    copy(work.Z[i], stage.z)


@block
def newton_iteration(model, work, h):
    """One simplified Newton iteration on all stages; returns the size of the correction in tolerated errors."""
    evaluate_stages(model, work, h)
    R, G, V, L, reach, at = work.R, work.G, work.V, work.L, work.reach, work.at
    b, g, x, mu = work.b, work.g, work.x, work.mu
    b_paired, g_paired, x_paired, mu_paired = work.b_paired, work.g_paired, work.x_paired, work.mu_paired
    n, m = len(x), len(mu)
    # right-hand sides in the eigenbasis of A^-1: one real system, one complex
    for c in range(n):
        r0, r1, r2 = transformed(R[0, c], R[1, c], R[2, c])
        b[c] = -h / GAMMA * r0
        b_paired[c] = -h / MU * (r1 + 1j * r2)
    for j in range(m):
        g0, g1, g2 = transformed(G[0, j], G[1, j], G[2, j])
        g[j] = -g0
        g_paired[j] = -(g1 + 1j * g2)
    solve_dragged(model, at, work.real, b, g, x, mu)
    solve_dragged(model, at, work.paired, b_paired, g_paired, x_paired, mu_paired)
    # corrections back in the basis of the stages, Eq. (1) of ``tableau``
    largest = 0.0
    # a velocity error outlives a short step: count it over a minimum time
    time = max(h, SHORT * work.clock[0].time_scale)
    for c in range(n):
        y = x_paired[c]
        for i in range(3):
            correction = T[i, 0] * x[c] + T[i, 1] * y.real + T[i, 2] * y.imag
            V[i, c] += correction
            e = abs(lasts(model, c, h, time) * correction) * reach[c]
            largest = largest if e <= largest else e  # a NaN compares false and is kept
    for j in range(m):
        first = mu[j] * GAMMA / h
        y = mu_paired[j] * MU / h
        for i in range(3):
            G[i, j] = T[i, 0] * first + T[i, 1] * y.real + T[i, 2] * y.imag
            L[i, j] += G[i, j]
    e = FORCE * h * h * largest_push(work.real.W, G) if m > 0 else 0.0
    largest = largest if e <= largest else e
    return largest / work.clock[0].tolerated


@only_with("capstans", otherwise=lambda model, c, h, time: time)
@part
def lasts(model, c, h, time):
    """How long an error of a velocity counts: that of slip, which has no inertia, for the step alone."""
    return h if model.columns[c].is_slip else time


@kernel
def largest_push(W, changes):
    """Acceleration of a closure that changes of the multipliers would give, at most [m/s^2]: |W c|^2 <= W_jj c.W c.

    Measured by their effect, not their size: in a singular position multipliers are undetermined along a direction.
    """
    n = changes.shape[1]
    widest = 0.0
    for j in range(n):
        widest = max(widest, abs(W[j, j]))
    largest = 0.0
    for i in range(3):
        total = 0.0
        for j in range(n):
            s = 0.5 * W[j, j] * changes[i, j]
            for k in range(j):
                s += W[j, k] * changes[i, k]
            total += 2.0 * s * changes[i, j]
        largest = largest if abs(total) <= largest else abs(total)  # a NaN compares false and is kept
    return np.sqrt(widest * largest)


@kernel
def transformed(y0, y1, y2):
    """T^-1 times the values at the stages."""
    return (
        T_INVERSE[0, 0] * y0 + T_INVERSE[0, 1] * y1 + T_INVERSE[0, 2] * y2,
        T_INVERSE[1, 0] * y0 + T_INVERSE[1, 1] * y1 + T_INVERSE[1, 2] * y2,
        T_INVERSE[2, 0] * y0 + T_INVERSE[2, 1] * y1 + T_INVERSE[2, 2] * y2,
    )
