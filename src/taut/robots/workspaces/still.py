"""A robot that stands at its start, as channels of a result with one sample: what the views need to draw it."""

from collections.abc import Collection
from typing import Any

import numpy as np

from taut.robots.datasets import Variable
from taut.robots.robot import Robot
from taut.robots.rotations import rotation

ON_WHEEL = 7  # number of nodes on the arc of a pulley; the views expect this number of cables laid over pulleys
POINTS = ("time", "cable", "node", "xyz")


def still_channels(robot: Robot, from_wheel: Collection[str] = ()) -> dict[str, Variable]:
    """Place of the platform and nodes of the cables; those ``from_wheel`` begin where they leave their pulley."""
    from taut.views.scene.meshes import quaternions

    turn = rotation(robot.home[3:])
    nodes = cable_nodes(robot, turn, from_wheel)
    return {
        "body_position": (("time", "body", "xyz"), robot.home[None, None, :3], "m", "platform at the start"),
        "body_quaternion": (("time", "body", "wxyz"), quaternions(turn[None])[None], "1", "its turn"),
        "cable_nodes": (POINTS, nodes[None], "m", "points of the cables at the start"),
        "cable_element_count": (("cable",), np.sum(np.isfinite(nodes[..., 0]), axis=1) - 1, "1", "pieces of a cable"),
    }


def cable_nodes(robot: Robot, turn: np.ndarray, from_wheel: Collection[str]) -> np.ndarray:
    """Points from the exit to the anchor [m], shape [n_cables, n_nodes, 3], NaN beyond a cable's own."""
    ends = robot.home[:3] + robot.anchors @ turn.T
    nodes = np.full((len(ends), ON_WHEEL + 1 if np.any(robot.radii > 0.0) else 2, 3), np.nan)
    for i, (exit, end) in enumerate(zip(robot.exits, ends, strict=True)):
        arc = wheel_points(exit, robot.axes[i], float(robot.radii[i]), end)
        arc = arc[-1:] if robot.cables[i] in from_wheel else arc
        nodes[i, : len(arc)], nodes[i, len(arc)] = arc, end
    return nodes


def wheel_points(exit: np.ndarray, axis: np.ndarray, radius: float, end: np.ndarray) -> np.ndarray:
    """Where the cable touches its pulley, from the exit on [m]: Eqs. (2), (3) of ``kernels/robots/reach.py``."""
    h = float(axis @ (end - exit))
    across = end - exit - h * axis
    q = float(np.linalg.norm(across))
    if radius == 0.0 or q == 0.0 or np.hypot(q - radius, h) < radius:
        return exit[None]
    towards = across / q
    leave = np.arctan2(h, q - radius) + np.arccos(radius / np.hypot(q - radius, h))
    angles = np.linspace(np.pi, leave, ON_WHEEL)[:, None]
    return exit + radius * (towards + np.cos(angles) * towards + np.sin(angles) * axis)


def plain_scenario(robot: Robot) -> dict[str, Any]:
    """Scenario that tells the views the shapes of a robot given as numbers."""
    cables: list[dict[str, Any]] = []
    for i, name in enumerate(robot.cables):
        wheel = {"pulley": {"radius": float(robot.radii[i]), "axis": robot.axes[i].tolist()}}
        cables.append({"name": name, "kind": "spring", "exit": robot.exits[i].tolist(),
                       "anchor": robot.anchors[i].tolist(), **(wheel if robot.radii[i] > 0.0 else {})})  # fmt: skip
    return {"name": robot.name, "platform": {}, "cables": cables}
