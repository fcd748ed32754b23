"""Errors of positions and velocities before projection, which the closed states no longer show."""

from typing import Any

import numpy as np

from taut.model import Model
from taut.results.limits import OPEN_RATE
from taut.results.record import RunRecord

LIMIT = 1.0  # allowed position error, in multiples of tolerance times machine size
GRAVITY = 9.81  # acceleration of gravity, for the time scale sqrt(size / g) of the machine [m/s^2]
WHERE = {"step": "in a step", "sample": "between the ends of a step"}
ADAPTIVE = ("radau", "explicit")  # methods whose step size follows from the tolerance


def projection_line(
    model: Model, record: RunRecord, projections: dict[str, float], size: float
) -> dict[str, Any] | None:
    """Largest closing steps of the run, in positions and velocities, against the tolerance."""
    if model.row_count == 0:
        return None
    size = max(size, 1.0)
    limit = LIMIT * record.tolerance * size
    rate_limit = OPEN_RATE * record.tolerance * size / np.sqrt(size / GRAVITY)
    line: dict[str, Any] = {name: value if np.isfinite(value) else None for name, value in projections.items()}
    line |= {"limit": limit, "rate_limit": rate_limit}
    if record.method not in ADAPTIVE:
        return {"verdict": "note", **line}
    for name, where in WHERE.items():
        gap, speed = projections[name], projections[f"{name}_rate"]
        if not (gap <= limit and speed <= rate_limit):
            most = f"more than {limit:.3g} m or {rate_limit:.3g} m/s"
            reason = f"loops opened by {gap:.3g} m and {speed:.3g} m/s {where} before they were closed, {most}"
            return {"verdict": "fail", "reason": reason, **line}
    return {"verdict": "pass", **line}
