"""Shape, tension and torque along a Ritz cable at rest: closed forms."""

import numpy as np
import pytest

from taut import library
from taut.analyses.statics import statics
from taut.build import build
from taut.integrate.samples.raw import channels, new_samples
from taut.model import new_data

RHO, G, LENGTH, COUPLING, STIFFNESS = 6.0, 9.81, 100.0, 3e5, 9e7


@pytest.fixture(scope="module")
def rest():
    """Channels of the published suspension at rest, with ten modes."""
    model = build(library.load("wang-suspension", ["defaults.cable.modes=10"]))
    found = statics(model).data
    samples = new_samples(model, np.zeros(1))
    samples.q[0], samples.lam[0] = found.q, found.lam
    reader = new_data(model)._replace(modes=found.modes)
    reader.still[0] = 1.0
    return channels(model, reader, samples, 1)


def test_tension_grows_with_the_weight_below(rest):
    middles = (np.arange(10) + 0.5) / 10
    expected = 19620 + RHO * G * LENGTH * (1 - middles)
    assert np.allclose(rest["cable_tension"][0, 0], expected, rtol=2e-3)
    assert rest["cable_tension_anchor"][0] == pytest.approx([19620.0] * 4, abs=1e-3)
    assert rest["cable_tension_exit"][0, 0] == pytest.approx(19620 + RHO * G * LENGTH, rel=2e-3)
    assert not rest["cable_slack"].any()


def test_torque_is_the_same_everywhere(rest):
    torque = COUPLING / STIFFNESS * (19620 + RHO * G * LENGTH / 2)
    assert np.allclose(rest["cable_torque"][0, 0], torque, rtol=0.05)
    assert np.allclose(rest["cable_torque"][0, 1], -rest["cable_torque"][0, 0])


def test_cable_runs_from_exit_to_anchor(rest):
    nodes = rest["cable_nodes"][0, 0]
    assert nodes[0].tolist() == [3.0, 0.0, 0.0] and np.allclose(nodes[-1], [3.0, 0.0, -LENGTH], atol=1e-3)
    assert np.all(np.diff(nodes[:, 2]) < 0) and rest["cable_length"][0] == pytest.approx([LENGTH] * 4)
