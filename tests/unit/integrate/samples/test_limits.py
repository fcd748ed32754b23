"""Warnings about tensions outside of their limits."""

import numpy as np

from taut.integrate.samples.limits import outside

TIME = np.array([0.0, 0.1, 0.2, 0.3])


def test_a_tension_below_its_limit_is_told_with_time_and_amount() -> None:
    tension = np.array([[40.0], [25.0], [12.0], [30.0]])
    (said,) = outside(tension, TIME, (30.0, 1500.0))
    assert "12 N at t = 0.2 s is below the 30 N" in said and "by 18 N" in said
    assert "first at t = 0.1 s, in 2 of 4 samples" in said


def test_the_worst_element_counts_for_both_limits() -> None:
    tension = np.array([[40.0, 50.0], [20.0, 90.0], [40.0, 50.0], [40.0, 50.0]])
    below, above = outside(tension, TIME, (30.0, 80.0))
    assert "below the 30 N" in below and "90 N at t = 0.1 s is above the 80 N" in above


def test_limits_that_are_kept_and_padding_are_not_told() -> None:
    tension = np.array([[30.0, np.nan], [80.0, np.nan], [50.0, np.nan], [np.nan, np.nan]])
    assert outside(tension, TIME, (30.0, 80.0)) == []
