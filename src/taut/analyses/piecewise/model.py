"""Exact forces of a machine and their slopes, and the published recipe: piecewise linear ones at states of a run."""

import numpy as np

from taut.build.reduction.piecewise import PiecewiseForces
from taut.dynamics.residual import factor_plain, place, solve_newton
from taut.dynamics.statics import motion_residual
from taut.model import Model, new_data, new_factor
from taut.model.enums import JointKind

STEP = 1e-6  # step of the central differences, exact but for rounding: forces are of degree two in the velocities
SHARPNESS = 25.0  # sharpness of the recipe's weights [Rewienski2003, sec. III]


def absolute_angles(model: Model) -> np.ndarray:
    """Matrix that turns the hinge angles of planar cables into angles against the exit: the paper's coordinates."""
    nodes = model.tables.nodes
    measure = np.eye(model.column_count)
    for i in range(1, len(nodes)):
        if nodes[i].kind != JointKind.REVOLUTE:
            continue
        before = int(nodes["parent"][i])
        while before > 0:
            if nodes["kind"][before] == JointKind.REVOLUTE:
                measure[nodes["column"][i]] += measure[nodes["column"][before]]
                break
            before = int(nodes["parent"][before])
    return measure


class Machine:
    """Exact forces of a machine without the applied ones, which stay exact, and what they accelerate."""

    def __init__(self, model: Model) -> None:
        """Make workspaces."""
        tables = model.tables
        self.tables = tables._replace(wrenches=tables.wrenches[:0])
        self.model, self.data, self.factor = model, new_data(model), new_factor(model)
        self.found, self.rows = np.zeros(model.column_count), np.zeros(model.row_count)

    def force(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Generalised forces f at coordinates q and velocities v."""
        self.data.q[:], self.data.v[:] = q, v
        found, n = np.zeros_like(self.found), len(q)
        motion_residual(self.tables, self.data, np.zeros(n), np.zeros_like(self.rows), found)
        return -found

    def slopes(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of the force by q and v, central differences: smooth forces of degree two in the velocities."""
        steps = STEP * np.eye(len(q))
        by_q = [self.force(q + d, v) - self.force(q - d, v) for d in steps]
        by_v = [self.force(q, v + d) - self.force(q, v - d) for d in steps]
        return np.array(by_q) / (2 * STEP), np.array(by_v) / (2 * STEP)

    def size(self, q: np.ndarray, force: np.ndarray) -> float:
        """Error e of Eq. (1) by a difference of forces."""
        self.data.q[:], self.data.v[:] = q, 0.0
        place(self.tables, self.data)
        factor_plain(self.tables, self.data, self.factor)
        lam = np.zeros_like(self.rows)
        solve_newton(self.tables, self.data, self.factor, force.copy(), self.rows.copy(), self.found, lam)
        return float(np.sqrt(max(force @ self.found, 0.0)))


def linearise(model: Model, q: np.ndarray, v: np.ndarray) -> Model:
    """The machine with linear forces at the states q, v, shape [point, column], weighted as published.

    Coordinates are scalar (a planar machine); distances are those of the paper's angles.
    """
    if model.coordinate_count != model.column_count:
        raise ValueError("piecewise linear forces need scalar coordinates, as planar machines have them")
    machine, angles = Machine(model), absolute_angles(model)
    slopes = [machine.slopes(a, b) for a, b in zip(q, v, strict=True)]
    measured = q @ angles.T
    forces = PiecewiseForces(
        q=np.array(q, float),
        v=np.array(v, float),
        force=np.array([machine.force(a, b) for a, b in zip(q, v, strict=True)]),
        stiffness=np.array([A for A, _ in slopes]),
        damping=np.array([B for _, B in slopes]),
        measure=np.hstack([angles, np.zeros_like(angles)]),
        low=measured.min(axis=0),
        high=measured.max(axis=0),
    )
    return forces.of(model, sharpness=SHARPNESS)
