"""Tension and length: a cable without a law for pushing has no compression, and a slack one is not stretched."""

from typing import Any

import numpy as np

from taut.model import Model
from taut.model.enums import LawKind

Arrays = dict[str, np.ndarray]  # channels by name
PUSH_LIMIT = 1e-3  # allowed compression, relative to the largest tension of any cable
LENGTH_LIMIT = 1e-3  # allowed stretch of a slack cable [m], times the size of machines larger than 1 m


def law_line(model: Model, arrays: Arrays, size: float) -> dict[str, Any] | None:
    """Cables without a law for pushing, at all samples."""
    if "cable_tension" not in arrays or not arrays["cable_tension"].size:
        return None
    tension, nodes, length = (arrays[name] for name in ("cable_tension", "cable_nodes", "cable_length"))
    largest = float(np.nanmax(np.abs(tension), initial=0.0))
    limit = {"push": PUSH_LIMIT * largest, "longer": LENGTH_LIMIT * max(size, 1.0)}
    line: dict[str, Any] = {"push": 0.0, "longer": 0.0, "limit_push": limit["push"], "limit_longer": limit["longer"]}
    reasons = []
    for k, name in enumerate(model.names.cables):
        if not cannot_push(model, name):
            continue
        found = {"push": -tension[:, k].min(axis=1, where=np.isfinite(tension[:, k]), initial=0.0)}
        if name in model.names.tethers or name in model.names.distances:
            longer = np.linalg.norm(nodes[:, k, 1] - nodes[:, k, 0], axis=1) - length[:, k]
            found["longer"] = np.where((tension[:, k, 0] <= 0.0) & ~is_cut(model, name, arrays), longer, 0.0)
        for what, values in found.items():
            worst = int(np.argmax(values))
            line[what] = max(line[what], float(values[worst]))
            if values[worst] > limit[what]:
                reasons.append((what, name, float(arrays["time"][worst]), float(values[worst])))
    if not reasons:
        return {"verdict": "pass", **line}
    what, name, time, value = reasons[0]
    words = {"push": f"pushes with {value:.3g} N", "longer": f"is slack, and {value:.3g} m longer than its length"}
    return {"verdict": "fail", "reason": f"{name} {words[what]} at t = {time:.6g} s", **line}


def cannot_push(model: Model, name: str) -> bool:
    """Whether a cable has no law for pushing."""
    tables = model.tables
    if name in model.names.tethers:
        return not tables.tethers["is_two_sided"][model.names.tethers[name]]
    if name in model.names.distances:
        return bool(tables.closures["is_unilateral"][model.names.distances[name]])
    columns = tables.nodes["column"][list(model.names.cables[name])]
    is_bilinear = tables.columns["law"][columns] == LawKind.BILINEAR
    return bool(np.all(is_bilinear & (tables.columns["parameter"][columns, 0] == 0.0)))


def is_cut(model: Model, name: str, arrays: Arrays) -> np.ndarray:
    """Whether the cable has been cut [time]."""
    tables = model.tables
    row = tables.tethers[model.names.tethers[name]] if name in model.names.tethers else tables.closures[
        model.names.distances[name]]  # fmt: skip
    level = tables.events["level"][row.switch] if row.switch >= 0 else np.inf
    # a cable cut by another event may fail at any time
    return arrays["time"] > (level if np.isfinite(level) or row.switch < 0 else -np.inf)
