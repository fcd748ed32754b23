"""Natural frequencies while a rope is paid out: closed form of a rope with a mass at its end."""

import numpy as np
import pytest

from taut.analyses.modes_along import modes_along
from taut.build import build
from taut.scenario.builder import Machine

DENSITY, STIFFNESS, MASS = 2.0, 1e6, 50.0


def test_axial_frequency_falls_as_the_rope_grows():
    machine = Machine("hoist")
    machine.body("load", mass=MASS, joint={"kind": "point", "position": [0, 0, -20]})
    machine.driver("winch", kind="winch", rate=1.0, start="raw")
    machine.cable("rope", kind="ritz", modes=20, lateral_modes=0, exit=[0, 0, 0], body="load", anchor=[0, 0, 0],
                  winch="winch", mass_per_length=DENSITY, axial_stiffness=STIFFNESS)  # fmt: skip
    machine.run(duration=20.0)
    times = np.array([0.0, 10.0, 20.0])
    found = modes_along(build(machine.scenario()), times, count=22)
    for time, frequencies in zip(times, found.frequencies, strict=True):
        # beta tan(beta) = mass of the rope over that at its end
        beta = 2 * np.pi * frequencies[frequencies > 1e-3][0] * (20 + time) * np.sqrt(DENSITY / STIFFNESS)
        assert beta * np.tan(beta) == pytest.approx(DENSITY * (20 + time) / MASS, rel=0.03)
    assert "along" in found.families[0] and "load.x" in found.families[0]
