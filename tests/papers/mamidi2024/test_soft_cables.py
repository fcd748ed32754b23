"""Soft cables do not stop Newton's iteration: the 4-4 robot with little bending stiffness, and of a soft material."""

import numpy as np
import pytest

import taut

CABLE = "defaults.cable."
AREA, MOMENT = np.pi * 2e-3**2, np.pi * 2e-3**4 / 4
SOFT = {
    "bending stiffness / 1000": [
        "youngs_modulus=null",
        "damping=null",
        f"axial_stiffness={1.39e11 * AREA}",
        f"axial_damping={2.87e9 * AREA}",
        f"bending_stiffness={1.39e8 * MOMENT}",
        f"bending_damping={2.87e6 * MOMENT}",
    ],
    "E / 100": ["youngs_modulus=1.39e9"],
    "E and damping / 100": ["youngs_modulus=1.39e9", "damping=2.87e7"],
}


@pytest.mark.parametrize("name", SOFT)
def test_newton_fails_in_a_tenth_of_the_steps_at_most(name):
    changes = [CABLE + change for change in SOFT[name]]
    audit = taut.simulate(taut.build(taut.library.load("mamidi-pick-and-place", changes))).audit
    assert audit["verdict"] == "pass", audit["reasons"]
    assert audit["steps"]["newton_failures"] <= 0.1 * audit["steps"]["accepted"]
