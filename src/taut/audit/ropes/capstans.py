"""Friction at guides, found anew: from the tensions of the pieces and the definition of their ways.

The rope moves only against the tighter side, by a force of (1 - 1/e) times its tension, e = exp(mu theta); at rest the
ratio of the tensions is at most e.
"""

from typing import Any

import numpy as np

from taut.audit.ropes import routes
from taut.audit.twin.closures import is_open
from taut.audit.twin.frames import Frames
from taut.audit.twin.points import Points
from taut.model import Model
from taut.model.enums import CapstanKind, SlipMode
from taut.model.routes import Trace

STILL = 1e-9  # columns slower than this may stick [m/s or rad/s]


def stretched(model: Model, frames: Frames, points: Points, signals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tensions, and what a coordinate that pays the rope out feels beside them: T^2/(2 EA) [point, route]."""
    found = np.zeros((len(points), len(model.tables.routes)))
    more = np.zeros_like(found)
    for tether in model.tables.tethers:
        way = routes.way_of(model, frames, points, int(tether.route))
        L, rate = routes.tether_length(model, tether, points, signals, way)
        spring = tether.stiffness * (way.length - L) / L
        T = spring + tether.damping * (way.rate - rate) / L
        pulls = routes.taut_points(tether, points, (spring > 0.0) & (T > 0.0))
        found[:, tether.route], more[:, tether.route] = T * pulls, pulls * spring**2 / (2.0 * tether.stiffness)
    for closure in model.tables.closures[model.tables.closures["route"] >= 0]:
        found[:, closure.route] = points.lam[:, closure.row] * ~is_open(closure, points.modes)
    return np.maximum(found, 0.0), more


def exponent(guide: Any, wrap: np.ndarray) -> np.ndarray:
    """ln of the largest ratio of tensions over a guide: the least that slip, bearing or efficiency allow [point]."""
    theta = np.maximum(wrap, 0.0)
    found = []
    if guide.friction >= 0.0:
        found.append(guide.friction * theta)
    if guide.bearing >= 0.0:
        found.append(2.0 * np.arctanh(guide.bearing * np.sin(theta / 2.0)))
    if guide.loss >= 0.0:
        found.append(np.full_like(theta, float(guide.loss)))
    return np.min(found, axis=0) if found else 0.0 * theta


def angle(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Angle between unit vectors [point]."""
    return 2.0 * np.arcsin(np.minimum(0.5 * np.linalg.norm(a - b, axis=-1), 1.0))


def ratio(model: Model, capstan: Any, before: Trace, after: Trace) -> np.ndarray:
    """Largest ratio of the tensions on both sides [point]."""
    rows = routes.rows_of(model, int(capstan.before))
    total = np.zeros(len(before.length))
    for k in range(int(capstan.first), rows[-1] + 1):
        guide, n, is_last = model.tables.guides[k], k - rows[0], k == rows[-1]
        leaves = after.directions[0] if is_last else before.directions[n]
        wrap = angle(before.directions[n - 1], leaves)
        if guide.sheave >= 0:
            wrap = before.wraps[n] + (after.wraps[0] if is_last else 0.0)
        total = total + exponent(guide, np.real(wrap))
    return np.exp(total)


def limits(model: Model, frames: Frames, points: Points, signals: np.ndarray) -> np.ndarray:
    """The most that friction at guides resists [point, column]."""
    found, (T, more) = np.zeros_like(points.v), stretched(model, frames, points, signals)
    ways = [routes.way_of(model, frames, points, j).trace for j in range(len(model.tables.routes))]
    for capstan in model.tables.capstans:
        before, after, c = ways[capstan.before], ways[capstan.after], int(capstan.column)
        T_a, T_b = T[:, capstan.before], T[:, capstan.after]
        if capstan.kind == CapstanKind.GEAR:
            found[:, c] += capstan.arm * np.abs(T_b - capstan.mass * points.a[:, c])
            continue
        if capstan.kind == CapstanKind.BRAKE:
            found[:, c] += signals[:, capstan.signal, 0]
            continue
        if capstan.kind == CapstanKind.BEARING:
            load = T_b[:, None] * after.directions[0] - T_a[:, None] * before.directions[-1]
            load = load + capstan.mass * model.tables.settings[0].gravity
            found[:, c] += capstan.arm * np.linalg.norm(load, axis=1)
            continue
        v = points.v[:, c]
        is_after = np.where(np.abs(v) <= STILL, T_b >= T_a, v > 0.0)
        e = ratio(model, capstan, before, after)
        found[:, c] += (1.0 - 1.0 / e) * np.where(is_after, T_b, T_a)
        found[:, c] += (1.0 - 1.0 / e**2) * np.where(is_after, more[:, capstan.after], more[:, capstan.before])
    return found


def sliding_forces(model: Model, points: Points, most: np.ndarray) -> np.ndarray:
    """Friction of what slides, against its rate [point, column]."""
    force, columns = np.zeros_like(points.v), model.tables.columns
    for c in np.flatnonzero(columns["capstan"] >= 0):
        v, mode = points.v[:, c], points.modes[:, columns["stick"][c]]
        sign = np.where(np.abs(v) > STILL, np.sign(v), 0.0)
        sign = np.where(mode == SlipMode.SMOOTHED, np.tanh(v / columns["velocity_scale"][c]), sign)
        force[:, c] = -sign * most[:, c]
    return force
