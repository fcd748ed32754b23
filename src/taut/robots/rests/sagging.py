"""Platforms on sagging elastic cables: the catenary at every cable, balance of all at the platform.

A cable of unstrained length L, weight w per length and stiffness EA pulls the platform with H horizontally towards its
exit and V upwards; exit and anchor are apart by [Irvine 1981, sec. 1.4]
    X = H L/EA + H/w (asinh b - asinh a),   Z = (V L + w L^2/2)/EA + (|(H, V + w L)| - |(H, V)|)/w,                  (1)
a = V/H, b = (V + w L)/H. The matrix of its derivatives by H and V is symmetric and positive definite, so that Newton's
method with halved steps finds both. Its inverse is the stiffness of the anchor; all of them make that of the platform
as in ``stiffness.py``. Massless cables (w = 0) are taken with a small weight.
Inverse: lengths for which the forces at the anchors are nearest to a goal in balance (the goal zero: smallest sum of
squares), by Gauss and Newton's method with the balance as a constraint.                                           (2)
"""

from typing import Any

import numpy as np

from taut.robots.forward import pose as pose_from_lengths
from taut.robots.from_model import Machine, robot_of
from taut.robots.poses import Station
from taut.robots.problems import refusal
from taut.robots.rests.elastic import Rest, elastic_rest, need_stiffness
from taut.robots.robot import Robot
from taut.robots.rotations import cross_matrix, rotation
from taut.robots.tensions import tensions as distribute

MOST_STEPS = 200
LIGHT = 1e-9  # least weight per length of a cable, relative to EA [1/m]: Eq. (1) divides by the weight
BALANCED = 1e-12


def catenary(
    X: np.ndarray, Z: np.ndarray, L: np.ndarray, EA: np.ndarray, w: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Forces (H, V) [n, 2] at the anchors of cables, and the derivatives of X and Z by them [n, 2, 2], Eq. (1)."""
    span = np.hypot(X, Z)
    with np.errstate(invalid="ignore", divide="ignore"):
        sag = np.sqrt(np.maximum(3.0 * ((L**2 - Z**2) / X**2 - 1.0), 0.0))
    sag = np.where(L > span, np.maximum(sag, 0.2), 0.2)
    loose = np.stack([0.5 * w * X / sag, 0.5 * w * (Z / np.tanh(sag) - L)], -1)
    pull = np.maximum(EA * (span / L - 1.0), 0.0)
    tight = np.stack([pull * X / span, pull * Z / span - 0.5 * w * L], -1)
    f = np.where((pull > w * L)[:, None], tight, loose)
    scale = np.maximum(span, L)
    for _ in range(MOST_STEPS):
        gap, J = spans(f, L, EA, w)
        gap = np.stack([X, Z], -1) - gap
        size = np.abs(gap).max(axis=1) / scale
        step = np.linalg.solve(J, gap[..., None])[..., 0]
        f, is_moved = halved(f, step, size, (X, Z, L, EA, w, scale))
        if not np.any(is_moved & (size > 1e-14)):
            break
    return f, spans(f, L, EA, w)[1]


def halved(f: np.ndarray, step: np.ndarray, size: np.ndarray, cables: Any) -> tuple[np.ndarray, np.ndarray]:
    """Steps of all cables, halved until H stays positive and the gap gets smaller; which of them moved."""
    X, Z, L, EA, w, scale = cables
    share, done, best = np.ones(len(f)), np.zeros(len(f), bool), f.copy()
    for _ in range(40):
        trial = f + share[:, None] * step
        is_right = trial[:, 0] > 0.0
        trial[~is_right] = f[~is_right]
        gap = np.stack([X, Z], -1) - spans(trial, L, EA, w)[0]
        better = is_right & (np.abs(gap).max(axis=1) / scale < size) & ~done
        best[better], done = trial[better], done | better
        if done.all():
            break
        share = np.where(done, share, 0.5 * share)
    return best, done


def spans(f: np.ndarray, L: np.ndarray, EA: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """X and Z [n, 2] of forces (H, V), and their derivatives [n, 2, 2], Eq. (1)."""
    H, V = f.T
    a, b = V / H, (V + w * L) / H
    ra, rb = np.hypot(1.0, a), np.hypot(1.0, b)
    # difference of the roots without cancellation, from b - a = w L/H
    rise = (w * L / H) * (a + b) / (ra + rb)
    turn = np.arcsinh(b * ra - a * rb)
    X = H * L / EA + H / w * turn
    Z = (V * L + 0.5 * w * L**2) / EA + H / w * rise
    cross = (1.0 / rb - 1.0 / ra) / w
    slopes = b / rb - a / ra
    J = np.stack([np.stack([L / EA + (turn - slopes) / w, cross], -1), np.stack([cross, L / EA + slopes / w], -1)], -2)
    return np.stack([X, Z], -1), J


def sagging_rest(machine: Machine, lengths: Any, *, near: Any = None, **options: Any) -> Rest:
    """Forward kinetostatics: where the platform rests on sagging cables of given unstrained lengths.

    Exits count as points, gravity must act along -z.

    Raises:
        ScenarioError: lengths that are not one positive number per cable, or no rest found.
    """
    robot = sagging_robot(machine, options)
    L = np.asarray(lengths, float)
    begin = near
    if near is None:
        begin = pose_from_lengths(robot, L, starts=0).pose
        begin = elastic_rest(robot, L, near=begin).pose
    station, full = Station(robot), robot.full_poses(begin)[0]
    p, R, steps = full[:3].copy(), rotation(full[3:]), 0
    wrench, K, size = balance(robot, (p, R), L)[:3]
    while steps < MOST_STEPS:
        steps += 1
        if float(np.abs(wrench).max()) <= BALANCED * size:
            break
        step, share = np.linalg.solve(K, wrench), 1.0
        for _ in range(40):
            place = station.moved(p, R, share * step)
            trial = balance(robot, place, L)
            if np.linalg.norm(trial[0]) < np.linalg.norm(wrench):
                break
            share *= 0.5
        else:
            break
        (p, R), (wrench, K, size) = place, trial[:3]
    return finished(station, (p, R), L, steps)


def sagging_robot(machine: Machine, options: dict[str, Any]) -> Robot:
    """The robot with sagging cables; refuses cables that the catenary does not describe."""
    robot = robot_of(machine, **options)
    need_stiffness(robot)
    if np.any(robot.radii > 0.0):
        remedy = "take them as points: exits='point' (--point-exits)"
        raise refusal("sagging cables over pulleys are not known", at="pulley", remedy=remedy)
    if np.any(robot.leads > 0.0):
        raise refusal("sagging cables over guides are not known", at="via", remedy="leave the guides out")
    g = np.asarray(robot.gravity)
    if np.any(g[:2]) or not g[2] < 0.0:
        raise refusal("gravity must act along -z for sagging cables", at="gravity", value=g.tolist())
    return robot


def weights(robot: Robot) -> np.ndarray:
    """Weight per length [N/m], not zero."""
    return np.maximum(robot.mass_per_length * -robot.gravity[2], LIGHT * robot.stiffness)


def geometry(robot: Robot, place: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Arms, horizontal directions towards the exits, and distances X and Z."""
    p, R = place
    arms = robot.anchors @ R.T
    d = robot.exits - p - arms
    X = np.hypot(d[:, 0], d[:, 1])
    towards = np.stack([d[:, 0] / X, d[:, 1] / X, np.zeros(len(d))], -1)
    return arms, towards, X, d[:, 2]


def balance(robot: Robot, place: Any, L: np.ndarray) -> tuple[np.ndarray, np.ndarray, float, np.ndarray]:
    """Wrench on the platform, its stiffness, the size of forces, and (H, V) of the cables."""
    arms, e, X, Z = geometry(robot, place)
    f, J2 = catenary(X, Z, L, robot.stiffness, weights(robot))
    up = np.array([0.0, 0.0, 1.0])
    F = f[:, :1] * e + f[:, 1:] * up
    k = np.linalg.inv(J2)
    frame = np.stack([e, np.broadcast_to(up, e.shape)], -1)
    sideways = np.eye(3) - frame @ np.swapaxes(frame, 1, 2)
    KB = frame @ k @ np.swapaxes(frame, 1, 2) + (f[:, 0] / X)[:, None, None] * sideways
    weight, c = robot.mass * np.asarray(robot.gravity), place[1] @ robot.com
    K, wrench = np.zeros((6, 6)), np.concatenate([weight, np.cross(c, weight)])
    for arm, force, stiff in zip(arms, F, KB, strict=True):
        J = np.hstack([np.eye(3), -cross_matrix(arm)])
        K += J.T @ stiff @ J
        K[3:, 3:] -= cross_matrix(force) @ cross_matrix(arm)
        wrench += np.concatenate([force, np.cross(arm, force)])
    K[3:, 3:] -= cross_matrix(weight) @ cross_matrix(c)
    rows = robot.rows
    return wrench[rows], K[np.ix_(rows, rows)], float(np.abs(F).max() + np.abs(weight).max()), f


def finished(station: Station, place: Any, L: np.ndarray, steps: int) -> Rest:
    """Record of the pose of rest found; one that does not balance is refused."""
    robot = station.robot
    wrench, _, size, f = balance(robot, place, L)
    residual = float(np.abs(wrench).max()) / size
    if not residual <= 1e-8:
        raise refusal(
            "the platform finds no rest on cables of these lengths", at="lengths", remedy="give a pose near it"
        )
    _, e, _, _ = geometry(robot, place)
    station.at(*place)
    forces = f[:, :1] * e + f[:, 1:] * np.array([0.0, 0.0, 1.0])
    top = np.hypot(f[:, 0], f[:, 1] + weights(robot) * L)
    slack = tuple(name for name, pull, w in zip(robot.cables, top, weights(robot) * L, strict=True) if pull <= w)
    pose = station.full[0, robot.rows].copy()
    return Rest(
        robot.name, robot.cables, robot.coordinates, pose, L, np.hypot(*f.T), forces, top, slack, residual, steps
    )


def sagging_lengths(machine: Machine, pose: Any = None, *, goal: Any = 0.0, **options: Any) -> Rest:
    """Inverse kinetostatics: unstrained lengths of sagging cables that hold a pose, Eq. (2).

    Args:
        machine: Model, Scenario or Robot.
        pose: none: at the start.
        goal: tensions to be near to [N], along the lines from anchors to exits; with zero, cables that only pull down
            go slack, which leaves their lengths open.
        options: of ``robot_of``.

    Raises:
        ScenarioError: a pose that cannot be held, or cables that the catenary cannot say.
    """
    robot = sagging_robot(machine, options)
    robot.need_enough_cables()
    own = robot.start if pose is None else pose
    full = robot.full_poses(own)[0]
    place = full[:3], rotation(full[3:])
    straight = distribute(robot, own, method="qp", limits=(1e-6 * robot.mass * 9.81, np.inf))
    _, _, X, Z = geometry(robot, place)
    wanted = np.broadcast_to(np.asarray(goal, float), len(X))[:, None] * np.stack([X, Z], -1) / np.hypot(X, Z)[:, None]
    # start value: at least the tension that straight cables would need
    f = np.maximum(np.nan_to_num(straight.tensions[0], nan=robot.mass * 9.81), np.hypot(*wanted.T))
    L = np.hypot(X, Z) * robot.stiffness / (robot.stiffness + f)
    station, steps = Station(robot), 0
    while steps < MOST_STEPS:
        steps += 1
        step = least_step(robot, place, L, wanted)
        L = L + step * min(1.0, 0.2 / max(float(np.abs(step / L).max()), 1e-300))
        if float(np.abs(step / L).max()) <= 1e-13:
            break
    return finished(station, place, L, steps)


def least_step(robot: Robot, place: Any, L: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """A step of the lengths for Eq. (2)."""
    arms, e, _, _ = geometry(robot, place)
    wrench, _, _, f = balance(robot, place, L)
    EA, w = robot.stiffness, weights(robot)
    _, J2 = spans(f, L, EA, w)
    H, top = f[:, 0], f[:, 1] + w * L
    tension = np.hypot(H, top)
    by_length = np.stack([H / EA + H / tension, top / EA + top / tension], -1)
    rates = -np.linalg.solve(J2, by_length[..., None])[..., 0]
    forces = rates[:, :1] * e + rates[:, 1:] * np.array([0.0, 0.0, 1.0])
    G = np.concatenate([forces, np.cross(arms, forces)], axis=1).T[robot.rows]
    m, n = len(L), len(wrench)
    A = np.block([[np.diag(np.sum(rates * rates, axis=1)), G.T], [G, np.zeros((n, n))]])
    # scale lengths by their effect on the forces, so that the matrix is well conditioned
    scale = np.concatenate([1.0 / np.linalg.norm(rates, axis=1), np.ones(n)])
    right = -np.concatenate([np.sum(rates * (f - wanted), axis=1), wrench])
    return (scale * np.linalg.solve(A * np.outer(scale, scale), scale * right))[:m]
