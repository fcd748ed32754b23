"""Where the bodies are at the start, as given (loops not closed yet)."""

from typing import Any

import numpy as np

from .body import Body
from .joint import Joint
from .orientation import rotation_from_quaternion, rotation_from_vector

Pose = tuple[np.ndarray, np.ndarray]


def start_poses(scenario: Any) -> dict[str, Pose]:
    """Return rotation matrix (body to world) and origin [m] of every body and of the world."""
    poses: dict[str, Pose] = {"world": (np.eye(3), np.zeros(3))}
    bodies = scenario.all_bodies()
    for name in bodies:
        # walk towards the world until a body is known, then come back
        chain = [name]
        while chain[-1] not in poses:
            chain.append(bodies[chain[-1]].joint.parent)
        for child in reversed(chain[:-1]):
            poses[child] = _place(bodies[child], poses[bodies[child].joint.parent], scenario)
    return poses


def _place(body: Body, parent: Pose, scenario: Any) -> Pose:
    if body.joint.kind == "free":
        return body.rotation(), np.array(body.position or (0.0, 0.0, 0.0))
    R_parent, p_parent = parent
    R_joint = body.joint.orientation.rotation() if body.joint.orientation else np.eye(3)
    joint = body.joint
    if joint.motion is not None:
        # only here the joint stands where its signal begins
        starts = zip(joint.motions(), joint.coordinates(), strict=True)
        position = tuple(
            q if motion is None else float(scenario.signal(motion).evaluate(0.0)[0]) for motion, q in starts
        )
        joint = joint.model_copy(update={"position": position})
    R_move, p_move = joint_motion(joint)
    R = R_parent @ R_joint
    return R @ R_move, p_parent + R_parent @ np.array(body.joint.origin) + R @ p_move


def joint_motion(joint: Joint) -> Pose:
    """Return rotation and displacement of the body frame in the joint frame at the start coordinates."""
    q = np.array(joint.coordinates())
    match joint.kind:
        case "revolute":
            return rotation_from_vector(q[0] * _unit(joint.main_axis())), np.zeros(3)
        case "prismatic":
            return np.eye(3), q[0] * _unit(joint.main_axis())
        case "universal":
            first, second = (_unit(axis) for axis in joint.both_axes())
            return rotation_from_vector(q[0] * first) @ rotation_from_vector(q[1] * second), np.zeros(3)
        case "spherical":
            return rotation_from_quaternion(q), np.zeros(3)
        case "planar":
            e1, e2, normal = planar_axes(joint)
            return rotation_from_vector(q[2] * normal), q[0] * e1 + q[1] * e2
        case "point":
            return np.eye(3), q
        case _:
            return np.eye(3), np.zeros(3)


def planar_axes(joint: Joint) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the two sliding directions and the normal: joint x (or y) laid into the plane, then normal x first."""
    normal = _unit(joint.main_axis())
    start = np.array([1.0, 0.0, 0.0]) if abs(normal[0]) < 0.999999 else np.array([0.0, 1.0, 0.0])
    first = _unit(start - normal * (start @ normal))
    return first, np.cross(normal, first), normal


def _unit(vector: Any) -> np.ndarray:
    return np.array(vector) / np.linalg.norm(vector)
