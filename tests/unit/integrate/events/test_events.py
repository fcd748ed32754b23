"""Events: located to rounding, acted on, and in the result."""

import numpy as np
import pytest

import taut
from taut.integrate.simulate import simulate

# unilateral spring bounce, m = 1 kg, k = 1000 N/m, l0 = 1 m, released at the anchor: closed form
TAUT, CONTACT, PERIOD = 0.4515236409857309, 0.10376810866956472, 1.0068153906410264


def bounce(**run):
    machine = taut.Machine("bounce")
    spring = {"law": "bilinear", "stiffness": 1000.0, "free": 1.0}
    joint = {"kind": "prismatic", "axis": [0, 0, -1], "spring": spring}
    machine.body("mass", mass=1.0, joint=joint)
    machine.event("top", body="mass", measure="speed", value=0.0, crossing="down")
    machine.run(**{"duration": 2.2, "tolerance": 1e-9, **run})
    return machine


@pytest.fixture(scope="module")
def bounced():
    return simulate(taut.build(bounce().scenario()))


def times(result, name, what):
    return [event["time"] for event in result.events if (event["name"], event["what"]) == (name, what)]


def test_taut_and_slack_are_located_to_a_nanosecond(bounced):
    assert times(bounced, "mass", "goes taut")[0] == pytest.approx(TAUT, abs=1e-9)
    assert times(bounced, "mass", "goes slack")[0] == pytest.approx(TAUT + CONTACT, abs=1e-9)


def test_period_over_two_bounces(bounced):
    tops = [t for t in times(bounced, "top", "passes downwards") if t > 0.1]
    assert tops == pytest.approx([PERIOD, 2 * PERIOD], abs=1e-9)


def test_peak_tension_and_audit(bounced):
    assert bounced["joint_position"].values.max() == pytest.approx(1.15022451527530908, abs=2e-3)
    assert bounced.audit["verdict"] == "pass"


def test_an_event_can_stop_the_run():
    machine = bounce()
    machine.event("low", body="mass", value=-0.5, crossing="down", action="stop")
    result = simulate(taut.build(machine.scenario()))
    assert result.status == "stopped"
    assert result.events[-1]["time"] == pytest.approx(np.sqrt(2 * 0.5 / 9.81), abs=1e-9)


def test_a_dropped_box_comes_to_rest_on_the_ground():
    machine = taut.Machine("drop")
    machine.platform(mass=1.0, box=[0.2, 0.2, 0.2], position=[0, 0, 0.15])
    machine.ground(stiffness=1e4, damping=200.0)
    machine.run(duration=2.0)
    result = simulate(taut.build(machine.scenario()))
    assert result["platform_position"].values[-1] == pytest.approx([0, 0, 0.1 - 9.81 / 1e4], abs=1e-6)
    assert result.audit["verdict"] == "pass"
    first = next(event for event in result.events if event["what"] == "closes")
    assert first["time"] == pytest.approx(np.sqrt(2 * 0.05 / 9.81), abs=1e-9)


def test_bilateral_ground_lets_go_when_the_robot_lifts():
    result = simulate(taut.build(taut.library.load("mamidi-pick-and-place-paper")), duration=0.5)
    assert result.events[0]["what"] == "opens"
    assert result.audit["verdict"] == "pass"


def thrown(level, **event):
    """A mass thrown up at 5 m/s that passes a level on its way up and again on its way down."""
    machine = taut.Machine("thrown")
    machine.body("mass", mass=1.0, joint={"kind": "prismatic", "axis": [0, 0, 1], "velocity": 5.0})
    machine.event("level", body="mass", value=level, **event)
    machine.run(duration=0.9)
    return taut.build(machine.scenario())


def passings(level):
    apart = np.sqrt(25.0 - 2 * 9.81 * level)
    return [(5.0 - apart) / 9.81, (5.0 + apart) / 9.81]


@pytest.mark.parametrize("integrator", ["radau", "generalized-alpha", "explicit"])
@pytest.mark.parametrize(("level", "largest_step"), [(0.9, None), (1.2, None), (1.273, 0.05)])
def test_an_event_that_comes_back_is_found_both_times(level, largest_step, integrator):
    result = simulate(thrown(level), integrator=integrator, largest_step=largest_step)
    assert [event["time"] for event in result.events] == pytest.approx(passings(level), abs=1e-5)


def test_a_stop_waits_for_its_direction():
    result = simulate(thrown(1.2, crossing="down", action="stop"))
    assert result.status == "stopped"
    assert result.events[-1]["time"] == pytest.approx(passings(1.2)[1], abs=1e-8)


def test_an_event_that_starts_at_zero_has_not_passed():
    result = simulate(thrown(0.0, action="stop"), duration=2.0)
    assert result.status == "stopped"
    assert result.events[-1]["time"] == pytest.approx(2 * 5.0 / 9.81, abs=1e-8)
