"""Bounds over intervals enclose all values and slopes of any formula."""

import numpy as np
import pytest

from taut.scenario.signals.expression import Sides, parse
from taut.scenario.signals.expression_bounds import Bounds
from taut.scenario.signals.pieces import PolynomialPieces, Sinusoid, evaluate_terms

FORMULAS = [
    "3 - 2*t", "t*t - t**3/5", "t**-2", "(1 + t)**0.5", "2**t", "t**(t/5)", "1/(1 + ((t - 2)/0.3)**2)", "t/(t + 0.1)",
    "sin(3*t)*cos(t)", "tan(0.4*t - 0.5)", "asin(t/5)", "acos(t/5)", "atan(9*(t - 2))", "tanh(9*(t - 2))",
    "sinh(t - 2)", "cosh(t - 2)", "exp(-(t - 2)**2)", "log(t)", "sqrt(t)", "abs(t - 2)", "sign(t - 2)*t",
    "step(t - 2) + t", "smoothstep((t - 1)/2)", "where(sin(4*t), t, -t)", "min(t, 3 - t, 1)",
    "max(sin(t), cos(t), 0.2)", "a*b + exp(-a)",
]  # fmt: skip
SIGNALS = {
    "a": [PolynomialPieces(np.array([0.0, 1.0, 4.5]), np.array([[1.0, 0.5, 0.0, 0.2], [2.0, -0.3, 0.4, 0.1]]))],
    "b": [Sinusoid(0.7, 5.0, 0.2, 0.1, 0.5, 3.5)],
}


class Curve:
    """Terms as a curve."""

    def __init__(self, terms):
        """Keep the terms."""
        self.terms = terms

    def evaluate(self, t, *, frozen=False):
        """Value and derivatives of the terms."""
        return evaluate_terms(self.terms, t, frozen=frozen)


@pytest.mark.parametrize("text", FORMULAS)
def test_values_and_slopes_lie_within_their_bounds(text):
    expression = parse(text, list(SIGNALS))
    bounds = Bounds(expression, {name: SIGNALS[name] for name in expression.names})
    rng = np.random.default_rng(3)
    edges = np.unique(np.concatenate([rng.uniform(0.2, 4.2, 40), bounds.breaks(0.2, 4.2)]))
    t = edges[:-1, None] + np.diff(edges)[:, None] * np.linspace(1e-9, 1 - 1e-9, 60)
    curves = {name: Curve(terms) for name, terms in SIGNALS.items()}
    jet = expression.evaluate(t, curves, Sides())
    found, _ = bounds.look(edges[:-1], edges[1:])
    slack = 1e-12 * (1 + np.abs(jet.v).max())
    assert np.all(found.low[:, None] <= jet.v + slack) and np.all(jet.v <= found.high[:, None] + slack)
    slack = 1e-9 * (1 + np.abs(jet.d).max())
    assert np.all(found.d_low[:, None] <= jet.d + slack) and np.all(jet.d <= found.d_high[:, None] + slack)


@pytest.mark.parametrize("text", ["exp(-((t - 77.7)/0.001)**2)", "1/(1 + ((t - 77.7)/0.001)**2)"])
def test_a_narrow_peak_is_resolved(text):
    cuts = Bounds(parse(text, []), {}).resolve([0.0, 500.0])
    near = np.diff(cuts)[np.searchsorted(cuts, 77.7) - 1]
    assert near < 0.005 and len(cuts) < 400


def test_a_smooth_formula_needs_no_cuts():
    assert Bounds(parse("0.3*t**2 - t", []), {}).resolve([0.0, 500.0]) == [0.0, 500.0]


def test_every_switch_is_bracketed_alone():
    left, right = Bounds(parse("step(sin(40*t))", []), {}).brackets(0.0, 30.0, 0)
    roots = np.arange(0, 30.0, np.pi / 40)
    inside = (left[:, None] <= roots) & (roots < right[:, None])
    assert np.all(inside.any(axis=0)) and np.all(inside.sum(axis=1) <= 1)
