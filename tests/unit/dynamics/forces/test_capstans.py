"""Friction at guides: ratios of tensions while a rope slips, and the loads that bearings and gears resist."""

import numpy as np
import pytest

from taut.build import build
from taut.dynamics.residual import consistent_accelerations, place, place_state
from taut.integrate.events.friction import Frictions
from taut.model import new_data, new_factor
from taut.model.enums import SlipMode
from taut.scenario.builder import Machine

G = 9.81


def over_a_bar(mu, left=3.0, right=8.0, kind="ideal", **keys):
    """Two masses on a rope over a bar."""
    machine = Machine("bar")
    for name, mass, x in (("left", left, -0.2), ("right", right, 0.2)):
        machine.body(name, mass=mass, joint={"kind": "prismatic", "axis": [0, 0, 1], "origin": [x, 0, -3]})
    guide = {"kind": "sheave", "radius": 0.2, "axis": [0, 1, 0], "side": "over", "friction": mu}
    machine.cable(
        "rope", kind=kind, exit=[0, 0, 0], exit_body="left", body="right", anchor=[0, 0, 0], via=[guide], **keys
    )
    return build(machine)


def settled(model):
    """The state after the decision what sticks."""
    data = new_data(model)
    data.modes[:] = 1
    place(model.tables, data)
    Frictions(model).settle(data)
    place_state(model.tables, data, np.zeros(model.column_count))
    return data


@pytest.mark.nojit
def test_a_rope_that_slips_has_the_ratio_of_a_capstan():
    """T_2/T_1 = exp(mu pi), and both masses follow."""
    model, k = over_a_bar(0.1), np.exp(0.1 * np.pi)
    data = settled(model)
    a = (8.0 - 3.0 * k) * G / (8.0 + 3.0 * k)
    consistent_accelerations(model.tables, data, new_factor(model))
    assert data.modes[model.tables.columns["stick"][2]] == SlipMode.FORWARD
    assert data.acceleration[:2] == pytest.approx([a, -a], rel=1e-7)
    assert data.lam[1] / data.lam[0] == pytest.approx(k, rel=1e-7)


@pytest.mark.nojit
def test_a_rope_within_the_cone_sticks():
    """With enough friction nothing moves, and each side carries its own weight."""
    data = settled(over_a_bar(0.4))
    assert np.abs(data.acceleration).max() < 1e-12
    assert data.lam == pytest.approx([3.0 * G, 8.0 * G])


def test_a_row_of_guides_on_one_body_acts_as_one():
    """An ideal rope is cut at the last guide of the row, a rope that stretches at each guide."""
    hole = [{"kind": "pinhole", "point": [0.1 * k, 0, 0.1 * (k % 2)], "friction": 0.1} for k in range(3)]
    for kind, count in (("ideal", 1), ("spring", 3)):
        machine = Machine("row")
        machine.body("load", mass=2.0, joint={"kind": "prismatic", "origin": [0.2, 0, -2]})
        stiffness = {"axial_stiffness": 1e5} if kind == "spring" else {}
        machine.cable("rope", kind=kind, exit=[-1, 0, 0], via=hole, body="load", anchor=[0, 0, 0], **stiffness)
        assert len(build(machine).tables.capstans) == count
