"""Jets: first and second derivatives of every function against complex-step and central differences."""

import numpy as np
import pytest

from taut.scenario.signals import jets

SMOOTH = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp, "log": np.log, "sqrt": np.sqrt,
}  # fmt: skip
T = np.linspace(0.1, 0.9, 7)


def inner(t):
    return 0.2 + 0.6 * t * t


def inner_jet(t):
    return jets.constant(0.2, t) + jets.constant(0.6, t) * jets.time(t) * jets.time(t)


def complex_step(function, t, h=1e-30):
    return function(t + 1j * h).imag / h


def assert_derivatives(jet, function):
    assert jet.v == pytest.approx(function(T), rel=1e-14)
    assert jet.d == pytest.approx(complex_step(function, T), rel=1e-13)
    h = 1e-5
    second = (complex_step(function, T + h) - complex_step(function, T - h)) / (2 * h)
    assert jet.dd == pytest.approx(second, rel=1e-7)


@pytest.mark.parametrize("name", SMOOTH)
def test_function(name):
    assert_derivatives(getattr(jets, name)(inner_jet(T)), lambda t: SMOOTH[name](inner(t)))


@pytest.mark.parametrize("n", [-2.5, -1, 0.5, 3, 7.25])
def test_power(n):
    assert_derivatives(jets.power(inner_jet(T), n), lambda t: inner(t) ** n)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_whole_power_at_zero(n):
    jet = jets.power(jets.time(np.zeros(1)), n)
    assert [jet.v[0], jet.d[0], jet.dd[0]] == [float(n == 0), float(n == 1), 2.0 * (n == 2)]


def test_quotient_and_product():
    assert_derivatives(
        inner_jet(T) / jets.exp(jets.time(T)) * jets.sin(jets.time(T)), lambda t: inner(t) / np.exp(t) * np.sin(t)
    )
