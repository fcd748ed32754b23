"""Rods of changing length between bodies: the ropes of hoists, and legs without a shape."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.views.scene.frames import Frame
from taut.views.scene.meshes import rotation_matrix
from taut.views.scene.said import has_shape, is_vector, joint_of


@dataclass(frozen=True)
class Tie:
    """A rod from a point of one body to the origin of another that slides on it."""

    parent: int  # number of the body to which the first end of the rod is attached
    point: np.ndarray  # attachment point in the frame of that body [m]
    child: int


def read_ties(known: dict[str, dict[str, Any]], bodies: list[str], carriages: set[str]) -> list[Tie]:
    """A rod for every slide on a body that has no shape itself."""
    found = []
    for name, body in known.items():
        joint = joint_of(body)
        parent = joint["parent"]
        if joint["kind"] != "prismatic" or name in carriages or name not in bodies or parent not in bodies:
            continue
        if not has_shape(known.get(parent, {})):
            origin = joint.get("origin", [0.0, 0.0, 0.0])
            point = np.asarray(origin if is_vector(origin) else [0.0, 0.0, 0.0], float)
            found.append(Tie(bodies.index(parent), point, bodies.index(name)))
    return found


def tie_ends(ties: list[Tie], frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of all rods [m], shape [n, 3] each."""
    parents = [tie.parent for tie in ties]
    turns = rotation_matrix(frame.quaternion[parents])
    points = np.array([tie.point for tie in ties])
    start = frame.position[parents] + np.einsum("kij,kj->ki", turns, points)
    return start, frame.position[[tie.child for tie in ties]]
