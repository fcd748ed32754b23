"""The start state: loops closed with the least motion, or an error that names the open loop."""

import numpy as np
import pytest

import taut
from taut.dynamics.constraints.closures import closures
from taut.dynamics.tree.kinematics import kinematics

FOUR_BAR = "four-bar"


def test_a_rough_four_bar_is_closed():
    model = taut.build(taut.library.load(FOUR_BAR, ["bodies.rocker.joint.position=1.4"]))
    start = taut.start_state(model)
    assert start.given_error > 0.05
    assert start.error < 1e-10


def test_velocities_are_made_consistent():
    model = taut.build(taut.library.load(FOUR_BAR, ["bodies.crank.joint.velocity=2.0"]))
    data = taut.start_state(model).data
    kinematics(model.tables, data)
    closures(model.tables, data)
    assert np.abs(data.rows["rate"]).max() < 1e-12
    assert np.abs(data.v).max() > 0.1


def test_an_impossible_loop_is_named_with_its_gap():
    scenario = taut.library.load(FOUR_BAR, ["bodies.rocker.joint.origin=[20,0,0]"])
    with pytest.raises(taut.ScenarioError, match="'pin' cannot be closed: a gap of"):
        taut.start_state(taut.build(scenario))


def test_given_positions_are_left_alone_on_request():
    model = taut.build(taut.library.load(FOUR_BAR, ["initial.solve=none", "bodies.rocker.joint.position=1.4"]))
    start = taut.start_state(model)
    assert start.error == start.given_error > 0.05
    assert np.array_equal(start.data.q, model.start_coordinates)


@pytest.mark.parametrize(("name", "rank", "part"), [(FOUR_BAR, 2, "pin.y"), ("bennett", 2, "hinge4.axis1")])
def test_redundant_rows_are_named(name, rank, part):
    model = taut.build(taut.library.load(name))
    start = taut.start_state(model)
    assert start.rank == rank
    assert part in start.redundant
    assert any(part in warning for warning in taut.describe(model, start)["warnings"])
