"""Start poses of the scenario, with which the build places cables, against the engine's kinematics."""

import numpy as np
import pytest

import taut
from taut import library
from taut.dynamics.residual import place
from taut.model import new_data
from taut.scenario.start_pose import start_poses

pytestmark = pytest.mark.nojit
NAMES = ["stewart-actuated", "six-rss-heave", "crane-3d", "planar-3rrr", "wang-suspension", "delta", "gantry-crane"]


def assert_same_places(scenario):
    model = taut.build(scenario)
    data = new_data(model)
    place(model.tables, data)
    for name, (R, x) in start_poses(scenario).items():
        here = data.nodes[model.names.bodies[name] if name != "world" else 0]
        np.testing.assert_allclose(here.x, x, atol=1e-14)
        np.testing.assert_allclose(here.R.reshape(3, 3), R, atol=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_bodies_are_where_the_engine_places_them(name):
    assert_same_places(library.load(name))


JOINTS = [
    {"kind": "planar", "axis": [0.95, 0.3, 0.1], "position": [0.2, -0.3, 0.7]},
    {"kind": "planar", "motion": ["0.4 + t", None, "0.3 - t"]},
    {"kind": "universal", "axes": [[0, 1, 0], [1, 0, 1]], "position": [0.4, -0.9]},
    {"kind": "spherical", "position": [0.5, 0.2, -0.1, 0.8]},
    {"kind": "point", "position": [1, 2, 3]},
]


@pytest.mark.parametrize("joint", JOINTS, ids=lambda joint: joint["kind"])
def test_joints_of_several_coordinates(joint):
    machine = taut.Machine("x").body("base", mass=1.0, joint={"kind": "revolute", "axis": [0, 1, 1], "position": 0.6})
    turned = {"orientation": {"euler": [0.3, 0.2, 0.1]}, "origin": [0.1, 0.2, 0.3]}
    machine.body("tip", mass=1.0, inertia=[1, 1, 1], joint={**joint, **turned, "parent": "base"})
    assert_same_places(machine.scenario())
