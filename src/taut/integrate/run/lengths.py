"""Which cable has the least of its length left, in the user's words."""

from typing import Any

import numpy as np

from taut.dynamics.forces.lengths import hoist_length
from taut.dynamics.residual import place
from taut.model import Data, Model, data_beside, new_data
from taut.model.enums import JointKind
from taut.model.routes import wound_off

BENT = 0.3  # a rope runs nearly straight past a guide if a unit tension loads the guide with less than this
MOST_LOAD = 2.5  # largest load of a guide by a unit tension: a rope loads its sheave with at most two tensions
# a span shorter than this share of its length at the start is named as the cause when a run cannot go on
USED_UP = 0.02


def shortest_cable(model: Model, data: Data) -> str:
    """Name of the cable, or of the piece of one, whose unstrained length is the smallest against that of the tables."""
    left = {
        **hoist_lengths(model, data),
        **node_ratios(model, data),
        **tether_ratios(model, data),
        **distance_ratios(model, data),
    }
    return min(left, key=lambda name: left[name])


def node_ratios(model: Model, data: Data) -> dict[str, float]:
    """Length ratios of fed chains and Ritz cables, by the name of the cable."""
    nodes, found = model.tables.nodes, {}
    for i in np.flatnonzero((nodes["is_fed"] != 0) | (nodes["kind"] == JointKind.RITZ)):
        node, name = nodes[i], model.names.nodes[i].split(".")[0]
        feed = model.tables.ritz[int(node.modal)].feed if node.kind == JointKind.RITZ else node.feed
        ratio = data.signals[feed, 0] if feed >= 0 else 1.0
        found[name] = min(float(ratio), found.get(name, np.inf))
    return found


def hoist_lengths(model: Model, data: Data) -> dict[str, float]:
    """Lengths of crane ropes [m]."""
    nodes = model.tables.nodes
    return {model.names.nodes[i]: float(hoist_length(nodes[i], data)) for i in np.flatnonzero(nodes["is_hoist"])}


def tether_ratios(model: Model, data: Data) -> dict[str, float]:
    """Length ratios of tethers."""
    found = {}
    for name, j in model.names.tethers.items():
        tether = model.tables.tethers[j]
        signal = data.signals[tether.signal, 0] if tether.signal >= 0 else 1.0
        found[name] = float(signal + paid(model, tether.route, data) / tether.length)
    return found


def paid(model: Model, route: int, data: Data) -> float:
    """Length that coordinates have paid out [m]."""
    row, guides = model.tables.routes[route], model.tables.guides
    rows = [guides[k] for k in range(int(row.guide), int(row.guide + row.count + row.feeds)) if guides[k].column >= 0]
    coordinate = model.tables.columns["coordinate"]
    layers = model.tables.layers
    return float(sum(wound_off(row, layers, data.q[coordinate[row.column]] - row.start)[0] for row in rows))


def distance_ratios(model: Model, data: Data) -> dict[str, float]:
    """Length ratios of cables without mass that do not stretch."""
    found = {}
    for name, j in model.names.distances.items():
        closure = model.tables.closures[j]
        change = float(data.signals[closure.signal[0], 0]) if closure.signal[0] >= 0 else 0.0
        found[name] = 1.0 + (change + paid(model, int(closure.route), data)) / float(closure.start)
    return found


def lost_guide(model: Model, data: Data) -> str:
    """Name of the sheave that a rope is about to leave: the one whose wrap is the least against that at the start."""
    placed = data_beside(model, data)
    placed.time[0] = data.time[0]
    placed.q[:], placed.v[:] = data.q, data.v
    place(model.tables, placed)
    sheaves, guides = model.tables.sheaves, model.tables.guides
    named = {**model.names.guides, **guides_behind(model)}
    left = {name: float(placed.guides["wrap"][rows[0]] / max(sheaves["wrap"][guides["sheave"][rows[0]]], 1e-9))
            for name, rows in named.items() if guides["sheave"][rows[0]] >= 0}  # fmt: skip
    return min(left, key=lambda name: left[name])


def guides_behind(model: Model) -> dict[str, tuple[int, ...]]:
    """Guides of the ropes behind cables of elements, counted as in their `via`."""
    known = {route for pieces in model.names.routes.values() for route in pieces}
    found: dict[str, tuple[int, ...]] = {}
    for name, j in model.names.tethers.items():
        route = int(model.tables.tethers[j].route)
        row = model.tables.routes[route]
        if route not in known:
            found |= {f"{name.rpartition('.')[0]}.{k - int(row.guide)}": (k,)
                      for k in range(int(row.guide), int(row.guide + row.count))}  # fmt: skip
    return found


def jammed_span(model: Model, data: Data) -> str | None:
    """Name of the span of a rope over guides that is used up at this state; none if all have some length left."""
    spans = span_rows(model)
    if not spans:
        return None
    placed, start = data_beside(model, data), new_data(model)
    placed.time[0] = data.time[0]
    placed.q[:], placed.v[:] = data.q, data.v
    for own in (placed, start):
        place(model.tables, own)
    rows = list(spans.values())
    left, own = placed.guides["span"][rows], start.guides["span"][rows]
    shares = np.where(np.isfinite(left), left / np.maximum(own, 1e-300), 0.0)
    worst = int(np.argmin(shares))
    return f"span {list(spans)[worst]}" if shares[worst] < USED_UP else None


def span_rows(model: Model) -> dict[str, int]:
    """Guides at which the spans of ropes over guides begin, those behind cables of elements included."""
    routed = {name.rpartition(".")[0] for name in model.names.guides}
    routes = [model.tables.routes[piece] for cable, pieces in model.names.routes.items() if cable in routed
              for piece in pieces]  # fmt: skip
    rows = [k for row in routes for k in range(int(row.guide), int(row.guide + row.count) - 1)]
    found = dict(zip(model.names.spans, rows, strict=True))
    for name, j in model.names.tethers.items():
        row: Any = model.tables.routes[model.tables.tethers[j].route]
        if name.endswith(".rope") and name.rpartition(".")[0] in model.names.cables:
            found |= {f"{name.rpartition('.')[0]}.{k + 1}": int(row.guide) + k for k in range(int(row.count) - 1)}
    return found


def is_swivel_lost(model: Model, data: Data) -> bool:
    """Whether the plane of a sheave that swivels is undetermined: its load would be larger than two tensions."""
    if not len(model.tables.sheaves):
        return False
    placed = data_beside(model, data)
    placed.time[0] = data.time[0]
    placed.q[:], placed.v[:] = data.q, data.v
    place(model.tables, placed)
    sizes = np.linalg.norm(placed.guides["f"], axis=1)
    return bool((~np.isfinite(sizes) | (sizes > MOST_LOAD)).any())


def straight_rope(model: Model, data: Data) -> str | None:
    """Name of a rope that does not stretch and runs nearly straight past all bodies that hang in it; none otherwise."""
    placed = data_beside(model, data)
    placed.time[0] = data.time[0]
    placed.q[:], placed.v[:] = data.q, data.v
    place(model.tables, placed)
    for name, rows in hanging_guides(model).items():
        if rows and np.nan_to_num(np.linalg.norm(placed.guides["f"][rows], axis=1)).max() < BENT:
            return name
    return None


def hanging_guides(model: Model) -> dict[str, list[int]]:
    """Guides on bodies between the ends of ropes that do not stretch, and end in the world."""
    found = {}
    for cable, pieces in model.names.routes.items():
        ends = [model.tables.routes[piece] for piece in pieces]
        first, last = int(ends[0].guide), int(ends[-1].guide + ends[-1].count) - 1
        if ends[0].closure >= 0 and model.tables.guides["node"][first] == model.tables.guides["node"][last] == 0:
            rows = [row[0] for name, row in model.names.guides.items() if name.rpartition(".")[0] == cable]
            found[cable] = [k for k in rows if model.tables.guides["node"][k] > 0]
    return found
