"""Closures at the moments of an audit: errors with their rates, and the wrenches of the multipliers on both ends.

A row holds g(t) = 0; with the frames as Taylor series its rates follow by the product rule. A multiplier acts by
virtual work along the gradient of g: forces n on end a and -n on end b at the same line, moments likewise.
"""

from typing import Any, NamedTuple

import numpy as np

from taut.audit.ropes.routes import add_loads, moment_of_small, way_of
from taut.audit.rows import rows_of
from taut.audit.twin.frames import Frames
from taut.audit.twin.inertia import Wrenches, no_wrenches
from taut.audit.twin.points import Points
from taut.audit.vectors import cross
from taut.model import Model
from taut.model.enums import ClosureKind

AXES = {
    ClosureKind.UNIVERSAL: [(0, 0)],
    ClosureKind.REVOLUTE: [(0, 1), (0, 2)],
    ClosureKind.FIXED: [(0, 1), (0, 2), (1, 2)],
}


class Rows(NamedTuple):
    """All closure rows."""

    # closure errors, rates and second rates (zero for routes, where not computed) [order, point, row]
    errors: np.ndarray
    wrenches: Wrenches  # wrenches of the multipliers on all nodes


class Ends(NamedTuple):
    """Both ends of one closure: nodes, levers and positions with rates [order, point, 3]."""

    nodes: tuple[int, int]
    points: tuple[np.ndarray, np.ndarray]
    places: tuple[np.ndarray, np.ndarray]
    is_linear: tuple[bool, bool]


def is_open(closure: Any, modes: np.ndarray) -> np.ndarray:
    """Whether a closure has failed, or does not hold [point]."""
    found = np.zeros(len(modes), bool)
    if closure.switch >= 0:
        found |= modes[:, closure.switch] > 0
    if closure.hold >= 0:
        found |= modes[:, closure.hold] < 0
    return found


def closure_rows(model: Model, frames: Frames, points: Points, signals: np.ndarray) -> Rows:
    """Errors and wrenches of all closures."""
    tables, count = model.tables, len(points)
    errors = np.zeros((3, count, model.row_count))
    total = no_wrenches(count, len(tables.nodes))
    for closure in rows_of(tables.closures):
        if closure.route >= 0:
            errors[:, :, int(closure.row)] = _route_row(model, closure, frames, points, signals, total)
            continue
        ends = ends_of(closure, frames)
        rows = list(_rows(model, closure, ends, frames, points, signals))
        acts = ~is_open(closure, points.modes)
        for k, (error, force, moment) in enumerate(rows):
            row = int(closure.row) + k
            errors[:, :, row] = error * acts
            lam = (points.lam[:, row] * acts)[:, None]
            push = lam * force
            for sign, end in ((1.0, 0), (-1.0, 1)):
                total.F[:, ends.nodes[end]] += sign * push
                total.M[:, ends.nodes[end]] += sign * lam * moment(end)
    return Rows(errors, total)


def closure_line(model: Model, points: Points, rows: Rows, limit: float) -> dict[str, Any] | None:
    """Whether loops are closed and prescribed motions follow their signals at samples, recomputed."""
    if model.row_count == 0 or not len(points):
        return None
    # skip closures on modal nodes, which are not modelled here, and one-sided rows, which may be open
    errors = np.abs(rows.errors[0])
    is_known = np.isfinite(errors).all(axis=0)
    for closure in rows_of(model.tables.closures[model.tables.closures["is_unilateral"] != 0]):
        is_known[closure.row : closure.row + closure.row_count] = False
    if not is_known.any():
        return None
    errors = np.where(is_known, errors, 0.0)
    k, j = np.unravel_index(int(np.argmax(errors)), errors.shape)
    line = {"max": float(errors[k, j]), "limit": limit, "time": float(points.time[k]), "row": model.names.rows[j],
            "points": len(points), "rows": int(is_known.sum())}  # fmt: skip
    if line["max"] <= limit:
        return {"verdict": "pass", **line}
    reason = (f"{line['row']} is not as the scenario has it: off by {line['max']:.3g} at t = {line['time']:.6g} s, "
              f"more than {limit:.3g}")  # fmt: skip
    return {"verdict": "fail", "reason": reason, **line}


def ends_of(closure: Any, frames: Frames) -> Ends:
    """Positions and motion of both ends of closures."""
    nodes = int(closure.node_a), int(closure.node_b)
    points = closure.point_a, closure.point_b
    places = tuple(frames.x[:, :, i] + frames.R[:, :, i] @ point for i, point in zip(nodes, points, strict=True))
    return Ends(nodes, points, places, (bool(closure.is_linear_a), bool(closure.is_linear_b)))  # type: ignore[arg-type]


def _rows(  # noqa: PLR0913
    model: Model, closure: Any, ends: Ends, frames: Frames, points: Points, signals: np.ndarray
) -> Any:
    """Error jet, force on end a, and the moment about the world's origin on an end, of every row."""
    kind = ClosureKind(int(closure.kind))
    if kind == ClosureKind.COORDINATE:
        yield (_groove_row(closure, ends, frames) if closure.groove > 0.0
               else _coordinate_row(model, closure, frames, points, signals))  # fmt: skip
        return
    gap = ends.places[0] - ends.places[1]
    for k in np.flatnonzero(closure.point_rows):
        n = np.tile(np.eye(3)[k], (gap.shape[1], 1))
        yield gap[:, :, k] - signal_jet(signals, closure.signal[k]), n, _at_point(ends, frames, n)
    for j, i in AXES.get(kind, []):
        yield _axis_row(closure, ends, frames, j, i)
    if kind == ClosureKind.TURN:
        a, b = ends.nodes
        n = np.broadcast_to([0.0, 0.0, 1.0], gap.shape[1:])
        yield frames.R[:, :, a, 1, 0] - frames.R[:, :, b, 1, 0], 0.0 * n, lambda end: n


def signal_jet(signals: np.ndarray, j: int) -> Any:
    """A signal with rates [order, point]; zero without one."""
    return signals[:, j].T if j >= 0 else 0.0


def _at_point(ends: Ends, frames: Frames, n: np.ndarray) -> Any:
    """Moment about the world's origin of a force n at an end's point."""

    def moment(end: int) -> np.ndarray:
        i, r = ends.nodes[end], ends.points[end]
        if not ends.is_linear[end]:
            return cross(ends.places[end][0], n)
        return moment_of_small(frames, i, r, n)

    return moment


def _route_row(  # noqa: PLR0913
    model: Model, closure: Any, frames: Frames, points: Points, signals: np.ndarray, total: Wrenches
) -> np.ndarray:
    """Error jet of a route that is kept at most, or exactly, a length long; adds its loads."""
    way, acts = way_of(model, frames, points, int(closure.route)), ~is_open(closure, points.modes)
    add_loads(model, frames, points, (int(closure.route), points.lam[:, closure.row] * acts), total)
    value = closure.start + way.paid - way.trace.length
    error = np.stack([value, -way.rate, 0.0 * value]) + signal_jet(signals, closure.signal[0])
    error[2] = 0.0
    return error * acts


def _axis_row(closure: Any, ends: Ends, frames: Frames, j: int, i: int) -> Any:
    c = frames.R[:, :, ends.nodes[0]] @ closure.axis_a.reshape(3, 3)[j]
    d = frames.R[:, :, ends.nodes[1]] @ closure.axis_b.reshape(3, 3)[i]
    n = cross(c[0], d[0])
    return dot_jet(c, d), 0.0 * n, lambda end: n


def _groove_row(closure: Any, ends: Ends, frames: Frames) -> Any:
    """A rope that leaves a sheave of radius R at the angle psi to its plane does so at the distance R / cos psi."""
    radius, (a, b) = float(closure.groove), ends.nodes
    # the joint's frame is that of the sheave: x leads to the rope, z runs along it in the plane of the sheave
    x, z, t = frames.R[:, :, b, :, 0], frames.R[:, :, b, :, 2], frames.R[:, :, a, :, 2]
    distance, cosine = dot_jet(x, ends.places[0] - ends.places[1]), dot_jet(z, t)
    c = cosine[0]
    # 1 / cos psi with its first and second rate, from those of cos psi
    inverse = np.stack([1.0 / c, -cosine[1] / c**2, 2.0 * cosine[1] ** 2 / c**3 - cosine[2] / c**2])
    sine = -np.sum(frames.R[0][:, b, :, 1] * t[0], axis=1)
    moment = cross(ends.places[0][0], x[0]) - (radius * sine / c**2)[:, None] * x[0]
    return distance - radius * inverse, x[0], lambda end: moment


def dot_jet(c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """The product of two vectors with rates [order, point, 3], with its first and second rate."""
    dot = [[np.sum(c[m] * d[n], axis=1) for n in range(3)] for m in range(3)]
    return np.stack([dot[0][0], dot[1][0] + dot[0][1], dot[2][0] + 2.0 * dot[1][1] + dot[0][2]])


def _coordinate_row(model: Model, closure: Any, frames: Frames, points: Points, signals: np.ndarray) -> Any:
    columns = model.tables.columns
    c = int(closure.column)
    error = np.stack([points.q[:, columns["coordinate"][c]] - closure.start, points.v[:, c], points.a[:, c]])
    s = frames.axis[:, c]
    error = error - signal_jet(signals, closure.signal[0])
    if columns["is_rotation"][c]:
        return error, 0.0 * s, lambda end: s
    moment = cross(frames.x[0, :, int(closure.node_a)], s)
    return error, s, lambda end: moment
