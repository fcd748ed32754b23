"""Signals of every kind: value, derivatives, breakpoints, neutral form."""

import numpy as np
import pytest

from taut.scenario.signals.curves import curve_of
from taut.scenario.signals.expression import SignalError
from taut.scenario.signals.pieces import PolynomialPieces, Sinusoid, evaluate_terms
from taut.scenario.signals.records import (
    SignalConstant,
    SignalExpression,
    SignalPolynomial,
    SignalSine,
    SignalSum,
    SignalTable,
    SignalWaypoints,
)

NAMED = {"ramp": SignalWaypoints(times=(0, 2, 3), values=(0, 1, -1)), "wave": SignalSine(amplitude=2, omega=3, end=5)}
TABLE = SignalTable(times=(0, 1, 2, 4), values=(0, 1, 0, 2))
ALL_SIGNALS = {
    "number": 3.5,
    "constant": SignalConstant(value=-2),
    "polynomial": SignalPolynomial(breaks=(0, 1, 4), coefficients=((1, 2, 3), (0, 1, 0, -2))),
    "waypoints": NAMED["ramp"],
    "quintic": SignalWaypoints(times=(1, 2), values=(0, 1), blend="quintic"),
    "sine": SignalSine(amplitude=2, frequency=0.5, phase=0.3, offset=1),
    "sum": SignalSum(terms=(1.0, "sin(t)", "ramp", SignalSine(amplitude=1, omega=2))),
    "table": TABLE,
    "lines": SignalTable(times=(0, 1, 2), values=(0, 1, 0), spline="linear"),
    "text": "ramp*sin(t) + wave",
    "name": "wave",
    "span": SignalExpression(expression="t**2", start=1, end=2),
}


@pytest.mark.parametrize("name", ALL_SIGNALS)
def test_derivatives_against_differences(name):
    curve = curve_of(ALL_SIGNALS[name], NAMED)
    t = np.linspace(0.05, 5.95, 60)
    t = t[np.min(np.abs(t[:, None] - [-1, *curve.breakpoints(6)]), axis=1) > 1e-3]
    h = 1e-4
    (a, *_), (v, d, dd), (b, *_) = (curve.evaluate(t + s * h) for s in (-1, 0, 1))
    assert d == pytest.approx((b - a) / (2 * h), abs=1e-5)
    assert dd == pytest.approx((a - 2 * v + b) / h**2, abs=1e-4)


@pytest.mark.parametrize("name", ALL_SIGNALS)
def test_neutral_form(name):
    curve = curve_of(ALL_SIGNALS[name], NAMED)
    t = np.linspace(0, 6, 400)
    for a, b in zip(curve.evaluate(t), evaluate_terms(curve.terms(6.0), t), strict=True):
        assert a == pytest.approx(b, abs=1e-12, rel=1e-12)


@pytest.mark.parametrize("name", ALL_SIGNALS)
def test_breakpoints_are_sorted_and_inside(name):
    found = curve_of(ALL_SIGNALS[name], NAMED).breakpoints(6.0)
    assert found == sorted(set(found)) and all(0 < t < 6 for t in found)


@pytest.mark.parametrize("name", ALL_SIGNALS)
def test_scalar_in_scalar_out(name):
    assert all(isinstance(value, float) for value in curve_of(ALL_SIGNALS[name], NAMED).evaluate(1.2))


def test_cubic_waypoints_rest_and_jump_in_curvature():
    curve = curve_of(NAMED["ramp"], {})
    assert curve.evaluate(1.0) == pytest.approx((0.5, 0.75, 0.0))
    assert curve.evaluate(2.0)[:2] == pytest.approx((1.0, 0.0))
    assert curve.breakpoints(10) == [2.0, 3.0]


def test_quintic_waypoints_do_not_jump():
    assert curve_of(ALL_SIGNALS["quintic"], {}).breakpoints(10) == []


def test_cubic_table_is_the_not_a_knot_spline():
    from scipy.interpolate import CubicSpline

    t = np.linspace(0, 4, 50)
    assert curve_of(TABLE, {}).evaluate(t)[0] == pytest.approx(CubicSpline(TABLE.times, TABLE.values)(t))
    assert curve_of(TABLE, {}).breakpoints(9) == [4.0]


def test_sines_stay_sines():
    assert curve_of("wave", NAMED).terms(6) == [Sinusoid(2, 3, end=5)]
    kinds = {type(term) for term in curve_of(ALL_SIGNALS["sum"], NAMED).terms(6)}
    assert kinds == {Sinusoid, PolynomialPieces}


def test_frequency_is_in_hertz():
    assert curve_of(SignalSine(amplitude=1, frequency=0.25), {}).evaluate(1.0)[0] == pytest.approx(1.0)


def test_span_outside_the_run_is_constant():
    curve = curve_of(SignalExpression(expression="t**2", start=8, end=9), {})
    assert curve.evaluate(2.0) == (64.0, 0.0, 0.0)
    assert evaluate_terms(curve.terms(5.0), np.array([2.0]))[0] == 64.0


@pytest.mark.parametrize("named", [{"a": "a"}, {"a": "2*b", "b": "a + 1"}, {"a": SignalSum(terms=("b",)), "b": "a"}])
def test_circles_are_caught(named):
    with pytest.raises(SignalError, match="circle"):
        curve_of("a", named)


def test_jump_in_a_named_signal_reaches_the_expression():
    assert curve_of("2*edge", {"edge": "step(t - 1.25)"}).breakpoints(3) == [1.25]
