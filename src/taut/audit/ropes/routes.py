"""Cables without mass, recomputed: ways by definition (``model/routes.py``), loads by complex steps of the lengths."""

from typing import Any, NamedTuple

import numpy as np

from taut.audit.twin.frames import Frames
from taut.audit.twin.inertia import Wrenches, no_wrenches
from taut.audit.twin.points import Points
from taut.audit.vectors import cross
from taut.model import Model
from taut.model.enums import CapstanKind, JointKind
from taut.model.routes import STEP, SheaveKind, Stop, Trace, Wheel, gradients, trace, wound_off

JUST_TAUT = 1e-5  # strain up to which a tether counts as just taut: either side of the event is accepted


class Way(NamedTuple):
    """A route at all moments."""

    trace: Trace
    paid: np.ndarray  # length that coordinates have paid out [point]
    rate: np.ndarray  # rate of the length less the rate of what is paid out [point]
    turned: np.ndarray  # length added by turning pulleys, which have no spans of their own [point]

    @property
    def length(self) -> np.ndarray:
        """Length of the route from end to end [m], shape [point]."""
        return self.trace.length + self.turned


def rows_of(model: Model, route: int) -> range:
    """Guides of a route, without those that pay out."""
    row = model.tables.routes[route]
    return range(int(row.guide), int(row.guide + row.count))


def stops_of(model: Model, frames: Frames, route: int, step: complex = 0.0) -> list[Stop]:
    """A route's guides in the world; with a complex step along their motion."""
    tables, found = model.tables, []
    for k in rows_of(model, route):
        guide = tables.guides[k]
        point = _moving(frames, int(guide.node), guide.point, step, is_place=True)
        if guide.sheave < 0:
            found.append(Stop(point))
            continue
        sheave: Any = tables.sheaves[guide.sheave]
        wheel = Wheel(float(sheave.radius), int(sheave.side), SheaveKind(int(sheave.kind)), float(sheave.wrap))
        axis = _moving(frames, int(guide.node), sheave.axis, step)
        reference = _moving(frames, int(sheave.carrier), sheave.reference, step)
        is_end = k in (rows_of(model, route)[0], rows_of(model, route)[-1])
        found.append(Stop(point, wheel, axis, reference if is_end else None))
    return found


def _moving(frames: Frames, i: int, r: np.ndarray, step: complex, *, is_place: bool = False) -> np.ndarray:
    """A point or direction of a node, and a step of its motion further."""
    at = frames.R[0, :, i] @ r + (frames.x[0, :, i] if is_place else 0.0)
    if step == 0.0:
        return at
    return at + step * (frames.R[1, :, i] @ r + (frames.x[1, :, i] if is_place else 0.0))


def way_of(model: Model, frames: Frames, points: Points, route: int) -> Way:
    """Length and rate of a route."""
    row, tables = model.tables.routes[route], model.tables
    paid, rate, turned = np.zeros((3, len(points)))
    for k in range(int(row.guide), int(row.guide + row.count + row.feeds)):
        guide = tables.guides[k]
        if guide.column >= 0:
            change, slope = wound(model, guide, points)
            sign = 1.0 if guide.is_way else -1.0
            turned, paid = (turned + change, paid) if guide.is_way else (turned, paid + change)
            rate += sign * slope * points.v[:, guide.column]
    bent = trace(stops_of(model, frames, route, 1j * STEP))
    return Way(trace(stops_of(model, frames, route)), paid, rate + np.imag(bent.length) / STEP, turned)


def wound(model: Model, guide: Any, points: Points) -> tuple[np.ndarray, np.ndarray]:
    """What a guide's coordinate has paid out, and its slope [point]."""
    x = points.q[:, model.tables.columns["coordinate"][guide.column]] - guide.start
    return wound_off(guide, model.tables.layers, x)


def add_loads(model: Model, frames: Frames, points: Points, pull: tuple[int, np.ndarray], total: Wrenches) -> None:
    """Loads of a route with given tensions [point] on all nodes."""
    route, tension = pull
    row, tables = model.tables.routes[route], model.tables
    stops = stops_of(model, frames, route)
    forces, couples = gradients(stops)
    T = tension[:, None]
    for k, stop, f, m in zip(rows_of(model, route), stops, forces, couples, strict=True):
        guide = tables.guides[k]
        i = int(guide.node)
        total.F[:, i] += T * f
        at = moment_of_small(frames, i, guide.point, f) if guide.is_linear else cross(stop.point, f)
        total.M[:, i] += T * (m + at)
    for k in range(int(row.guide + row.count), int(row.guide + row.count + row.feeds)):
        guide = tables.guides[k]
        if acts_on_column(model, guide):
            continue
        i, s = int(guide.node), wound(model, guide, points)[1][:, None] * frames.axis[:, tables.guides[k].column]
        if tables.columns["is_rotation"][guide.column]:
            total.M[:, i] += T * s
        else:
            total.F[:, i] += T * s
            total.M[:, i] += cross(frames.x[0, :, i], T * s)


def acts_on_column(model: Model, guide: Any) -> bool:
    """Whether a tension acts on a guide's coordinate alone: a cable's length, or a pulley's turn on its carrier."""
    return bool(guide.is_way) or (guide.column >= 0 and model.tables.nodes["kind"][guide.node] == JointKind.FEED)


def moment_of_small(frames: Frames, i: int, r: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Moment about the world's origin of a force n at a point r of a body with small rotations.

    By virtual work: dR/dt_k r . n, where the row of the vertical has sines [Wang2018, Eqs. 5, 7].
    """
    R = frames.R[0, :, i]
    c_x, c_y = np.sqrt(1.0 - R[:, 2, 1] ** 2), np.sqrt(1.0 - R[:, 2, 0] ** 2)
    own = np.stack([c_x * r[1] * n[:, 2] - r[2] * n[:, 1], r[2] * n[:, 0] - c_y * r[0] * n[:, 2],
                    r[0] * n[:, 1] - r[1] * n[:, 0]], axis=1)  # fmt: skip
    return own + cross(frames.x[0, :, i], n)


def tether_length(model: Model, tether: Any, points: Points, signals: np.ndarray, way: Way) -> tuple[Any, Any]:
    """Unstrained length, and its rate by the signal alone [point]."""
    if tether.signal >= 0:
        own, rate = (tether.length * signals[:, tether.signal, order] for order in (0, 1))
        return own + way.paid, rate
    return np.full(len(points), float(tether.length)) + way.paid, np.zeros(len(points))


def taut_points(tether: Any, points: Points, should: np.ndarray) -> np.ndarray:
    """Where a tether pulls [point]: as its side is, or as the state says where it has none."""
    mode = points.modes[:, tether.event]
    taut = np.where(mode == 0, should, mode > 0) | bool(tether.is_two_sided)
    return taut & (points.modes[:, tether.switch] <= 0) if tether.switch >= 0 else taut


def tether_tension(
    model: Model, tether: Any, points: Points, signals: np.ndarray, way: Way
) -> tuple[np.ndarray, np.ndarray]:
    """Tension of a cable that stretches, were it taut, and the part of it without the damper [point]."""
    L, rate = tether_length(model, tether, points, signals, way)
    spring = tether.stiffness * (way.length - L) / L
    return spring + tether.damping * (way.rate - rate) / L, spring


def tether_wrenches(
    model: Model, frames: Frames, points: Points, signals: np.ndarray
) -> tuple[Wrenches, np.ndarray, np.ndarray]:
    """Loads of cables that stretch, values by whose signs they are taut [point, tether], what coordinates feel beyond.

    A coordinate that pays out stretched material feels T + T_e^2 / (2 EA) for each length: the second part.
    """
    total = no_wrenches(len(points), len(model.tables.nodes))
    tensions = np.zeros((len(points), len(model.tables.tethers)))
    paying = np.zeros((len(points), model.column_count))
    for j, tether in enumerate(model.tables.tethers):
        way = way_of(model, frames, points, int(tether.route))
        T, spring = tether_tension(model, tether, points, signals, way)
        taut = taut_points(tether, points, (spring > 0.0) & (T > 0.0))
        # at a strain near zero the damper's force jumps: accept both sides, slack and taut
        pull, stretch = mean_pull(model, frames, points, signals, j)
        tensions[:, j] = np.where(stretch > JUST_TAUT * tether.stiffness, pull, np.minimum(pull, 0.0))
        tensions[:, j] *= not tether.is_two_sided  # a two-sided tether has no slack side, hence no event
        if tether.switch >= 0:
            tensions[:, j] *= points.modes[:, tether.switch] <= 0
        add_loads(model, frames, points, (int(tether.route), T * taut), total)
        row: Any = model.tables.routes[tether.route]
        for guide in model.tables.guides[int(row.guide) : int(row.guide + row.count + row.feeds)]:
            slope = wound(model, guide, points)[1] if guide.column >= 0 else 0.0
            if guide.column >= 0 and not guide.is_way:
                paying[:, guide.column] += slope * taut * spring**2 / (2.0 * tether.stiffness)
            if acts_on_column(model, guide):
                paying[:, guide.column] += (-1.0 if guide.is_way else 1.0) * slope * taut * T
    return total, tensions, paying


def mean_pull(
    model: Model, frames: Frames, points: Points, signals: np.ndarray, j: int
) -> tuple[np.ndarray, np.ndarray]:
    """Tension that says whether a tether is taut, and the part of it without the damper [point].

    A rope that slips over guides is taut or slack as a whole, because its slack runs to where it is missing: with all
    pieces that slip into each other, by the sums of the lengths of their ways and of their unstrained lengths.
    """
    pieces, length, speed, total = joined_by_slip(model, j), 0.0, 0.0, 0.0
    for tether in model.tables.tethers[pieces]:
        way = way_of(model, frames, points, int(tether.route))
        L, rate = tether_length(model, tether, points, signals, way)
        length, speed, total = length + way.length, speed + way.rate - rate, total + L
    own: Any = model.tables.tethers[j]
    spring = own.stiffness * (length - total) / total
    return spring + own.damping * speed / total, spring


def joined_by_slip(model: Model, j: int) -> list[int]:
    """Tethers that are pieces of one rope with tether j, with nothing but slip over guides between them."""
    tables, found = model.tables, [j]
    slips = tables.capstans[tables.capstans["kind"] == CapstanKind.SLIP]
    pairs = np.column_stack([slips["before"], slips["after"]]).tolist()
    for k in found:
        route = int(tables.tethers["route"][k])
        others = [other for pair in pairs if route in pair for other in pair if other != route]
        neighbours = np.flatnonzero(np.isin(tables.tethers["route"], others)).tolist()
        found += [n for n in neighbours if n not in found]
    return found


def tether_energies(model: Model, frames: Frames, points: Points, signals: np.ndarray) -> np.ndarray:
    """Energy of taut tethers [point]."""
    total = np.zeros(len(points))
    for tether in model.tables.tethers:
        way = way_of(model, frames, points, int(tether.route))
        T, spring = tether_tension(model, tether, points, signals, way)
        L, _ = tether_length(model, tether, points, signals, way)
        taut = taut_points(tether, points, (spring > 0.0) & (T > 0.0))
        total += np.where(taut, 0.5 * spring**2 * L / tether.stiffness, 0.0)
    return total
