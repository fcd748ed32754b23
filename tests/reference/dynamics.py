"""Mass matrix, inverse dynamics, closures and forward dynamics from the Jacobians of body centres."""

import numpy as np

from reference.frames import driven_motion, moved, point_jacobian, walk
from taut.model.enums import ClosureKind

STEP = 1e-30
AXIS_PAIRS = {
    ClosureKind.POINT: [],
    ClosureKind.UNIVERSAL: [(0, 0)],
    ClosureKind.REVOLUTE: [(0, 1), (0, 2)],
    ClosureKind.FIXED: [(0, 1), (0, 2), (1, 2)],
}


def centre_jacobians(m, q, signals):
    """Jacobian of every body's centre and its rotation."""
    frames, motions = walk(m, q, signals)
    centres = [T[:3, :3] @ node.com + T[:3, 3] for T, node in zip(frames, m.nodes, strict=True)]
    return [(point_jacobian(m, motions, i, x), frames[i][:3, :3]) for i, x in enumerate(centres)]


def inertia_matrix(node, R):
    """Mass and inertia [6, 6] of a body about its centre, world axes."""
    inertia = np.zeros((3, 3))
    inertia[np.triu_indices(3)] = node.inertia
    M = np.zeros((6, 6), R.dtype)
    M[:3, :3] = node.mass * np.eye(3)
    M[3:, 3:] = R @ (inertia + np.triu(inertia, 1).T) @ R.T
    return M


def mass_matrix(m, q, signals):
    """M = sum J^T diag(m, I) J."""
    bodies = zip(m.nodes, centre_jacobians(m, q, signals), strict=True)
    return sum(J.T @ inertia_matrix(node, R) @ J for node, (J, R) in bodies)


def centre_velocities(m, q, v, signals):
    """Velocity and angular velocity of every body's centre [nodes, 6]."""
    jacobians = centre_jacobians(m, q, signals)
    return np.array([J @ v + driven_motion(m, signals, i, 1) for i, (J, _) in enumerate(jacobians)])


def along_motion(function, m, q, v, signals, a):
    """d/dt of function(m, q, v, signals) by a complex step."""
    ih = 1j * STEP
    later = signals.astype(complex)
    later[:, :2] += ih * signals[:, 1:]
    return np.imag(function(m, moved(m, q, ih * v), v + ih * a, later)) / STEP


def inverse(m, q, v, signals, a):
    """Sum over bodies of J^T (wrench needed), by d'Alembert."""
    rates = along_motion(centre_velocities, m, q, v, signals, a)
    velocities = centre_velocities(m, q, v, signals)
    force = np.zeros(len(v))
    for i, (J, R) in enumerate(centre_jacobians(m, q, signals)):
        M, w = inertia_matrix(m.nodes[i], R), velocities[i, 3:]
        wrench = M @ (rates[i] - [*m.settings[0].gravity, 0, 0, 0])
        wrench[3:] += np.cross(w, M[3:, 3:] @ w)
        force += J.T @ wrench
    return force


def closure_rows(m, q, signals):
    """Value and Jacobian of every row, and the rates of the driven points."""
    frames, motions = walk(m, q, signals)
    values, jacobian, driven = [], [], []
    for closure in m.closures:
        if closure.kind == ClosureKind.COORDINATE:
            e, column = signals[closure.signal[0]], m.columns[closure.column]
            values.append(q[column.coordinate] - e[0])
            jacobian.append(np.eye(len(m.columns))[closure.column])
            driven.append(e[1])
            continue
        (P_a, J_a), (P_b, J_b) = (
            end(m, frames, motions, node, point)
            for node, point in ((closure.node_a, closure.point_a), (closure.node_b, closure.point_b))
        )
        if closure.kind == ClosureKind.DISTANCE:
            e = signals[closure.signal[0]] if closure.signal[0] >= 0 else np.zeros(3)
            # np.linalg.norm would not be analytic, and the vector may be complex
            distance = np.sqrt((P_a - P_b) @ (P_a - P_b))
            values.append(closure.start + e[0] - distance)
            jacobian.append(-(P_a - P_b) / distance @ (J_a - J_b)[:3])
            driven.append(-e[1])
            continue
        for k in np.flatnonzero(closure.point_rows):
            e = signals[closure.signal[k]] if closure.signal[k] >= 0 else np.zeros(3)
            values.append(P_a[k] - P_b[k] - e[0])
            jacobian.append(J_a[k] - J_b[k])
            driven.append(e[1])
        for a, b in AXIS_PAIRS[ClosureKind(closure.kind)]:
            c = frames[closure.node_a][:3, :3] @ closure.axis_a.reshape(3, 3)[a]
            d = frames[closure.node_b][:3, :3] @ closure.axis_b.reshape(3, 3)[b]
            values.append(c @ d)
            jacobian.append(np.cross(c, d) @ (J_a - J_b)[3:])
            driven.append(0.0)
    return np.array(values), np.array(jacobian), np.array(driven)


def end(m, frames, motions, node, point):
    """World position and Jacobian of a closure's end."""
    x = frames[node][:3, :3] @ point + frames[node][:3, 3]
    J = point_jacobian(m, motions, node, x)
    return x, J


def closure_rates(m, q, v, signals):
    """Time derivative of every row; ends on driven nodes move with them."""
    _, J, driven = closure_rows(m, q, signals)
    rates = J @ v - driven
    for closure in m.closures:
        carried = driven_motion(m, signals, closure.node_a, 1) - driven_motion(m, signals, closure.node_b, 1)
        held = np.flatnonzero(closure.point_rows)
        rates[closure.row : closure.row + len(held)] += carried[held]
        if closure.kind == ClosureKind.DISTANCE:
            frames, motions = walk(m, q, signals)
            (P_a, _), (P_b, _) = (
                end(m, frames, motions, node, point)
                for node, point in ((closure.node_a, closure.point_a), (closure.node_b, closure.point_b))
            )
            d = P_a - P_b
            rates[closure.row] -= d / np.sqrt(d @ d) @ carried[:3]
    return rates


def forward(m, q, v, signals, force):
    """Accelerations and multipliers from the dense system [M -J^T; J 0]; redundant rows in the least-squares sense."""
    M, J = mass_matrix(m, q, signals), closure_rows(m, q, signals)[1]
    zero = np.zeros(len(v))
    bias = along_motion(closure_rates, m, q, v, signals, zero)
    return solve_kkt(M, J, force - inverse(m, q, v, signals, zero), bias)


def solve_kkt(M, J, force, bias):
    """a, lam with M a = force + J^T lam and J a = -bias, every unknown scaled to its own size."""
    n, rows = len(M), len(J)
    size = 1 / np.sqrt(np.diag(M))
    row_size = np.linalg.norm(J * size, axis=1)
    scale = np.concatenate([size, 1 / np.where(row_size > 0, row_size, 1.0)])
    K = np.block([[M, -J.T], [J, np.zeros((rows, rows))]])
    right = np.concatenate([force, -bias])
    x = scale * np.linalg.lstsq(K * np.outer(scale, scale), scale * right, rcond=1e-11)[0]
    return x[:n], x[n:]
