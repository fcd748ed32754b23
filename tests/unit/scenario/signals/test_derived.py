import numpy as np
import pytest

from taut.scenario.signals.curves import curve_of
from taut.scenario.signals.derived import IntegratedSignal, LaggedSignal, ScaledSignal, blended_in, limited
from taut.scenario.signals.records import SignalSine

T = np.linspace(0.0, 2.0, 101)


def values(spec):
    return np.array(curve_of(spec, {"ramp": "2*t"}).evaluate(T))


def test_scaled():
    assert values(ScaledSignal("ramp", 3.0, 1.0)) == pytest.approx(np.array([1 + 6 * T, 6 + 0 * T, 0 * T]))
    (offset, sine) = curve_of(ScaledSignal(SignalSine(amplitude=2.0, omega=3.0), 0.5, 1.0), {}).terms(1.0)
    assert (offset.coefficients[0, 0], sine.amplitude, sine.omega) == (1.0, 1.0, 3.0)


def test_integral():
    t = np.linspace(0.0, 2.0, 101)
    found = np.array(curve_of(IntegratedSignal("where(t - 1, 2, t)"), {}).evaluate(t))
    expected = np.where(t < 1, 0.5 * t**2, 0.5 + 2 * (t - 1))
    assert found[0] == pytest.approx(expected, abs=1e-12)


def test_lag():
    found = values(LaggedSignal("where(t - 0.5, 1, 0)", 0.2))
    expected = np.where(T < 0.5, 0.0, 1 - np.exp(-(T - 0.5) / 0.2))
    assert found[0] == pytest.approx(expected, abs=1e-7)


def test_limited_and_blended():
    assert values(limited("ramp", 0.5, 3.0))[0] == pytest.approx(np.clip(2 * T, 0.5, 3.0))
    found = values(blended_in("ramp", 0.5))
    assert found[:2, 0] == pytest.approx([0.0, 0.0])
    assert found[0, T >= 0.5] == pytest.approx(2 * T[T >= 0.5])


@pytest.mark.parametrize("width", [1e-3, 0.03])
def test_integral_and_lag_of_a_short_pulse(width):
    pulse, area = f"exp(-((t - 7.7)/{width})**2)", width * np.sqrt(np.pi)
    value = curve_of(IntegratedSignal(pulse), {}).evaluate(np.array([7.0, 9.0]))[0]
    assert value == pytest.approx([0.0, area], abs=1e-12)
    # long after the pulse the lag has kept its area, and lets it go
    lagged = curve_of(LaggedSignal(pulse, 2.0), {}).evaluate(np.array([9.0]))[0]
    gain = np.exp(width**2 / 16)  # the mean of exp(s / lag) over the pulse
    assert lagged[0] == pytest.approx(gain * area / 2.0 * np.exp(-1.3 / 2.0), rel=1e-6)
