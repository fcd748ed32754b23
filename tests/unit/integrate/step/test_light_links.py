"""Very light links that close a loop cost no more steps than heavy ones."""

import numpy as np
import pytest

import taut


def strut(mass, pressed):
    """A pendulum on a light strut with a spring, without gravity."""
    machine = taut.Machine("pendulum on a strut", planar=True, gravity=[0, 0, 0])
    hinge = {"kind": "revolute", "axis": [0, -1, 0]}
    machine.body("rod", mass=0.02, com=[0.02, 0, 0], inertia=[1e-6, 5e-6, 5e-6], joint={**hinge, "velocity": 50})
    light = {"mass": mass, "inertia": [1e-4 * mass] * 3}
    machine.body("hinge", **light, joint={**hinge, "origin": [0.04, 0, 0.05], "position": -np.pi / 2})
    spring = {"stiffness": 4530, "free": 0.05 + pressed}
    slide = {"kind": "prismatic", "axis": [1, 0, 0], "parent": "hinge", "position": 0.05, "spring": spring}
    machine.body("slide", **light, joint=slide)
    machine.closure("D", kind="point", bodies=["slide", "rod"], points=[[0, 0, 0], [0.04, 0, 0]])
    return taut.build(machine.run(duration=0.03, save_every=1e-3, tolerance=1e-6).scenario())


@pytest.mark.parametrize("pressed", [-0.025, 0.025])
def test_light_links_cost_no_more_steps(pressed):
    heavy, light = (taut.simulate(strut(mass, pressed)).audit for mass in (1e-3, 1e-9))
    assert light["verdict"] == "pass" and light["steps"]["accepted"] < 1.5 * heavy["steps"]["accepted"]
