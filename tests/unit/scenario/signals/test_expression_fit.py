"""Expressions as polynomial pieces: exact to rounding, never across a switch, honest about what cannot be done."""

import numpy as np
import pytest

from taut.scenario.signals.curves import curve_of
from taut.scenario.signals.expression import SignalError
from taut.scenario.signals.pieces import evaluate_terms

T_END = 10.0
EXPRESSIONS = [
    "3", "0.5 + 2*t", "sin(t)**2", "abs(sin(3*t))", "exp(-t)*cos(9*t)",
    "where(3 - t, 2.5*where(0.5 - t, sin(pi*t), 1), 0)",
    "exp(-((t - 5)/0.05)**2)", "tanh(50*(t - 2))", "step(t - 3)*step(6 - t)*sin(pi*(t - 3)/3)**2", "min(t, 3, 5 - t)",
    "smoothstep((t - 1)/2)", "sin(30*t)*t", "sqrt(t + 1)/(1 + t**2)", "log(1 + exp(5*(t - 3)))",
    "1e-9*t**3 + 1e6", "sign(cos(t))*t",
]  # fmt: skip
BREAKS = {
    "abs(t - 1)": [1.0],
    "2*step(2 - t) + step(t - 2)": [2.0],
    "step(2 - t) + step(t - 2)": [],
    "min(t, 5 - t, 2)": [2.0, 3.0],
    "smoothstep((t - 1)/2)": [1.0, 3.0],
    "abs(sin(pi*t/4))": [4.0, 8.0],
    "max(0, sin(t) - 0.9999999)": [np.pi / 2 - 4.4721e-4, np.pi / 2 + 4.4721e-4],
    "sin(t)**2 + abs(3 + t)": [],
    "where(abs(t - 5) - 1, 0, t)": [4.0, 6.0],
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_pieces_agree_with_the_expression(text):
    curve = curve_of(text, {})
    t = np.random.default_rng(1).uniform(0, T_END, 5000)
    exact, fitted = curve.evaluate(t), evaluate_terms(curve.terms(T_END), t)
    for a, b in zip(exact, fitted, strict=True):
        assert np.abs(a - b).max() <= 1e-12 * max(np.abs(a).max(), 1e-300)


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_derivatives_belong_to_the_value(text):
    (pieces,) = curve_of(text, {}).terms(T_END)
    middle = 0.5 * (pieces.breaks[:-1] + pieces.breaks[1:])
    h = 1e-3 * np.diff(pieces.breaks)
    (low, high), (value, slope, curvature) = (
        (pieces.evaluate(middle + s * h)[0] for s in (-1, 1)),
        pieces.evaluate(middle),
    )
    size = np.abs([low, high]).max() + 1e-300
    assert np.abs((high - low) - 2 * h * slope).max() < 1e-5 * size
    assert np.abs(high - 2 * value + low - h**2 * curvature).max() < 1e-7 * size


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_breakpoints_are_breaks(text):
    curve = curve_of(text, {})
    assert set(curve.breakpoints(T_END)) <= set(curve.terms(T_END)[0].breaks.tolist())
    assert curve.terms(T_END)[0].coefficients.shape[1] <= 16


@pytest.mark.parametrize("text", BREAKS)
def test_breakpoints(text):
    found = [t for t in curve_of(text, {}).breakpoints(T_END) if t < 3.5 or "max" not in text]
    assert found == pytest.approx(BREAKS[text], abs=1e-7)


def test_breakpoints_are_exact_where_they_can_be():
    assert curve_of("step(t - 0.3) + abs(t - 0.7)", {}).breakpoints(1.0) == [0.3, 0.7]


@pytest.mark.parametrize(
    "text", ["1/(t - 3.3)", "sqrt(t)", "tan(t)", "log(t)", "sqrt(abs(t - 3))", "tanh(1e9*(t - 3))", "sin(1e6*t)"]
)
def test_what_cannot_be_done_is_refused(text):
    with pytest.raises(SignalError):
        curve_of(text, {}).terms(T_END)


def test_narrow_peak_is_not_missed():
    curve = curve_of("exp(-((t - 5)/1e-4)**2)", {})
    t = np.linspace(4.999, 5.001, 1000)
    assert evaluate_terms(curve.terms(T_END), t)[0] == pytest.approx(curve.evaluate(t)[0], abs=1e-9)


LONG = 500.0
SHORT_FEATURES = ["exp(-((t - 303.3)/0.001)**2)", "tanh((t - 44.4)/0.001)", "1/(1 + ((t - 77.7)/0.001)**2)"]


@pytest.mark.parametrize("text", SHORT_FEATURES)
def test_a_feature_of_a_millisecond_is_not_missed_in_a_long_run(text):
    curve, centre = curve_of(text, {}), float(text.split("t - ")[1].split(")")[0])
    t = centre + np.linspace(-0.01, 0.01, 4001)
    assert np.abs(curve.evaluate(t)[0] - evaluate_terms(curve.terms(LONG), t)[0]).max() < 1e-9


def test_a_window_of_a_millisecond_is_not_missed_in_a_long_run():
    found = curve_of("where(abs(t - 303.3) - 0.0005, 0, 1)", {}).breakpoints(LONG)
    np.testing.assert_allclose(found, [303.2995, 303.3005], atol=1e-9)


def test_all_switches_of_a_fast_square_wave_are_found():
    assert len(curve_of("step(sin(200*t))", {}).breakpoints(50.0)) == int(200 * 50 / np.pi)
