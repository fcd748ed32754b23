"""How much faster a path can be gone within limits of tensions and of cable speeds, in its own time law.

At the speed factor s the accelerations of a path grow with s^2, so that the wrench its samples need is
    w = w_0 + s^2 w_1,                                                                                             (1)
w_0 what gravity asks for, w_1 what the path at its own speed asks for besides. Each facet of the available wrenches
(``kernels/robots/facets.py``) gives an upper bound of s^2; the smallest over all facets and samples is the answer. The
speeds of cables grow with s. ``timing.py`` has the fastest time law of all.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from taut.kernels.robots.facets import new_facets
from taut.kernels.robots.grids import reach_rows
from taut.kernels.threads import in_threads
from taut.robots.datasets import dataset
from taut.robots.from_model import Machine, robot_of
from taut.robots.paths import Path, as_path, required_wrenches
from taut.robots.poses import filled, reach_poses
from taut.robots.problems import refusal
from taut.robots.robot import Robot


@dataclass(frozen=True)
class FastestMotion:
    """How much faster a path can be gone."""

    name: str
    coordinates: tuple[str, ...]
    poses: np.ndarray  # poses of the path [n_poses, n]
    # factor by which the speed can be raised along the whole path; 0: the platform cannot even rest there
    factor: float
    duration: float  # duration of the path at that speed [s]
    margins: np.ndarray  # capacity margin of the platform at rest [N], shape [n_poses]
    factors: np.ndarray  # factor that each sample alone would allow [n_poses]
    at: int  # index of the sample that limits the factor of the path

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        found = {
            "platform_pose": (("pose", "coordinate"), self.poses, "m or rad", "pose of the platform"),
            "margin": (("pose",), self.margins, "N", "capacity margin at rest"),
            "factor": (("pose",), self.factors, "1", "largest speed factor of the sample alone"),
        }
        return dataset(f"fastest motion: {self.name}", {"coordinate": self.coordinates}, found, factor=self.factor,
                       duration=self.duration)  # fmt: skip


def fastest(machine: Machine, poses: Any, *, times: Any = None, external: Any = None, half: Any = 0.0,  # noqa: PLR0913
            speed: float = np.inf, **options: Any) -> FastestMotion:  # fmt: skip
    """The largest factor on the speed of a path within the limits, Eq. (1).

    Args:
        machine: Model, Scenario or Robot.
        poses: a ``Path`` with accelerations, or poses with ``times`` [s].
        times: of the poses.
        external: wrench that acts besides gravity [N, N m].
        half: half widths of a box of wrenches that must be possible besides [N, N m].
        speed: largest speed of any cable [m/s].
        options: of ``robot_of``.
    """
    robot = robot_of(machine, **options)
    robot.need_enough_cables()
    robot.need_upper_limits()
    if not speed > 0.0:
        raise refusal("must be positive", at="speed", value=speed)
    path = as_path(robot, poses, times)
    if path.times is None or path.accelerations is None:
        raise refusal("needs times: without them there are no accelerations", at="times")
    margins, squares = reaches(robot, path, external, filled(half, robot.freedoms))
    factors = np.where(margins >= 0.0, np.sqrt(np.maximum(squares, 0.0)), 0.0)
    with np.errstate(divide="ignore"):
        factors = np.minimum(factors, speed / cable_speeds(robot, path).max(axis=1))
    at = int(factors.argmin())
    span = float(path.times[-1] - path.times[0])
    duration = span / float(factors[at]) if factors[at] > 0.0 else np.inf
    return FastestMotion(robot.name, robot.coordinates, path.full[:, robot.rows], float(factors[at]), duration, margins,
                         factors, at)  # fmt: skip


def cable_speeds(robot: Robot, path: Path) -> np.ndarray:
    """Sizes of the speeds of all cables [m/s], shape [n_poses, n_cables]."""
    assert path.twists is not None
    W = reach_poses(robot, path.full[:, robot.rows]).W
    return np.abs(np.einsum("knm,kn->km", W, path.twists[:, robot.rows]))


def reaches(robot: Robot, path: Path, external: Any, half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Capacity margins at rest, and the largest s^2 of every sample."""
    W = reach_poses(robot, path.full[:, robot.rows]).W
    rest = required_wrenches(robot, Path(path.full), external)
    more = required_wrenches(robot, path, external) - rest
    lo, hi = np.array(robot.tension_min), np.array(robot.tension_max)
    margins, found = np.zeros(len(W)), np.zeros(len(W))

    def stretch(i: int, j: int) -> None:
        reach_rows(W, rest, more, half, lo, hi, i, j, margins, found, new_facets(W.shape[2], W.shape[1]))

    in_threads(stretch, len(W))
    return margins, found


def circle(robot: Robot, centre: Any, radius: float, *, plane: str = "xy", samples: int = 72) -> Path:
    """A circle of the platform's origin gone once in 2 pi seconds, at the orientation of the start."""
    axes = ["xyz".index(name) for name in plane]
    t = 2.0 * np.pi * np.arange(samples) / samples
    full, twists, seconds = np.tile(robot.home, (samples, 1)), np.zeros((samples, 6)), np.zeros((samples, 6))
    full[:, :3] = centre
    turn = np.stack([np.cos(t), np.sin(t)], -1)
    full[:, axes] += radius * turn
    twists[:, axes], seconds[:, axes] = radius * np.stack([-np.sin(t), np.cos(t)], -1), -radius * turn
    return Path(full, np.append(t, 2.0 * np.pi)[:-1], twists, seconds)
