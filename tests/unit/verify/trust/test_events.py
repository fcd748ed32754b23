"""A few cases of each family; `taut verify events` runs a thousand."""

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from taut.verify.trust.event_times import Motion, Swing, first_of_motion, first_of_polynomial
from taut.verify.trust.events import FAMILIES, LIMIT, cases, judge


@pytest.mark.parametrize("name", FAMILIES)
def test_first_crossings(name):
    outcomes = [judge(case) for case in cases(name, 5)]
    assert {outcome for outcome, _ in outcomes} <= {"found", "none"}
    assert max(error for _, error in outcomes) <= LIMIT


def test_the_count_is_a_thousand():
    assert sum(count for count, _ in FAMILIES.values()) == 1000


def test_first_root_of_a_polynomial_that_dips_below_zero():
    assert first_of_polynomial(-Polynomial.fromroots([2.0, 2.001, 7.0]), 10.0) == pytest.approx(2.0, abs=1e-9)
    assert first_of_polynomial(Polynomial([1.0, 0.0, 1.0]), 10.0) == np.inf


def test_steps_by_the_bound_never_pass_a_root():
    dip = Motion(lambda t: 1.0 + 1e-9 * (t - 2.0) - np.sin(t), lambda t: 1e-9 - np.cos(t), 1.0)
    assert first_of_motion(dip, 1.0) == np.inf
    ahead = 1e-9 + np.sqrt(2e-9 * (2.0 - np.pi / 2) + 1e-18)
    assert first_of_motion(dip, 3.0) == pytest.approx(np.pi / 2 - ahead, abs=1e-11)


def test_pendulum_by_elliptic_functions_keeps_its_energy():
    swing = Swing(length=2.0, angle=2.5)
    for t in (0.3, 1.1, 4.0):
        x, v = swing.place(t)
        assert 0.5 * v @ v + 9.81 * x[2] == pytest.approx(-9.81 * 2.0 * np.cos(2.5), abs=1e-12)
    assert swing.state(swing.period)[0] == pytest.approx(2.5, abs=1e-12)
