"""Steps that are kept for the audit are solved to rounding, or not used."""

import pytest

from taut import library
from taut.build import build
from taut.integrate.simulate import simulate


@pytest.mark.uncompiled
def test_a_first_step_with_friction_is_iterated_until_its_equations_hold():
    """With friction Newton's iteration gains a factor of 3 at a time: twelve left 2.4e-6 of a balance's forces."""
    settings = ["defaults.cable.length=16.9699", "ground.damping=109.105", "ground.stiffness=424.309"]
    run = ["run.duration=0.002", "run.save_every=0.001"]
    audit = simulate(build(library.load("mamidi-quadcopter-failure-inclined", [*settings, *run]))).audit
    assert audit["verdict"] == "pass", audit["reasons"]
    assert audit["equations"]["points"] >= 2 and audit["equations"]["max"] < 1e-8
