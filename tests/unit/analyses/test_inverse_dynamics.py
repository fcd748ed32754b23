"""Inverse dynamics with closed loops: the inverse of forward dynamics."""

import numpy as np
import pytest

import taut


@pytest.mark.parametrize(
    "name", ["mamidi-pick-and-place", "stewart-free-fall", "four-bar", "bennett", "pendulum-crane"]
)
def test_inverse_of_forward_needs_no_actuator(name):
    model = taut.build(taut.library.load(name))
    data = taut.start_state(model).data
    taut.forward_dynamics(model, data)
    found = taut.inverse_dynamics(model, data, data.acceleration.copy())
    scale = np.abs(data.lam).max(initial=1.0)
    assert found.constraint_error < 1e-9
    assert np.abs(found.forces).max() < 1e-8 * scale


def test_one_actuator_moves_a_four_bar_as_asked():
    model = taut.build(taut.library.load("four-bar"))
    data = taut.start_state(model).data
    taut.forward_dynamics(model, data)
    free = data.acceleration.copy()
    held = taut.inverse_dynamics(model, data, np.zeros(3), ["crank"])
    assert held.residual < 1e-9
    assert held.constraint_error < 1e-12
    assert np.sign(held.forces[0]) == -np.sign(free[0])


def test_what_an_actuator_cannot_do_is_a_residual():
    model = taut.build(taut.library.load("double-pendulum"))
    data = taut.start_state(model).data
    held = taut.inverse_dynamics(model, data, np.zeros(2), [model.names.columns[0]])
    assert held.residual > 0.1


def test_unknown_actuator_is_named():
    model = taut.build(taut.library.load("double-pendulum"))
    with pytest.raises(ValueError, match="'elbow'"):
        taut.inverse_dynamics(model, taut.new_data(model), np.zeros(2), ["elbow"])
