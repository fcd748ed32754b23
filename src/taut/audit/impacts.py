"""Impacts of one-sided closures against the restitution of the scenario."""

from typing import Any

import numpy as np

from taut.model import Model

SLOW = 1e-3  # m/s: slower impacts do not bounce
LIMIT = 1e-6  # of the rate before


def impact_line(model: Model, struck: np.ndarray) -> dict[str, Any] | None:
    """Newton's law of impact: what is pushed parts with the restitution times the rate at which it closed."""
    if not len(struck):
        return None
    time, number, before, after, impulse = struck.T
    restitution = np.where(before < -SLOW, model.tables.closures["restitution"][number.astype(int)], 0.0)
    scale = np.maximum(np.abs(before), SLOW)
    # what is not pushed may part faster, never more slowly
    miss = np.where(impulse > 0.0, np.abs(after + restitution * before), np.maximum(-after, 0.0)) / scale
    worst = int(np.argmax(np.where(np.isfinite(miss), miss, np.inf)))
    line = {"count": len(struck), "max": float(miss[worst]), "time": float(time[worst]), "limit": LIMIT}
    if miss[worst] <= LIMIT and np.all(impulse >= 0.0):
        return {"verdict": "pass", **line}
    name = model.names.closures[int(number[worst])]
    reason = (
        f"{name} parts at {after[worst]:.6g} m/s after an impact at {-before[worst]:.6g} m/s at t = {time[worst]:.6g} s"
    )
    return {"verdict": "fail", "reason": f"{reason}: not its restitution", **line}
