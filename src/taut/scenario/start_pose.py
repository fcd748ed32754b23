"""Where the bodies are at the start, as given (loops not closed yet)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from taut.model.joints import KINDS, JointKind, axis_of, moves_of

from .body import Body
from .joint import DEFAULT_AXIS, TWO_AXES, Joint
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
    return moved_frame(KINDS[joint.kind], joint_axes(joint), joint.coordinates())


def moved_frame(kind: JointKind, axes: tuple[np.ndarray, np.ndarray], coordinates: Sequence[float]) -> Pose:
    """Return rotation and displacement of a joint at some coordinates: its moves one after the other."""
    R, x, q = np.eye(3), np.zeros(3), list(coordinates)
    for move in moves_of(kind):
        if move.how == "ball":
            R = R @ rotation_from_quaternion(np.array([q.pop(0) for _ in range(4)]))
        elif move.how == "small":
            # Eq. (2) of ``dynamics/points``
            a, b, c = (q.pop(0) for _ in range(3))
            R = R @ np.array([[1, -c, b], [c, 1, -a], [-np.sin(b), np.sin(a), 1]])
        elif move.how == "turn":
            R = R @ rotation_from_vector(q.pop(0) * axis_of(move, *axes))
        else:
            x = x + q.pop(0) * (R @ axis_of(move, *axes))
    return R, x


def joint_axes(joint: Joint) -> tuple[np.ndarray, np.ndarray]:
    """Return the unit axes in the joint frame; of a planar joint the two directions of motion."""
    if joint.kind in TWO_AXES:
        first, second = joint.both_axes()
        return _unit(first), _unit(second)
    if joint.kind == "planar":
        return planar_axes(joint)[:2]
    axis = joint.main_axis() if joint.kind in DEFAULT_AXIS else (0.0, 0.0, 1.0)
    return _unit(axis), np.array([0.0, 1.0, 0.0])


def planar_axes(joint: Joint) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the two sliding directions and the normal: joint x (or y) laid into the plane, then normal x first."""
    normal = _unit(joint.main_axis())
    # x first, so that the default normal -y gives x and z
    guide = np.array([1.0, 0.0, 0.0]) if abs(normal[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    first = _unit(guide - normal * (guide @ normal))
    return first, np.cross(normal, first), normal


def _unit(vector: Any) -> np.ndarray:
    return np.array(vector) / np.linalg.norm(vector)
