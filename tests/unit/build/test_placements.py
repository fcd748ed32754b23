"""Placements in plain Python against the engine's kinematics."""

import numpy as np
import pytest

from taut import library
from taut.build import placements
from taut.build.bodies import add_bodies
from taut.build.commands import add_commands
from taut.build.context import Context
from taut.build.failures import add_failures
from taut.build.freeze import depth_first
from taut.build.tree import TreeBuilder
from taut.dynamics.residual import place
from taut.model import new_data

pytestmark = pytest.mark.nojit
NAMES = ["stewart-actuated", "six-rss-heave", "crane-3d", "planar-3rrr", "wang-suspension", "delta", "gantry-crane"]


@pytest.mark.parametrize("name", NAMES)
def test_nodes_are_where_the_engine_places_them(name):
    scenario = library.load(name)
    context = Context(scenario, TreeBuilder(scenario.gravity))
    for add in (add_commands, add_failures, add_bodies):
        add(context)
    model = context.tree.finish(is_draft=True)
    data = new_data(model)
    place(model.tables, data)
    found, (order, _) = placements.start_placements(context.tree), depth_first(context.tree.nodes)
    for i, handle in enumerate(order):
        R, x = found[handle]
        np.testing.assert_allclose(data.nodes[i].x, x, atol=1e-14)
        np.testing.assert_allclose(data.nodes[i].R.reshape(3, 3), R, atol=1e-14)
