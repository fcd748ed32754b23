"""The law of impacts: what bounces, what is lost, and that the methods agree on it."""

import numpy as np
import pytest

import taut
from taut.integrate.events.impact_law import BOUNCING, energy_lost, restitution_at

METHODS = ["radau", "nonsmooth-alpha", "moreau-jean"]


def test_slow_impacts_do_not_bounce():
    assert restitution_at(0.8, -2.0 * BOUNCING) == 0.8
    assert restitution_at(0.8, -0.5 * BOUNCING) == 0.0
    assert restitution_at(0.8, 1.0) == 0.0


def test_energy_lost_is_that_of_the_mass():
    m, before, e = 3.0, -2.0, 0.4
    behind = -e * before
    assert energy_lost(m * (behind - before), before, behind) == pytest.approx(0.5 * m * before**2 * (1 - e**2))


@pytest.mark.parametrize("method", METHODS)
def test_the_first_rebound_is_that_of_the_closed_form(method):
    step = {} if method == "radau" else {"step": 1e-4}
    model = taut.build(taut.library.load("ball-on-ground", ["run.duration=0.8", "run.save_every=0.001"]))
    result = taut.simulate(model, integrator=method, **step)
    struck = np.sqrt(2.0 / 9.81)
    speed = 0.8 * 9.81 * struck
    t = np.array([0.5, 0.6, 0.7])
    height = speed * (t - struck) - 0.5 * 9.81 * (t - struck) ** 2
    found = np.interp(t, result.time, result["body_position"].sel(body="ball", xyz="z").values)
    assert found - found[0] == pytest.approx(height - height[0], abs=1e-3)
