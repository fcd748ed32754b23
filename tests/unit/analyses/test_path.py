"""The prescribed path: exact derivatives of turns, free and planar bodies."""

import numpy as np
import pytest

from manipulators import manipulator
from taut.analyses.path import prescribed_path
from taut.model.turns import turn_matrix, turn_rates
from taut.scenario.records.orientation import rotation_from_vector


@pytest.mark.parametrize("size", [1e-3, 0.09, 0.11, 2.5])
def test_turn_rates_against_differences(size):
    rng = np.random.default_rng(0)
    r, rate, second = size * rng.normal(size=3), rng.normal(size=3), rng.normal(size=3)

    def omega(t):
        R, h = (lambda s: rotation_from_vector(r + s * rate + 0.5 * s * s * second)), 1e-5
        W = (R(t + h) - R(t - h)) / (2 * h) @ R(t).T
        return np.array([W[2, 1], W[0, 2], W[1, 0]])

    w, dw = turn_rates(r, rate, second)
    assert w == pytest.approx(omega(0.0), abs=1e-8)
    assert dw == pytest.approx((omega(1e-4) - omega(-1e-4)) / 2e-4, abs=1e-5)


def test_series_and_closed_form_meet():
    r = np.array([0.1, 0.0, 0.0])
    assert turn_matrix(0.99999 * r) == pytest.approx(turn_matrix(1.00001 * r), abs=1e-5)


@pytest.mark.parametrize("name", ["planar-3rrr", "hexapod"])
def test_path_begins_at_the_start_and_its_rates_are_derivatives(name):
    model = manipulator(name)
    path = prescribed_path(model)
    k = int(path.node.coordinate)
    q, u, _ = path.at(0.0)
    assert q == pytest.approx(model.start_coordinates[k : k + len(q)], abs=1e-12)
    assert np.abs(u).max() < 1e-12
    h, t = 1e-5, 0.37
    difference = (path.at(t + h)[1] - path.at(t - h)[1]) / (2 * h)
    assert path.at(t)[2] == pytest.approx(difference, abs=1e-5)
