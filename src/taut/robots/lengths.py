"""Inverse kinematics: lengths, directions, wraps and swivels of all cables at poses, and their speeds along a path."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from taut.kernels.robots.columns import FREE, LEAVE, LENGTH, PULL, TOWARDS, WRAP
from taut.robots.datasets import dataset
from taut.robots.from_model import Machine, robot_of
from taut.robots.paths import as_path
from taut.robots.poses import reach_poses
from taut.robots.problems import refusal
from taut.robots.robot import Robot


@dataclass(frozen=True)
class CableLengths:
    """Lengths and directions of all cables at each of several poses."""

    name: str
    cables: tuple[str, ...]
    coordinates: tuple[str, ...]
    poses: np.ndarray  # poses of the platform [n_poses, n]
    lengths: np.ndarray  # length from the exit over pulley and guides to the anchor [m], shape [n_poses, n_cables]
    free: np.ndarray  # length of the last straight piece of a cable [m], shape [n_poses, n_cables]
    wraps: np.ndarray  # wrap angle on the pulley; for a rope over guides the sum over its wheels [rad]
    # angle of the pulley about its swivel axis [rad]; 0 towards x (towards y where the axis is along x)
    swivels: np.ndarray
    slopes: np.ndarray  # angle of the free cable above the horizontal, seen from the platform [rad]
    directions: np.ndarray  # unit vector in which the cable pulls at its anchor, world axes [n_poses, n_cables, 3]
    leave_points: np.ndarray  # where the free cable leaves pulley or exit, world [m], shape [n_poses, n_cables, 3]
    structure: np.ndarray  # structure matrix W: wrench on the platform for unit tensions [n_poses, n, n_cables]
    wrench_rows: tuple[str, ...]
    times: np.ndarray | None = None  # times of the poses [s], shape [n_poses]; None: poses without times
    speeds: np.ndarray | None = None  # rates of the lengths [m/s], shape [n_poses, n_cables]; None without times
    # angle of each drum since the first pose, positive when cable is paid out [rad]; None without its radius
    drum_angles: np.ndarray | None = None

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        each = ("pose", "cable")
        found = {
            "platform_pose": (("pose", "coordinate"), self.poses, "m or rad", "pose of the platform"),
            "cable_length": (each, self.lengths, "m", "length from the exit to the anchor"),
            "cable_free_length": (each, self.free, "m", "length between pulley and anchor"),
            "cable_wrap_angle": (each, self.wraps, "rad", "angle on the pulley"),
            "cable_swivel_angle": (each, self.swivels, "rad", "angle of the pulley about its axis"),
            "cable_slope": (each, self.slopes, "rad", "angle of the free cable above the horizontal"),
            "cable_direction": ((*each, "xyz"), self.directions, "1", "pull of a unit tension at the anchor"),
            "cable_leave_point": ((*each, "xyz"), self.leave_points, "m", "where the cable leaves its pulley or exit"),
            "structure_matrix": (("pose", "wrench", "cable"), self.structure, "1 or m", "wrench per tension"),
        }
        if self.times is not None and self.speeds is not None:
            found["time"] = (("pose",), self.times, "s", "time")
            found["cable_speed"] = (each, self.speeds, "m/s", "rate of the length")
        if self.drum_angles is not None:
            found["drum_angle"] = (each, self.drum_angles, "rad", "angle of the drum since the first pose")
        coords = {"cable": self.cables, "coordinate": self.coordinates, "wrench": self.wrench_rows, "xyz": "xyz"}
        return dataset(f"cable lengths: {self.name}", coords, found)


def lengths(machine: Machine, poses: Any = None, *, times: Any = None, drum_radius: float | None = None,
            **options: Any) -> CableLengths:  # fmt: skip
    """Inverse kinematics with straight cables, from points, over swivelling pulleys, or over guides.

    Args:
        machine: Model, Scenario or Robot.
        poses: one pose or many, shape [n_poses, n]; none: the pose at the start.
        times: of the poses [s]; then speeds of the cables are found too.
        drum_radius: of the winches [m]; then angles of their drums are found too.
        options: of ``robot_of``: body, freedom, exits.

    Raises:
        ScenarioError: a cable that does not reach, poses that are no poses, a radius that is none.
    """
    robot = robot_of(machine, **options)
    if drum_radius is not None and not 0.0 < drum_radius < np.inf:
        raise refusal("must be a radius", at="drum", value=drum_radius)
    path = as_path(robot, robot.start if poses is None else poses, times)
    own = path.full[:, robot.rows]
    found = reach_poses(robot, own)
    along = found.cables[..., LENGTH]
    speeds = None
    if path.twists is not None:
        speeds = -np.einsum("knm,kn->km", found.W, path.twists[:, robot.rows])
    return CableLengths(
        name=robot.name,
        cables=robot.cables,
        coordinates=robot.coordinates,
        poses=own,
        lengths=along,
        free=found.cables[..., FREE],
        wraps=found.cables[..., WRAP],
        swivels=swivel_angles(robot, found.cables[..., TOWARDS : TOWARDS + 3]),
        slopes=slopes(found.cables[..., PULL : PULL + 3]),
        directions=found.cables[..., PULL : PULL + 3],
        leave_points=found.cables[..., LEAVE : LEAVE + 3],
        structure=found.W,
        wrench_rows=robot.wrench_rows,
        times=path.times,
        speeds=speeds,
        drum_angles=None if drum_radius is None else (along - along[0]) / drum_radius,
    )


def slopes(pulls: np.ndarray) -> np.ndarray:
    """Angles of pulls above the horizontal [rad]."""
    return np.arctan2(pulls[..., 2], np.hypot(pulls[..., 0], pulls[..., 1]))


def swivel_angles(robot: Robot, towards: np.ndarray) -> np.ndarray:
    """Angles of the pulleys about their axes [rad]; 0 for points."""
    k = robot.axes
    guide = np.where(np.abs(k[:, :1]) < 0.9, np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    first = guide - np.sum(guide * k, axis=1, keepdims=True) * k
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(k, first)
    angles = np.arctan2(np.sum(towards * second, axis=-1), np.sum(towards * first, axis=-1))
    return np.where(robot.radii > 0.0, angles, 0.0)
