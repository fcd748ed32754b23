"""Controllers follow the motion: computed torque nearly without error, PD the better the stiffer it is."""

import numpy as np
import pytest

from taut import library
from taut.analyses.tracking import Controller, track
from taut.build import build

SHORT = "run.duration=0.3"


@pytest.fixture(scope="module")
def model():
    return build(library.load("planar-3rrr", [SHORT]))


@pytest.mark.parametrize("space", ["task", "actuator"])
def test_computed_torque(model, space):
    found = track(model, Controller("computed-torque", space, period=2e-3))
    # what is left is that forces are held between two samples
    assert np.abs(found.error).max() < 1e-3


@pytest.mark.parametrize(("space", "lever"), [("task", 0.1), ("actuator", 1.0)])
def test_pd_with_gravity_holds_the_start_and_gains_by_stiffness(model, space, lever):
    soft = track(model, Controller("pd-gravity", space, stiffness=1000.0, damping=50.0, lever=lever, period=2e-3))
    stiff = track(model, Controller("pd-gravity", space, stiffness=4000.0, damping=100.0, lever=lever, period=2e-3))
    assert np.abs(soft.error[:3]).max() < 1e-6
    assert np.abs(stiff.error).max() < 0.5 * np.abs(soft.error).max()


def test_a_wrong_model_is_felt(model):
    heavy = build(library.load("planar-3rrr", [SHORT, "platform.mass=3"]))
    law = Controller("computed-torque", "task", period=2e-3)
    exact, wrong = track(model, law), track(model, law, plant=heavy)
    assert np.abs(wrong.error).max() > 5 * np.abs(exact.error).max()
