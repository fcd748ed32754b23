"""What errors of geometry, lengths and tensions do to the pose of a platform.

Lengths commanded from the nominal model, J = -W^T, J^+ its pseudo-inverse:
    exit moved by dA:  dx = -J^+ (u.dA),   anchor by db:  dx = J^+ (u.R db),   length by dl:  dx = J^+ dl.         (1)
On elastic cables a tension that is wrong by dT unbalances the platform, which goes, with its stiffness K, by
    dx = K^-1 W dT.                                                                                               (2)
Independent errors of standard deviation s per coordinate add up as covariances. Samples solve the forward kinematics of
machines with errors drawn at random, as a check of the linear answer.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from taut.kernels.robots.columns import EXIT, LENGTH, PULL
from taut.robots.datasets import dataset
from taut.robots.forward import pose as pose_from_lengths
from taut.robots.forward import pose_difference
from taut.robots.from_model import Machine, robot_of
from taut.robots.poses import reach_poses
from taut.robots.problems import refusal
from taut.robots.rests.elastic import elastic_rest
from taut.robots.robot import Robot
from taut.robots.rotations import rotation
from taut.robots.stiffness import Stiffness, stiffness
from taut.robots.tensions import tensions as distribute

SINGULAR = 1e-11  # a pose is singular if the smallest singular value is at most this share of the largest


@dataclass(frozen=True)
class Sensitivity:
    """Derivatives of the pose, and its spread for given spreads of the errors."""

    name: str
    cables: tuple[str, ...]
    coordinates: tuple[str, ...]
    pose: np.ndarray  # nominal pose of the platform [n]
    by_exit: np.ndarray  # derivatives of the pose by the exits, world axes [n, n_cables, 3]
    by_anchor: np.ndarray  # derivatives of the pose by the anchors, platform axes [n, n_cables, 3]
    by_length: np.ndarray  # derivatives of the pose by the cable lengths [n, n_cables]
    # derivatives of the pose by the tensions, Eq. (2) [n, n_cables]; None: cables that do not stretch
    by_tension: np.ndarray | None
    deviation: np.ndarray  # standard deviation of the pose by these derivatives [n]
    sampled: np.ndarray | None  # standard deviation of the pose from random samples [n]; None: not asked for
    deviations: dict[str, float]  # given standard deviations of exits, anchors and lengths [m], and of tensions [N]

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        each = ("coordinate", "cable")
        found = {
            "platform_pose": (("coordinate",), self.pose, "m or rad", "pose of the platform"),
            "pose_by_exit": ((*each, "xyz"), self.by_exit, "1 or rad/m", "derivative by the exits"),
            "pose_by_anchor": ((*each, "xyz"), self.by_anchor, "1 or rad/m", "derivative by the anchors"),
            "pose_by_length": (each, self.by_length, "1 or rad/m", "derivative by the lengths"),
            "pose_deviation": (("coordinate",), self.deviation, "m or rad", "standard deviation, linear"),
        }
        if self.by_tension is not None:
            found["pose_by_tension"] = (each, self.by_tension, "m/N or rad/N", "derivative by the tensions")
        if self.sampled is not None:
            found["pose_deviation_sampled"] = (("coordinate",), self.sampled, "m or rad", "standard deviation, samples")
        coords = {"cable": self.cables, "coordinate": self.coordinates, "xyz": "xyz"}
        return dataset(f"sensitivity: {self.name}", coords, found, **self.deviations)


def sensitivity(machine: Machine, pose: Any = None, *, exits: float = 0.0, anchors: float = 0.0, lengths: float = 1e-3,  # noqa: PLR0913
                tensions: float = 0.0, samples: int = 0, **options: Any) -> Sensitivity:  # fmt: skip
    """How the pose answers to errors; turns are world rotation vectors [rad].

    Args:
        machine: Model, Scenario or Robot.
        pose: none: at the start.
        exits: standard deviation of every coordinate of the exits [m].
        anchors: and of the anchors [m].
        lengths: and of the lengths [m].
        tensions: and of the tensions [N] of elastic cables, which are those of ``stiffness``.
        samples: machines with random errors to solve as well.
        options: of ``robot_of``.

    Raises:
        ScenarioError: a negative deviation, a singular pose, or errors of tensions of cables that do not stretch.
    """
    robot = robot_of(machine, **options)
    sizes = {"exits": exits, "anchors": anchors, "lengths": lengths, "tensions": tensions}
    for name, size in sizes.items():
        if not 0.0 <= size < np.inf:
            raise refusal("must be a standard deviation", at=name, value=size)
    robot.need_enough_cables()
    own = robot.start if pose is None else np.asarray(pose, float)
    reached = reach_poses(robot, own)
    values = np.linalg.svd(reached.W[0], compute_uv=False)
    if len(values) < robot.freedoms or values[-1] <= SINGULAR * values[0]:
        raise refusal("singular pose: the lengths do not say where the platform is", at="pose")
    by_length = np.linalg.pinv(-reached.W[0].T)
    u, R = reached.cables[0, :, PULL : PULL + 3], rotation(reached.full[0, 3:])
    by_exit = -by_length[..., None] * reached.cables[0, :, EXIT : EXIT + 3]  # Eq. (1)
    by_anchor = by_length[..., None] * (u @ R)
    held = stiffness(robot, own) if tensions > 0.0 or is_held(robot, own) else None
    by_tension = None if held is None else np.linalg.solve(held.matrix, reached.W[0])  # Eq. (2)
    variance = exits**2 * np.sum(by_exit**2, axis=(1, 2)) + anchors**2 * np.sum(by_anchor**2, axis=(1, 2))
    variance += lengths**2 * np.sum(by_length**2, axis=1)
    if by_tension is not None:
        variance += tensions**2 * np.sum(by_tension**2, axis=1)
    drawn = sampled(robot, own, sizes, samples, held) if samples else None
    return Sensitivity(robot.name, robot.cables, robot.coordinates, own, by_exit, by_anchor, by_length, by_tension,
                       np.sqrt(variance), drawn, sizes)  # fmt: skip


def is_held(robot: Robot, pose: np.ndarray) -> bool:
    """Whether elastic cables hold the platform there."""
    if not np.isfinite(robot.stiffness).all() or robot.redundancy < 0 or not np.isfinite(robot.tension_max).all():
        return False
    return bool(distribute(robot, pose, method="barycentre").is_within[0])


def sampled(robot: Robot, pose: np.ndarray, sizes: dict[str, float], count: int, held: Stiffness | None) -> np.ndarray:
    """Standard deviation of poses that machines with random errors take at the nominal lengths."""
    rng, shape = np.random.default_rng(0), robot.exits.shape
    nominal = reach_poses(robot, pose).cables[0, :, LENGTH]
    found = []
    for _ in range(count):
        built = replace(robot, exits=robot.exits + sizes["exits"] * rng.normal(size=shape),
                        anchors=robot.anchors + sizes["anchors"] * rng.normal(size=shape))  # fmt: skip
        commanded = nominal + sizes["lengths"] * rng.normal(size=len(nominal))
        gone = pose_difference(robot, pose, pose_from_lengths(built, commanded, near=pose, starts=0).pose)
        if held is not None and sizes["tensions"] > 0.0:
            # errors of tensions act as errors of the unstrained lengths that belong to them
            pulls = held.tensions + sizes["tensions"] * rng.normal(size=len(nominal))
            rest = elastic_rest(robot, nominal / (1.0 + pulls / robot.stiffness), near=pose)
            gone = gone + pose_difference(robot, pose, rest.pose)
        found.append(gone)
    return np.std(found, axis=0)
