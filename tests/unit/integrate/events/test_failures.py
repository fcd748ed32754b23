import numpy as np
import pytest

import taut
from taut.verify.trust.failures import is_said, random_machine


def run(name, *settings):
    return taut.simulate(taut.build(taut.library.load(name, list(settings))))


def events(result):
    return [(event["name"], event["what"]) for event in result.events]


def test_cable_is_cut_in_mid_motion():
    result = run("cable-cut")
    after = result.time > 2.5
    assert ("C3 parts", "C3 is cut") in events(result)
    assert np.abs(result["anchor_force"].sel(cable="C3").values[after]).max() == 0.0
    assert np.abs(result["anchor_force"].sel(cable="C1").values[after]).max() > 1.0
    # what hangs at the exit is there still, and swings freely
    assert np.isfinite(result["cable_nodes"].sel(cable="C3").values).all()
    assert result.audit["verdict"] == "pass"


def test_winch_loses_its_brake():
    result = run("winch-brake-loss")
    length = result["cable_length"].sel(cable="C2").values
    assert ("brake of W2", "W2 loses its brake") in events(result)
    assert np.ptp(length[result.time <= 1.0]) < 5e-3
    assert length[-1] - length[0] > 0.5
    assert result.audit["verdict"] == "pass"


def test_failure_waits_for_an_event():
    settings = [
        "failures=[{name: F, when: high, kind: cut, target: C3}]",
        "events=[{name: high, value: 1.5, crossing: up}]",
    ]
    result = run("cable-cut", *settings)
    high, cut = (next(e["time"] for e in result.events if e["name"] == name) for name in ("high", "F"))
    assert high == cut
    assert result.audit["verdict"] == "pass"


def test_payload_is_dropped():
    machine = taut.Machine("drop")
    machine.body("hook", mass=1.0, joint={"kind": "prismatic", "spring": {"law": "linear", "stiffness": 500.0}})
    machine.body("load", mass=2.0, box=[1, 1, 1], position=[0, 0, -1])
    machine.closure("grip", kind="fixed", bodies=["hook", "load"], at=[0, 0, -0.5])
    machine.failure("drop", at=0.25, kind="release", target="grip")
    result = taut.simulate(taut.build(machine.run(duration=0.5, save_every=0.01).scenario()))
    speed = result["body_velocity"].sel(body="load").values[:, 2]
    falls = result.time > 0.255
    assert np.diff(speed[falls]) / 0.01 == pytest.approx(-9.81, rel=1e-6)
    assert result.audit["verdict"] == "pass"


def test_one_rotor_is_lost():
    machine = taut.Machine("rotor")
    machine.driver("Q", kind="quadcopter", mass=1.0, inertia=[0.01, 0.01, 0.02], arm=0.2, thrust=9.81 / 4)
    machine.failure("F", at=0.1, kind="loss", target="Q rotor 1")
    result = taut.simulate(taut.build(machine.run(duration=0.15, save_every=0.05).scenario()))
    # the thrust of rotor 1 at (a, a) is missing
    a, lost = 0.2 / np.sqrt(2), 9.81 / 4
    assert result["body_angular_acceleration"].values[-1, 0, :2] == pytest.approx(
        [-a * lost / 0.01, a * lost / 0.01], rel=0.05
    )


@pytest.mark.parametrize("number", range(6))
def test_random_failures(number):
    result = taut.simulate(taut.build(random_machine(number).scenario()))
    assert result.status == "completed" and is_said(result)


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        ({"at": 1.0, "kind": "cut", "target": "C9"}, "there is no cable of this name"),
        ({"kind": "cut", "target": "C1"}, "needs either at"),
        ({"when": "never", "kind": "cut", "target": "C1"}, "there is no event of this name"),
        ({"at": 1.0, "kind": "brake", "target": "lift"}, "there is no winch with a drum"),
    ],
)
def test_mistakes(failure, message):
    plain = "{" + ", ".join(f"{key}: {value}" for key, value in {"name": "F", **failure}.items()) + "}"
    with pytest.raises(taut.ScenarioError, match=message):
        taut.library.load("cable-cut", [f"failures=[{plain}]"])
