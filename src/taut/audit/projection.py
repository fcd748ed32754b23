"""How far positions and velocities were from closed before they were closed: what the projector hid."""

from typing import Any

import numpy as np

from taut.model import Model
from taut.results.record import RunRecord

LIMIT = 10.0  # times the tolerance times the machine's size
ADAPTIVE = ("radau", "explicit")  # whose steps follow the tolerance


def projection_line(
    model: Model, record: RunRecord, projections: dict[str, float], size: float
) -> dict[str, Any] | None:
    """Largest closing step of the run, against the tolerance."""
    if model.row_count == 0:
        return None
    limit = LIMIT * record.tolerance * max(size, 1.0)
    line: dict[str, Any] = {name: value if np.isfinite(value) else None for name, value in projections.items()}
    line["limit"] = limit
    if record.method not in ADAPTIVE:
        return {"verdict": "note", **line}
    if projections["step"] <= limit:
        return {"verdict": "pass", **line}
    reason = f"loops opened by {projections['step']:.3g} m in a step before they were closed, more than {limit:.3g}"
    return {"verdict": "fail", "reason": reason, **line}
