"""Where every node is at the given start state, by the engine's own kinematics."""

import numpy as np

from taut.build.freeze import depth_first
from taut.build.tree import TreeBuilder
from taut.dynamics.residual import place
from taut.model import new_data


def start_placements(tree: TreeBuilder) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """Rotation and origin of every node collected so far, by handle."""
    model = tree.finish(is_draft=True)
    data = new_data(model)
    place(model.tables, data)
    order, _ = depth_first(tree.nodes)
    return {handle: (data.nodes[i].R.reshape(3, 3).copy(), data.nodes[i].x.copy()) for i, handle in enumerate(order)}
