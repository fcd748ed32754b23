"""Where the bodies are at the start, as given (loops not closed yet): for checks of a scenario and for the build."""

from typing import Any

import numpy as np

from .body import Body
from .joint import Joint
from .orientation import rotation_from_quaternion, rotation_from_vector

Pose = tuple[np.ndarray, np.ndarray]  # rotation to the world, origin [m]
X, Y, Z = np.eye(3)


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


def moved(joint: Joint, frame: Pose, coordinates: tuple[float, ...]) -> Pose:
    """Return the frame of the body on a joint frame, at the coordinates of the joint; not for free joints."""
    R, x = frame
    if joint.kind == "spherical":
        return R @ rotation_from_quaternion(np.array(coordinates)), x
    for q, (is_turn, axis) in zip(coordinates, _steps(joint), strict=True):
        if is_turn:
            R = R @ rotation_from_vector(q * axis)
        else:
            x = x + q * (R @ axis)
    return R, x


def _steps(joint: Joint) -> list[tuple[bool, np.ndarray]]:
    """Return turns (True) and slides of a joint, one after the other."""
    match joint.kind:
        case "revolute" | "prismatic":
            return [(joint.kind == "revolute", unit(joint.main_axis()))]
        case "universal":
            return [(True, unit(axis)) for axis in joint.both_axes()]
        case "planar":
            first, second, normal = planar_axes(joint)
            return [(False, first), (False, second), (True, normal)]
        case "point":
            return [(False, X), (False, Y), (False, Z)]
        case _:
            return []


def planar_axes(joint: Joint) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the two sliding directions and the normal: joint x (or y) laid into the plane, then normal x first."""
    normal = unit(joint.main_axis())
    # x first, so that the default normal -y gives x and z
    guide = X if abs(normal[0]) < 0.9 else Y
    first = unit(guide - normal * (normal @ guide))
    return first, np.cross(normal, first), normal


def unit(vector: Any) -> np.ndarray:
    """Return the vector at length one."""
    array = np.asarray(vector, float)
    return array / np.linalg.norm(array)
