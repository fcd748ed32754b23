"""A sheave that swivels past an angle: located, and no event on the other side."""

import numpy as np
import pytest

from taut.build import build
from taut.integrate.simulate import simulate
from taut.scenario.builder import Machine

LEVEL, SPEED = 0.4, 3.0


pytestmark = pytest.mark.nojit


def led_round():
    """The load is led round on a circle below a sheave, so that its plane turns with the load's direction."""
    machine = Machine("round")
    machine.body("arm", mass=1.0, box=[0.1, 0.1, 0.1], joint={"kind": "revolute", "axis": [0, 0, 1],
                                                              "motion": f"0.1 + {SPEED}*t"})  # fmt: skip
    machine.body("stone", mass=1.0, joint={"kind": "prismatic"})
    machine.cable("rope", kind="spring", axial_stiffness=1e4, exit=[0, 0, 4], body="arm", anchor=[1, 0, 1],
                  pretension=20.0, via=[{"kind": "sheave", "point": [0, 0, 2], "radius": 0.1}])  # fmt: skip
    machine.measurement("swivel", cable="rope", what="guide_swivel", guide=1)
    return machine


def due(swivel, duration):
    """Times at which the angle is passed upwards [s]."""
    # the axis of the plane is the way there times the way on: it points back, half a turn from the load
    offset = np.round((swivel[0] - 0.1) / np.pi) * np.pi
    return np.arange(np.remainder(LEVEL - offset - 0.1, 2.0 * np.pi) / SPEED, duration, 2.0 * np.pi / SPEED)


def test_a_swivel_angle_is_passed_once_a_turn():
    machine = led_round()
    machine.event("up", measurement="swivel", value=LEVEL, crossing="up")
    machine.event("down", measurement="swivel", value=LEVEL, crossing="down")
    result = simulate(build(machine.run(duration=5.0, save_every=0.05, tolerance=1e-8)))
    # the axis of the plane is the way there times the way on: it points back, half a turn from the load
    assert [(event["name"], event["time"]) for event in result.events] == [
        ("up", pytest.approx(time, abs=1e-8)) for time in due(result["guide_swivel"].values[:, 0], 5.0)
    ]
    assert result.audit["verdict"] == "pass", result.audit["reasons"]


@pytest.mark.parametrize("crossing", ["down", "both"])
def test_half_a_turn_away_nothing_stops_a_run(crossing):
    machine = led_round()
    machine.event("passed", measurement="swivel", value=LEVEL, crossing=crossing, action="stop")
    result = simulate(build(machine.run(duration=1.5, save_every=0.05, tolerance=1e-8)))
    (first,) = due(result["guide_swivel"].values[:, 0], 1.5)
    assert [event["time"] for event in result.events] == pytest.approx([first] if crossing == "both" else [], abs=1e-8)
    assert result.status == ("stopped" if crossing == "both" else "completed")


def test_an_angle_that_was_passed_lasts_beyond_half_a_turn():
    machine, lasts = led_round(), np.pi / SPEED + 0.01
    machine.event("long", measurement="swivel", value=LEVEL, crossing="up", lasts=lasts)
    result = simulate(build(machine.run(duration=5.0, save_every=0.05, tolerance=1e-8)))
    # at the start it is above already
    begun = [0.0, *due(result["guide_swivel"].values[:, 0], 5.0)]
    lasted = [event["time"] for event in result.events if event["what"].startswith("has lasted")]
    assert lasted == pytest.approx([time + lasts for time in begun], abs=1e-8)
    assert result.audit["verdict"] == "pass", result.audit["reasons"]
