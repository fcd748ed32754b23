"""Forward kinematics: the pose whose cables have given lengths, in the least squares sense.

    min over the pose of sum_i (l_i(x) - L_i)^2,   dl/dx = J = -W^T                                                (1)
by Levenberg and Marquardt's method with steps on the group of motions (a world rotation vector turns the platform); the
damping vanishes towards the end. Starts: the pose that is given; else the middle of the box in which the lengths leave
room [Pott2018, sec. 4.4], and of its lower face, since a suspended platform hangs there; points at random in it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from taut.kernels.robots.columns import LENGTH
from taut.robots.datasets import dataset
from taut.robots.from_model import Machine, robot_of
from taut.robots.poses import Station
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.rotations import logarithm, rotation
from taut.robots.ways import most_wheels

MOST_STEPS = 200
STILL = 1e-12  # the iteration ends at a step smaller than this, relative to the size of the robot
# poses that differ by less, relative to their size, are the same solution; the second holds for minima above zero,
# which are found with fewer digits
SAME, NEARLY_SAME = 1e-6, 1e-3
# costs this near to the best, relative to the squared size of the robot, are as good: then the lower pose comes first
EQUAL = 1e-18
LONGEST = 1e9  # largest length of a cable relative to the size of the robot
LOOSE = 1e-6  # a cable is slack if its given length exceeds that of the model by this share


@dataclass(frozen=True)
class PoseFound:
    """One pose that fits lengths, at least nearby."""

    pose: np.ndarray  # pose of the platform [n]
    cost: float  # sum of squared differences of the lengths [m^2]
    residuals: np.ndarray  # length of the model less the given one [m], shape [n_cables]
    smallest: float  # smallest singular value of J; it vanishes at a singular pose
    condition: float  # condition number of J
    # covariance of the pose for independent errors of the lengths with standard deviation 1 m [n, n]
    covariance: np.ndarray
    slack: tuple[str, ...]  # cables whose given length exceeds that of the model
    steps: int


@dataclass(frozen=True)
class Poses:
    """Poses that fit given lengths, the best first."""

    name: str
    cables: tuple[str, ...]
    coordinates: tuple[str, ...]
    lengths: np.ndarray  # given lengths of the cables [m], shape [n_cables]
    found: tuple[PoseFound, ...]  # the poses, best first
    starts: int  # number of starts from which they were looked for

    @property
    def pose(self) -> np.ndarray:
        """The best of the poses found."""
        return self.found[0].pose

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        each = ("solution",)
        found = {
            "platform_pose": ((*each, "coordinate"), [one.pose for one in self.found], "m or rad", "pose"),
            "cost": (each, [one.cost for one in self.found], "m^2", "sum of squared differences of the lengths"),
            "residual": ((*each, "cable"), [one.residuals for one in self.found], "m", "length less the given one"),
            "smallest_singular_value": (each, [one.smallest for one in self.found], "1", "of the Jacobian"),
            "condition": (each, [one.condition for one in self.found], "1", "condition number of the Jacobian"),
            "cable_length": (("cable",), self.lengths, "m", "given lengths"),
        }
        coords = {"cable": self.cables, "coordinate": self.coordinates}
        return dataset(f"poses from lengths: {self.name}", coords, found)


def pose(machine: Machine, lengths: Any, *, near: Any = None, starts: int = 1, seed: int = 0, **options: Any) -> Poses:
    """Poses whose cables have given lengths.

    Args:
        machine: Model, Scenario or Robot.
        lengths: from exits over pulleys to anchors [m], one per cable.
        near: pose to start from; none: from the lengths.
        starts: how many further starts are drawn at random, to find other poses.
        seed: of the drawing.
        options: of ``robot_of``.

    Raises:
        ScenarioError: lengths that are not one positive number per cable.
    """
    robot = robot_of(machine, **options)
    given = positive_lengths(robot, lengths)
    station = Station(robot)
    begins = start_poses(robot, given, near, starts, seed)
    found = [solve(station, given, full) for full in begins]
    kept: list[PoseFound] = []
    for one in in_order(robot, [one for one in found if one is not None]):
        if not any(is_same(one, other, EQUAL * float(np.abs(robot.exits).max()) ** 2) for other in kept):
            kept.append(one)
    if not kept:
        raise refusal("no pose was found from any start", at="lengths", remedy="give a pose near it (--near)")
    return Poses(robot.name, robot.cables, robot.coordinates, given, tuple(kept), len(begins))


def is_same(one: PoseFound, other: PoseFound, exact: float) -> bool:
    """Whether two starts led to one pose; where lengths do not fit, the last digits of it come slowly."""
    apart = float(np.abs(one.pose - other.pose).max()) / (1.0 + float(np.abs(other.pose).max()))
    is_inexact = one.cost > exact and abs(one.cost - other.cost) <= SAME * other.cost
    return apart <= (NEARLY_SAME if is_inexact else SAME)


def in_order(robot: Robot, found: list[PoseFound]) -> list[PoseFound]:
    """The poses by their costs; of those that fit equally well the lower first, as cables hang from above."""
    size = float(np.abs(robot.exits).max()) ** 2
    best = min((one.cost for one in found), default=0.0)
    height = list(robot.rows).index(2) if 2 in robot.rows else 0
    return sorted(found, key=lambda one: (max(one.cost - best, EQUAL * size), one.pose[height]))


def positive_lengths(robot: Robot, lengths: Any) -> np.ndarray:
    """Lengths as an array; refuses those that are not one positive number per cable."""
    given = np.asarray(lengths, float)
    if given.shape != (len(robot.cables),) or not np.all(np.isfinite(given) & (given > 0.0)):
        message = f"needs {len(robot.cables)} positive numbers, one per cable ({', '.join(robot.cables)})"
        raise refusal(message, at="lengths", value=np.asarray(lengths).tolist())
    if given.max() > LONGEST * (1.0 + float(np.abs(robot.exits).max())):
        message = "is so long that numbers overflow: lengths are in metres"
        raise refusal(message, at="lengths", value=float(given.max()))
    return given


def start_poses(robot: Robot, lengths: np.ndarray, near: Any, count: int, seed: int) -> list[np.ndarray]:
    """Poses, with all six coordinates, from which the iteration starts."""
    wheels = np.maximum(robot.radii, [most_wheels(rope) for rope in robot.ropes])
    reach = np.maximum(lengths - robot.leads, 0.0) + np.linalg.norm(robot.anchors, axis=1) + np.pi * wheels
    reach = reach[:, None]
    low, high = (robot.exits - reach).max(axis=0), (robot.exits + reach).min(axis=0)
    low, high = np.minimum(low, high), np.maximum(low, high)
    first = robot.home.copy() if robot.freedom != "spatial" else np.zeros(6)
    place = 0.5 * (low + high)
    moving = [k for k in robot.rows if k < 3]
    first[moving] = place[moving]
    below = first.copy()
    if 2 in moving:
        below[2] = low[2]
    begins = [robot.full_poses(near)[0]] if near is not None else [below, first]
    rng = np.random.default_rng(seed)
    for _ in range(count):
        other = first.copy()
        other[moving] = rng.uniform(low, high)[moving]
        for k in robot.rows:
            if k >= 3:
                other[k] = rng.uniform(-0.5, 0.5)
        begins.append(other)
    return begins


def solve(station: Station, lengths: np.ndarray, full: np.ndarray) -> PoseFound | None:
    """Solve Eq. (1) from one start; none if it leads out of reach."""
    robot = station.robot
    p, R, damping = full[:3].copy(), rotation(full[3:]), 1e-3
    reached = station.at(p, R)
    if reached.codes[0] != 0:
        return None
    r, J = reached.cables[0, :, LENGTH] - lengths, -reached.W[0].T.copy()
    size, steps = 1.0 + float(np.abs(robot.exits).max()), 0
    while steps < MOST_STEPS:
        steps += 1
        # the damping vanishes with the residual, so that the last steps are those of the Gauss-Newton method
        A = J.T @ J
        step = -np.linalg.solve(A + damping * np.diag(np.diag(A) + 1e-12), J.T @ r)
        p_new, R_new = station.moved(p, R, step)
        trial = station.at(p_new, R_new)
        r_new = trial.cables[0, :, LENGTH] - lengths
        if trial.codes[0] != 0 or not r_new @ r_new <= (r @ r) * (1.0 + 1e-12) + 1e-28:
            damping = max(4.0 * damping, 1e-8)
            if damping > 1e12:
                break
            continue
        p, R, r, J = p_new, R_new, r_new.copy(), -trial.W[0].T.copy()
        damping = damping / 10.0 if damping > 1e-12 else 0.0
        if float(np.abs(step).max()) <= STILL * size and damping < 1e-6:
            break
    return judged(station, (p, R), r, J, lengths, steps)


def judged(station: Station, place: Any, r: np.ndarray, J: np.ndarray, lengths: np.ndarray, steps: int) -> PoseFound:  # noqa: PLR0913
    """Judge a pose that was found: errors, stability, accuracy."""
    robot = station.robot
    station.at(*place)
    values = np.linalg.svd(J, compute_uv=False)
    smallest = float(values[-1]) if len(values) == robot.freedoms else 0.0
    return PoseFound(
        pose=station.full[0, robot.rows].copy(),
        cost=float(r @ r),
        residuals=r,
        smallest=smallest,
        condition=float(values[0]) / smallest if smallest > 0.0 else np.inf,
        covariance=np.linalg.pinv(J.T @ J),
        slack=tuple(name for name, gap, given in zip(robot.cables, r, lengths, strict=True) if gap < -LOOSE * given),
        steps=steps,
    )


def pose_difference(robot: Robot, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Small motion from one pose to another, the turn as a world rotation vector, in the robot's rows."""
    a, b = robot.full_poses(one)[0], robot.full_poses(other)[0]
    turn = logarithm(rotation(b[3:]) @ rotation(a[3:]).T)
    return np.concatenate([b[:3] - a[:3], turn])[robot.rows]
