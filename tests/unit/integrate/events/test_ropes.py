"""Ropes over guides with friction that go slack and taut again as a whole."""

import numpy as np
import pytest

from taut.build import build
from taut.integrate.events.ropes import Ropes
from taut.integrate.simulate import simulate
from taut.scenario.builder import Machine

UP = 3.0  # speed at the start [m/s]


def thrown(damping=2e3, rope=None, **guide):
    """A load on a rope over two guides, thrown up: slack at once, taut again where it was."""
    machine = Machine("thrown")
    machine.body("load", mass=10.0, joint={"kind": "prismatic", "origin": [3, 0, 0], "velocity": UP})
    via = [{"kind": "sheave", "point": [x, 0, 2], "radius": 0.1, "axis": [0, 1, 0], "side": "over", **guide}
           for x in (0.5, 2.9)]  # fmt: skip
    machine.cable("rope", kind="spring", body="load", anchor=[0, 0, 0], via=via, axial_stiffness=1e5,
                  axial_damping=damping, pretension=98.1, **({"exit": [0, 0, 0]} | (rope or {})))  # fmt: skip
    return machine


def changes(result, what):
    """Times at which a piece of the rope goes slack or taut [s]."""
    return [event["time"] for event in result.events if event["what"] == what]


def test_all_pieces_go_slack_together_and_taut_again_together():
    result = simulate(build(thrown(friction=0.1).run(duration=0.8, save_every=0.01, tolerance=1e-7)))
    assert result.audit["verdict"] == "pass", result.audit["reasons"]
    slack, taut = changes(result, "goes slack"), changes(result, "goes taut")
    # the start is slack already, because the damper takes the pull of the spring; then the load rebounds
    assert taut[:3] == pytest.approx([2.0 * UP / 9.81] * 3, abs=4e-3)
    assert len(set(taut[:3])) == len(set(slack[:3])) == 1
    assert len(slack) == len(taut) == 3


def test_a_slack_rope_carries_nothing_and_its_load_flies():
    """Until the rope is taut, its load flies freely, for any slack of the pieces."""
    result = simulate(build(thrown(efficiency=0.95).run(duration=0.5, save_every=0.01, tolerance=1e-9)))
    assert result.audit["verdict"] == "pass", result.audit["reasons"]
    time, height = result["time"].values, result["body_position"].values[:, 0, 2]
    assert not np.nanmax(np.abs(result["cable_tension"].values))
    assert np.abs(height - (UP * time - 0.5 * 9.81 * time**2)).max() < 1e-8


# damping [N] of a rope, its guides, and the exponent of the largest ratio of tensions that these allow, by their wrap
CAUGHT = [(500.0, {"efficiency": 0.8}, lambda wrap: -np.log(0.8) + 0.0 * wrap),
          (2e3, {"efficiency": 0.95}, lambda wrap: -np.log(0.95) + 0.0 * wrap),
          (8e3, {"friction": 0.1}, lambda wrap: 0.1 * wrap)]  # fmt: skip


@pytest.mark.parametrize(("damping", "guide", "exponent"), CAUGHT)
def test_a_caught_rope_begins_with_the_tensions_of_its_friction(damping, guide, exponent):
    """The damper pulls at once; a load of 10 kg is caught at 0.61 s, and the rope slips towards it."""
    result = simulate(build(thrown(damping, **guide).run(duration=0.62, save_every=5e-4, tolerance=1e-7)))
    assert result.audit["verdict"] == "pass", result.audit["reasons"]
    tensions = result["span_tension"].values
    is_caught = tensions.min(axis=1) > 0.0
    tensions, wraps = tensions[is_caught], result["guide_wrap"].values[is_caught]
    assert len(tensions) > 10
    # samples are interpolated in steps
    assert tensions[:, 1:] / tensions[:, :-1] == pytest.approx(np.exp(exponent(wraps)), rel=1e-4)


def test_a_rope_that_is_paid_out_while_it_is_caught_is_pulled_in_all_its_pieces():
    """Its short first piece gets longer faster than the load falls away from the last one."""
    machine = thrown(500.0, {"exit": [0.4, 0, 1.7], "winch": "W"}, efficiency=0.8)
    machine.driver("W", kind="winch", payout="1.5*t")
    result = simulate(build(machine.run(duration=1.0, save_every=5e-4, tolerance=1e-7)))
    assert len(changes(result, "goes taut")) >= 3
    assert result.audit["verdict"] == "pass", result.audit["reasons"]


def test_a_rope_caught_with_other_rates_fails_its_audit(monkeypatch):
    """Planted: the pieces begin with one strain rate, so that their tensions jump within the first step."""
    monkeypatch.setattr(Ropes, "_exponent", lambda *_: 0.0)
    result = simulate(build(thrown(500.0, efficiency=0.8).run(duration=0.62, save_every=5e-4, tolerance=1e-7)))
    assert "energy balance" in result.audit["reasons"][0]
