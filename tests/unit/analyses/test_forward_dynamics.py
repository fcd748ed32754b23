"""Accelerations at a state: elastic cables pull where it stretches them."""

import pytest

from taut.analyses.forward_dynamics import forward_dynamics
from taut.build import build
from taut.integrate.start.start_state import start_state
from taut.scenario.builder import Machine


@pytest.mark.nojit
@pytest.mark.parametrize(("depth", "pull"), [(1.2, 200.0), (0.9, 0.0)])
def test_a_spring_pulls_where_the_start_stretches_it(depth, pull):
    machine = Machine("spring")
    joint = {"kind": "prismatic", "axis": [0, 0, 1], "origin": [0, 0, -depth]}
    machine.body("load", mass=2.0, joint=joint).cable("rope", kind="spring", axial_stiffness=1e3, length=1.0,
                                                      exit=[0, 0, 0], body="load", anchor=[0, 0, 0])  # fmt: skip
    model = build(machine.run(duration=1.0, save_every=0.1))
    data = start_state(model).data
    forward_dynamics(model, data)
    assert data.acceleration[0] == pytest.approx(pull / 2.0 - 9.81)
