"""Paths of a platform: poses one after the other, with times, and what its motion asks of the cables.

A body with mass m, centre of mass c = R c_P and inertia I about it, whose origin accelerates by a, needs the wrench
    F = m (a + alpha x c + omega x (omega x c)),   M = c x F + I alpha + omega x (I omega)                          (1)
about its origin, and the cables make that less gravity and what else acts on it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from taut.robots.poses import spread
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.rotations import rotation, turn_rates


@dataclass(frozen=True)
class Path:
    """Poses of a platform, with velocities and accelerations where there are times."""

    full: np.ndarray  # poses with all six coordinates [n_poses, 6]
    times: np.ndarray | None = None  # times of the poses [s], shape [n_poses]; None: poses without times
    # velocity of the origin [m/s] and angular velocity [rad/s], world axes [n_poses, 6]
    twists: np.ndarray | None = None
    accelerations: np.ndarray | None = None  # rates of the twists [m/s^2, rad/s^2], shape [n_poses, 6]


def as_path(robot: Robot, poses: Any, times: Any = None) -> Path:
    """A path through poses; between them a cubic spline, whose rates count if there are times.

    Raises:
        ScenarioError: times that do not grow, or are not as many.
    """
    if isinstance(poses, Path):
        return poses
    full = robot.full_poses(poses)
    if times is None:
        return Path(full)
    t = np.asarray(times, float)
    if t.shape != (len(full),) or len(t) < 4 or not np.all(np.diff(t) > 0.0):
        raise refusal("needs one time for every pose, at least four, each later than the one before", at="times")
    return sampled_path(CubicSpline(t, unwrapped(full)), t)


def unwrapped(full: np.ndarray) -> np.ndarray:
    """Angles without jumps of a whole turn."""
    return np.hstack([full[:, :3], np.unwrap(full[:, 3:], axis=0)])


def sampled_path(curve: Any, times: np.ndarray) -> Path:
    """A path from a curve of full poses with derivatives ``curve(t, order)``."""
    full, rate, second = (np.asarray(curve(times, order)) for order in range(3))
    turns = [turn_rates(*parts) for parts in zip(full[:, 3:], rate[:, 3:], second[:, 3:], strict=True)]
    twists = np.hstack([rate[:, :3], np.array([omega for omega, _ in turns])])
    return Path(full, times, twists, np.hstack([second[:, :3], np.array([alpha for _, alpha in turns])]))


def required_wrenches(robot: Robot, path: Path, external: Any = None) -> np.ndarray:
    """Wrenches of the cables along a path: Eq. (1) less gravity and an external wrench, shape [n_poses, n]."""
    R = rotation(path.full[:, 3:])
    c = R @ robot.com
    weight = robot.mass * np.asarray(robot.gravity)
    found = -np.tile(spread(robot, external), (len(c), 1))
    found[:, :3] -= weight
    found[:, 3:] -= np.cross(c, weight)
    if path.twists is not None and path.accelerations is not None:
        w, a, alpha = path.twists[:, 3:], path.accelerations[:, :3], path.accelerations[:, 3:]
        inertia = R @ robot.inertia @ np.swapaxes(R, 1, 2)
        F = robot.mass * (a + np.cross(alpha, c) + np.cross(w, np.cross(w, c)))
        spin = np.einsum("kij,kj->ki", inertia, w)
        found[:, :3] += F
        found[:, 3:] += np.cross(c, F) + np.einsum("kij,kj->ki", inertia, alpha) + np.cross(w, spin)
    return np.ascontiguousarray(found[:, robot.rows])
