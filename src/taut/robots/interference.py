"""Interference: how near cables come to each other, to the platform's box and to boxes in the world, and box to boxes.

Every straight piece counts; arcs on wheels do not.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import xarray as xr

from taut.kernels.robots.boxes import body_rows
from taut.kernels.robots.segments import box_rows, pair_rows
from taut.kernels.threads import in_threads
from taut.robots.datasets import dataset
from taut.robots.from_model import Machine, robot_of
from taut.robots.poses import new_robot_task
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.ways import Guide, Piece, pieces_of

SAME = 1e-9  # two exits, or two anchors, this near to each other are one point [m]


@dataclass(frozen=True)
class Clearances:
    """Distances at poses; what is not asked for is empty."""

    name: str
    cables: tuple[str, ...]
    coordinates: tuple[str, ...]
    poses: np.ndarray  # poses of the platform [n_poses, n]
    pairs: tuple[tuple[str, str], ...]  # names of two cables with pieces that share no end: only these can touch
    pair_distances: np.ndarray  # smallest distance of the two cables of a pair [m], shape [n_poses, n_pairs]
    platform_distances: np.ndarray  # distance of every cable from the platform's box [m], shape [n_poses, n_cables]
    # distances of the cables from boxes in the world [m], shape [n_poses, n_obstacles, n_cables]
    obstacle_distances: np.ndarray
    # distances of the platform's box from boxes in the world [m], shape [n_poses, n_obstacles]; empty without either
    body_distances: np.ndarray

    @property
    def smallest(self) -> np.ndarray:
        """The smallest distance of two cables [m], shape [n_poses]; infinite without pairs."""
        return self.pair_distances.min(axis=1) if self.pairs else np.full(len(self.poses), np.inf)

    @property
    def nearest_pairs(self) -> tuple[tuple[str, str], ...]:
        """Names of the two cables that are nearest to each other, at every pose."""
        return tuple(self.pairs[k] for k in self.pair_distances.argmin(axis=1)) if self.pairs else ()

    @property
    def clearance(self) -> np.ndarray:
        """The smallest distance of all kinds [m], shape [n_poses]."""
        found = [self.smallest]
        for other in (self.platform_distances, self.obstacle_distances, self.body_distances):
            if other.size:
                found.append(other.reshape(len(self.poses), -1).min(axis=1))
        return np.min(found, axis=0)

    @property
    def approaches(self) -> tuple[tuple[str, str, np.ndarray], ...]:
        """Both names and the distances [m] of whatever can touch, shape [n_poses]; the nearest first.

        Distances that are not finite at any pose are left out.
        """
        body = "platform"
        found = [(*pair, self.pair_distances[:, p]) for p, pair in enumerate(self.pairs)]
        if self.platform_distances.size:
            found += [(name, body, self.platform_distances[:, i]) for i, name in enumerate(self.cables)]
        for k in range(self.obstacle_distances.shape[1]):
            other = f"obstacle {k + 1}"
            found += [(name, other, self.obstacle_distances[:, k, i]) for i, name in enumerate(self.cables)]
            found += [(body, other, self.body_distances[:, k])] if self.body_distances.size else []
        known = [one for one in found if np.isfinite(one[2]).any()]
        return tuple(sorted(known, key=lambda one: float(np.nanmin(one[2]))))

    @property
    def nearest(self) -> tuple[tuple[str, str, float, int], ...]:
        """Both names, distance [m] and pose of the nearest approach of whatever can touch, the smallest first.

        Poses that a cable does not reach are left out.
        """
        places = [int(np.nanargmin(column)) for _, _, column in self.approaches]
        return tuple((one, other, float(column[at]), at)
                     for (one, other, column), at in zip(self.approaches, places, strict=True))  # fmt: skip

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        found = {
            "platform_pose": (("pose", "coordinate"), self.poses, "m or rad", "pose of the platform"),
            "pair_distance": (("pose", "pair"), self.pair_distances, "m", "distance of two cables"),
            "clearance": (("pose",), self.clearance, "m", "smallest distance of all"),
        }
        if self.platform_distances.size:
            found["platform_distance"] = (("pose", "cable"), self.platform_distances, "m", "distance from the platform")
        if self.obstacle_distances.size:
            dims = ("pose", "obstacle", "cable")
            found["obstacle_distance"] = (dims, self.obstacle_distances, "m", "distance from an obstacle")
        if self.body_distances.size:
            found["body_distance"] = (("pose", "obstacle"), self.body_distances, "m", "platform from an obstacle")
        coords = {"cable": self.cables, "coordinate": self.coordinates, "pair": [f"{a} {b}" for a, b in self.pairs]}
        return dataset(f"interference: {self.name}", coords, found)


def interference(machine: Machine, poses: Any = None, *, box: Any = None, obstacles: Any = (), trim: float = 0.0,
                 **options: Any) -> Clearances:  # fmt: skip
    """Distances of cables and platform at poses; cables over pulleys and guides count from wheel to wheel.

    Args:
        machine: Model, Scenario or Robot.
        poses: one pose or many, shape [n_poses, n]; none: the pose at the start.
        box: lowest and highest corner of the platform, platform frame [m], shape [2, 3]; none: the scenario's, if any.
        obstacles: boxes in the world, lowest and highest corners [m], shape [n_obstacles, 2, 3].
        trim: length of cable at the anchor that does not count for platform and obstacles [m].
        options: of ``robot_of``.

    Raises:
        ScenarioError: boxes that are none, a trim that is no length.
    """
    robot = robot_of(machine, **options)
    if not 0.0 <= trim < np.inf:
        raise refusal("must be a length", at="trim", value=trim)
    walls = boxes_of(obstacles, "obstacles")
    full = robot.full_poses(robot.start if poses is None else poses)
    k, pieces = len(full), pieces_of(robot)
    near = apart(pieces)
    indices, found = np.array(near, np.int64).reshape(-1, 2), np.zeros((k, len(near)))

    def pair_stretch(i: int, j: int) -> None:
        pair_rows(new_robot_task(robot), full, indices, i, j, np.zeros((2, len(pieces), 3)), found)

    in_threads(pair_stretch, k)
    by_cable = [(pieces[i].cable, pieces[j].cable) for i, j in near]
    pairs = tuple(dict.fromkeys(by_cable))
    carried = robot.box if box is None else boxes_of([box], "box")[0]
    return Clearances(
        name=robot.name,
        cables=robot.cables,
        coordinates=robot.coordinates,
        poses=full[:, robot.rows],
        pairs=tuple((robot.cables[i], robot.cables[j]) for i, j in pairs),
        pair_distances=smallest(found, by_cable, pairs),
        platform_distances=np.zeros((k, 0))
        if carried is None
        else from_boxes(robot, full, np.array([carried]), trim, True)[:, 0],
        obstacle_distances=from_boxes(robot, full, walls, trim, False),
        body_distances=np.zeros((k, 0)) if carried is None else between_boxes(full, np.array(carried), walls),
    )


def smallest(found: np.ndarray, owners: list[Any], names: Any) -> np.ndarray:
    """The smallest of what belongs to each name, along the last axis; infinite for one without any."""
    least = np.full((*found.shape[:-1], len(names)), np.inf)
    place = {name: n for n, name in enumerate(names)}
    for p, owner in enumerate(owners):
        n = place[owner]
        least[..., n] = np.minimum(least[..., n], found[..., p])
    return least


def apart(pieces: list[Piece]) -> list[tuple[int, int]]:
    """Pairs of pieces of different cables that share no end."""

    def is_shared(one: Guide, other: Guide) -> bool:
        return one.is_carried == other.is_carried and float(np.abs(one.point - other.point).max()) <= SAME

    return [(i, j) for i, j in combinations(range(len(pieces)), 2) if pieces[i].cable != pieces[j].cable
            and not any(is_shared(one, other) for one in pieces[i].ends for other in pieces[j].ends)]  # fmt: skip


def boxes_of(given: Any, at: str) -> np.ndarray:
    """Boxes as lowest and highest corners, shape [n, 2, 3]; refuses what is none."""
    try:
        found = np.array(given, float)
        found = found.reshape(-1, 2, 3) if found.size else np.zeros((0, 2, 3))
    except ValueError:
        found = np.full((1, 2, 3), np.nan)
    if not np.isfinite(found).all() or np.any(found[:, 0] > found[:, 1]):
        raise refusal("needs a lowest and a highest corner, each x, y, z", at=at, value=given)
    return found


def between_boxes(full: np.ndarray, box: np.ndarray, walls: np.ndarray) -> np.ndarray:
    """Distances of the platform's box from boxes in the world, shape [n_poses, n_obstacles]."""
    found = np.zeros((len(full), len(walls)))

    def stretch(i: int, j: int) -> None:
        body_rows(full, box, walls, np.zeros((3, 3)), np.zeros((2, 3)), i, j, found)

    if len(walls):
        in_threads(stretch, len(full))
    return found


def from_boxes(robot: Robot, full: np.ndarray, given: np.ndarray, trim: float, is_carried: bool) -> np.ndarray:
    """Distances of every cable from boxes, shape [n_poses, n_boxes, n_cables]."""
    pieces = pieces_of(robot)
    m, found = len(pieces), np.zeros((len(full), len(given), len(pieces)))
    trims = trim * np.array([[piece.ends[side].is_carried for piece in pieces] for side in (0, 1)], float)

    def stretch(i: int, j: int) -> None:
        box_rows(new_robot_task(robot), full, given, trims, is_carried, i, j, np.zeros((2, m, 3)), found)

    if len(given):
        in_threads(stretch, len(full))
    # a piece of rope between two guides on the platform counts as part of it: its distance would be zero
    kept = [p for p, piece in enumerate(pieces) if not (is_carried and all(end.is_carried for end in piece.ends))]
    return smallest(found[..., kept], [pieces[p].cable for p in kept], range(len(robot.cables)))
