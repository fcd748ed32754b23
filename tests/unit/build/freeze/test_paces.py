"""How long a step may be: as long as a cubic follows the inputs, and no longer."""

import numpy as np
import pytest

from taut.build.freeze.paces import pace_table
from taut.scenario.signals.curves import curve_of
from taut.scenario.signals.records import SignalSine, SignalTable

FORCE, MOTION = {0}, set()


def longest(spec, time, forces=FORCE, t_end=500.0):
    paces = pace_table([curve_of(spec, {}).terms(t_end)], forces)
    return paces.longest[np.searchsorted(paces.start, time, side="right") - 1]


@pytest.mark.parametrize("width", [1e-3, 1e-2, 0.1])
def test_a_pulse_shortens_the_steps_where_it_is(width):
    pulse = f"100*exp(-((t - 303.3)/{width})**2)"
    assert longest(pulse, 303.3) < 2.0 * width
    assert longest(pulse, 100.0) > 50.0


def test_a_pulse_on_top_of_something_large_counts():
    assert longest("1000*sin(0.1*t) + exp(-((t - 303.3)/0.001)**2)", 303.3) < 0.01


def test_a_sine_has_one_length():
    assert longest(SignalSine(amplitude=1e-6, frequency=10.0), 7.0) == pytest.approx(1.5 / (20 * np.pi))


@pytest.mark.parametrize(("noise", "low", "high"), [(0.0, 0.5, 50.0), (0.05, 1e-3, 0.1)])
def test_a_smooth_table_allows_long_steps_and_a_rough_one_does_not(noise, low, high):
    t = np.linspace(0.0, 50.0, 5001)
    values = np.sin(0.3 * t) + noise * np.random.default_rng(1).standard_normal(len(t))
    table = SignalTable(times=tuple(t), values=tuple(values))
    assert low < longest(table, 20.0) < high


def test_a_motion_counts_by_its_acceleration():
    bump = "0.1*t + 1e-6*exp(-((t - 303.3)/0.001)**2)"
    assert longest(bump, 303.3, MOTION) < 0.01
    assert longest(bump, 303.3, FORCE) > 1.0


@pytest.mark.parametrize("spec", [0.0, 5.0, "3"])
def test_a_constant_limits_nothing(spec):
    assert longest(spec, 1.0) == np.inf
