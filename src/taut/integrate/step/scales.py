"""Sizes by which errors are judged: of the machine, of every body, and of what a coordinate moves.

`tolerance` is the error of any point of any body, against the size of the machine. ``machine_size`` is that size,
``body_radii`` says how far points of a body lie from its origin, and ``reaches`` how far the farthest point moves for a
unit of a coordinate.
"""

from typing import Any

import numpy as np

from taut.dynamics.residual import place
from taut.model import Data, Model, data_beside
from taut.model.enums import ClosureKind, JointKind
from taut.model.joints import WANDERING_JOINTS
from taut.model.remembered import remembered
from taut.results.audit import energy_limits

POINT_SIZE = 1.0  # size assumed for a machine that is a single point [m]
USUAL_GRAVITY = 9.81  # gravity assumed in time scales of machines without gravity [m/s^2]
LEAST_RADIUS = 1e-3  # least radius of a body relative to the machine, so that every rotation has an error in metres
CABLE_JOINTS = (JointKind.BEND_XY, JointKind.BEND_YX, JointKind.STRETCH)
BOX = 3.0  # (distance of a box's corner / radius of gyration)^2


def set_scales(work: Any, model: Model, data: Data, tolerance: float) -> None:
    """Write into a method's workspace what its errors are judged by, at the start state in ``data``."""
    placed = placed_at(model, data)
    size = extent(model, placed)
    work.radius[:] = body_radii(model, size)
    work.reach[:] = reaches(model, placed, work.radius)
    work.clock[0].tolerated, work.clock[0].time_scale = tolerance * size, time_scale(model, size)
    limits = energy_limits(tolerance, model.weight, size)
    work.clock[0].energy_limit, work.clock[0].energy_floor = limits["energy_balance"], limits["energy_floor"]


def time_scale(model: Model, size: float) -> float:
    """The machine's time scale [s], that of a pendulum of its size; turns velocity errors into position errors."""
    gravity = float(np.linalg.norm(model.tables.settings[0].gravity))
    return float(np.sqrt(size / (gravity if gravity > 0.0 else USUAL_GRAVITY)))


def machine_size(model: Model, data: Data) -> float:
    """Largest extent of the machine along x, y or z at the state [m]: bodies, cables, and where they are held."""
    return extent(model, placed_at(model, data))


def extent(model: Model, placed: Data) -> float:
    """Largest extent of the machine along x, y or z at a placed state [m]."""
    radii = solid_radii(model)
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for points, radius in ((placed.nodes["x"][1:], radii[1:, None]), (held_points(model, placed), 0.0)):
        if len(points):
            low = np.minimum(low, (points - radius).min(axis=0))
            high = np.maximum(high, (points + radius).max(axis=0))
    size = float(np.max(high - low))
    return size if 0.0 < size < np.inf else POINT_SIZE


def placed_at(model: Model, data: Data) -> Data:
    """A workspace of its own, placed at the state."""
    placed = data_beside(model, data)
    placed.time[0] = data.time[0]
    placed.q[:], placed.v[:] = data.q, data.v
    place(model.tables, placed)
    return placed


def held_points(model: Model, placed: Data) -> np.ndarray:
    """Points at which joints and closures hold the machine, world axes [n, 3]."""
    nodes = model.tables.nodes.view(np.ndarray)[1:]
    held = nodes[~is_loose(nodes)]
    owners, points = attached(model)
    return points_on(placed, np.concatenate([held["parent"], owners]), np.concatenate([held["offset"], points]))


def is_loose(nodes: np.ndarray) -> np.ndarray:
    """Which joints' positions are arbitrary, as those of free bodies: the origin of the world."""
    return (nodes["parent"] == 0) & np.isin(nodes["kind"], [JointKind.DRIVEN, *WANDERING_JOINTS])


def points_on(placed: Data, nodes: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points of bodies in world axes."""
    here = placed.nodes.view(np.ndarray)
    return here["x"][nodes] + np.einsum("nij,nj->ni", here["R"][nodes].reshape(-1, 3, 3), points)


def attached(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and points at which closures, cables without mass, contacts and forces act."""
    return remembered(model, "attached", found_attached)


def found_attached(model: Model) -> tuple[np.ndarray, np.ndarray]:
    """Collect the nodes and points at which closures, contacts, wrenches and guides act."""
    tables = model.tables
    closures = joined_ends(tables.closures.view(np.ndarray))
    others = [table.view(np.ndarray) for table in (tables.contacts, tables.wrenches, tables.guides)]
    nodes = [closures["node_a"], closures["node_b"], *(table["node"] for table in others)]
    points = [closures["point_a"], closures["point_b"], *(table["point"] for table in others)]
    return np.concatenate(nodes), np.concatenate(points)


def joined_ends(closures: np.ndarray) -> np.ndarray:
    """Closures that hold points: not those of a coordinate or a route, nor those against a plane."""
    others = (ClosureKind.COORDINATE, ClosureKind.DISTANCE)
    return closures[~np.isin(closures["kind"], others) & (closures["is_unilateral"] == 0)]


def solid_radii(model: Model) -> np.ndarray:
    """Distance of the farthest point of every node's body from its origin, as its mass and inertia say [m]."""
    return remembered(model, "solid radii", found_radii)


def found_radii(model: Model) -> np.ndarray:
    """Distances of the farthest points [m], computed from mass, centre of mass and inertia of every body."""
    nodes = model.tables.nodes
    mass, inertia = nodes["mass"], nodes["inertia"]
    trace = inertia[:, 0] + inertia[:, 3] + inertia[:, 5]
    gyration = np.where(mass > 0.0, 0.5 * trace / np.where(mass > 0.0, mass, 1.0), 0.0)
    radii = np.where(mass > 0.0, np.linalg.norm(nodes["com"], axis=1) + np.sqrt(BOX * gyration), 0.0)
    # a cable element's far end is the next node
    return np.where(np.isin(nodes["kind"], CABLE_JOINTS), 0.0, radii)


def body_radii(model: Model, size: float) -> np.ndarray:
    """Distance of the farthest point of every node's body, or of what acts on it, from its origin [m]."""
    radii = np.minimum(solid_radii(model), size)
    owners, points = attached(model)
    np.maximum.at(radii, owners, np.linalg.norm(points, axis=1))
    return np.maximum(radii, np.where(np.isin(model.tables.nodes["kind"], CABLE_JOINTS), 0.0, LEAST_RADIUS * size))


def reaches(model: Model, placed: Data, radii: np.ndarray) -> np.ndarray:
    """How far the farthest point moves for a unit of each velocity coordinate [m/rad or 1]: trees stretched out."""
    nodes, columns = model.tables.nodes, model.tables.columns
    arms = np.linalg.norm(placed.nodes["r"], axis=1)
    lengths, far, parents = arms.tolist(), radii.tolist(), nodes["parent"].tolist()
    for i in range(len(nodes) - 1, 0, -1):
        far[parents[i]] = max(far[parents[i]], lengths[i] + far[i])
    reach = np.array(far)
    found = np.where(columns["is_rotation"] != 0, reach[columns["node"]], 1.0)
    for i in np.flatnonzero(nodes["kind"] == JointKind.REDUCED):
        first = nodes["column"][i]
        found[first : first + nodes["column_count"][i]] = shape_reaches(model, int(nodes["modal"][i]))
    return found


def shape_reaches(model: Model, cable: int) -> np.ndarray:
    """How far any point of a reduced cable moves, at most, for a unit of each shape, from the mean shape.

    Points are the middles of the elements at the stations, and the end. Bends of either sign, as in the higher shapes,
    cancel along the cable: the sum of their sizes would be many times too far.
    """
    t = model.tables.reduced
    directions, shapes = t.counts[cable, 1], t.counts[cable, 2]
    to_points = np.vstack([t.sums[cable], t.weight[cable]])
    alpha, beta, length = t.mean[cable]
    along = np.stack([np.sin(alpha) * np.cos(beta), np.sin(beta), np.cos(alpha) * np.cos(beta)])
    by_alpha = np.stack([along[2], np.zeros_like(alpha), -along[0]])
    by_beta = np.stack([-np.sin(alpha) * np.sin(beta), np.cos(beta), -np.cos(alpha) * np.sin(beta)])
    # derivatives of the elements' vectors p t by the shapes [shape, xyz, station], added up along the cable
    turned = t.alpha[cable, :directions, None] * by_alpha + t.beta[cable, :directions, None] * by_beta
    moved = np.concatenate([length * turned, t.length[cable, : shapes - directions, None] * along]) @ to_points.T
    return np.linalg.norm(moved, axis=1).max(axis=1)
