"""Stages of the Radau method: positions, internal states, residuals, and one Newton iteration on all three.

Unknown are the stage velocities V_i and multipliers; positions follow by quadrature,
    D_i = h sum_j A_ij d'(D_j, V_j),   Q_i = q (+) D_i,   a_i = 1/h sum_j (A^-1)_ij (V_j - v)           (1)
and the closures hold at velocity level (index 2) [Hairer 1996, sec. VII.4].
"""

import numpy as np

from taut.dynamics.forces import column_position
from taut.dynamics.joints import FREE, SPHERICAL
from taut.dynamics.positions import move
from taut.integrate.methods.radau_tableau import A, A_INVERSE, C, GAMMA, MU, T, T_INVERSE
from taut.integrate.radau_work import EVALUATED, TIME
from taut.integrate.residual import residual, solve_newton
from taut.kernels.jit import block, kernel
from taut.kernels.rotation_rates import rotation_vector_rate


@kernel
def displacement_rates(model, D, V, rate):
    """d' of Eq. (1): the velocity, but for the rotation vectors of quaternions."""
    for c in range(len(V)):
        rate[c] = V[c]
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        if node.kind == SPHERICAL or node.kind == FREE:
            k = node.column + node.column_count - 3
            d = rotation_vector_rate((D[k], D[k + 1], D[k + 2]), (V[k], V[k + 1], V[k + 2]))
            rate[k], rate[k + 1], rate[k + 2] = d


@kernel
def stage_positions(model, work, h):
    """Eq. (1), with the turns of the last displacement."""
    n = len(work.v)
    for i in range(3):
        displacement_rates(model, work.D[i], work.V[i], work.D_rate[i])
    for i in range(3):
        for c in range(n):
            work.D[i, c] = h * (A[i, 0] * work.D_rate[0, c] + A[i, 1] * work.D_rate[1, c] + A[i, 2] * work.D_rate[2, c])
        move(model, work.q, work.D[i], work.Q[i])


@kernel
def stage_states(model, work, h):
    """Internal states of laws, z' = k (e - z), solved for all stages at once: (1 + h k A) Z = z + h k A e."""
    for c in range(len(model.columns)):
        column = model.columns[c]
        if column.state < 0:
            continue
        s = column.state
        k = h * column.parameter[0] / column.parameter[1]
        e0 = column_position(column, work.Q[0]) - column.free
        e1 = column_position(column, work.Q[1]) - column.free
        e2 = column_position(column, work.Q[2]) - column.free
        # Gauss-Jordan on the 3x3 system
        m = np.zeros((3, 4))
        for i in range(3):
            for j in range(3):
                m[i, j] = k * A[i, j]
            m[i, i] += 1.0
            m[i, 3] = work.z[s] + k * (A[i, 0] * e0 + A[i, 1] * e1 + A[i, 2] * e2)
        for i in range(3):
            for row in range(3):
                if row != i:
                    f = m[row, i] / m[i, i]
                    for j in range(i, 4):
                        m[row, j] -= f * m[i, j]
        for i in range(3):
            work.Z[i, s] = m[i, 3] / m[i, i]


@block
def evaluate_stages(model, work, h):
    """Residuals and constraint rates at all stages."""
    v, V, a = work.v, work.V, work.a
    for c in range(len(v)):
        d0, d1, d2 = V[0, c] - v[c], V[1, c] - v[c], V[2, c] - v[c]
        for i in range(3):
            a[i, c] = (A_INVERSE[i, 0] * d0 + A_INVERSE[i, 1] * d1 + A_INVERSE[i, 2] * d2) / h
    stage_positions(model, work, h)
    stage_states(model, work, h)
    for i in range(3):
        place_stage(work, i, h)
        residual(model, work.stage, work.a[i], work.L[i], work.R[i])
        for j in range(len(work.lam)):
            work.G[i, j] = work.stage.rows[j].rate
    work.count[EVALUATED] += 3


@kernel
def place_stage(work, i, h):
    """State of stage i into the stage data."""
    stage = work.stage
    stage.time[0] = work.clock[TIME] + C[i] * h
    for k in range(len(work.q)):
        stage.q[k] = work.Q[i, k]
    for c in range(len(work.v)):
        stage.v[c] = work.V[i, c]
    for s in range(len(work.z)):
        stage.z[s] = work.Z[i, s]


@block
def newton_iteration(model, work, h):
    """One simplified Newton iteration on all stages; returns the size of the correction in tolerated errors."""
    evaluate_stages(model, work, h)
    n, m = len(work.v), len(work.lam)
    R, G = work.R, work.G
    Ti = T_INVERSE
    # transformed right-hand sides
    for c in range(n):
        work.b[c] = -h / GAMMA * (Ti[0, 0] * R[0, c] + Ti[0, 1] * R[1, c] + Ti[0, 2] * R[2, c])
        r2 = Ti[1, 0] * R[0, c] + Ti[1, 1] * R[1, c] + Ti[1, 2] * R[2, c]
        r3 = Ti[2, 0] * R[0, c] + Ti[2, 1] * R[1, c] + Ti[2, 2] * R[2, c]
        work.b_paired[c] = -h / MU * (r2 + 1j * r3)
    for j in range(m):
        work.g[j] = -(Ti[0, 0] * G[0, j] + Ti[0, 1] * G[1, j] + Ti[0, 2] * G[2, j])
        g2 = Ti[1, 0] * G[0, j] + Ti[1, 1] * G[1, j] + Ti[1, 2] * G[2, j]
        g3 = Ti[2, 0] * G[0, j] + Ti[2, 1] * G[1, j] + Ti[2, 2] * G[2, j]
        work.g_paired[j] = -(g2 + 1j * g3)
    solve_newton(model, work.at, work.real, work.b, work.g, work.x, work.mu)
    solve_newton(model, work.at, work.paired, work.b_paired, work.g_paired, work.x_paired, work.mu_paired)
    # back to the stages
    total = 0.0
    for c in range(n):
        y = work.x_paired[c]
        for i in range(3):
            correction = T[i, 0] * work.x[c] + T[i, 1] * y.real + T[i, 2] * y.imag
            work.V[i, c] += correction
            e = h * correction / work.scale[c]
            total += e * e
    for j in range(m):
        first = work.mu[j] * GAMMA / h
        y = work.mu_paired[j] * MU / h
        for i in range(3):
            work.L[i, j] += T[i, 0] * first + T[i, 1] * y.real + T[i, 2] * y.imag
    return np.sqrt(total / (3 * max(n, 1)))
