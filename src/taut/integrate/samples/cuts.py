"""Cables that are cut: when, and where their parts are.

A part of a cable without mass that nothing pulls has no shape of its own. What is drawn is the rope behind the cut over
the guides that it still reaches, its end hanging down from the last of them, and the rope before it hanging down from
its anchor. Between the two is an element that joins nothing: it has no length until the cut.
"""

from typing import Any

import numpy as np

from taut.model import Model


def switch_of(model: Model, cable: str) -> int:
    """Event at which a cable is cut; -1 if it never is."""
    tables, names = model.tables, model.names
    rows = [tables.closures[names.closures.index(name)] for name in (f"{cable}.anchor", f"{cable}.cut")
            if name in names.closures]  # fmt: skip
    for route in names.routes.get(cable, ()):
        closure = int(tables.routes[route].closure)
        rows += [tables.closures[closure]] if closure >= 0 else list(tables.tethers[tables.tethers["route"] == route])
    return max((int(row["switch"]) for row in rows), default=-1)


def cut_samples(model: Model, modes: np.ndarray, cable: str) -> np.ndarray:
    """Whether a cable is cut [time]; ``modes`` are the sides of all events [time, event]."""
    switch = switch_of(model, cable)
    return modes[:, switch] > 0 if switch >= 0 else np.zeros(len(modes), bool)


def with_gap(model: Model, cable: str, found: dict[str, np.ndarray], is_cut: np.ndarray) -> dict[str, np.ndarray]:
    """The samples of a rope without mass with its two parts; one that is never cut stays as it is."""
    if switch_of(model, cable) < 0:
        return found
    nodes, tension = found["nodes"], found["tension"]
    middle = 0.5 * (nodes[:, -2:-1] + nodes[:, -1:])
    nodes = np.concatenate([nodes[:, :-1], middle, middle, nodes[:, -1:]], axis=1)
    for k in np.flatnonzero(is_cut):
        nodes[k] = parts(model, cable, found["nodes"][k], float(found["length"][k]))
    return found | {"nodes": nodes, "tension": np.concatenate([tension, tension[:, -1:], tension[:, -1:]], axis=1)}


def parts(model: Model, cable: str, way: np.ndarray, length: float) -> np.ndarray:
    """Nodes of both parts of a rope of a length [m] that was laid along a way [node, 3]."""
    ahead = min((1.0 - model.plan.cuts[cable]) * start_length(model, cable), length)
    behind, steps = length - ahead, np.diff(way, axis=0)
    reached = np.concatenate([[0.0], np.cumsum(np.linalg.norm(steps, axis=1))])
    last = min(int(np.searchsorted(reached, behind, side="right")) - 1, len(way) - 2)
    gravity = np.asarray(model.tables.settings[0].gravity, float)
    down = [gravity, gravity] if gravity.any() else [steps[last], -steps[-1]]
    tip = way[last] + max(behind - reached[last], 0.0) * unit(down[0])
    tips = np.repeat(tip[None], len(way) - 1 - last, axis=0)
    return np.concatenate([way[: last + 1], tips, (way[-1] + ahead * unit(down[1]))[None], way[-1:]])


def unit(vector: np.ndarray) -> np.ndarray:
    """The vector at length one; a zero vector stays zero."""
    size = float(np.linalg.norm(vector))
    return vector / size if size > 0.0 else vector


def start_length(model: Model, cable: str) -> float:
    """Unstrained length of a rope without mass at the start [m]."""
    tables, total = model.tables, 0.0
    for route in model.names.routes[cable]:
        closure = int(tables.routes[route].closure)
        row: Any = tables.closures[closure] if closure >= 0 else tables.tethers[tables.tethers["route"] == route][0]
        total += float(row["start"] if closure >= 0 else row["length"])
    return total


def gap_of(model: Model, cable: str) -> tuple[int, int] | None:
    """Number of elements before the joint at which a chain of elements is to part, and the node of that joint."""
    chain, parents = model.names.cables[cable], model.tables.nodes["parent"]
    for k in range(1, len(chain)):
        base = int(parents[parents[chain[k]]])
        if base != chain[k - 1]:
            return k, base
    return None
