"""A machine's spaces in plain data."""

from typing import Any

import numpy as np

from taut.analyses.spaces.matrices import Coefficients, coefficients
from taut.dynamics.residual import place
from taut.integrate.coordinates import SPACES, choose_columns
from taut.integrate.singularities import Watch
from taut.integrate.start import start_state
from taut.model import Data, Model


def describe_spaces(model: Model) -> dict[str, Any]:
    """Sizes, condition numbers and kept coordinates of all spaces at the start."""
    start = start_state(model)
    place(model.tables, start.data)
    watch = Watch(model, start.data)
    J = watch.jacobians(start.data.q[None])
    conditions = {kind: float(value[0]) for kind, value in watch.conditions(J).items()}
    rows = [_row(model, start.data, J[0], name) for name in SPACES]
    kept = {name: list(coefficients(model, start.data, name).names) for name in ("actuator", "task")}
    return {"freedoms": model.column_count - start.rank, "spaces": rows, **kept, "condition_gain": conditions["gain"],
            "condition_loss": conditions["loss"]}  # fmt: skip


def _row(model: Model, data: Data, J: np.ndarray, name: str) -> dict[str, Any]:
    found = coefficients(model, data, name)
    choice = choose_columns(model, data, name)
    matrix = J[np.ix_(choice.pivot_rows, choice.eliminated)]
    condition = float(np.linalg.cond(matrix)) if matrix.size else 1.0
    return {
        "space": name,
        "coordinates": len(found.M),
        "constraints": len(found.J),
        "condition": condition,
        "condition_M": float(np.linalg.cond(found.M)),
        "zeros_M": zeros(found.M),
        "zeros_C": zeros(found.C),
    }


def zeros(matrix: np.ndarray) -> float:
    """Share of entries that vanish."""
    return float(np.mean(np.abs(matrix) <= 1e-14 * max(np.abs(matrix).max(initial=0.0), 1e-300)))


def describe_space(model: Model, space: str) -> dict[str, Any]:
    """The coefficient matrices of one space at the start."""
    found: Coefficients = coefficients(model, start_state(model).data, space)
    matrices = {name: getattr(found, name).tolist() for name in ("M", "C", "G", "J", "Gamma")}
    return {"space": space, "names": list(found.names), "rows": list(found.rows), **matrices}
