"""Where the bodies are at the start, as given (loops not closed yet): for checks of a scenario and for the build."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from taut.model.joints import KINDS, JointKind, axis_of, moves_of
from taut.scenario.records.body import Body
from taut.scenario.records.joint import DEFAULT_AXIS, TWO_AXES, Joint
from taut.scenario.records.orientation import rotation_from_quaternion, rotation_from_vector

Pose = tuple[np.ndarray, np.ndarray]  # rotation from the body to the world, and origin [m]
X, Y = np.eye(3)[:2]


def start_poses(scenario: Any) -> dict[str, Pose]:
    """Return rotation matrix (body to world) and origin [m] of every body and of the world."""
    poses: dict[str, Pose] = {"world": (np.eye(3), np.zeros(3))}
    bodies = scenario.all_bodies()
    for name in bodies:
        # walk towards the world up to a body whose pose is known, then place the bodies on the way back
        chain = [name]
        while chain[-1] not in poses:
            chain.append(bodies[chain[-1]].joint.parent)
        for child in reversed(chain[:-1]):
            poses[child] = _place(bodies[child], poses[bodies[child].joint.parent], scenario)
    return poses


def _place(body: Body, parent: Pose, scenario: Any) -> Pose:
    joint = body.joint
    if joint.kind == "free":
        return body.rotation(), np.array(body.position or (0.0, 0.0, 0.0))
    R = parent[0] @ (joint.orientation.rotation() if joint.orientation else np.eye(3))
    x = parent[1] + parent[0] @ np.array(joint.origin)
    return moved(joint, (R, x), start_coordinates(joint, scenario))


def start_coordinates(joint: Joint, scenario: Any) -> tuple[float, ...]:
    """Return the coordinates of a joint at the start: as given, or where the signals of its motion begin."""
    if joint.motion is None:
        return joint.coordinates()
    starts = zip(joint.motions(), joint.coordinates(), strict=True)
    return tuple(q if motion is None else float(scenario.signal(motion).evaluate(0.0)[0]) for motion, q in starts)


def moved(joint: Joint, frame: Pose, coordinates: Sequence[float]) -> Pose:
    """Return the frame of the body on a joint frame, at the coordinates of the joint; not for free joints."""
    R, x = moved_frame(KINDS[joint.kind], joint_axes(joint), coordinates)
    return frame[0] @ R, frame[1] + frame[0] @ x


def moved_frame(kind: JointKind, axes: tuple[np.ndarray, np.ndarray], coordinates: Sequence[float]) -> Pose:
    """Return rotation and displacement of a joint at some coordinates: its moves one after the other."""
    R, x, q = np.eye(3), np.zeros(3), list(coordinates)
    for move in moves_of(kind):
        if move.how == "ball":
            R = R @ rotation_from_quaternion(np.array([q.pop(0) for _ in range(4)]))
        elif move.how == "small":
            # Eq. (2) of ``dynamics/tree/points.py``
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
        return unit(first), unit(second)
    if joint.kind == "planar":
        return planar_axes(joint)[:2]
    axis = joint.main_axis() if joint.kind in DEFAULT_AXIS else (0.0, 0.0, 1.0)
    return unit(axis), np.array([0.0, 1.0, 0.0])


def planar_axes(joint: Joint) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the two sliding directions and the normal: joint x (or y) laid into the plane, then normal x first."""
    normal = unit(joint.main_axis())
    # start from world x where possible, so that the default normal -y gives the axes x and z
    guide = X if abs(normal[0]) < 0.9 else Y
    first = unit(guide - normal * (normal @ guide))
    return first, np.cross(normal, first), normal


def unit(vector: Any) -> np.ndarray:
    """Return the vector at length one."""
    array = np.asarray(vector, float)
    return array / np.linalg.norm(array)
