"""Impacts inside a step: where, and with which impulse."""

import numpy as np
import pytest

import taut
from taut.integrate.nonsmooth.impacts import find_impacts, gap_at, gap_slope, impact_place, place_first, strike
from taut.integrate.step.dense import hermite_terms

from .pieces import method_of

pytestmark = pytest.mark.uncompiled
STEP, SPEED, GAP, RESTITUTION = 1e-2, 3.0, 0.012, 0.6


@pytest.mark.parametrize("seed", range(3))
def test_gap_is_the_cubic_of_its_ends(seed):
    cubic = np.polynomial.Polynomial(np.random.default_rng(seed).normal(size=4))
    ends = cubic(0.0), cubic.deriv()(0.0), cubic(1.0), cubic.deriv()(1.0)
    for s in (0.0, 0.3, 0.7, 1.0):
        assert gap_at(s, *ends) == pytest.approx(cubic(s), abs=1e-13)
        assert gap_slope(s, *ends) == pytest.approx(cubic.deriv()(s), abs=1e-13)


def test_place_of_an_impact():
    # 0.5 - 2 s + s^2 vanishes at 1 - sqrt(1/2)
    assert impact_place(0.5, -2.0, -0.5, 0.0) == pytest.approx(1.0 - np.sqrt(0.5), abs=1e-14)
    assert impact_place(0.0, -1.0, -1.0, -1.0) == 0.0
    assert impact_place(0.0, 1.0, -1.0, -1.0) == 1.0


def fallen_ball():
    """A method whose step takes a ball of 2 kg straight down through the ground."""
    machine = taut.Machine("ball")
    machine.platform(mass=2.0, sphere={"radius": 0.1}, position=[0, 0, 0.1 + GAP])
    machine.ground(law="rigid", friction=0, restitution=RESTITUTION)
    method = method_of(taut.build(machine.scenario()))
    work, n = method.work, method.model.column_count
    down = np.flatnonzero(method.model.tables.columns["is_rotation"] == 0)[2]
    work.y_begin[n + down] = work.y_end[n + down] = -SPEED
    work.y_end[down] = -SPEED * STEP
    rates = np.zeros_like(work.y_begin)
    rates[down] = -SPEED
    hermite_terms(work, STEP, rates, rates)
    work.gap_begin[:], work.gap_rate_begin[:], work.since_struck[:] = GAP, -SPEED, 100
    return method, down


def test_a_ball_that_strikes_inside_a_step():
    method, down = fallen_ball()
    model, work, n = method.model.tables, method.work, method.model.column_count
    row = work.stage.rows[work.rows[0]]
    row.value, row.rate = GAP - SPEED * STEP, -SPEED
    assert find_impacts(model, work, STEP) == 1
    assert work.struck_at[0] == pytest.approx(GAP / (SPEED * STEP))
    place_first(model, work, STEP)
    lost = strike(model, work, STEP, 1.0)
    assert work.z[0] == pytest.approx(2.0 * (1.0 + RESTITUTION) * SPEED)
    assert lost == pytest.approx(0.5 * 2.0 * SPEED**2 * (1.0 - RESTITUTION**2))
    # the ball moves down to the ground, then up again for the rest of the step
    rest = STEP - GAP / SPEED
    assert work.y_end[n + down] == pytest.approx(RESTITUTION * SPEED)
    assert work.y_end[down] == pytest.approx(-GAP + RESTITUTION * SPEED * rest)
