"""Platforms on sagging elastic cables from points, pulleys and guides in the world: balance of all at the platform.

The catenary of every cable and what is left of it behind its outlet are in ``catenary.py``; how the forces at the
anchors follow the anchors makes the stiffness of the platform, as in ``stiffness.py``. Massless cables are taken with a
small weight, which says how they lie where they are slack.
Inverse: lengths for which the forces at the anchors are nearest to a goal in balance, by Gauss and Newton's method with
the balance as a constraint.                                                                                       (1)
"""

from typing import Any

import numpy as np

from taut.kernels.robots.columns import LENGTH, PULL
from taut.robots.forward import pose as pose_from_lengths
from taut.robots.forward import positive_lengths
from taut.robots.from_model import Machine, robot_of
from taut.robots.poses import Station, reach_poses
from taut.robots.problems import refusal
from taut.robots.rests.catenary import Cables, Hung, hang
from taut.robots.rests.elastic import Rest, elastic_rest, need_stiffness
from taut.robots.rests.outlets import outlets_of
from taut.robots.robot import Robot
from taut.robots.rotations import cross_matrix, rotation
from taut.robots.tensions import tensions as distribute

MOST_STEPS = 200
# weight per length of a cable without mass, relative to EA, or to the platform's weight if that gives less [1/m]: a
# slack one without any has no shape
LIGHT, OF_PLATFORM = 1e-12, 1e-9
BALANCED = 1e-12


def sagging_rest(machine: Machine, lengths: Any, *, near: Any = None, **options: Any) -> Rest:
    """Forward kinetostatics: where the platform rests on sagging cables of given unstrained lengths.

    Args:
        machine: Model, Scenario or Robot.
        lengths: of the cables from their winches to the anchors [m].
        near: a pose to begin at; none: that of straight elastic cables.
        options: of ``robot_of``.

    Raises:
        ScenarioError: lengths that are not one positive number per cable, no rest found, or ropes over guides on the
            platform.
    """
    robot = sagging_robot(machine, options)
    L = positive_lengths(robot, lengths)
    begin = near
    if near is None:
        begin = pose_from_lengths(robot, L, starts=0).pose
        begin = elastic_rest(robot, L, near=begin).pose
    station, full, cables = Station(robot), robot.full_poses(begin)[0], cables_of(robot, begin)
    p, R, steps = full[:3].copy(), rotation(full[3:]), 0
    wrench, K, size = balance(robot, (p, R), L, cables)[:3]
    while steps < MOST_STEPS:
        steps += 1
        if float(np.abs(wrench).max()) <= BALANCED * size:
            break
        step, share = np.linalg.solve(K, wrench), 1.0
        for _ in range(40):
            place = station.moved(p, R, share * step)
            trial = balance(robot, place, L, cables)
            if np.linalg.norm(trial[0]) < np.linalg.norm(wrench):
                break
            share *= 0.5
        else:
            break
        (p, R), (wrench, K, size) = place, trial[:3]
    return finished(station, (p, R), L, cables, steps)


def sagging_robot(machine: Machine, options: dict[str, Any]) -> Robot:
    """The robot with sagging cables; refuses cables that do not stretch."""
    robot = robot_of(machine, **options)
    need_stiffness(robot)
    return robot


def cables_of(robot: Robot, pose: Any) -> Cables:
    """Cables of a robot near a pose: where they leave, weight and stiffness."""
    g = np.asarray(robot.gravity)
    size = float(np.linalg.norm(g))
    up = np.array([0.0, 0.0, 1.0]) if size == 0.0 else -g / size
    least = LIGHT * np.asarray(robot.stiffness)
    if robot.mass * size > 0.0:
        least = np.minimum(least, OF_PLATFORM * robot.mass * size)
    weights = np.where(robot.mass_per_length * size > 0.0, robot.mass_per_length * size, least)
    return Cables(robot.cables, outlets_of(robot, pose), np.asarray(robot.stiffness), weights, up)


def balance(robot: Robot, place: Any, L: np.ndarray, cables: Cables) -> tuple[np.ndarray, np.ndarray, float, Hung]:
    """Wrench on the platform, its stiffness, the size of forces, and the cables."""
    p, R = place
    arms = robot.anchors @ R.T
    hung = hang(p + arms, L, cables)
    weight, c = robot.mass * np.asarray(robot.gravity), R @ robot.com
    K, wrench = np.zeros((6, 6)), np.concatenate([weight, np.cross(c, weight)])
    for arm, force, rate in zip(arms, hung.forces, hung.by_anchor, strict=True):
        J = np.hstack([np.eye(3), -cross_matrix(arm)])
        K -= J.T @ rate @ J
        K[3:, 3:] -= cross_matrix(force) @ cross_matrix(arm)
        wrench += np.concatenate([force, np.cross(arm, force)])
    K[3:, 3:] -= cross_matrix(weight) @ cross_matrix(c)
    rows = robot.rows
    size = float(np.abs(hung.forces).max() + np.abs(weight).max())
    return wrench[rows], K[np.ix_(rows, rows)], size, hung


def finished(  # noqa: PLR0913
    station: Station, place: Any, L: np.ndarray, cables: Cables, steps: int, remedy: str = "give a pose near it"
) -> Rest:
    """Record of the pose of rest found; one that does not balance is refused."""
    robot = station.robot
    wrench, _, size, hung = balance(robot, place, L, cables)
    residual = float(np.abs(wrench).max()) / size
    if not residual <= 1e-8:
        raise refusal("the platform finds no rest on cables of these lengths", at="lengths", remedy=remedy)
    station.at(*place)
    top, own = np.linalg.norm(hung.tops, axis=1), cables.weights * hung.outside
    return Rest(
        robot.name,
        robot.cables,
        robot.coordinates,
        pose=station.full[0, robot.rows].copy(),
        lengths=L,
        tensions=np.linalg.norm(hung.forces, axis=1),
        forces=hung.forces,
        exit_tensions=top,
        slack=tuple(name for name, pull, weight in zip(robot.cables, top, own, strict=True) if pull <= weight),
        residual=residual,
        steps=steps,
        leave_points=hung.leave_points,
        wraps=hung.wraps,
        exit_directions=hung.tops / top[:, None],
    )


def sagging_lengths(
    machine: Machine, pose: Any = None, *, goal: Any = None, method: str = "qp", **options: Any
) -> Rest:
    """Inverse kinetostatics: unstrained lengths of sagging cables that hold a pose, Eq. (1).

    Args:
        machine: Model, Scenario or Robot.
        pose: none: at the start.
        goal: tensions at the anchors to be near to [N], in the directions of straight cables; none: those of straight
            cables within their limits. With zero the sum of squares is least, and cables that only pull down go slack,
            which leaves their lengths open.
        method: of the tension distribution, where there is no goal.
        options: of ``robot_of``.

    Raises:
        ScenarioError: a pose that cannot be held, or ropes over guides on the platform.
    """
    robot = sagging_robot(machine, options)
    robot.need_enough_cables()
    own = robot.start if pose is None else pose
    if len(robot.full_poses(own)) != 1:
        raise refusal("needs one pose", at="pose", remedy="ask pose by pose")
    full, reached, cables = robot.full_poses(own)[0], reach_poses(robot, own), cables_of(robot, own)
    place = full[:3], rotation(full[3:])
    goal = straight_tensions(robot, own, method) if goal is None else goal
    wanted = np.broadcast_to(np.asarray(goal, float), len(robot.cables))
    # start value: at least the tension that straight cables would need
    light = distribute(robot, own, method="qp", limits=(1e-6 * robot.mass * 9.81, np.inf)).tensions[0]
    f = np.maximum(np.nan_to_num(light, nan=robot.mass * 9.81), wanted) if np.any(wanted <= 0.0) else wanted
    wanted = wanted[:, None] * reached.cables[0, :, PULL : PULL + 3]
    L = reached.cables[0, :, LENGTH] * robot.stiffness / (robot.stiffness + f)
    station, steps = Station(robot), 0
    while steps < MOST_STEPS:
        steps += 1
        step = least_step(robot, place, L, wanted, cables)
        L = L + step * min(1.0, 0.2 / max(float(np.abs(step / L).max()), 1e-300))
        if float(np.abs(step / L).max()) <= 1e-13:
            break
    return finished(station, place, L, cables, steps, "give other tensions as a goal, or limits above zero")


def straight_tensions(robot: Robot, pose: Any, method: str) -> np.ndarray:
    """Tensions of straight cables within their limits; refuses a pose that they do not hold."""
    found = distribute(robot, pose, method=method)
    if not found.is_within.all():
        message = f"straight cables do not hold the platform there: {found.outcomes[0]}"
        raise refusal(message, at="pose", remedy="take another pose or other limits, or give tensions as a goal")
    return found.tensions[0]


def least_step(robot: Robot, place: Any, L: np.ndarray, wanted: np.ndarray, cables: Cables) -> np.ndarray:
    """Step of the lengths by Eq. (1)."""
    wrench, _, _, hung = balance(robot, place, L, cables)
    arms, rates = robot.anchors @ place[1].T, hung.by_length
    G = np.concatenate([rates, np.cross(arms, rates)], axis=1).T[robot.rows]
    m, n = len(L), len(wrench)
    A = np.block([[np.diag(np.sum(rates * rates, axis=1)), G.T], [G, np.zeros((n, n))]])
    # scale lengths by their effect on the forces, so that the matrix is well conditioned
    scale = np.concatenate([1.0 / np.linalg.norm(rates, axis=1), np.ones(n)])
    right = -np.concatenate([np.sum(rates * (hung.forces - wanted), axis=1), wrench])
    return (scale * np.linalg.solve(A * np.outer(scale, scale), scale * right))[:m]
