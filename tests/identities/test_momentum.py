"""A machine that touches nothing keeps its momentum under all forces in its joints."""

import numpy as np
import pytest

from compare import relative_error
from engine import derivative, placed, varied
from machines import ALL_JOINTS, add_random_node, grow_tree, random_columns
from taut.build.tree import TreeBuilder
from taut.dynamics.forward import forward
from taut.model import new_factor
from taut.model.enums import JointKind


def momentum(model, data):
    """Linear and angular momentum of every body about the world's origin [nodes, 6]."""
    nodes, here = model.tables.nodes, data.nodes
    R = here.R.reshape(-1, 3, 3)
    com = np.einsum("nij,nj->ni", R, nodes.com)
    inertia = nodes.inertia[:, [[0, 1, 2], [1, 3, 4], [2, 4, 5]]]
    linear = nodes.mass[:, None] * (here.v + np.cross(here.w, com))
    spin = np.einsum("nij,njk,nlk,nl->ni", R, inertia, R, here.w)
    return np.hstack([linear, spin + np.cross(here.x + com, linear)])


@pytest.mark.parametrize("seed", range(4))
def test_momentum_is_kept(seed):
    rng, builder = np.random.default_rng(seed), TreeBuilder(gravity=(0.0, 0.0, 0.0))
    root = add_random_node(builder, rng, JointKind.FREE, 0)
    grow_tree(builder, rng, len(ALL_JOINTS), root=root, columns=random_columns)
    model = builder.finish()
    data = placed(model)
    forward(model.tables, data, new_factor(model))
    rates = derivative(momentum(model, varied(model, data, data.v, data.acceleration)))
    assert relative_error(rates.sum(axis=0), np.zeros(6), scale=abs(rates).max()) < 1e-12
