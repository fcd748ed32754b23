"""Runs with cables without mass: winches, drums, bodies that both move, every integrator, and the start at rest."""

import numpy as np
import pytest

import taut
from taut.scenario import make_scenario

METHODS = {"radau": {}, "generalized-alpha": {"step": 1e-3}, "explicit": {}}


def simulate(data, **run):
    settings = {"duration": 1.0, "save_every": 0.05, "tolerance": 1e-7, **run}
    return taut.simulate(taut.build(make_scenario({"taut": 1, "name": "massless", **data, "run": settings})))


def hanging(cable, **parts):
    """A mass of 2 kg below the origin."""
    joint = {"kind": "point", "position": [0.3, 0.0, -1.0]}
    cable = {"name": "C", "exit": [0, 0, 0], "anchor": [0, 0, 0], "body": "mass", **cable}
    return {"bodies": {"mass": {"mass": 2.0, "joint": joint}}, "cables": [cable], **parts}


def test_a_winch_that_feeds_a_spring_balances_the_energy():
    winch = {"W": {"kind": "winch", "payout": "0.4*sin(2*t)"}}
    cable = {"kind": "spring", "axial_stiffness": 2e3, "axial_damping": 20.0, "winch": "W"}
    result = simulate(hanging(cable, drivers=winch))
    assert result.audit["verdict"] == "pass"
    assert abs(float(result["work_input"][-1])) > 0.1


def test_a_drum_without_its_brake_lets_the_mass_fall():
    drum = {"radius": 0.1, "inertia": 0.02, "brake": 50.0}
    cable = {"kind": "spring", "axial_stiffness": 1e5, "axial_damping": 100.0, "winch": "W", "exit": [0.3, 0, 0]}
    failure = [{"name": "slip", "kind": "brake-loss", "target": "W", "at": 0.5}]
    result = simulate(hanging(cable, drivers={"W": {"kind": "winch", "drum": drum}}, failures=failure), duration=1.5)
    assert result.audit["verdict"] == "pass"
    # the drum's inertia is that of 2 kg at its radius: half of free fall
    assert float(result["cable_length"][-1, 0]) == pytest.approx(1.0 + 0.25 * 9.81, rel=2e-3)


def test_two_bodies_on_a_stiff_cable_keep_their_momenta():
    bodies = {
        "one": {"mass": 1.0, "box": [0.2, 0.3, 0.1], "position": [-0.5, 0, 0], "velocity": [0, -1, 0]},
        "two": {"mass": 2.0, "box": [0.2, 0.3, 0.1], "position": [0.5, 0, 0], "velocity": [0, 0.5, 0]},
    }
    ends = {"name": "C", "exit": [0, 0, 0], "exit_body": "one", "anchor": [0, 0, 0], "body": "two"}
    spring = {"kind": "spring", "axial_stiffness": 1e6, "axial_damping": 1e3, "length": 1.0 / (1.0 + 1.5e-6)}
    data = {"gravity": [0, 0, 0], "bodies": bodies, "cables": [ends | spring]}
    result = simulate(data)
    position, velocity = (result[f"body_{what}"].values for what in ("position", "velocity"))
    momentum = velocity[:, 0] + 2.0 * velocity[:, 1]
    spin = np.cross(position[:, 0], velocity[:, 0]) + 2.0 * np.cross(position[:, 1], velocity[:, 1])
    assert np.abs(momentum).max() < 1e-8
    assert spin[:, 2] == pytest.approx(1.0, abs=1e-6)
    assert result["cable_tension"].values[-1, 0, 0] == pytest.approx(1.5, rel=1e-3)
    assert len(result["step_size"]) < 100


@pytest.mark.parametrize("method", METHODS)
def test_every_integrator_strikes_and_lets_go(method):
    """A thrown pendulum leaves its circle at the angle whose sine is (3.5 - 2)/3, and is caught again."""
    joint = {"kind": "point", "position": [0, 0, -1], "velocity": [float(np.sqrt(3.5 * 9.81)), 0, 0]}
    cable = {"name": "C", "kind": "ideal", "exit": [0, 0, 0], "anchor": [0, 0, 0], "body": "mass"}
    event = {"name": "height", "body": "mass", "value": 0.5}
    data = {"bodies": {"mass": {"mass": 1.0, "joint": joint}}, "cables": [cable], "events": [event]}
    result = simulate(data, duration=1.5, integrator=method, **METHODS[method])
    found = [(entry["name"], entry["what"]) for entry in result.events]
    assert {("C", "goes slack"), ("C", "goes taut")} <= set(found)
    times = {name: next(entry["time"] for entry in result.events if entry["name"] == name) for name in ("C", "height")}
    assert times["C"] == pytest.approx(times["height"], abs=2e-5)
    # a fixed step of second order is no match for the tolerance
    assert method == "generalized-alpha" or result.audit["verdict"] == "pass"


def test_at_rest_some_cables_are_slack():
    cables = [{"name": name, "kind": "ideal", "exit": [x, 0, 0], "anchor": [0, 0, 0], "body": "mass", "length": length}
              for name, x, length in (("L", -1.0, 1.5), ("R", 1.0, 1.5), ("M", 0.0, 3.0))]  # fmt: skip
    joint = {"kind": "point", "position": [0.2, 0.1, -0.8]}
    data = {"bodies": {"mass": {"mass": 2.0, "joint": joint}}, "cables": cables, "initial": {"solve": "equilibrium"}}
    found = taut.statics(taut.build(make_scenario({"taut": 1, "name": "three", **data, "run": {"duration": 1}})))
    height = np.sqrt(1.5**2 - 1.0)
    assert found.bodies["mass"]["position"] == pytest.approx([0, 0, -height], abs=1e-9)
    pulls = [cable["tension_exit"] for cable in found.cables.values()]
    assert pulls == pytest.approx([9.81 * 1.5 / height, 9.81 * 1.5 / height, 0.0], rel=1e-9)


def test_a_measured_tension_is_that_of_the_result():
    measured = {"pull": {"cable": "C", "what": "tension_exit"}}
    for kind in ({"kind": "ideal"}, {"kind": "spring", "axial_stiffness": 1e4}):
        scenario = make_scenario({"taut": 1, "name": "measured", **hanging(kind), "measurements": measured,
                                  "signals": {"u": {"kind": "command"}},
                                  "controllers": {"c": {"kind": "python", "period": 0.1, "commands": ["u"]}},
                                  "run": {"duration": 0.3, "save_every": 0.1}})  # fmt: skip
        told = []

        def listen(t, values, told=told):
            told.append(values["pull"])
            return {"u": 0.0}

        result = taut.simulate(taut.build(scenario), controllers={"c": listen})
        assert told[1:3] == pytest.approx(result["cable_tension_exit"].values[1:3, 0], rel=1e-4)
