"""Length of a rope to a body that is led along a path: against the route at every pose, and its own derivatives."""

import numpy as np
import pytest

from taut.model.routes import SheaveKind, Stop, Wheel, trace
from taut.scenario.signals.curves import curve_of
from taut.scenario.signals.expression import SignalError
from taut.scenario.signals.pieces import evaluate_terms
from taut.scenario.signals.records import SignalRopeLength

PATH = ("0.4*smoothstep(t/1.5)", "0.3*sin(2*t)", "way")
NAMED = {"way": "1.2 - 0.1*max(t - 1, 0)**2"}
TURN = (0.0, "0.2*sin(t)", "0.1*t")
SPEC = SignalRopeLength(exit=(-1.5, -1.5, 2.5), anchor=(-0.2, -0.1, 0.15), path=PATH, turn=TURN, scale=2.0)
PULLEYS = [SPEC, SignalRopeLength.model_validate(SPEC.model_dump() | {"pulley": {"radius": 0.05}})]


def way(spec, t):
    """Length at one time, laid over the pulley with a rotation matrix from its exponential."""
    r = np.array([float(curve_of(part, NAMED).evaluate(t)[0]) for part in spec.path])
    a, b, c = (float(curve_of(part, NAMED).evaluate(t)[0]) for part in spec.turn)
    R, term = np.eye(3), np.eye(3)
    for k in range(1, 30):
        term = term @ np.array([[0, -c, b], [c, 0, -a], [-b, a, 0]]) / k
        R = R + term
    first = Stop(np.array([spec.exit]))
    if spec.pulley is not None:
        first = Stop(first.point, Wheel(0.05, 1, SheaveKind.CASTOR, np.pi), np.array([[0.0, 0.0, 1.0]]))
    return float(trace([first, Stop((r + R @ np.array(spec.anchor))[None])]).length[0])


@pytest.mark.parametrize("spec", PULLEYS)
def test_value_is_the_change_of_the_route(spec):
    curve = curve_of(spec, NAMED)
    for t in (0.0, 0.3, 1.7, 4.0):
        assert curve.evaluate(t)[0] == pytest.approx(2.0 * (way(spec, t) - way(spec, 0.0)), abs=1e-13)


@pytest.mark.parametrize("spec", PULLEYS)
def test_pieces_and_derivatives_are_those_of_the_curve(spec):
    curve, t, h = curve_of(spec, NAMED), np.linspace(0.011, 2.9, 400), 1e-5
    exact, pieces = curve.evaluate(t), evaluate_terms(curve.terms(3.0), t)
    for order, limit in enumerate((1e-12, 1e-12, 1e-7)):
        assert np.abs(exact[order] - pieces[order]).max() < limit
    slope = (curve.evaluate(t + h)[0] - curve.evaluate(t - h)[0]) / (2 * h)
    assert np.abs(slope - exact[1]).max() < 1e-8


def test_breakpoints_are_those_of_the_path():
    # the smooth step ends at 1.5 s, and the acceleration of the height jumps at 1 s
    found = curve_of(SPEC, NAMED).breakpoints(3.0)
    assert found == pytest.approx([1.0, 1.5], abs=1e-12)


def test_a_path_that_goes_on_has_no_end():
    # a signal, not a table: the same at any time, however long the run
    curve = curve_of(SPEC, NAMED)
    long = evaluate_terms(curve.terms(40.0), np.array([2.0, 39.0]))[0]
    assert long == pytest.approx([2.0 * (way(SPEC, t) - way(SPEC, 0.0)) for t in (2.0, 39.0)], abs=1e-11)


def test_a_path_through_the_pulley_is_refused():
    spec = SignalRopeLength.model_validate(
        PULLEYS[1].model_dump() | {"anchor": (0, 0, 0), "path": ("-1.2 - 0.26*t", -1.5, 2.51), "turn": None}
    )
    with pytest.raises(SignalError, match="led into the pulley"):
        curve_of(spec, NAMED).terms(1.0)
