"""Calibration: exits, anchors and length offsets from measured poses and lengths, with what the data can tell.

    l_ki = l(A_i, b_i; pose_k) + o_i,   min over A, b, o of the sum of squared differences                         (1)
For one cable dl/dA = u, dl/db = -R^T u, dl/do = 1: cables are independent of each other when the poses are known. The
singular values of the stacked matrix, its columns in units of their own length, say which combinations the data cannot
tell apart; those keep the values they begin with.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from taut.kernels.robots.reach import LENGTH, PULL
from taut.robots.datasets import dataset
from taut.robots.from_model import Machine, robot_of
from taut.robots.least_squares import spread, step
from taut.robots.poses import reach_poses
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.rotations import rotation

MOST_STEPS = 100
UNKNOWNS = ("exits", "anchors", "offsets")


@dataclass(frozen=True)
class Calibration:
    """A robot that fits measurements."""

    robot: Robot
    unknowns: tuple[str, ...]
    offsets: np.ndarray  # of the lengths [m], shape [n_cables]
    exit_deviation: np.ndarray  # standard deviation [m], shape [n_cables, 3]; 0: not asked for, NaN: cannot be told
    anchor_deviation: np.ndarray
    offset_deviation: np.ndarray  # [n_cables]
    residuals: np.ndarray  # model less measured [m], shape [n_poses, n_cables]
    cost: float  # sum of their squares [m^2]
    conditions: np.ndarray  # of every cable's scaled matrix
    hidden: tuple[str, ...]  # what the data cannot tell apart, in words

    def to_xarray(self) -> xr.Dataset:
        """As a dataset with units."""
        each = ("cable", "xyz")
        found = {
            "exit": (each, self.robot.exits, "m", "exits"),
            "anchor": (each, self.robot.anchors, "m", "anchors, platform frame"),
            "offset": (("cable",), self.offsets, "m", "offset of the length"),
            "exit_deviation": (each, self.exit_deviation, "m", "standard deviation"),
            "anchor_deviation": (each, self.anchor_deviation, "m", "standard deviation"),
            "offset_deviation": (("cable",), self.offset_deviation, "m", "standard deviation"),
            "residual": (("pose", "cable"), self.residuals, "m", "length of the model less the measured one"),
            "condition": (("cable",), self.conditions, "1", "condition number of the scaled matrix"),
        }
        coords = {"cable": self.robot.cables, "xyz": "xyz"}
        return dataset(f"calibration: {self.robot.name}", coords, found, cost=self.cost)


def calibrate(machine: Machine, poses: Any, lengths: Any, *, unknowns: Any = ("exits", "offsets"),
              **options: Any) -> Calibration:  # fmt: skip
    """Fit geometry to measured poses and lengths, Eq. (1).

    Args:
        machine: Model, Scenario or Robot to begin with.
        poses: measured, shape [n_poses, n].
        lengths: measured [m], shape [n_poses, n_cables].
        unknowns: of exits, anchors and offsets.
        options: of ``robot_of``.

    Raises:
        ScenarioError: too few poses, or measurements of another shape.
    """
    robot = robot_of(machine, **options)
    measured, asked = np.atleast_2d(np.asarray(lengths, float)), tuple(unknowns)
    k, m = len(np.atleast_2d(poses)), len(robot.cables)
    if measured.shape != (k, m) or not np.isfinite(measured).all():
        raise refusal(f"needs {k} rows of {m} lengths, one row per pose", at="lengths")
    if not asked or set(asked) - set(UNKNOWNS):
        raise refusal("is not known", at="unknowns", value=asked, remedy=f"of {', '.join(UNKNOWNS)}")
    width = 3 * ("exits" in asked) + 3 * ("anchors" in asked) + ("offsets" in asked)
    if k < width:
        raise refusal(f"{k} poses cannot tell {width} numbers per cable", at="poses", remedy="measure more poses")
    offsets = np.zeros(m)
    for _ in range(MOST_STEPS):
        r, A = equations(robot, poses, measured - offsets, asked)
        steps = [step(A[:, i], r[:, i]) for i in range(m)]
        robot, offsets = changed(robot, offsets, np.array(steps), asked)
        if float(np.abs(steps).max()) <= 1e-13 * (1.0 + float(np.abs(robot.exits).max())):
            break
    return judged(robot, offsets, equations(robot, poses, measured - offsets, asked), asked)


def equations(robot: Robot, poses: Any, measured: np.ndarray, asked: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Differences [k, m] and their derivatives by each cable's unknowns [k, m, width]."""
    reached = reach_poses(robot, poses)
    u, R = reached.cables[..., PULL : PULL + 3], rotation(reached.full[:, 3:])
    parts = {"exits": u, "anchors": -np.einsum("kji,kmj->kmi", R, u), "offsets": np.ones((*u.shape[:2], 1))}
    A = np.concatenate([parts[name] for name in UNKNOWNS if name in asked], axis=-1)
    return reached.cables[..., LENGTH] - measured, A


def changed(robot: Robot, offsets: np.ndarray, steps: np.ndarray, asked: tuple[str, ...]) -> tuple[Robot, np.ndarray]:
    """The robot after a step of every cable's unknowns."""
    at, exits, anchors = 0, robot.exits, robot.anchors
    if "exits" in asked:
        exits, at = exits + steps[:, at : at + 3], at + 3
    if "anchors" in asked:
        anchors, at = anchors + steps[:, at : at + 3], at + 3
    if "offsets" in asked:
        offsets = offsets + steps[:, at]
    return replace(robot, exits=exits, anchors=anchors), offsets


def judged(robot: Robot, offsets: np.ndarray, found: tuple[Any, Any], asked: tuple[str, ...]) -> Calibration:
    """Spread of the unknowns from the residuals, and what cannot be told."""
    (r, A), m = found, len(robot.cables)
    width = A.shape[2]
    names = [f"{name[:-1]} {axis}" for name in UNKNOWNS[:2] if name in asked for axis in "xyz"]
    names += ["offset"] * ("offsets" in asked)
    deviations, conditions, hidden = np.zeros((m, width)), np.zeros(m), []
    for i, cable in enumerate(robot.cables):
        own = spread(A[:, i], r[:, i])
        deviations[i], conditions[i] = own.deviation, own.condition
        hidden += [f"{cable}: {', '.join(names[k] for k in together)}" for together in own.hidden]
    columns = {name: slice(3 * j, 3 * j + 3) for j, name in enumerate(n for n in UNKNOWNS[:2] if n in asked)}
    parts = {name: deviations[:, columns[name]] if name in columns else np.zeros((m, 3)) for name in UNKNOWNS[:2]}
    last = deviations[:, -1] if "offsets" in asked else np.zeros(m)
    cost, untold = float(np.sum(r * r)), tuple(hidden)
    return Calibration(robot, asked, offsets, parts["exits"], parts["anchors"], last, r, cost, conditions, untold)
