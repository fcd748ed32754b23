"""Unstrained lengths that follow from tensions at the start."""

import numpy as np
import pytest

from taut.build import build
from taut.dynamics.forces.tethers import tether_pull
from taut.dynamics.residual import consistent_accelerations, place
from taut.model import new_data, new_factor
from taut.scenario.builder import Machine
from taut.scenario.errors import ScenarioError

CORNERS = [(x, y, z) for z in (0.0, 3.0) for y in (-2.0, 2.0) for x in (-2.0, 2.0)]


def robot(pretension: float, **keys: object) -> Machine:
    """A box on eight cables, four from above and four from below, each to its nearest corner."""
    machine = Machine("robot")
    machine.platform(mass=20.0, box=[0.4, 0.3, 0.2], position=[0.1, -0.2, 1.4])
    for k, (x, y, z) in enumerate(CORNERS):
        # crossed in height, so that the pose is held in all directions
        anchor = [0.2 * np.sign(x), 0.15 * np.sign(y), 0.1 if z == 0.0 else -0.1]
        machine.cable(f"C{k}", kind="spring", axial_stiffness=1e5, exit=[x, y, z], anchor=anchor, **keys)
    machine.initial(pretension=pretension)
    return machine


@pytest.mark.parametrize("pulley", [{}, {"pulley": {"radius": 0.05}}])
def test_the_platform_stays_at_rest_where_it_is_given(pulley: dict) -> None:
    """With adapted lengths no body is accelerated, and the tensions are near what is asked for."""
    model = build(robot(300.0, **pulley))
    data = new_data(model)
    data.modes[:] = 0
    place(model.tables, data)
    consistent_accelerations(model.tables, data, new_factor(model))
    assert np.abs(data.acceleration).max() < 1e-7
    tensions = [tether_pull(model.tables, data, j) for j in range(8)]
    assert np.mean(tensions) == pytest.approx(300.0, rel=0.1)


@pytest.mark.parametrize("joint", ["planar", "point"])
def test_bodies_on_other_joints_stay_too(joint: str) -> None:
    """A plate in its plane on six cables, and a point on four: neither is accelerated at the start."""
    machine = Machine("held")
    if joint == "planar":
        machine.body("load", mass=60.0, box=[1.2, 0.5, 0.8], joint={"kind": "planar", "position": [0, 4, 0]})
        exits = [(-6, 0, 9), (-5.5, 0, 9), (5.5, 0, 9), (6, 0, 9), (-6, 0, 0), (6, 0, 0)]
        anchors = [(-0.6, 0, -0.4), (-0.6, 0, 0.4), (0.6, 0, 0.4), (0.6, 0, -0.4), (-0.6, 0, 0.4), (0.6, 0, 0.4)]
    else:
        machine.body("load", mass=60.0, joint={"kind": "point", "position": [0.3, 0.1, 1.0]})
        exits, anchors = [(-2, -2, 3), (2, -2, 3), (0, 2, 3), (0, 0, 0)], [(0, 0, 0)] * 4
    for k, (leave, anchor) in enumerate(zip(exits, anchors, strict=True)):
        machine.cable(f"C{k}", kind="spring", axial_stiffness=1e5, exit=list(leave), body="load", anchor=list(anchor))
    machine.initial(pretension=500.0)
    model = build(machine)
    data = new_data(model)
    data.modes[:] = 0
    place(model.tables, data)
    consistent_accelerations(model.tables, data, new_factor(model))
    assert np.abs(data.acceleration).max() < 1e-7


def test_one_cable_alone() -> None:
    """The pretension of a single cable is its tension at the start."""
    machine = Machine("one")
    machine.body("load", mass=5.0, joint={"kind": "prismatic", "origin": [0, 0, -2]})
    machine.cable("rope", kind="spring", axial_stiffness=1e4, exit=[0, 0, 0], body="load", anchor=[0, 0, 0],
                  pretension=123.0)  # fmt: skip
    model = build(machine)
    assert model.tables.tethers[0].stiffness * (2.0 / model.tables.tethers[0].length - 1.0) == pytest.approx(123.0)


def test_cables_that_would_push_are_refused() -> None:
    """A pretension too small for the weight names the cable."""
    with pytest.raises(ScenarioError, match="would have to push"):
        build(robot(1e-3))
