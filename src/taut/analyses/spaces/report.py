"""A machine's spaces at the start."""

from dataclasses import dataclass, fields

import numpy as np
import xarray as xr

from taut.analyses.spaces.matrices import Coefficients, coefficients
from taut.dynamics.residual import place
from taut.integrate.coordinates import SPACES, choose_columns
from taut.integrate.singularities import Watch
from taut.integrate.start.start_state import start_state
from taut.model import Data, Model


@dataclass(frozen=True)
class SpaceSize:
    """One space at the start."""

    space: str
    coordinates: int
    constraints: int  # number of constraints that remain in the space
    condition: float  # condition number of the elimination
    condition_M: float
    zeros_M: float  # share of zeros among the entries of M
    zeros_C: float


@dataclass(frozen=True)
class Spaces:
    """Spaces of a machine (configuration, actuator, task) at its start."""

    freedoms: int
    spaces: tuple[SpaceSize, ...]
    actuator: tuple[str, ...]  # coordinates kept in actuator space
    task: tuple[str, ...]  # coordinates kept in task space
    condition_gain: float  # condition number that is large near a gain singularity
    condition_loss: float  # condition number that is large near a loss singularity

    def to_xarray(self) -> xr.Dataset:
        """Sizes and condition numbers as a dataset."""
        names = [field.name for field in fields(SpaceSize) if field.name != "space"]
        found = {name: ("space", [getattr(one, name) for one in self.spaces], {"units": "1"}) for name in names}
        attrs = {"freedoms": self.freedoms, "actuator": list(self.actuator), "task": list(self.task),
                 "condition_gain": self.condition_gain, "condition_loss": self.condition_loss}  # fmt: skip
        return xr.Dataset(found, coords={"space": [one.space for one in self.spaces]}, attrs=attrs)


def describe_spaces(model: Model) -> Spaces:
    """Sizes, condition numbers and kept coordinates of all spaces at the start."""
    start = start_state(model)
    place(model.tables, start.data)
    watch = Watch(model, start.data)
    J = watch.jacobians(start.data.q[None])
    conditions = {kind: float(value[0]) for kind, value in watch.conditions(J).items()}
    return Spaces(
        freedoms=model.column_count - start.rank,
        spaces=tuple(_size(model, start.data, J[0], name) for name in SPACES),
        actuator=coefficients(model, start.data, "actuator").names,
        task=coefficients(model, start.data, "task").names,
        condition_gain=conditions["gain"],
        condition_loss=conditions["loss"],
    )


def _size(model: Model, data: Data, J: np.ndarray, name: str) -> SpaceSize:
    found = coefficients(model, data, name)
    choice = choose_columns(model, data, name)
    matrix = J[np.ix_(choice.pivot_rows, choice.eliminated)]
    return SpaceSize(
        space=name,
        coordinates=len(found.M),
        constraints=len(found.J),
        condition=float(np.linalg.cond(matrix)) if matrix.size else 1.0,
        condition_M=float(np.linalg.cond(found.M)),
        zeros_M=zeros(found.M),
        zeros_C=zeros(found.C),
    )


def zeros(matrix: np.ndarray) -> float:
    """Share of entries that vanish."""
    return float(np.mean(np.abs(matrix) <= 1e-14 * max(np.abs(matrix).max(initial=0.0), 1e-300)))


def describe_space(model: Model, space: str) -> Coefficients:
    """The coefficient matrices of one space at the start."""
    return coefficients(model, start_state(model).data, space)
