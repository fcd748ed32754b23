"""Inverse dynamics along a motion: the work-energy check, redundancy, and back again by forward dynamics."""

import numpy as np
import pytest

from manipulators import manipulator
from taut import library
from taut.analyses.driven_scenario import driven_scenario
from taut.analyses.inverse_result import inverse_motion
from taut.analyses.path import prescribed_path
from taut.build import build
from taut.integrate.simulate import simulate
from taut.scenario import loads
from taut.scenario.io.writing import dumps


@pytest.fixture(scope="module")
def delta():
    return inverse_motion(build(library.load("delta", ["run.save_every=0.02"])))


def test_work_is_the_change_of_energy(delta):
    energy = delta.audit["energy"]
    assert delta.audit["verdict"] == "pass"
    assert energy["error"] < 1e-6 * energy["exchanged"]


def test_power_is_force_times_rate(delta):
    power = delta["actuator_force"] * delta["actuator_velocity"]
    assert np.allclose(power, delta["actuator_power"], rtol=1e-14)
    assert list(delta["actuator"].values) == ["arm1", "arm2", "arm3"]
    assert float(delta["condition_gain"].max()) < 1e3


def test_redundant_actuators_share_with_the_smallest_norm():
    """One motor of four held at zero needs larger torques of the others."""
    model = build(library.load("planar-4rrr", ["run.save_every=0.1"]))
    four = inverse_motion(model)["actuator_force"].values
    three = inverse_motion(model, ["crank1", "crank2", "crank3"])["actuator_force"].values
    assert np.all(np.linalg.norm(four, axis=1) <= np.linalg.norm(three, axis=1) + 1e-12)


def test_forces_found_make_the_motion():
    model = manipulator("planar-3rrr")
    path = prescribed_path(model)
    # through the file, as a user would
    driven = loads(dumps(driven_scenario(model)), "driven.yaml")
    result = simulate(build(driven), tolerance=1e-12)
    wanted = np.array([path.at(float(t))[0] for t in result.time])
    assert np.abs(result["joint_position"].values[:, :3] - wanted).max() < 1e-8
