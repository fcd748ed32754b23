"""Ropes that break, events of tensions, and warnings of the safety factor."""

import pytest

from taut.build import build
from taut.integrate.simulate import simulate
from taut.integrate.stepper import Stepper
from taut.scenario.builder import Machine


def loaded(**keys):
    """A mass on a rope, pulled down by a force that grows by 100 N/s."""
    machine = Machine("loaded")
    machine.body("load", mass=10.0, joint={"kind": "prismatic", "origin": [0, 0, -2]})
    machine.cable("rope", kind="ideal", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], **keys)
    machine.force("load", force=[0, 0, "-100*t"])
    return machine.run(duration=1.5, save_every=0.1)


def test_a_rope_breaks_at_its_breaking_load():
    """98.1 N + 100 N/s t = 200 N; then the load falls."""
    result = simulate(build(loaded(breaking_load=200.0)))
    times = {event["what"]: event["time"] for event in result.events}
    assert times["rope breaks"] == pytest.approx(1.019, abs=1e-9)
    assert float(result["cable_utilisation"].max()) <= 1.0
    assert float(result["body_velocity"].values[-1, 0, 2]) < -4.0
    # what broke is told, not the load that samples show before it
    assert "rope broke at t = 1.019 s" in result.audit["warnings"]
    assert not any("safety factor" in warning for warning in result.audit["warnings"])
    assert result.audit["verdict"] == "pass"


def test_a_rope_that_carries_more_than_its_safety_factor_allows_is_warned_of():
    """It ends at 248 N."""
    warnings = simulate(build(loaded(breaking_load=300.0))).audit["warnings"]
    assert any("rope carries up to 82.7 %" in warning and "safety factor" in warning for warning in warnings)


@pytest.mark.parametrize(("at", "breaks"), [(1.3, 1.019), (0.5, 0.5)])
def test_a_rope_that_is_to_be_cut_may_break_before(at, breaks):
    """The audit takes the rope for broken from then on, and misses no cut."""
    machine = loaded(breaking_load=200.0).failure("cut", at=at, kind="cut", target="rope")
    result = simulate(build(machine))
    assert [event["time"] for event in result.events if event["name"] == "cut"] == pytest.approx([breaks], abs=1e-9)
    assert result.audit["verdict"] == "pass", result.audit["reasons"]


@pytest.mark.parametrize("until", [0.5, 1.2])
def test_a_run_that_continues_before_or_after_the_break_passes(until):
    model = build(loaded(breaking_load=200.0))
    stepper = Stepper(model)
    stepper.advance_to(until)
    result = simulate(model, state=stepper.state)
    assert result.audit["law"]["verdict"] == "pass"
    assert result.audit["verdict"] == "pass", result.audit["reasons"]


def test_an_event_of_a_tension():
    """Found where the tension passes its value."""
    machine = loaded().event("heavy", cable="rope", value=150.0, crossing="up")
    result = simulate(build(machine))
    assert [event["time"] for event in result.events] == pytest.approx([0.519], abs=1e-9)
