"""Where a platform comes to rest on straight elastic cables of given unstrained lengths.

    T_i = EA (l_i/L_i - 1), none if negative;   min over the pose of sum_i EA/(2 L_i) (l_i - L_i)^2 - m g.c         (1)
Newton's method with the stiffness of ``stiffness.py`` (slack cables left out), made positive definite where it is not,
and steps that lower the energy: without that it may go in circles between sets of slack cables.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from taut.kernels.robots.columns import LEAVE, LENGTH, PULL, WRAP
from taut.robots.datasets import dataset
from taut.robots.forward import pose as pose_from_lengths
from taut.robots.forward import positive_lengths
from taut.robots.from_model import Machine, robot_of
from taut.robots.poses import Station, reach_poses
from taut.robots.problems import refusal
from taut.robots.robot import Robot
from taut.robots.rotations import rotation
from taut.robots.stiffness import stiffness_parts
from taut.robots.tensions import tensions as distribute

MOST_STEPS = 300
SOFT = 1e-6  # smallest eigenvalue of the matrix of a Newton step, relative to the largest stiffness EA/L of a cable
BALANCED = 1e-12  # unbalanced wrench at which the iteration ends, relative to the forces


@dataclass(frozen=True)
class Rest:
    """A platform at rest on elastic cables."""

    name: str
    cables: tuple[str, ...]
    coordinates: tuple[str, ...]
    pose: np.ndarray  # pose of the platform [n]
    lengths: np.ndarray  # unstrained lengths of the cables [m], shape [n_cables]
    tensions: np.ndarray  # tensions at the anchors [N], shape [n_cables]
    forces: np.ndarray  # forces of the cables on the platform, world axes [N], shape [n_cables, 3]
    exit_tensions: np.ndarray  # tensions at the exits [N], shape [n_cables]
    slack: tuple[str, ...]  # names of the cables that are slack there
    residual: float  # unbalanced wrench relative to the forces
    steps: int
    leave_points: np.ndarray  # where the cables leave exits, pulleys or guides, world [m], shape [n_cables, 3]
    wraps: np.ndarray  # wrap angles on pulleys, or on the last sheave of sagging cables [rad], shape [n_cables]
    exit_directions: np.ndarray  # unit vectors from the cables to their outlets there, world axes [n_cables, 3]

    def to_xarray(self) -> xr.Dataset:
        """The record as an xarray dataset with units."""
        found = {
            "platform_pose": (("coordinate",), self.pose, "m or rad", "pose of the platform"),
            "cable_length": (("cable",), self.lengths, "m", "unstrained length"),
            "cable_tension_anchor": (("cable",), self.tensions, "N", "tension at the anchor"),
            "cable_tension_exit": (("cable",), self.exit_tensions, "N", "tension at the exit"),
            "anchor_force": (("cable", "xyz"), self.forces, "N", "force on the platform"),
            "cable_leave_point": (("cable", "xyz"), self.leave_points, "m", "where the cable leaves its outlet"),
            "cable_wrap_angle": (("cable",), self.wraps, "rad", "angle on the pulley or sheave"),
            "cable_exit_direction": (("cable", "xyz"), self.exit_directions, "1", "direction towards the outlet there"),
        }
        coords = {"cable": self.cables, "coordinate": self.coordinates, "xyz": "xyz"}
        return dataset(f"rest on elastic cables: {self.name}", coords, found, residual=self.residual)


def unstrained_lengths(machine: Machine, poses: Any = None, *, method: str = "qp", **options: Any) -> np.ndarray:
    """Inverse kinetostatics: unstrained lengths [m] with which straight elastic cables carry the platform at poses.

    Args:
        machine: Model, Scenario or Robot.
        poses: one or many; none: the pose at the start.
        method: of the tension distribution.
        options: of ``tensions``.

    Raises:
        ScenarioError: a pose that no tensions within the limits hold.
    """
    robot = robot_of(machine, limits=options.pop("limits", None))
    need_stiffness(robot)
    found = distribute(robot, poses, method=method, **options)
    if not found.is_within.all():
        k = int(np.flatnonzero(~found.is_within)[0])
        raise refusal(f"the platform does not rest there: {found.outcomes[k]}", at="pose", remedy="take another pose")
    strained = reach_poses(robot, found.poses).cables[..., LENGTH]
    return strained * robot.stiffness / (robot.stiffness + found.tensions)


def need_stiffness(robot: Robot) -> None:
    """Refuse cables that do not stretch."""
    if not np.isfinite(robot.stiffness).all():
        raise refusal("the axial stiffness of the cables is not known", at="cables", remedy="give axial_stiffness")


def elastic_rest(machine: Machine, lengths: Any, *, near: Any = None, **options: Any) -> Rest:
    """Forward kinetostatics: where the platform rests on elastic cables of given unstrained lengths.

    Raises:
        ScenarioError: lengths that are not one positive number per cable, or a platform that finds no rest.
    """
    robot = robot_of(machine, **options)
    need_stiffness(robot)
    L = positive_lengths(robot, lengths)
    begin = pose_from_lengths(robot, L, near=near, starts=0).pose if near is None else near
    station, full = Station(robot), robot.full_poses(begin)[0]
    p, R, steps = full[:3].copy(), rotation(full[3:]), 0
    while steps < MOST_STEPS:
        steps += 1
        wrench, K, energy, size = evaluate(station, (p, R), L)
        if float(np.abs(wrench).max()) <= BALANCED * size:
            break
        step = downhill(K, wrench, SOFT * float((robot.stiffness / L).max()))
        p, R, is_moved = search(station, (p, R), (step, wrench, energy), L)
        if not is_moved:
            break
    return finished(station, (p, R), L, steps)


def evaluate(station: Station, place: Any, L: np.ndarray) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Wrench on the platform, stiffness, energy, and the size of forces, Eq. (1)."""
    robot, reached = station.robot, station.at(*place)
    stretch = reached.cables[0, :, LENGTH] / L - 1.0
    f = np.maximum(robot.stiffness * stretch, 0.0)
    passive, active = stiffness_parts(robot, reached, f[None], stretch > 0.0)
    K = passive[0] + active[0]
    weight = robot.mass * np.asarray(robot.gravity)
    c = place[1] @ robot.com
    load = np.concatenate([weight, np.cross(c, weight)])[robot.rows]
    energy = 0.5 * float(f @ (np.maximum(stretch, 0.0) * L)) - float(weight @ (place[0] + c))
    return reached.W[0] @ f + load, 0.5 * (K + K.T), energy, float(np.abs(weight).max() + f.max())


def downhill(K: np.ndarray, wrench: np.ndarray, least: float) -> np.ndarray:
    """Newton's step with the eigenvalues of the stiffness made positive, and not less than a stiffness."""
    values, vectors = np.linalg.eigh(K)
    values = np.maximum(np.abs(values), least)
    return vectors @ ((vectors.T @ wrench) / values)


def search(station: Station, place: Any, step: Any, L: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
    """Go along a step as far as the energy falls, or, near the end, as the unbalanced wrench does."""
    (way, wrench, energy), share = step, 1.0
    for _ in range(50):
        p, R = station.moved(place[0], place[1], share * way)
        other, _, below, _ = evaluate(station, (p, R), L)
        is_near = abs(below - energy) <= 1e-12 * (abs(energy) + 1.0) and np.linalg.norm(other) < np.linalg.norm(wrench)
        if below < energy - 1e-4 * share * float(way @ wrench) or is_near:
            return p, R, True
        share *= 0.5
    return place[0], place[1], False


def finished(station: Station, place: Any, L: np.ndarray, steps: int) -> Rest:
    """Record of the pose of rest found; one that does not balance is refused."""
    robot = station.robot
    wrench, _, _, size = evaluate(station, place, L)
    reached = station.at(*place)
    stretch = reached.cables[0, :, LENGTH] / L - 1.0
    f = np.maximum(robot.stiffness * stretch, 0.0)
    residual = float(np.abs(wrench).max()) / size
    if residual > 1e-8:
        raise refusal(
            "the platform finds no rest on cables of these lengths", at="lengths", remedy="give a pose near it"
        )
    slack = tuple(name for name, e in zip(robot.cables, stretch, strict=True) if e <= 0.0)
    forces = f[:, None] * reached.cables[0, :, 3:6]
    straight = reached.cables[0]
    return Rest(robot.name, robot.cables, robot.coordinates, reached.full[0, robot.rows].copy(), L, f, forces, f, slack,
                residual, steps, straight[:, LEAVE : LEAVE + 3].copy(), straight[:, WRAP].copy(),
                straight[:, PULL : PULL + 3].copy())  # fmt: skip
