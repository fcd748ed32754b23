"""Where every node is at the start as given; in plain Python, so that building needs no compiler."""

import numpy as np

from taut.build.tree import NodeSpec, TreeBuilder
from taut.model.enums import JointKind
from taut.scenario.orientation import rotation_from_quaternion, rotation_from_vector

Placement = tuple[np.ndarray, np.ndarray]  # rotation to the world, origin [m]
X, Y, Z = np.eye(3)


def start_placements(tree: TreeBuilder) -> dict[int, Placement]:
    """Rotation and origin of every node collected so far, by handle; parents come first."""
    found: dict[int, Placement] = {0: (np.eye(3), np.zeros(3))}
    for handle, spec in enumerate(tree.nodes[1:], 1):
        found[handle] = place_node(tree, spec, found[spec.parent])
    return found


def place_node(tree: TreeBuilder, spec: NodeSpec, parent: Placement) -> Placement:
    """The frame of one node on its placed parent."""
    driven = [start_value(tree, k) for k in spec.signals]
    if spec.kind == JointKind.DRIVEN:
        return np.eye(3), np.asarray(spec.start, float) + driven
    R = parent[0] @ np.asarray(spec.rotation, float)
    x = parent[1] + parent[0] @ np.asarray(spec.offset, float)
    q = [driven[0]] if spec.kind in (JointKind.DRIVEN_TURN, JointKind.DRIVEN_SLIDE) else list(spec.position)
    for is_turn, axis in steps_of(spec):
        if is_turn:
            R = R @ rotation_from_vector(q.pop(0) * axis)
        else:
            x = x + q.pop(0) * (R @ axis)
    if spec.kind == JointKind.SMALL:
        # Eq. (2) of ``dynamics/points``
        R = np.array([[1, -q[2], q[1]], [q[2], 1, -q[0]], [-np.sin(q[1]), np.sin(q[0]), 1]])
    elif q:
        R = R @ rotation_from_quaternion(np.array(q))
    return R, x


def steps_of(spec: NodeSpec) -> list[tuple[bool, np.ndarray]]:
    """Turns (True) and slides of a joint, one after the other; those of a quaternion aside."""
    first, second = (np.asarray(axis, float) for axis in spec.axes)
    slides = [(False, X), (False, Y), (False, Z)]
    return {
        JointKind.REVOLUTE: [(True, first)],
        JointKind.DRIVEN_TURN: [(True, first)],
        JointKind.PRISMATIC: [(False, first)],
        JointKind.DRIVEN_SLIDE: [(False, first)],
        JointKind.UNIVERSAL: [(True, first), (True, second)],
        JointKind.BEND_XY: [(True, X), (True, Y)],
        JointKind.BEND_YX: [(True, Y), (True, X)],
        JointKind.STRETCH: [(False, Z)],
        JointKind.PLANAR: [(False, first), (False, second), (True, np.cross(first, second))],
        JointKind.POINT: slides,
        JointKind.FREE: slides,
        JointKind.SMALL: slides,
    }.get(spec.kind, [])


def start_value(tree: TreeBuilder, signal: int) -> float:
    """A signal at the start; zero for none."""
    return float(tree.curves[signal].evaluate(0.0)[0]) if signal >= 0 else 0.0
