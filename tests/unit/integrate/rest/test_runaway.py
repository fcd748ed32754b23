"""What has no rest is found out soon, and named; what only rests far away is not given up."""

import pytest

import taut


def refused(machine):
    with pytest.raises(taut.ScenarioError, match="no equilibrium found") as caught:
        taut.statics(taut.build(machine.scenario()))
    text = str(caught.value)
    return text, int(text.split("after ")[1].split(" steps")[0])


def test_a_falling_load_is_given_up_soon():
    machine = taut.Machine("stone").body("stone", mass=1.0, box=[1, 1, 1], position=[0, 0, 2])
    text, steps = refused(machine)
    assert "stone goes away without end" in text and "nothing holds it" in text and steps < 200


def test_a_rotor_turns_without_end():
    joint = {"kind": "revolute", "axis": [0, 1, 0], "force": 2.0}
    machine = taut.Machine("rotor").body("rotor", mass=1.0, com=[0.1, 0, 0], inertia=[1, 1, 1], joint=joint)
    assert "rotor turns without end" in refused(machine)[0]


@pytest.mark.parametrize(("brake", "said"), [(0.0, "no brake holds it"), (50.0, "cannot hold rope drum (at most 500)")])
def test_a_drum_that_pays_out_is_named(brake, said):
    machine = taut.Machine("hoist").body("load", mass=100.0, box=[1, 1, 1])
    machine.cable(
        "rope", kind="spring", exit=[0, 0, 3], body="load", anchor=[0, 0, 0.5], axial_stiffness=1e5, winch="W"
    )
    machine.driver("W", kind="winch", drum={"radius": 0.1, "inertia": 0.1, "brake": brake})
    text = refused(machine)[0]
    assert said in text and "rope drum pays out without end" in text


def test_a_rest_far_away_is_found():
    joint = {"kind": "prismatic", "axis": [0, 0, -1], "spring": {"stiffness": 0.1}}
    machine = taut.Machine("soft").body("stone", mass=1.0, box=[0.1, 0.1, 0.1], joint=joint)
    found = taut.statics(taut.build(machine.scenario()))
    assert found.bodies["stone"]["position"][2] == pytest.approx(-98.1)


def test_all_bodies_at_the_origin():
    machine = taut.Machine("hanging").body("stone", mass=1.0, box=[0.1, 0.1, 0.1])
    machine.cable(
        "rope", kind="spring", exit=[0, 0, 0], body="stone", anchor=[0, 0, 0], length=8.0, axial_stiffness=1e4
    )
    found = taut.statics(taut.build(machine.scenario()))
    assert found.bodies["stone"]["position"][2] == pytest.approx(-8.0 * (1.0 + 9.81 / 1e4)) and found.steps < 100
