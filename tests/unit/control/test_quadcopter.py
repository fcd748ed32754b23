import numpy as np
import pytest

import taut


def test_built_in_controller_flies_to_its_place():
    machine = taut.Machine("quadcopter")
    commands = [f"u{k}" for k in range(4)]
    for command in commands:
        machine.signal(command, kind="command", initial=9.81 / 4, limits=[0.0, 6.0])
    machine.driver(
        "Q", kind="quadcopter", mass=1.0, inertia=[0.01, 0.01, 0.02], arm=0.2, moment_ratio=0.05, thrust=commands
    )
    for name, what in (("x", "position"), ("v", "velocity"), ("turn", "orientation"), ("w", "angular_velocity")):
        machine.measurement(name, body="Q", what=what)
    machine.controller("fly", kind="quadcopter", period=0.01, driver="Q", position="x", velocity="v",
                       orientation="turn", spin="w", commands=commands, setpoint=[1.0, -0.5, 0.7])  # fmt: skip
    result = taut.simulate(taut.build(machine.run(duration=6.0, save_every=0.1).scenario()))
    assert result["body_position"].values[-1, 0] == pytest.approx([1.0, -0.5, 0.7], abs=2e-3)
    assert np.abs(result["body_velocity"].values[-1, 0]).max() < 1e-2
