"""M, C, G and J of every space belong together and to the machine."""

import numpy as np
import pytest

from compare import relative_error
from manipulators import manipulator, moving_state
from taut.analyses.forward_dynamics import forward_dynamics
from taut.analyses.spaces.matrices import chart, chart_rate, coefficients
from taut.dynamics.residual import place
from taut.dynamics.tree.positions import move
from taut.integrate.coordinates import SPACES
from taut.integrate.start.start_state import close_loops
from taut.model import new_data

NAMES = ("stewart-free-fall", "six-rss-free-fall", "planar-3rrr", "delta")


def extended_accelerations(model, data):
    """x'' of all coordinates from the engine."""
    forward_dynamics(model, data)
    T = chart(model, data.q)
    return np.linalg.solve(T, data.acceleration - chart_rate(model, data.q, np.linalg.solve(T, data.v)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("space", SPACES)
def test_accelerations_by_the_matrices(name, space):
    model = manipulator(name)
    data = moving_state(model)
    found = coefficients(model, data, space)
    x = found.Gamma @ found.accelerations() + found.Gamma_rate @ found.rate
    assert relative_error(x, extended_accelerations(model, data)) < 1e-9
    assert found.M == pytest.approx(found.M.T, rel=1e-12, abs=1e-12)


def at(model, data, h):
    """The machine a short time later, along its velocities and accelerations."""
    later = new_data(model)
    q = data.q.copy()
    move(model.tables, data.q, h * data.v + 0.5 * h * h * data.acceleration, q)
    later.q[:] = q
    close_loops(model, later, 1e-13, is_solved=True)
    later.v[:] = data.v + h * data.acceleration
    place(model.tables, later)
    return later


@pytest.mark.parametrize("space", SPACES)
def test_mass_rate_less_twice_coriolis_is_skew(space):
    model = manipulator("stewart-free-fall")
    data = moving_state(model)
    forward_dynamics(model, data)
    h = 1e-5
    M_rate = (coefficients(model, at(model, data, h), space).M - coefficients(model, at(model, data, -h), space).M) / (
        2 * h
    )
    S = M_rate - 2 * coefficients(model, data, space).C
    # central differences: error of order h^2
    assert relative_error(S, -S.T) < 1e-6


@pytest.mark.parametrize("name", NAMES)
def test_two_roads_to_one_space(name):
    """The matrices through configuration space are those found directly."""
    model = manipulator(name)
    data = moving_state(model)
    for space in ("task", "actuator"):
        a, b = coefficients(model, data, space), coefficients(model, data, f"extended-to-{space}")
        for key in ("M", "C", "G"):
            assert relative_error(getattr(a, key), getattr(b, key)) < 1e-9
