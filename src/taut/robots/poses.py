"""All cables of a robot at poses: the compiled loop over them, and the error where a cable cannot reach."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.kernels.robots.columns import AT_EXIT, COLUMNS, INSIDE_PULLEY, LENGTH, OFF_SHEAVE, REACHED
from taut.kernels.robots.grids import Task, cable_rows, new_task
from taut.kernels.threads import in_threads
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.rotations import euler_angles, exponential

WHY = {
    AT_EXIT: "the anchor is at the exit, or on the swivel axis of its pulley: the cable has no direction",
    INSIDE_PULLEY: "the anchor is inside the pulley's wheel",
    OFF_SHEAVE: "the rope lifts off a sheave it runs over, or is wound so far that its turns cannot be told",
}
OVER_GUIDES = {
    AT_EXIT: "two guides coincide: the rope has no direction",
    INSIDE_PULLEY: "there is no way over its sheaves: one of them lies inside another",
}


@dataclass(frozen=True)
class Reached:
    """Lengths and directions of cables at poses, as compiled code has computed them."""

    full: np.ndarray  # poses with six coordinates [k, 6]
    # length, directions and angles of every cable: columns of ``kernels/robots/reach.py`` [k, m, COLUMNS]
    cables: np.ndarray
    full_W: np.ndarray  # structure matrices with all six rows [k, 6, m]
    W: np.ndarray  # structure matrices with the rows of the robot's freedoms only [k, n, m]
    codes: np.ndarray  # status of the computation at every pose, 0: reached [k]


def new_robot_task(robot: Robot, *, external: Any = 0.0, half: Any = 0.0, length: float = 1.0, goal: Any = 0.0) -> Task:
    """Workspace of compiled code for one thread."""
    m, n, rows = len(robot.cables), robot.freedoms, robot.rows
    numbers = {"scale": np.where(rows < 3, 1.0, length), "mass": np.array([robot.mass]), "com": np.array(robot.com),
               "gravity": np.array(robot.gravity), "external": spread(robot, external), "half": filled(half, n),
               "lo": np.array(robot.tension_min), "hi": np.array(robot.tension_max),
               "goal": filled(goal, m)}  # fmt: skip
    return new_task(robot.geometry(), rows, numbers)


def filled(value: Any, size: int) -> np.ndarray:
    """A new array of a size, filled with a value or with values that fit."""
    return np.array(np.broadcast_to(np.asarray(value, float), size), order="C")


def spread(robot: Robot, wrench: Any) -> np.ndarray:
    """A wrench in the robot's rows, or in all six, as one with six."""
    given = np.atleast_1d(np.asarray(0.0 if wrench is None else wrench, float))
    if not np.isfinite(given).all():
        raise refusal("must be finite", at="wrench", value=given.tolist())
    if given.shape == (6,) or given.shape == (1,) and given[0] == 0.0:
        return filled(given, 6)
    if given.shape != (robot.freedoms,):
        message = f"needs {robot.freedoms} numbers {', '.join(robot.wrench_rows)}, and has {given.size}"
        raise refusal(message, at="wrench")
    full = np.zeros(6)
    full[robot.rows] = given
    return full


def reach_poses(robot: Robot, poses: Any, *, is_strict: bool = True) -> Reached:
    """Cables at one pose or many.

    Raises:
        ScenarioError: poses that are no poses; with ``is_strict``, a cable that does not reach.
    """
    full = robot.full_poses(poses)
    k, m = len(full), len(robot.cables)
    cables, W, codes = np.zeros((k, m, COLUMNS)), np.zeros((k, 6, m)), np.zeros(k, np.int64)
    geometry, rows = robot, robot.rows
    in_threads(lambda i, j: cable_rows(new_robot_task(geometry), full, i, j, cables, W, codes), k)
    if is_strict and np.any(codes != REACHED):
        refuse_unreached(robot, full, codes)
    if is_strict and not np.isfinite(cables[..., LENGTH]).all():
        raise refusal("is so far away that lengths of cables overflow", at="pose", remedy="take another pose")
    return Reached(full, cables, W, np.ascontiguousarray(W[:, rows]), codes)


def refuse_unreached(robot: Robot, full: np.ndarray, codes: np.ndarray) -> None:
    """Say which cable, at which pose, and why."""
    k = int(np.flatnonzero(codes != REACHED)[0])
    where = ", ".join(f"{name} {value:.6g}" for name, value in zip(robot.coordinates, full[k, robot.rows], strict=True))
    for i, name in enumerate(robot.cables):
        alone = Robot(name, (name,), robot.exits[i : i + 1], robot.anchors[i : i + 1], axes=robot.axes[i : i + 1],
                      radii=robot.radii[i], ropes=robot.ropes[i : i + 1])  # fmt: skip
        code = int(reach_poses(alone, full[k], is_strict=False).codes[0])
        if code != REACHED:
            why = {**WHY, **(OVER_GUIDES if robot.ropes[i] else {})}
            raise refusal(f"cable {name} at {where}: {why[code]}", at="pose", remedy="take another pose")


class Station:
    """One pose at a time in a workspace of its own, for iterations."""

    def __init__(self, robot: Robot) -> None:
        """Allocate the workspace for a robot."""
        self.robot, self.task = robot, new_robot_task(robot)
        m = len(robot.cables)
        self.full, self.cables, self.W6 = np.zeros((1, 6)), np.zeros((1, m, COLUMNS)), np.zeros((1, 6, m))
        self.codes = np.zeros(1, np.int64)

    def at(self, p: np.ndarray, R: np.ndarray) -> Reached:
        """Cables at a place and an orientation."""
        self.full[0, :3], self.full[0, 3:] = p, euler_angles(R)
        cable_rows(self.task, self.full, 0, 1, self.cables, self.W6, self.codes)
        return Reached(self.full, self.cables, self.W6, self.W6[:, self.robot.rows], self.codes)

    def moved(self, p: np.ndarray, R: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Place and orientation after a small motion in the robot's rows."""
        full = np.zeros(6)
        full[self.robot.rows] = step
        return p + full[:3], exponential(full[3:]) @ R
