import numpy as np
import pytest

import taut
from taut.integrate.rest import equilibrium
from taut.integrate.start.start_state import start_state
from taut.verify.cables.equilibria import CATENARIES, POSE, catenary_error


def test_robot_at_rest():
    found = taut.statics(taut.build(taut.library.load("mamidi-8-8-rest", ["initial.solve=closures"])))
    assert (found.method, found.residual < 1e-10, found.closure_error < 1e-12) == ("newton", True, True)
    assert np.linalg.norm(np.array(found.bodies["platform"]["position"]) - POSE) < 3e-3
    # what the cables carry balances the weight of platform and cables
    weight = 9.81 * (10.0 + 0.346 * sum(cable["length"] for cable in found.cables.values()))
    assert sum(cable["exit_force"][2] for cable in found.cables.values()) == pytest.approx(weight)


@pytest.mark.parametrize("name", CATENARIES)
def test_cable_without_bending_stiffness_is_a_catenary(name):
    coarse, fine = (catenary_error(CATENARIES[name], elements) for elements in (20, 40))
    assert np.log2(coarse / fine) == pytest.approx(2.0, abs=0.05)


def test_relaxation_finds_the_same():
    model = taut.build(taut.library.load("mamidi-pick-and-place", ["ground=null"]))
    expected = taut.statics(model).data.q
    data = start_state(model).data
    data.still[0] = 1.0
    rest = equilibrium.Rest(model, data)
    balance = equilibrium.relax(rest)
    assert rest.is_enough(balance)
    assert data.q == pytest.approx(expected, abs=1e-6)


def test_ground_carries_a_platform():
    machine = taut.Machine("block")
    machine.platform(mass=2.0, box=[1, 1, 0.2], position=[0, 0, 0.1])
    machine.ground(stiffness=1e4, damping=10.0)
    found = taut.statics(taut.build(machine.scenario()))
    assert found.bodies["platform"]["position"][2] == pytest.approx(0.1 - 2.0 * 9.81 / 1e4)


def test_what_falls_has_no_equilibrium():
    machine = taut.Machine("stone")
    machine.body("stone", mass=1.0, box=[1, 1, 1])
    with pytest.raises(taut.ScenarioError, match=r"no equilibrium found.*stone"):
        taut.statics(taut.build(machine.scenario()))


def test_run_starts_at_rest():
    result = taut.simulate(taut.build(taut.library.load("mamidi-8-8-rest")))
    assert np.abs(result["platform_velocity"].values).max() < 1e-7


def test_hint_says_what_goes_away():
    machine = taut.Machine("loose").body("stone", mass=1.0, joint={"kind": "point", "position": [0, 0, 1]})
    with pytest.raises(taut.ScenarioError, match=r"stone goes away without end.*nothing holds it"):
        taut.statics(taut.build(machine.scenario()))


def test_rest_without_gravity():
    machine = taut.Machine("puck", gravity=[0, 0, 0])
    spring = {"law": "linear", "stiffness": 3.7e4, "free": 0.123}
    machine.body("puck", mass=1.7, joint={"kind": "prismatic", "axis": [1, 0, 0], "position": 0.3, "spring": spring})
    machine.body("idle", mass=1.0, joint={"kind": "point", "position": [1, 2, 3]})
    found = taut.statics(taut.build(machine.scenario()))
    assert found.bodies["puck"]["position"][0] == pytest.approx(0.123, abs=1e-12)


@pytest.mark.parametrize("is_braked", [False, True])
def test_drums_that_turn_are_told(is_braked):
    """A load between two ropes from drums of constant torque: they turn until the tensions fit, unless braked."""
    machine = taut.Machine("between").body("load", mass=2.0, joint={"kind": "point", "position": [0.3, 0, -1]})
    for name, x in (("left", -1.0), ("right", 1.0)):
        machine.cable(
            name, kind="spring", axial_stiffness=1e4, exit=[x, 0, 0], body="load", anchor=[0, 0, 0], winch=name
        )
        machine.driver(name, kind="winch", drum={"radius": 0.1, "inertia": 0.1, "torque": -1.5, "braked": is_braked,
                                                 "brake": 100.0})  # fmt: skip
    found = taut.statics(taut.build(machine.scenario()))
    if is_braked:
        assert found.drums == {"left": 0.0, "right": 0.0}
        return
    # the tension is that of the torque, less the work of the stretched material that comes in: T + T^2/(2 EA) = 15 N
    pull = 1e4 * (np.sqrt(1.0 + 30.0 / 1e4) - 1.0)
    depth = 2.0 * 9.81 / 2.0 / pull
    place = found.bodies["load"]["position"]
    assert place == pytest.approx([0.0, 0.0, -depth / np.sqrt(1.0 - depth**2)], abs=1e-6)
    way = np.hypot(1.0, place[2])
    for name, x in (("left", 1.3), ("right", 0.7)):
        assert found.drums[name] == pytest.approx((way / (1.0 + pull / 1e4) - np.hypot(x, 1.0)) / 0.1, abs=1e-5)
