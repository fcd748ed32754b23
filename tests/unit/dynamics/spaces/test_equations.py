"""Accelerations in every space are those of forward dynamics."""

import numpy as np
import pytest

from compare import relative_error
from manipulators import ALL_MANIPULATORS, manipulator, moving_state
from taut.analyses.forward_dynamics import forward_dynamics
from taut.analyses.spaces.space import new_space
from taut.dynamics.spaces.equations import OK
from taut.integrate.coordinates import SPACES


@pytest.mark.parametrize("name", ALL_MANIPULATORS)
@pytest.mark.parametrize("space", SPACES)
def test_accelerations(name, space):
    model = manipulator(name)
    data = moving_state(model)
    at = new_space(model, space, data=data)
    code, dy = at.rate(0.0, at.state(data))
    forward_dynamics(model, data)
    assert code == OK
    assert relative_error(at.data.acceleration, data.acceleration) < 1e-9
    assert relative_error(dy[len(data.q) :], data.acceleration[list(at.choice.kept)]) < 1e-9


@pytest.mark.nojit
@pytest.mark.parametrize("name", ALL_MANIPULATORS)
def test_closed_loops_have_no_gap_and_no_speed(name):
    model = manipulator(name)
    data = moving_state(model)
    at = new_space(model, "extended-to-task", data=data)
    y = at.state(data)
    # a guess that is off in everything that is eliminated
    guess = y.copy()
    for c in at.choice.eliminated:
        column = model.tables.columns[c]
        guess[int(column.coordinate)] += 1e-3 if column.component < 0 else 0.0
    assert at.rate(0.0, guess)[0] == OK
    assert np.abs(at.data.rows["value"]).max() < 1e-13
    assert np.abs(at.data.rows["rate"]).max() < 1e-12
