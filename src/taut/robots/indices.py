"""Indices of a pose: singular values, condition number, tension factor, cable speeds that twists take.

The tension factor is the largest t with W f = 0, t <= f <= 1: positive if and only if the cables can make every wrench,
near one if they do so evenly. With f = N x it is a linear program in x and t, solved by scipy's HiGHS.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from taut.robots.datasets import dataset
from taut.robots.from_model import Machine, robot_of
from taut.robots.poses import reach_poses
from taut.robots.workspaces.fields import sizes

CLOSED = 1e-9  # tension factors up to this are rounding: such cables cannot make every wrench


@dataclass(frozen=True)
class Indices:
    """Indices of poses; moments count in units of the length given."""

    name: str
    cables: tuple[str, ...]
    coordinates: tuple[str, ...]
    poses: np.ndarray  # poses of the platform [n_poses, n]
    singular_values: np.ndarray  # singular values of W, largest first [n_poses, n]
    condition: np.ndarray  # condition number of W [n_poses]
    tension_factor: np.ndarray  # tension factor: largest t with W f = 0, t <= f <= 1 [n_poses]
    cable_speeds: np.ndarray  # largest cable speeds that twists of the given box need [m/s], shape [n_poses, n_cables]

    @property
    def is_closed(self) -> np.ndarray:
        """Whether the cables can make every wrench."""
        return self.tension_factor > CLOSED

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        found = {
            "platform_pose": (("pose", "coordinate"), self.poses, "m or rad", "pose of the platform"),
            "singular_value": (("pose", "mode"), self.singular_values, "1 or m", "singular values of W"),
            "condition": (("pose",), self.condition, "1", "condition number of W"),
            "tension_factor": (("pose",), self.tension_factor, "1", "tension factor"),
            "cable_speed": (("pose", "cable"), self.cable_speeds, "m/s", "largest cable speed"),
        }
        return dataset(f"indices: {self.name}", {"cable": self.cables, "coordinate": self.coordinates}, found)


def indices(machine: Machine, poses: Any = None, *, twist: Any = 0.0, length: float = 1.0, **options: Any) -> Indices:
    """Indices of poses.

    Args:
        machine: Model, Scenario or Robot.
        poses: one or many; none: the pose at the start.
        twist: half widths of a box of twists [m/s, rad/s].
        length: by which moments are divided [m].
        options: of ``robot_of``.
    """
    robot = robot_of(machine, **options)
    reached = reach_poses(robot, robot.start if poses is None else poses)
    scaled = reached.W / np.where(robot.rows < 3, 1.0, length)[:, None]
    values = np.linalg.svd(scaled, compute_uv=False)
    with np.errstate(divide="ignore"):
        condition = np.where(values[:, -1] > 0.0, values[:, 0] / values[:, -1], np.inf)
    return Indices(
        name=robot.name,
        cables=robot.cables,
        coordinates=robot.coordinates,
        poses=reached.full[:, robot.rows],
        singular_values=values,
        condition=condition,
        tension_factor=np.array([tension_factor(W) for W in scaled]),
        cable_speeds=np.einsum("knm,n->km", np.abs(reached.W), sizes(robot, twist, "twist")),
    )


def tension_factor(W: np.ndarray) -> float:
    """The largest t with W f = 0, t <= f <= 1; 0 where W has not full rank."""
    from scipy.optimize import linprog

    n, m = W.shape
    if m <= n or np.linalg.matrix_rank(W, tol=1e-9 * float(np.abs(W).max())) < n:
        return 0.0
    equal = np.hstack([W, np.zeros((n, 1))])
    below = np.hstack([-np.eye(m), np.ones((m, 1))])
    bounds = [(0.0, 1.0)] * m + [(0.0, None)]
    found = linprog(np.append(np.zeros(m), -1.0), below, np.zeros(m), equal, np.zeros(n), bounds=bounds)
    return max(float(-found.fun), 0.0) if found.status == 0 else 0.0
