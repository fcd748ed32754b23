"""Events of measurements, and events that must last: against closed forms."""

import numpy as np
import pytest

from taut.build import build
from taut.integrate.simulate import simulate
from taut.integrate.stepper import Stepper
from taut.scenario.builder import Machine
from taut.scenario.errors import ScenarioError

WEIGHT = 98.1


def hung(force="100*sin(2*pi*t)", kind="ideal", **event):
    """A mass on a rope whose tension is its weight and 100 N sin(2 pi t)."""
    machine = Machine("hung")
    machine.body("load", mass=10.0, joint={"kind": "prismatic", "origin": [0, 0, -2]})
    machine.cable("rope", kind=kind, exit=[0, 0, 0], body="load", anchor=[0, 0, 0])
    machine.force("load", force=[0, 0, f"-({force})"])
    machine.measurement("pull", cable="rope", what="tension_anchor")
    keys = {"measurement": "pull", "value": WEIGHT + 50.0, "crossing": "up"}
    machine.event("heavy", **(keys | event))
    return machine.run(duration=2.4, save_every=0.1)


def found(result):
    """Times by name and kind of event."""
    times = {}
    for event in result.events:
        times.setdefault((event["name"], event["what"]), []).append(event["time"])
    return times


def test_a_tension_that_lasts():
    """The tension is above half the amplitude from 1/12 s to 5/12 s of every period, which is 1/3 s."""
    result = simulate(build(hung(lasts=0.3)))
    times = found(result)
    assert times["heavy passing", "passes upwards"] == pytest.approx([1 / 12, 13 / 12, 25 / 12], abs=1e-9)
    assert times["heavy passing", "passes downwards"] == pytest.approx([5 / 12, 17 / 12], abs=1e-9)
    assert times["heavy", "has lasted 0.3 s"] == pytest.approx([1 / 12 + 0.3, 13 / 12 + 0.3, 25 / 12 + 0.3], abs=1e-9)
    assert result.audit["verdict"] == "pass", result.audit["reasons"]


def test_what_comes_back_before_has_not_lasted():
    """A third of a second is less than 0.34 s, and peaks do not add up."""
    times = found(simulate(build(hung(lasts=0.34))))
    assert ("heavy", "has lasted 0.34 s") not in times
    assert len(times["heavy passing", "passes upwards"]) == 3


def test_what_never_comes_has_not_lasted():
    result = simulate(build(hung(force="20*sin(2*pi*t)", lasts=0.1)))
    assert result.events == [] and result.audit["verdict"] == "pass"


def test_below_and_from_the_start_on():
    """Below from the start to 1/12 s, then from 5/12 s to 13/12 s: 8/12 s."""
    times = found(simulate(build(hung(lasts=0.05, crossing="down"))))
    assert times["heavy", "has lasted 0.05 s"] == pytest.approx([0.05, 5 / 12 + 0.05, 17 / 12 + 0.05], abs=1e-9)


def test_a_failure_waits_until_it_has_lasted():
    """The rope is cut 0.3 s after its tension has passed the value; then the load falls freely."""
    machine = hung(lasts=0.3).failure("cut", when="heavy", kind="cut", target="rope")
    result = simulate(build(machine))
    times = found(result)
    assert times["cut", "rope is cut"] == pytest.approx([1 / 12 + 0.3], abs=1e-9)
    t = 2.4 - (1 / 12 + 0.3)
    w = 2 * np.pi
    pushed = -10.0 / w * (np.cos(w * (2.4 - t)) - np.cos(w * 2.4))
    assert float(result["body_velocity"].values[-1, 0, 2]) == pytest.approx(-9.81 * t + pushed, abs=1e-6)
    assert result.audit["verdict"] == "pass", result.audit["reasons"]


def test_it_can_stop_the_run():
    result = simulate(build(hung(lasts=0.3, action="stop")))
    assert result.status == "stopped"
    assert result.events[-1]["time"] == pytest.approx(1 / 12 + 0.3, abs=1e-9)


@pytest.mark.parametrize("until", [0.2, 0.38, 0.5])
def test_a_run_that_continues_keeps_its_timers(until):
    """A run that is started again before and after 0.3 s have passed has its event at the same time."""
    model = build(hung(lasts=0.3))
    stepper = Stepper(model)
    stepper.advance_to(until)
    times = found(simulate(model, state=stepper.state))
    due = [1 / 12 + 0.3, 13 / 12 + 0.3, 25 / 12 + 0.3]
    assert times["heavy", "has lasted 0.3 s"] == pytest.approx([t for t in due if t > until], abs=1e-9)


@pytest.mark.parametrize("integrator", ["generalized-alpha", "explicit"])
def test_other_integrators_keep_time_too(integrator):
    """Other integrators find events with their own accuracy: a falling mass is faster than 2 m/s from 2/9.81 s on."""
    machine = Machine("falls")
    machine.body("load", mass=10.0, joint={"kind": "prismatic"})
    machine.measurement("speed", joint="load", what="velocity")
    machine.event("fast", measurement="speed", value=-2.0, crossing="down", lasts=0.3)
    times = found(simulate(build(machine.run(duration=0.6)), integrator=integrator))
    assert times["fast", "has lasted 0.3 s"] == pytest.approx([2 / 9.81 + 0.3], abs=1e-6)


def test_mistakes_are_named():
    """Each mistake gives one error that names it."""
    cases = {
        "needs crossing": {"lasts": 0.1, "crossing": "both"},
        "no measurement of this name": {"measurement": "pul"},
        "watches one thing": {"cable": "rope"},
        "belongs to a body": {"measure": "speed"},
        "greater than 0": {"lasts": 0.0},
    }
    for message, keys in cases.items():
        with pytest.raises(ScenarioError, match=message):
            build(hung(**keys))
