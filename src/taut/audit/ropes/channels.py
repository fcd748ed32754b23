"""Channels of cables without mass, recomputed: shapes, tensions, lengths, end forces, spans, wraps and loads."""

from typing import Any

import numpy as np

from taut.audit.ropes import routes
from taut.audit.ropes.capstans import angle, exponent, ratio
from taut.audit.twin.closures import is_open
from taut.audit.twin.motion import Motion
from taut.audit.twin.points import Points
from taut.model import Model
from taut.model.enums import CapstanKind
from taut.model.routes import SheaveKind, Trace, gradients

ARC = 12  # number of straight lines that represent an arc


def tensions_of(model: Model, points: Points, motion: Motion, ways: list[routes.Way]) -> np.ndarray:
    """Tensions of all routes [point, route]."""
    found = np.zeros((len(points), len(model.tables.routes)))
    for tether in model.tables.tethers:
        T, _ = routes.tether_tension(model, tether, points, motion.signals, ways[int(tether.route)])
        found[:, tether.route] = np.where(routes.taut_points(tether, points, T > 0.0), T, 0.0)
    for closure in model.tables.closures[model.tables.closures["route"] >= 0]:
        found[:, closure.route] = points.lam[:, closure.row] * ~is_open(closure, points.modes)
    return found


def lengths_of(model: Model, points: Points, motion: Motion, ways: list[routes.Way]) -> np.ndarray:
    """Unstrained lengths of all routes [point, route]."""
    found = np.zeros((len(points), len(ways)))
    for tether in model.tables.tethers:
        way = ways[int(tether.route)]
        found[:, tether.route], _ = routes.tether_length(model, tether, points, motion.signals, way)
    for closure in model.tables.closures[model.tables.closures["route"] >= 0]:
        change = motion.signals[:, closure.signal[0], 0] if closure.signal[0] >= 0 else 0.0
        found[:, closure.route] = closure.start + change + ways[int(closure.route)].paid
    return found


def shape(model: Model, route: int, found: Trace) -> np.ndarray:
    """Points of a route, arcs as so many straight lines [point, node, 3]."""
    parts = []
    for n, k in enumerate(routes.rows_of(model, route)):
        sheave = int(model.tables.guides[k].sheave)
        if sheave < 0:
            parts.append(found.centres[n][:, None])
            continue
        row = model.tables.sheaves[sheave]
        e, across = found.arrives[n], np.cross(found.axes[n], found.arrives[n])
        turn = (row.side * found.wraps[n][:, None] * np.arange(ARC + 1) / ARC)[..., None]
        parts.append(found.centres[n][:, None] + row.radius * (np.cos(turn) * e[:, None]
                                                               + np.sin(turn) * across[:, None]))  # fmt: skip
    return np.concatenate(parts, axis=1)


def channels(model: Model, points: Points, motion: Motion) -> Any:
    """All channels of ropes, each with the part of it that is judged."""
    if not model.names.routes:
        return
    ways = [routes.way_of(model, motion.frames, points, j) for j in range(len(model.tables.routes))]
    tensions, lengths = tensions_of(model, points, motion, ways), lengths_of(model, points, motion, ways)
    cables = list(model.names.cables)
    for name, pieces in model.names.routes.items():
        at = (slice(None), cables.index(name))
        shapes = [shape(model, piece, ways[piece].trace) for piece in pieces]
        nodes = np.concatenate([part if n == 0 else part[:, 1:] for n, part in enumerate(shapes)], axis=1)
        along = np.concatenate([np.repeat(tensions[:, [piece]], part.shape[1] - 1, axis=1)
                                for piece, part in zip(pieces, shapes, strict=True)], axis=1)  # fmt: skip
        switch = switch_of(model, pieces)
        if switch >= 0:
            # a rope that may be cut has two more nodes, for its ends; where they are after the cut is not judged
            middle = 0.5 * (nodes[:, -2:-1] + nodes[:, -1:])
            nodes = np.concatenate([nodes[:, :-1], middle, middle, nodes[:, -1:]], axis=1)
            nodes[points.modes[:, switch] > 0] = np.nan
            yield "cable_cut", at, (points.modes[:, switch] > 0).astype(float)
        yield "cable_nodes", (*at, slice(0, nodes.shape[1])), nodes
        yield "cable_tension", (*at, slice(0, along.shape[1])), along
        yield "cable_length", at, lengths[:, list(pieces)].sum(axis=1)
        first, last = ways[pieces[0]].trace.directions[0], ways[pieces[-1]].trace.directions[-1]
        yield "exit_force", at, -tensions[:, [pieces[0]]] * first
        yield "anchor_force", at, tensions[:, [pieces[-1]]] * last
    yield from guides(model, motion, ways, tensions)


def switch_of(model: Model, pieces: Any) -> int:
    """Event at which one of the pieces of a rope is cut; -1 for none."""
    tables = model.tables
    closures = tables.closures[np.isin(tables.closures["route"], pieces)]
    tethers = tables.tethers[np.isin(tables.tethers["route"], pieces)]
    return max([-1, *closures["switch"].tolist(), *tethers["switch"].tolist()])


def guides(model: Model, motion: Motion, ways: list[routes.Way], tensions: np.ndarray) -> Any:
    """Wraps and loads of all guides, tensions of all spans."""
    if not model.names.guides:
        return
    wraps, loads, pulls, axes = {}, {}, {}, {}
    for route, way in enumerate(ways):
        forces, _ = gradients(routes.stops_of(model, motion.frames, route))
        rows = routes.rows_of(model, route)
        for n, k in enumerate(rows):
            force = forces[n]
            sheave = int(model.tables.guides[k].sheave)
            if sheave >= 0 and model.tables.sheaves[sheave].kind == SheaveKind.CASTOR:
                # the rope before a castor pulls at its inlet too, along the axis: the length counts from there
                force = force - routes.stops_of(model, motion.frames, route)[n].axis
            axes[k] = way.trace.axes[n]
            wraps[k], loads[k] = way.trace.wraps[n], tensions[:, [route]] * force
            pulls[k] = tensions[:, route]
    for capstan in model.tables.capstans[model.tables.capstans["kind"] == CapstanKind.SLIP]:
        share_out(model, capstan, ways, pulls, loads)
    named = list(model.names.guides.values())
    yield "guide_wrap", None, np.stack([sum(wraps[k] for k in rows) for rows in named], axis=1)
    yield "guide_swivel", None, np.stack([swivel(axes[rows[0]]) for rows in named], axis=1)
    yield "guide_load", None, np.stack([sum(loads[k] for k in rows) for rows in named], axis=1)
    routed = {name.rpartition(".")[0] for name in model.names.guides}
    spans = [k for name, pieces in model.names.routes.items() if name in routed for piece in pieces
             for k in routes.rows_of(model, piece)[:-1]]  # fmt: skip
    yield "span_tension", None, np.stack([pulls[k] for k in spans], axis=1)


def swivel(axis: np.ndarray) -> np.ndarray:
    """Angle of a wheel's axis about the vertical, from y; zero for points and for axes that stand upright."""
    x, y = np.real(axis[:, 0]), np.real(axis[:, 1])
    across = np.where(np.abs(x) > 1e-12, -x, 0.0)
    return np.where(np.hypot(x, y) > 1e-9, np.arctan2(across, y), 0.0)


def share_out(model: Model, capstan: Any, ways: list[routes.Way], pulls: Any, loads: Any) -> None:
    """Tensions between guides that share one friction: the logarithm changes as their exponents add up."""
    rows, before, after = (routes.rows_of(model, int(capstan.before)), ways[capstan.before].trace,
                           ways[capstan.after].trace)  # fmt: skip
    inner = range(int(capstan.first), rows[-1])
    if not len(inner):
        return
    T_a, T_b = pulls[rows[0]], pulls[routes.rows_of(model, int(capstan.after))[0]]
    is_pulled = (T_a > 0.0) & (T_b > 0.0)
    whole = np.log(ratio(model, capstan, before, after))
    steep = np.where(is_pulled & (whole > 0.0), np.log(np.where(is_pulled, T_b / np.where(T_a > 0, T_a, 1), 1)), 0.0)
    passed = 0.0
    for k in inner:
        n = k - rows[0]
        wrap = before.wraps[n] if model.tables.guides[k].sheave >= 0 else angle(*before.directions[n - 1 : n + 1])
        passed = passed + exponent(model.tables.guides[k], np.real(wrap))
        pulls[k] = T_a * np.exp(steep * passed / np.where(whole > 0.0, whole, 1.0))
        loads[k] = pulls[k][:, None] * before.directions[n] - pulls[k - 1][:, None] * before.directions[n - 1]
    loads[rows[-1]] = -pulls[rows[-1] - 1][:, None] * before.directions[-1]
