"""Poses from measured lengths, row after row: each starts from the pose before it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from taut.robots.datasets import dataset
from taut.robots.forward import pose as pose_from_lengths
from taut.robots.from_model import Machine, robot_of
from taut.robots.problems import refusal
from taut.robots.rests.elastic import elastic_rest
from taut.robots.rests.sagging import sagging_rest

# no pose fits the measured lengths if the root mean square of the differences exceeds this share of the mean length
FITS = 0.01
RESTS = {"elastic": elastic_rest, "sagging": sagging_rest}


@dataclass(frozen=True)
class PoseTrack:
    """Poses of a platform whose cables had measured lengths."""

    name: str
    cables: tuple[str, ...]
    coordinates: tuple[str, ...]
    lengths: np.ndarray  # measured lengths of the cables [m], shape [n_poses, n_cables]
    poses: np.ndarray  # poses that fit the lengths [n_poses, n]
    # root mean square of model less measured lengths [m], shape [n_poses]; 0 where rest poses are computed
    differences: np.ndarray
    conditions: np.ndarray  # condition number of the Jacobian [n_poses]; NaN where rest poses are computed
    slack: tuple[tuple[str, ...], ...]  # names of the slack cables at every pose
    times: np.ndarray | None = None  # times of the poses [s], shape [n_poses]; None: poses without times

    @property
    def fits(self) -> np.ndarray:
        """Whether the model has nearly the measured lengths, by pose."""
        return self.differences <= FITS * self.lengths.mean(axis=1)

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        found = {
            "platform_pose": (("pose", "coordinate"), self.poses, "m or rad", "pose of the platform"),
            "cable_length": (("pose", "cable"), self.lengths, "m", "measured length"),
            "difference": (("pose",), self.differences, "m", "root mean square of differences of lengths"),
            "condition": (("pose",), self.conditions, "1", "condition number of the Jacobian"),
            "slack_cables": (("pose",), [len(names) for names in self.slack], "1", "number of slack cables"),
        }
        if self.times is not None:
            found["time"] = (("pose",), self.times, "s", "time")
        coords = {"cable": self.cables, "coordinate": self.coordinates}
        return dataset(f"poses from lengths: {self.name}", coords, found)


def track(machine: Machine, lengths: Any, *, near: Any = None, times: Any = None, cables: str = "straight",
          **options: Any) -> PoseTrack:  # fmt: skip
    """Poses from rows of lengths.

    Args:
        machine: Model, Scenario or Robot.
        lengths: measured [m], shape [n_poses, n_cables]; unstrained ones for elastic and sagging cables.
        near: pose near the first one; none: from the lengths.
        times: of the rows [s], kept with them.
        cables: straight, elastic or sagging.
        options: of ``robot_of``.

    Raises:
        ScenarioError: lengths that are not one positive number per cable and row.
    """
    robot = robot_of(machine, **options)
    given = np.atleast_2d(np.asarray(lengths, float))
    if cables != "straight" and cables not in RESTS:
        raise refusal("must be straight, elastic or sagging", at="cables", value=cables)
    if cables == "straight":
        robot.need_enough_lengths()
    if not len(given):
        raise refusal("has no rows", at="lengths")
    poses, differences, conditions, slack = [], [], [], []
    for row in given:
        if cables == "straight":
            found = pose_from_lengths(robot, row, near=near, starts=0 if near is not None else 1).found[0]
            differences.append(np.sqrt(found.cost / len(row)))
            conditions.append(found.condition)
        else:
            found = RESTS[cables](robot, row, near=near)
            differences.append(0.0)
            conditions.append(np.nan)
        poses.append(found.pose)
        slack.append(tuple(found.slack))
        near = found.pose
    return PoseTrack(
        name=robot.name,
        cables=robot.cables,
        coordinates=robot.coordinates,
        lengths=given,
        poses=np.array(poses),
        differences=np.array(differences),
        conditions=np.array(conditions),
        slack=tuple(slack),
        times=None if times is None else np.asarray(times, float),
    )
