"""Channels of the result recomputed at some samples, from the states of the run."""

from typing import Any

import numpy as np

from taut.audit.ritz import channels as ritz_channels
from taut.audit.ropes import channels as route_channels
from taut.audit.ropes import routes
from taut.audit.rows import rows_of
from taut.audit.twin import energies
from taut.audit.twin.closures import is_open
from taut.audit.twin.motion import Motion, covered
from taut.audit.twin.points import Points
from taut.model import Model
from taut.model.enums import MODAL_JOINTS, JointKind

Arrays = dict[str, np.ndarray]  # channels by name
LIMIT = 1e-6  # allowed difference of a channel from its recomputed values, relative to the channel's largest value
FORCES = ("cable_tension", "exit_force", "anchor_force", "span_tension", "guide_load")
OF_SPINS = 1e-6  # least scale of angular accelerations, as a share of the squared largest angular velocity
OF_FORCES = 1e-3  # least scale of a force channel, as a share of the largest value of all of these


def channel_line(model: Model, arrays: Arrays, points: Points, motion: Motion) -> dict[str, Any]:
    """Largest difference between a channel and its recomputed values, relative to the channel's size."""
    at = np.searchsorted(arrays["time"], points.time - 1e-9 * np.maximum(points.time, 1.0))
    at = np.minimum(at, len(arrays["time"]) - 1)
    line: dict[str, Any] = {"points": len(points), "limit": LIMIT, "channels": 0, "max": 0.0}
    wrong, sizes = [], Sizes(arrays)
    if len(points) and not np.allclose(arrays["time"][at], points.time, rtol=1e-9, atol=1e-12):
        wrong.append(("time", float(points.time[0]), np.inf))
    for name, part, expected, *number in derived(model, points, motion):
        if name not in arrays:
            continue
        line["channels"] += number[0] if number else 1
        whole = arrays[name]
        found, size = whole[at] if part is None else whole[at][part], sizes.scale_of(name)
        miss = np.abs(found - expected) / size
        miss = np.where(np.isfinite(expected), np.where(np.isfinite(miss), miss, np.inf), 0.0).reshape(len(at), -1)
        worst = float(miss.max(initial=0.0))
        line["max"] = max(line["max"], worst if np.isfinite(worst) else 1.0)
        if worst > LIMIT:
            wrong.append((name, float(points.time[int(np.argmax(miss.max(axis=1)))]), worst))
    if not wrong:
        return {"verdict": "pass", **line}
    name, time, worst = max(wrong, key=lambda entry: entry[2])
    reason = f"{name} at t = {time:.6g} s is not what the state gives: off by {worst:.3g} of its largest value"
    return {"verdict": "fail", "reason": reason, "wrong": sorted({entry[0] for entry in wrong}), **line}


class Sizes(dict[str, float]):
    """Largest absolute value of every channel, padding aside, found when it is first asked for."""

    def __init__(self, arrays: Arrays) -> None:
        """Begin with no channel's size known."""
        super().__init__()
        self.arrays = arrays
        self.scales: dict[str, float] = {}

    def __missing__(self, name: str) -> float:
        """The value of a channel that was not asked for before."""
        found = self[name] = float(np.fmax.reduce(np.abs(self.arrays[name]), axis=None, initial=0.0))
        return found

    def scale_of(self, name: str) -> float:
        """Size of a channel, found once."""
        if name not in self.scales:
            self.scales[name] = self._scale_of(name)
        return self.scales[name]

    def _scale_of(self, name: str) -> float:
        """Largest value of a channel, with a lower bound for energies, multipliers and forces."""
        own, names = self[name], self.arrays
        if name.startswith("energy_"):
            own = max(self[other] for other in names if str(other).startswith("energy_"))
        if name in FORCES:
            # a small force may be the rounding of larger ones
            own = max(own, OF_FORCES * max(self[other] for other in FORCES if other in names))
        if name == "body_angular_acceleration":
            # at constant angular velocity the angular acceleration is only rounding
            own = max(own, OF_SPINS * self["body_angular_velocity"] ** 2)
        return max(own, 1e-9)


def derived(model: Model, points: Points, motion: Motion) -> Any:
    """Channels, the part of each that is compared (along all axes but time), and the expected values.

    After these, how many comparisons they stand for, if several were made one.
    """
    yield "joint_position", None, points.q
    yield "joint_velocity", None, points.v
    yield "joint_acceleration", None, points.a
    lam = points.lam.copy()
    for closure in rows_of(model.tables.closures):
        rows = slice(closure.row, closure.row + closure.row_count)
        lam[:, rows] *= ~is_open(closure, points.modes)[:, None]
    yield "multiplier", None, lam
    yield from bodies(model, motion)
    is_covered = covered(model)
    alike = alike_cables(model, is_covered)
    for which in alike:
        yield from cables(model, points, motion, which)
    known = {k for which in alike for k in which}
    for k, name in enumerate(model.names.cables):
        if k not in known:
            yield from cable(model, points, motion, (k, name), is_covered)
    yield from route_channels.channels(model, points, motion)
    yield from ritz_channels.channels(model, points, motion.signals)
    if not np.isin(model.tables.nodes["kind"], [int(kind) for kind in MODAL_JOINTS - {JointKind.RITZ}]).any():
        ropes = ritz_channels.energies(model, points, motion.signals)
        yield "energy_kinetic", None, energies.kinetic(model, points, motion) + ropes["kinetic"]
        yield "energy_gravity", None, energies.gravity(model, motion) + ropes["gravity"]
        yield "energy_elastic", None, energies.elastic(model, points, motion) + ropes["elastic"]


def bodies(model: Model, motion: Motion) -> Any:
    """Motion of the bodies."""
    nodes = list(model.names.bodies.values())
    if not nodes:
        return
    frames = motion.frames
    R0, R1, R2 = (frames.R[order][:, nodes] for order in range(3))
    yield "body_position", None, frames.x[0][:, nodes]
    yield "body_velocity", None, frames.x[1][:, nodes]
    yield "body_acceleration", None, frames.x[2][:, nodes]
    if np.any(model.tables.nodes["kind"][nodes] == JointKind.SMALL):
        return
    # skew parts: R' R^T = [w] and R'' R^T = [alpha] + [w]^2, with [w]^2 symmetric
    yield "body_angular_velocity", None, skew_part(R1 @ np.swapaxes(R0, -1, -2))
    yield "body_angular_acceleration", None, skew_part(R2 @ np.swapaxes(R0, -1, -2))


def skew_part(A: np.ndarray) -> np.ndarray:
    """Axial vector of the skew-symmetric part of a matrix."""
    found = [A[..., 2, 1] - A[..., 1, 2], A[..., 0, 2] - A[..., 2, 0], A[..., 1, 0] - A[..., 0, 1]]
    return 0.5 * np.stack(found, axis=-1)


def alike_cables(model: Model, is_covered: np.ndarray) -> list[list[int]]:
    """Numbers of plain cables of elements, grouped by their number of elements."""
    tables, found = model.tables, dict[int, list[int]]()
    modal, parents = [int(kind) for kind in MODAL_JOINTS], tables.nodes["parent"]
    for k, (name, nodes) in enumerate(model.names.cables.items()):
        chain = list(nodes)
        if (
            name in model.names.routes
            or f"{name}.rope" in model.names.tethers
            or tables.nodes["kind"][chain[0]] in modal
        ):
            continue
        is_whole = (parents[parents[chain[1:]]] == chain[:-1]).all()
        if is_whole and is_covered[tables.nodes["column"][chain]].all():
            found.setdefault(len(chain), []).append(k)
    return list(found.values())


def cables(model: Model, points: Points, motion: Motion, which: list[int]) -> Any:
    """Shapes, tensions, lengths and end forces of plain cables with as many elements."""
    names, nodes = list(model.names.cables), model.tables.nodes
    chains = np.array([model.names.cables[names[k]] for k in which])
    first, columns = nodes["parent"][chains[:, 0]], nodes["column"][chains]
    at, count = (slice(None), which), len(which)
    rows = np.concatenate([first[:, None], chains], axis=1)
    yield "cable_nodes", (*at, slice(0, rows.shape[1])), motion.frames.x[0][:, rows], count
    yield "cable_tension", (*at, slice(0, chains.shape[1])), -motion.transmitted_force[:, columns], count
    yield "exit_force", at, motion.transmitted.F[:, first], count
    free = model.tables.columns["free"][columns] * np.ones((len(points), 1, 1))
    feeds = model.tables.columns["feed"][columns]
    for c, n in np.argwhere(feeds >= 0):
        free[:, c, n] *= motion.signals[:, feeds[c, n], 0]
    yield "cable_length", at, free.sum(axis=-1), count
    yield "anchor_force", at, np.stack([anchor_force(model, points, names[k]) for k in which], axis=1), count


def cable(model: Model, points: Points, motion: Motion, which: tuple[int, str], is_covered: np.ndarray) -> Any:
    """Shape, tension, length and end forces of one cable; its forces if the balance of its columns can be judged."""
    k, name = which
    at = (slice(None), k)
    if name in model.names.routes:
        return
    chain, tables = list(model.names.cables[name]), model.tables
    if tables.nodes["kind"][chain[0]] in [int(kind) for kind in MODAL_JOINTS]:
        return
    first = int(tables.nodes["parent"][chain[0]])
    columns = tables.nodes["column"][chain]
    count, frames = len(chain), motion.frames
    # a cable that may be cut has its last half on a joint of its own: one node and one element more
    bases = tables.nodes["parent"][tables.nodes["parent"][chain]]
    gaps = [(n, int(bases[n])) for n in range(1, count) if bases[n] != chain[n - 1]]
    rows, members = [first, *chain], list(columns)
    for n, base in gaps:
        rows.insert(n + 1, base)
        members.insert(n, columns[n - 1])
    yield "cable_nodes", (*at, slice(0, len(rows))), frames.x[0][:, rows]
    if is_covered[columns].all():
        yield "cable_tension", (*at, slice(0, len(members))), -motion.transmitted_force[:, members]
        yield "exit_force", at, motion.transmitted.F[:, first]
    free = tables.columns["free"][columns] * np.ones((len(points), 1))
    feeds = tables.columns["feed"][columns]
    for n in np.flatnonzero(feeds >= 0):
        free[:, n] *= motion.signals[:, feeds[n], 0]
    yield "cable_length", at, free.sum(axis=1) + length_behind(model, points, motion, name)
    yield "anchor_force", at, anchor_force(model, points, name)


def length_behind(model: Model, points: Points, motion: Motion, name: str) -> np.ndarray:
    """Unstrained length of the rope behind a cable of elements [point]."""
    behind = model.names.tethers.get(f"{name}.rope")
    if behind is None:
        return np.zeros(len(points))
    tether: Any = model.tables.tethers[behind]
    way = routes.way_of(model, motion.frames, points, int(tether.route))
    return routes.tether_length(model, tether, points, motion.signals, way)[0]


def anchor_force(model: Model, points: Points, name: str) -> np.ndarray:
    """Multipliers of the anchor [point, 3]."""
    k = model.names.closures.index(f"{name}.anchor")
    (closure,) = rows_of(model.tables.closures[k : k + 1])
    force, held = np.zeros((len(points), 3)), np.flatnonzero(closure.point_rows)
    force[:, held] = points.lam[:, closure.row : closure.row + len(held)] * ~is_open(closure, points.modes)[:, None]
    return force
