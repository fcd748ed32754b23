"""Segments of a run between the jumps of its signals."""

import taut


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
