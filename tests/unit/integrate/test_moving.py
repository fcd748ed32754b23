"""Segments of a run between the jumps of its signals."""

import taut
from taut.control.controls import JUMP, LOOK
from taut.integrate.moving import Moving, merged
from taut.integrate.settings import run_settings


def test_two_jumps_that_cannot_be_told_apart_are_one():
    machine = taut.Machine("pushed")
    machine.body("mass", mass=1.0, joint={"kind": "prismatic", "axis": [1, 0, 0]})
    for time in (0.3, 0.1 + 0.2):
        machine.force(
            body="mass",
            force=[
                {"kind": "waypoints", "times": [0.0, time, 1.0], "values": [0.0, 1.0, 0.0], "blend": "linear"},
                0,
                0,
            ],
        )
    machine.run(duration=1.0)
    assert taut.simulate(taut.build(machine.scenario())).status == "completed"


def sampled(delay):
    """A cart that a controller looks at ten times a second."""
    machine = taut.Machine("cart")
    machine.signal("push", {"kind": "command"})
    machine.body("cart", mass=1.0, joint={"kind": "prismatic", "axis": [1, 0, 0], "force": "push"})
    machine.measurement("x", joint="cart")
    machine.controller("hold", kind="pid", measure="x", command="push", kp=4.0, period=0.1, delay=delay)
    machine.run(duration=0.35)
    return taut.build(machine.scenario())


def test_samples_whose_commands_arrive_later_restart_nothing():
    model = sampled(0.04)
    segments = Moving(model, run_settings(model, {})).segments(0.0, 0.35)
    found = [(round(start, 9), what) for start, _, what in segments]
    looks, arrivals = [(0.1, LOOK), (0.2, LOOK), (0.3, LOOK)], [(0.04, JUMP), (0.14, JUMP), (0.24, JUMP), (0.34, JUMP)]
    assert found == sorted([(0.0, JUMP), *looks, *arrivals])


def test_commands_that_act_at_once_jump():
    model = sampled(0.0)
    segments = Moving(model, run_settings(model, {})).segments(0.0, 0.35)
    assert [what for _, _, what in segments] == [JUMP] * 4


def test_a_mark_and_an_instant_at_one_time_are_one():
    marks = merged([(0.0, JUMP), (0.5, 0), (1.0, 0)], [(0.5 + 1e-12, LOOK), (0.7, LOOK), (0.7, JUMP)], 1e-9)
    assert marks == [(0.0, JUMP), (0.5, LOOK), (0.7, JUMP), (1.0, 0)]
