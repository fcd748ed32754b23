"""Singular poses on the way of a run: condition numbers as channels, located and explained as events."""

import numpy as np
import pytest

from manipulators import manipulator
from taut.integrate.simulate import simulate


@pytest.fixture(scope="module")
def fall():
    return simulate(manipulator("stewart-free-fall"), duration=0.6, tolerance=1e-9)


def test_condition_numbers_are_in_the_result(fall):
    gain, loss = fall["condition_gain"].values, fall["condition_loss"].values
    k = int(np.argmax(gain))
    assert abs(fall.time[k] - 0.49) < 0.011 and gain[k] > 200 and gain[0] < 50
    assert loss.max() < 10


def test_the_flat_pose_is_located_and_explained(fall):
    (event,) = [event for event in fall.events if event["name"] == "gain singularity"]
    assert event["time"] == pytest.approx(0.4876, abs=5e-4)
    for word in ("J_eta,qx", "smallest singular values", "platform at", "directions"):
        assert word in event["what"]


def test_machines_without_actuators_have_no_such_channels():
    assert "condition_gain" not in simulate(manipulator("double-pendulum"), duration=0.01)
