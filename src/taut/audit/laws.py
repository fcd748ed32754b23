"""Tension and length: a cable that cannot push has no compression, and a slack one is stretched only while its damper
takes the spring's pull."""

from typing import Any

import numpy as np

from taut.audit.events import awaited
from taut.model import Model
from taut.model.enums import LawKind
from taut.results.record import RunRecord

Arrays = dict[str, np.ndarray]  # channels by name
PUSH_LIMIT = 1e-3  # allowed compression, relative to the largest tension of any cable
LENGTH_LIMIT = 1e-3  # allowed stretch of a slack cable [m], times the size of machines larger than 1 m


def law_line(
    model: Model, arrays: Arrays, size: float, record: RunRecord, sides: np.ndarray | None = None
) -> dict[str, Any] | None:
    """Cables without a law for pushing, at all samples; ``sides`` are those of the events where a run continues."""
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
        if len(model.names.routes.get(name, ())) == 1:
            # nodes on arcs are joined by chords, which are shorter than the arcs: the check errs on the lenient side
            lines = np.linalg.norm(np.diff(nodes[:, k], axis=1), axis=2)
            longer = np.nansum(lines, axis=1) - length[:, k]
            whole = arrays["time"] <= cut_time(model, name, record, sides)
            longer -= held_by_damper(model, name, arrays["time"], longer)
            found["longer"] = np.where((tension[:, k, 0] <= 0.0) & whole, longer, 0.0)
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
    if name in model.names.routes:
        return all(is_one_sided(model, piece) for piece in model.names.routes[name])
    columns = tables.nodes["column"][list(model.names.cables[name])]
    is_bilinear = tables.columns["law"][columns] == LawKind.BILINEAR
    return bool(np.all(is_bilinear & (tables.columns["parameter"][columns, 0] == 0.0)))


def is_one_sided(model: Model, route: int) -> bool:
    """Whether what runs along a route only pulls."""
    tables, closure = model.tables, int(model.tables.routes[route].closure)
    if closure >= 0:
        return bool(tables.closures["is_unilateral"][closure])
    return not tables.tethers["is_two_sided"][tables.tethers["route"] == route].any()


def held_by_damper(model: Model, name: str, time: np.ndarray, longer: np.ndarray) -> np.ndarray:
    """Stretch that a slack cable may have, because it shortens so fast that its damper takes the spring's pull [m].

    The tension EA e + eta A e' of a stretch e is zero at e = -(eta / E) e'. The rate is that between
    samples, the larger one of those before and after.
    """
    rows = model.tables.tethers[model.tables.tethers["route"] == model.names.routes[name][0]]
    if not len(rows) or len(time) < 2:
        return np.zeros(len(time))
    rate = np.maximum(-np.diff(longer) / np.diff(time), 0.0)
    return rows["damping"][0] / rows["stiffness"][0] * np.maximum(np.append(rate, 0.0), np.append(0.0, rate))


def cut_time(model: Model, name: str, record: RunRecord, sides: np.ndarray | None) -> float:
    """When the cable was cut, or broke [s]; infinite if it was not."""
    tables, route = model.tables, model.names.routes[name][0]
    closure = int(tables.routes[route].closure)
    row: Any = tables.closures[closure] if closure >= 0 else tables.tethers[tables.tethers["route"] == route][0]
    if row["switch"] < 0:
        return np.inf
    level, switch = float(tables.events["level"][row["switch"]]), model.names.events[row["switch"]]
    if np.isfinite(level) and switch not in awaited(model):
        return level
    if sides is not None and sides[row["switch"]] > 0:
        return -np.inf
    # the cut is caused by another event: its time is in the events of the run
    return min([level, *(event["time"] for event in record.events if event["name"] == switch)])
