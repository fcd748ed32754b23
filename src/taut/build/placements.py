"""Where every node is at the start as given; in plain Python, so that building needs no compiler."""

import numpy as np

from taut.build.tree import NodeSpec, TreeBuilder
from taut.model.joints import DRIVEN_JOINTS, JointKind
from taut.scenario.start_pose import moved_frame

Placement = tuple[np.ndarray, np.ndarray]  # rotation to the world, origin [m]


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
    q = driven[:1] if spec.kind in DRIVEN_JOINTS else spec.position
    first, second = (np.asarray(axis, float) for axis in spec.axes)
    R_move, x_move = moved_frame(spec.kind, (first, second), q)
    return R @ R_move, x + R @ x_move


def start_value(tree: TreeBuilder, signal: int) -> float:
    """A signal at the start; zero for none."""
    return float(tree.curves[signal].evaluate(0.0)[0]) if signal >= 0 else 0.0
