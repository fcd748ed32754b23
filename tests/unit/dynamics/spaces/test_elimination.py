"""Elimination against numpy's solver."""

import numpy as np
import pytest

from compare import relative_error
from engine import dense_jacobian
from manipulators import ALL_MANIPULATORS, manipulator, moving_state
from taut.dynamics.spaces.elimination import eliminate_columns, fill_gamma, solve_rows
from taut.integrate.coordinates import choose_columns, new_elimination

pytestmark = pytest.mark.nojit


@pytest.mark.parametrize("name", ALL_MANIPULATORS)
@pytest.mark.parametrize("space", ["extended-to-task", "extended-to-actuator", "configuration"])
def test_gamma_and_right_hand_side(name, space):
    model = manipulator(name)
    data = moving_state(model)
    choice = choose_columns(model, data, space)
    J = dense_jacobian(model, data)
    e = new_elimination(model, choice)
    e.J[:] = J
    e.b[:] = b = np.random.default_rng(0).normal(size=len(J))
    assert abs(eliminate_columns(e)) == 1
    fill_gamma(e)
    solve_rows(e)
    rows, columns, kept = list(choice.pivot_rows), list(choice.eliminated), list(choice.kept)
    J_D = J[np.ix_(rows, columns)]
    assert relative_error(e.Gamma[columns], -np.linalg.solve(J_D, J[np.ix_(rows, kept)])) < 1e-10
    assert relative_error(e.x[columns], -np.linalg.solve(J_D, b[rows])) < 1e-10
    assert np.all(e.x[kept] == 0.0)


def test_rows_that_determine_nothing_are_told():
    model = manipulator("stewart-free-fall")
    e = new_elimination(model, choose_columns(model, moving_state(model), "extended-to-task"))
    assert eliminate_columns(e) == 0  # J is zero
