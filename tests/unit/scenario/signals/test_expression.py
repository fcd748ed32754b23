"""The expression language: what it accepts, what it refuses."""

import numpy as np
import pytest

from taut.scenario.signals.curves import curve_of
from taut.scenario.signals.expression import FUNCTIONS, SignalError, parse

VALUES = {
    "1 + 2*3 - 4/2": 5.0,
    "-2**2": -4.0,
    "2**-1": 0.5,
    "min(3, 1, 2) + max(3, 1, 2)": 4.0,
    "where(-1, 10, 20) + where(0, 1, 2)": 21.0,
    "step(0) + heaviside(-1e-9)": 1.0,
    "sign(-3)": -1.0,
    "abs(-3)": 3.0,
    "smoothstep(0.5) + smoothstep(-1) + smoothstep(2)": 1.5,
    "cos(pi) + log(e)": 0.0,
    " t*2 ": 3.0,
}
REFUSED = [
    "", "import os", "__import__('os')", "t.real", "t[0]", "[t]", "(t, t)", "{t}", "lambda: t", "t if t else t",
    "t < 1", "t and t", "not t", "~t", "t // 2", "t % 2", "t @ t", "t << 1", "f'{t}'", "'a'", "b'a'", "1j", "True",
    "None", "...", "sin", "sin()", "sin(t, t)", "sin(x=t)", "sin(*t)", "min(t)", "eval(t)", "x", "t t", "sin(t",
    "t := 1", "yield", "1e31", "9" * 5000, "(" * 500 + "t" + ")" * 500, "-" * 300 + "t", "+".join("t" * 900),
    "\x00", "t\nt", "é",
]  # fmt: skip


@pytest.mark.parametrize("text", VALUES)
def test_value(text):
    assert curve_of(text, {}).evaluate(1.5)[0] == pytest.approx(VALUES[text], abs=1e-15)


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_refused(text):
    with pytest.raises(SignalError):
        parse(text, [])


@pytest.mark.parametrize("text", ["9**9**9", "t**1000", "2**(1000*t)"])
def test_large_exponents_are_refused(text):
    with pytest.raises(SignalError, match="exponents"):
        curve_of(text, {}).terms(1.0)


def test_names_of_signals_are_found():
    assert parse("a*sin(b) + a", ["a", "b", "c"]).names == ("a", "b")


def test_unknown_name_gets_a_suggestion():
    with pytest.raises(SignalError, match="did you mean 'ramp'"):
        parse("rmap*2", ["ramp"])


def test_every_function_can_be_called():
    for name, (count, _) in FUNCTIONS.items():
        value = curve_of(f"{name}({', '.join(['0.5'] * abs(count))})", {}).evaluate(np.array([0.0, 1.0]))[0]
        assert np.all(np.isfinite(value))
