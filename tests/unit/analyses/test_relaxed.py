"""Internal states at rest: branches have relaxed, a run from rest stays there, and in modes they are states."""

import numpy as np
import pytest

import taut
from taut.verify.sound.rows import relaxed_branches, solid_rope


def test_rest_run_and_modes():
    assert all(quantity.is_passed for quantity in relaxed_branches())


def test_undamped_frequency_is_the_relaxed_one():
    frequencies = taut.modes(solid_rope(is_solved=False)).frequencies
    assert frequencies[-1] == pytest.approx(np.sqrt(1e4 / 10) / (2 * np.pi), rel=1e-6)


def test_large_branch_ratio_comes_to_rest_as_quickly():
    machine = taut.Machine("joint")
    spring = {"law": "standard-linear-solid", "stiffness": 100.0, "branch_stiffness": 1e5, "branch_damping": 10.0}
    joint = {"kind": "prismatic", "axis": [0, 0, 1], "origin": [0, 0, 3], "spring": spring}
    machine.body("mass", mass=2.0, joint=joint)
    found = taut.statics(taut.build(machine.scenario()))
    assert found.bodies["mass"]["position"][2] == pytest.approx(3.0 - 2.0 * 9.81 / 100.0, rel=1e-12)
    assert found.steps < 60 and found.data.z[0] == pytest.approx(-2.0 * 9.81 / 100.0, rel=1e-11)
