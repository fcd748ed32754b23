"""Channels of cables without mass, from the raw samples of a run: their way over the guides, tensions, loads, wraps.

A cable is one piece, or several between wheels that carry it with them; the pieces meet on those wheels.
"""

from typing import Any

import numpy as np

from taut.model import Model

ARC = 12  # straight lines by which an arc is drawn
CENTRE, AXIS, ARRIVES, LEAVES, ALONG, LOAD = (slice(k, k + 3) for k in range(0, 18, 3))
WRAP = 18


def rope_samples(model: Model, raw: Any, cable: str) -> dict[str, np.ndarray]:
    """A cable at every sample, in the fields of ``CableSamples``."""
    pieces = model.names.routes[cable]
    ways = [way(model, raw, piece) for piece in pieces]
    tensions = [raw.routes[:, piece, 0] for piece in pieces]
    # where two pieces meet, the one ends at the mark at which the other begins
    nodes = np.concatenate([part if k == 0 else part[:, 1:] for k, part in enumerate(ways)], axis=1)
    along = [np.repeat(T[:, None], part.shape[1] - 1, axis=1) for T, part in zip(tensions, ways, strict=True)]
    first, last = spans(model, pieces[0])[0], spans(model, pieces[-1])[-1]
    return {
        "nodes": nodes,
        "tension": np.concatenate(along, axis=1),
        "length": sum((raw.routes[:, piece, 1] for piece in pieces), np.zeros(len(raw.routes))),
        "exit_force": -tensions[0][:, None] * raw.guides[:, first, ALONG],
        "anchor_force": tensions[-1][:, None] * raw.guides[:, last, ALONG],
        "at_exit": tensions[0],
        "at_anchor": tensions[-1],
    }


def spans(model: Model, route: int) -> range:
    """Guides of a route from which a span goes on to the next."""
    row = model.tables.routes[route]
    return range(int(row.guide), int(row.guide + row.count) - 1)


def way(model: Model, raw: Any, route: int) -> np.ndarray:
    """Points along a route, arcs as so many straight lines [time, point, 3]."""
    row, tables = model.tables.routes[route], model.tables
    parts = []
    for k in range(int(row.guide), int(row.guide + row.count)):
        sheave = int(tables.guides[k].sheave)
        here = raw.guides[:, k]
        parts.append(here[:, None, CENTRE] if sheave < 0 else arc(here, tables.sheaves[sheave]))
    return np.concatenate(parts, axis=1)


def arc(here: np.ndarray, sheave: Any) -> np.ndarray:
    """Points of a sheave's arc from where the rope arrives to where it leaves [time, point, 3]."""
    e, axis = here[:, ARRIVES], here[:, AXIS]
    # the arc of a route's end begins or ends at a mark, by which its wrap may be many turns
    turns = sheave.side * np.linspace(0.0, 1.0, ARC + 1) * here[:, WRAP, None]
    across = np.cross(axis, e)
    rim = np.cos(turns)[..., None] * e[:, None] + np.sin(turns)[..., None] * across[:, None]
    return here[:, None, CENTRE] + sheave.radius * rim


def route_channels(model: Model, raw: Any) -> dict[str, np.ndarray]:
    """Tension and straight length of every span, and load and wrap of every guide between the ends."""
    if not model.names.guides:
        return {}
    routed = {name.rpartition(".")[0] for name in model.names.guides}
    pieces = [(piece, k) for cable, ropes in model.names.routes.items() if cable in routed for piece in ropes
              for k in spans(model, piece)]  # fmt: skip
    found = [raw.guides[:, list(rows)] for rows in model.names.guides.values()]
    tension = np.stack([raw.routes[:, piece, 0] for piece, _ in pieces], axis=1)
    owner = owners(model)
    loads = [sum(raw.routes[:, owner[k], 0, None] * raw.guides[:, k, LOAD] for k in rows)
             for rows in model.names.guides.values()]  # fmt: skip
    return {
        "span_tension": tension,
        "guide_wrap": np.stack([np.sum(rows[..., WRAP], axis=1) for rows in found], axis=1),
        "guide_load": np.stack(loads, axis=1),
    }


def owners(model: Model) -> dict[int, int]:
    """Route of every guide."""
    rows = enumerate(model.tables.routes)
    return {k: j for j, row in rows for k in range(int(row.guide), int(row.guide + row.count))}
