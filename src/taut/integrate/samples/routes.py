"""Channels of cables without mass, from the raw samples of a run: their way over the guides, tensions, loads, wraps.

A cable is one piece, or several between wheels that carry it with them; the pieces meet on those wheels.
"""

from typing import Any

import numpy as np

from taut.model import Model
from taut.model.enums import CapstanKind
from taut.model.routes import SheaveKind

ROUNDING = 1e-12  # rounding of the horizontal part of a unit vector along an axis
UPRIGHT = 1e-9  # an axis whose horizontal part is smaller is vertical
ARC = 12  # number of straight lines by which an arc is drawn
CENTRE, AXIS, ARRIVES, LEAVES, ALONG, LOAD = (slice(k, k + 3) for k in range(0, 18, 3))
WRAP = 18


def rope_samples(model: Model, raw: Any, cable: str) -> dict[str, np.ndarray]:
    """A cable at every sample, in the fields of ``CableSamples``."""
    pieces = model.names.routes[cable]
    ways = [way(model, raw, piece) for piece in pieces]
    tensions = [raw.routes[:, piece, 0] for piece in pieces]
    # two pieces of a rope share a node: one ends at the mark at which the other starts
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
    # an arc at the end of a route is drawn from its mark, so that its wrap may be many turns
    turns = sheave.side * np.linspace(0.0, 1.0, ARC + 1) * here[:, WRAP, None]
    across = np.cross(axis, e)
    rim = np.cos(turns)[..., None] * e[:, None] + np.sin(turns)[..., None] * across[:, None]
    return here[:, None, CENTRE] + sheave.radius * rim


def route_channels(model: Model, raw: Any, q: np.ndarray) -> dict[str, np.ndarray]:
    """Tension of every span; load, wrap and slip of every guide between the ends."""
    if not model.names.guides:
        return {}
    routed = {name.rpartition(".")[0] for name in model.names.guides}
    pulls = guide_tensions(model, raw)
    begins = [k for cable, ropes in model.names.routes.items() if cable in routed for piece in ropes
              for k in spans(model, piece)]  # fmt: skip
    found = [raw.guides[:, list(rows)] for rows in model.names.guides.values()]
    loads = [sum(load_of(model, raw, pulls, k) for k in rows) for rows in model.names.guides.values()]
    return {
        "span_tension": np.stack([pulls[k] for k in begins], axis=1),
        "guide_wrap": np.stack([np.sum(rows[..., WRAP], axis=1) for rows in found], axis=1),
        "guide_swivel": np.stack([swivel(rows[:, 0, AXIS]) for rows in found], axis=1),
        "guide_load": np.stack(loads, axis=1),
        **slip_channel(model, q),
    }


def swivel(axis: np.ndarray) -> np.ndarray:
    """Turn of a sheave's plane about the vertical, from that of x and z [rad]; zero where nothing turns about it."""
    # rounding of an axis along -y must not make half a turn of either sign by turns
    x, y = np.where(np.abs(axis[:, 0]) > ROUNDING, -axis[:, 0], 0.0), axis[:, 1]
    return np.where(np.hypot(x, y) > UPRIGHT, np.arctan2(x, y), 0.0)


def guide_tensions(model: Model, raw: Any) -> dict[int, np.ndarray]:
    """Tension of the span that begins at each guide [time]; a piece has one, unless friction acts on guides within."""
    pulls = {k: raw.routes[:, j, 0] for k, j in owners(model).items()}
    for capstan in model.tables.capstans[model.tables.capstans["kind"] == CapstanKind.SLIP]:
        row: Any = model.tables.routes[capstan.before]
        last = int(row.guide + row.count - 1)
        inner = range(int(capstan.first), last)
        if len(inner):
            T_a, T_b = raw.routes[:, capstan.before, 0], raw.routes[:, capstan.after, 0]
            after: Any = model.tables.routes[capstan.after]
            shares = friction_shares(model, raw, [*inner, last], int(after.guide))
            # each guide's share in the tension ratio of the rope: its own capstan ratio while sliding, in proportion at
            # rest
            is_pulled = (T_a > 0.0) & (T_b > 0.0)
            ratio = np.where(is_pulled, T_b / np.where(is_pulled, T_a, 1.0), 1.0)
            for k, share in zip(inner, np.cumsum(shares, axis=0), strict=False):
                pulls[k] = T_a * ratio**share
    return pulls


def friction_shares(model: Model, raw: Any, rows: list[int], after: int) -> np.ndarray:
    """Share of every guide of a row in the exponent of all [guide, time]."""
    found = []
    for k in rows:
        u, w = raw.guides[:, k - 1, ALONG], raw.guides[:, after if k == rows[-1] else k, ALONG]
        theta = np.arccos(np.clip(np.sum(u * w, axis=1), -1.0, 1.0))
        if model.tables.guides["sheave"][k] >= 0:
            theta = raw.guides[:, k, WRAP] + (raw.guides[:, after, WRAP] if k == rows[-1] else 0.0)
        found.append(guide_exponent(model.tables.guides[k], theta))
    total = np.sum(found, axis=0)
    return np.array(found) / np.where(total > 0.0, total, 1.0)


def guide_exponent(guide: Any, theta: np.ndarray) -> np.ndarray:
    """ln of the largest ratio of tensions that a guide allows (``dynamics.forces.capstans``, Eqs. 1, 2)."""
    b = np.sin(0.5 * theta) * max(float(guide.bearing), 0.0)
    kinds = ((guide.friction, guide.friction * theta), (guide.bearing, np.log((1.0 + b) / (1.0 - b))),
             (guide.loss, guide.loss + 0.0 * theta))  # fmt: skip
    given = [value for number, value in kinds if number >= 0.0]
    return np.maximum(np.min(given, axis=0), 0.0) if given else 0.0 * theta


def load_of(model: Model, raw: Any, pulls: dict[int, np.ndarray], k: int) -> np.ndarray:
    """Force of a rope on a row of the guides [time, 3]."""
    row: Any = model.tables.routes[owners(model)[k]]
    if k > row.guide and not np.array_equal(pulls[k], pulls[k - 1]) and k < row.guide + row.count - 1:
        return pulls[k][:, None] * raw.guides[:, k, ALONG] - pulls[k - 1][:, None] * raw.guides[:, k - 1, ALONG]
    if k == row.guide + row.count - 1 and k > row.guide:
        return pulls[k - 1][:, None] * raw.guides[:, k, LOAD]
    load = raw.guides[:, k, LOAD]
    sheave = int(model.tables.guides[k].sheave)
    if sheave >= 0 and model.tables.sheaves[sheave].kind == SheaveKind.CASTOR:
        # the rope that arrives pulls back: it runs along the axis x the direction to where it meets the wheel
        load = load - np.cross(raw.guides[:, k, AXIS], raw.guides[:, k, ARRIVES])
    return pulls[k][:, None] * load


def slip_channel(model: Model, q: np.ndarray) -> dict[str, np.ndarray]:
    """Length that has slipped over the guides with friction; zero where a rope does not slip."""
    slips = model.tables.capstans[model.tables.capstans["kind"] == CapstanKind.SLIP]
    if not len(slips):
        return {}
    found = np.zeros((len(q), len(model.names.guides)))
    for capstan in slips:
        before: Any = model.tables.routes[capstan.before]
        rows = range(int(capstan.first), int(before.guide + before.count))
        at = [k for k, own in enumerate(model.names.guides.values()) if own[0] in rows]
        found[:, at] = q[:, [model.tables.columns["coordinate"][capstan.column]]]
    return {"guide_slip": found}


def overloaded(model: Model, arrays: dict[str, np.ndarray]) -> list[str]:
    """Warnings of cables whose tension is above their breaking load over the safety factor."""
    if "cable_utilisation" not in arrays:
        return []
    said = []
    for name, most in zip(model.names.cables, np.nanmax(arrays["cable_utilisation"], axis=0, initial=0.0), strict=True):
        factor = model.plan.strengths.get(name, (0.0, np.inf))[1]
        if most * factor > 1.0:
            said.append(f"{name} carries up to {100 * most:.3g} % of its breaking load: less than the safety factor "
                        f"{factor:g}")  # fmt: skip
    return said


def owners(model: Model) -> dict[int, int]:
    """Number of the route that every guide belongs to."""
    rows = enumerate(model.tables.routes)
    return {k: j for j, row in rows for k in range(int(row.guide), int(row.guide + row.count))}
