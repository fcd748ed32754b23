"""A piecewise linear force from states of a run."""

from dataclasses import dataclass

import numpy as np

from taut.analyses.piecewise.kernels import Points, smooth_force
from taut.model import Data, Model, new_data
from taut.model.enums import JointKind

STEP = 1e-6  # of the central differences; the forces are smooth and of degree two in the velocities


@dataclass(frozen=True)
class PiecewiseForce:
    """The points with their linear forces."""

    model: Model
    points: Points


def absolute_angles(model: Model) -> np.ndarray:
    """Matrix that turns the hinge angles of planar cables into angles against the exit: the paper's coordinates."""
    nodes = model.tables.nodes
    measure = np.eye(model.column_count)
    for i in range(1, len(nodes)):
        if nodes[i].kind != JointKind.REVOLUTE:
            continue
        before = nodes[i].parent
        while before > 0:
            if nodes[before].kind == JointKind.REVOLUTE:
                measure[nodes[i].column] += measure[nodes[before].column]
                break
            before = nodes[before].parent
    return measure


def force_at(model: Model, data: Data, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """f(q, v) without applied forces, which act later than t = 0 [N, N m]."""
    data.q[:], data.v[:], data.time[0] = q, v, 0.0
    force = np.zeros(model.column_count)
    smooth_force(model.tables, data, force)
    return force


def linearise(model: Model, q: np.ndarray, v: np.ndarray) -> PiecewiseForce:
    """Linear forces at the states q, v, shape [point, column]; coordinates are scalar (a planar machine)."""
    data, n = new_data(model), model.column_count
    if model.coordinate_count != n:
        raise ValueError("piecewise linear forces need scalar coordinates, as planar machines have them")
    measure, slopes = absolute_angles(model), np.zeros((2, len(q), n, n))
    for i in range(len(q)):
        for c in range(n):
            for k, (step_q, step_v) in enumerate(((STEP, 0.0), (0.0, STEP))):
                away_q, away_v = np.zeros(n), np.zeros(n)
                away_q[c], away_v[c] = step_q, step_v
                above = force_at(model, data, q[i] + away_q, v[i] + away_v)
                below = force_at(model, data, q[i] - away_q, v[i] - away_v)
                slopes[k, i, c] = (above - below) / (2 * STEP)
    points = Points(
        q=np.array(q, float),
        v=np.array(v, float),
        force=np.array([force_at(model, data, a, b) for a, b in zip(q, v, strict=True)]),
        stiffness=np.ascontiguousarray(slopes[0]),
        damping=np.ascontiguousarray(slopes[1]),
        measure=np.ascontiguousarray(measure.T),
        measured=np.asarray(q) @ measure.T,
        weights=np.zeros(len(q)),
        here=np.zeros(n),
    )
    return PiecewiseForce(model, points)
