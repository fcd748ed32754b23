"""Inverse dynamics: forces that produce a given motion, in trees and through closed loops.

With actuators at chosen coordinates (selection matrix S) and closures J,
    M a + h = f_passive + S u + J^T lam                                        (1)
On the motions the loops allow (columns of N, J N = 0) the multipliers drop out:
    (N^T S) u = N^T (M a + h - f_passive)                                      (2)
which gives u: unique, of smallest norm if there are more actuators than freedoms, or with a residual that says what the
actuators cannot do. lam then follows from (1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr
from scipy.linalg import null_space

from taut.dynamics.constraints.closures import closures
from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.forces.acting import external_wrenches, joint_forces
from taut.dynamics.inverse import inverse
from taut.dynamics.tree.kinematics import kinematics
from taut.model import Data, Model


@dataclass(frozen=True)
class Actuation:
    """The actuators' forces that let the machine move as prescribed."""

    actuators: tuple[str, ...]  # names of the actuated coordinates
    forces: np.ndarray  # forces [N] or torques [N m] of the actuators, shape [actuator_count]
    multipliers: np.ndarray  # constraint forces, shape [row_count]
    residual: float  # largest generalised force the actuators cannot supply [N or N m]
    constraint_error: float  # largest |J a + bias|, which is zero for a motion that the loops allow [m/s^2]
    redundancy: int  # number of actuators beyond that of the independent freedoms they act on
    rows: tuple[str, ...] = ()  # names of the constraint forces

    def to_xarray(self) -> xr.Dataset:
        """The forces as an xarray dataset, with units."""
        found = {
            "force": ("actuator", self.forces, {"units": "N or N m"}),
            "multiplier": ("row", self.multipliers, {"units": "N or N m", "long_name": "constraint force"}),
            "residual": ((), self.residual, {"units": "N or N m", "long_name": "what the actuators cannot supply"}),
            "constraint_error": ((), self.constraint_error, {"units": "m/s^2"}),
            "redundancy": ((), self.redundancy, {"units": "1"}),
        }
        return xr.Dataset(found, coords={"actuator": list(self.actuators), "row": list(self.rows)})


def inverse_dynamics(
    model: Model, data: Data, acceleration: np.ndarray, actuators: Sequence[str] | None = None
) -> Actuation:
    """Actuator forces for given accelerations at the state in ``data``.

    Args:
        model: the machine.
        data: where it stands (time, q, v, z).
        acceleration: joint accelerations, shape [column_count]; should satisfy the closures.
        actuators: names of the actuated coordinates; the joints marked ``actuated`` if none are given, and every
            coordinate if there are no such joints either.

    Raises:
        ValueError: a name is not a coordinate of the model.
        ScenarioError: the body stands on rigid ground with friction.
    """
    columns = actuated_columns(model, actuators)
    rubbing = model.tables.contacts[model.tables.contacts["drag"] >= 0]
    if (data.modes[rubbing["side"]] > 0).any():
        message = "inverse dynamics knows no friction of rigid ground, on which the body stands here"
        raise model.plan.error("ground.friction", message, remedy="use law: unilateral, or friction: 0")
    needed, J, bias = needed_forces(model, data, np.asarray(acceleration, float))
    N = null_space(J) if len(J) else np.eye(model.column_count)
    S = np.eye(model.column_count)[:, columns]
    forces, _, rank, _ = np.linalg.lstsq(N.T @ S, N.T @ needed, rcond=None)
    rest = needed - S @ forces
    multipliers = np.linalg.lstsq(J.T, rest, rcond=None)[0] if len(J) else np.zeros(0)
    return Actuation(
        actuators=tuple(model.names.columns[c] for c in columns),
        forces=forces,
        multipliers=multipliers,
        residual=float(np.abs(rest - J.T @ multipliers).max(initial=0.0)),
        constraint_error=float(np.abs(J @ acceleration + bias).max(initial=0.0)),
        redundancy=len(columns) - int(rank),
        rows=model.names.rows,
    )


def needed_forces(model: Model, data: Data, acceleration: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """M a + h less the passive forces, J, and the closures' bias at zero joint acceleration."""
    tables, n = model.tables, model.column_count
    kinematics(tables, data)
    joint_forces(tables, data)
    external_wrenches(tables, data)
    force = np.zeros(n)
    inverse(tables, data, np.zeros(n), force)
    closures(tables, data)
    bias = data.rows["bias"].copy()
    inverse(tables, data, acceleration, force)
    J = np.zeros((model.row_count, n))
    closure_jacobian(tables, data, J)
    return force - data.force, J, bias


def actuated_columns(model: Model, actuators: Sequence[str] | None) -> list[int]:
    """Indices of the actuated coordinates."""
    names = model.names.columns
    if actuators is not None:
        unknown = [name for name in actuators if name not in names]
        if unknown:
            raise ValueError(f"no coordinate is named {unknown[0]!r}; there are {', '.join(names[:20])}")
        return [names.index(name) for name in actuators]
    marked = np.flatnonzero(model.tables.columns["is_actuated"])
    return [int(c) for c in marked] if len(marked) else list(range(model.column_count))
