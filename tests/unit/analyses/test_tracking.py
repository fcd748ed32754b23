"""Controllers follow the motion; with an exact model computed torque is the better one."""

import numpy as np
import pytest

from manipulators import manipulator
from taut import library
from taut.analyses.tracking import Controller, track
from taut.build import build


@pytest.fixture(scope="module")
def model():
    return manipulator("planar-3rrr")


@pytest.mark.parametrize("space", ["task", "actuator"])
def test_computed_torque(model, space):
    found = track(model, Controller("computed-torque", space, period=2e-3))
    assert np.abs(found.error).max() < 1e-3


@pytest.mark.parametrize("space", ["task", "actuator"])
def test_pd_with_gravity(model, space):
    lever = {"task": 0.1, "actuator": 1.0}[space]
    found = track(model, Controller("pd-gravity", space, stiffness=4000.0, damping=100.0, lever=lever))
    assert np.abs(found.error).max() < 2e-2
    assert np.abs(found.error[0]).max() < 1e-12


def test_a_wrong_model_is_felt(model):
    heavy = build(library.load("planar-3rrr", ["platform.mass=3"]))
    law = Controller("computed-torque", "task", period=2e-3)
    exact, wrong = track(model, law), track(model, law, plant=heavy)
    assert np.abs(wrong.error).max() > 5 * np.abs(exact.error).max()
