"""Routes by definition: closed forms of tangents, and identities of any route."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taut.model.routes import SheaveKind, Stop, Wheel, gradients, trace

Y = np.array([[0.0, 1.0, 0.0]])
numbers = st.floats(-0.4, 0.4)


def point(x, z, y=0.0):
    return np.array([[x, y, z]])


def test_a_belt_over_two_wheels_has_the_length_of_the_textbook():
    R, r, d = 0.5, 0.2, 2.0
    wheels = [Stop(point(0, 0), Wheel(R, 1, wrap=np.pi), Y), Stop(point(d, 0), Wheel(r, 1, wrap=np.pi), Y)]
    found = trace([Stop(point(-5, 0)), *wheels, Stop(point(-5, 0.1))])
    assert found.spans[1, 0] == pytest.approx(np.sqrt(d**2 - (R - r) ** 2), abs=1e-14)
    crossed = trace(
        [Stop(point(-5, 0)), wheels[0], Stop(point(d, 0), Wheel(r, -1, wrap=np.pi), Y), Stop(point(-5, 0.1))]
    )
    assert crossed.spans[1, 0] == pytest.approx(np.sqrt(d**2 - (R + r) ** 2), abs=1e-14)


def test_there_is_no_tangent_from_inside_a_wheel():
    found = trace([Stop(point(0.1, 0)), Stop(point(0, 0), Wheel(0.5), Y), Stop(point(3, 0))])
    assert np.isnan(found.length[0])


def test_a_wheel_in_the_ropes_plane_is_loaded_by_the_two_tensions():
    stops = [Stop(point(-2, -1)), Stop(point(0, 1), Wheel(0.3, 1, wrap=1.0), Y), Stop(point(2, -1.5))]
    (_, f, _), (_, m, _) = gradients(stops)
    u_in, u_out = trace(stops).directions[:, 0]
    assert f[0] == pytest.approx(u_out - u_in, abs=1e-14)
    assert m[0] == pytest.approx(np.zeros(3), abs=1e-14)


@given(numbers, numbers, numbers, st.sampled_from(list(SheaveKind)[:2]))
def test_loads_of_a_rope_balance(a, b, c, kind):
    wheel = Stop(point(0, 1, a), Wheel(0.2, 1, kind, 1.5), np.array([[b, 1.0, c]]) / np.sqrt(1 + b * b + c * c))
    stops = [Stop(point(-2, -1, c)), wheel, Stop(point(1, 3, b), Wheel(0.1, 1, wrap=1.0), Y), Stop(point(3, -1.5))]
    f, m = gradients(stops)
    x = np.array([stop.point for stop in stops])
    assert f.sum(axis=0) == pytest.approx(np.zeros((1, 3)), abs=1e-13)
    assert (m + np.cross(x, f)).sum(axis=0) == pytest.approx(np.zeros((1, 3)), abs=1e-12)
