"""A sheave that swivels past an angle: located, and no event on the other side."""

import numpy as np
import pytest

from taut.build import build
from taut.integrate.simulate import simulate
from taut.scenario.builder import Machine

LEVEL, SPEED = 0.4, 3.0


@pytest.mark.nojit
def test_a_swivel_angle_is_passed_once_a_turn():
    """The load is led round on a circle below a sheave, so that its plane turns with the load's direction."""
    machine = Machine("round")
    machine.body("arm", mass=1.0, box=[0.1, 0.1, 0.1], joint={"kind": "revolute", "axis": [0, 0, 1],
                                                              "motion": f"0.1 + {SPEED}*t"})  # fmt: skip
    machine.body("stone", mass=1.0, joint={"kind": "prismatic"})
    machine.cable("rope", kind="spring", axial_stiffness=1e4, exit=[0, 0, 4], body="arm", anchor=[1, 0, 1],
                  pretension=20.0, via=[{"kind": "sheave", "point": [0, 0, 2], "radius": 0.1}])  # fmt: skip
    machine.measurement("swivel", cable="rope", what="guide_swivel", guide=1)
    machine.event("up", measurement="swivel", value=LEVEL, crossing="up")
    machine.event("down", measurement="swivel", value=LEVEL, crossing="down")
    result = simulate(build(machine.run(duration=5.0, save_every=0.05, tolerance=1e-8)))
    # the axis of the plane is the way there times the way on: it points back, half a turn from the load
    turned = result["guide_swivel"].values[:, 0]
    offset = np.round((turned[0] - 0.1) / np.pi) * np.pi
    first = np.remainder(LEVEL - offset - 0.1, 2.0 * np.pi) / SPEED
    due = np.arange(first, 5.0, 2.0 * np.pi / SPEED)
    assert [(event["name"], event["time"]) for event in result.events] == [
        ("up", pytest.approx(time, abs=1e-8)) for time in due
    ]
    assert result.audit["verdict"] == "pass", result.audit["reasons"]
