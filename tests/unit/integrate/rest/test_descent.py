"""The way down with the whole stiffness matrix, and rests that would not last."""

import numpy as np
import pytest

import taut
from taut.integrate.rest import equilibrium
from taut.integrate.rest.descent import is_unstable
from taut.integrate.start.start_state import start_state


def pendulum(angle):
    machine = taut.Machine("pendulum")
    joint = {"kind": "revolute", "axis": [0, 1, 0], "position": angle}
    return taut.build(machine.body("rod", mass=1.0, com=[0, 0, 0.5], inertia=[0.1, 0.1, 0.1], joint=joint).scenario())


def test_what_starts_in_balance_stays_though_it_would_not_last():
    found = taut.statics(pendulum(0.0))
    assert found.data.q[0] == 0.0 and is_unstable(pendulum(0.0), found.data)
    assert taut.modes(pendulum(0.0)).frequencies[0] < 0.0


@pytest.mark.parametrize("angle", [1e-3, 0.5, -2.0])
def test_what_does_not_goes_down(angle):
    found = taut.statics(pendulum(angle))
    assert abs(found.data.q[0]) == pytest.approx(np.pi, abs=1e-9) and not is_unstable(pendulum(angle), found.data)


def test_the_same_rest_as_by_newton():
    model = taut.build(taut.library.load("mamidi-pick-and-place", ["ground=null"]))
    expected, data = taut.statics(model).data.q, start_state(model).data
    data.still[0] = 1.0
    rest = equilibrium.Rest(model, data)
    assert rest.is_enough(equilibrium.descend(rest))
    assert data.q == pytest.approx(expected, abs=1e-8)


def test_a_cable_over_a_pulley_comes_to_rest():
    rope = {"elements": 4, "radius": 2e-3, "mass_per_length": 0.05, "axial_stiffness": 2e5, "bending_stiffness": 0.01}
    machine = taut.Machine("pulleys").platform(mass=5.0, box=[0.4, 0.4, 0.2], position=[0.3, 0.2, 1.2])
    for k, (x, y) in enumerate([(-2, -1), (2, -1), (0, 2)]):
        machine.cable(
            f"C{k}", exit=[x, y, 3], anchor=[0.1 * x, 0.1 * y, 0.1], length=3.0, pulley={"radius": 0.05}, **rope
        )
    found = taut.statics(taut.build(machine.scenario()))
    assert found.residual < 1e-11 and found.steps < 600
