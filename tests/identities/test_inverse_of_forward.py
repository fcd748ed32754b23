"""forward(inverse(a)) == a, without and with closures."""

import numpy as np
import pytest

from compare import relative_error
from engine import dense_jacobian, derivative, generalised_forces, placed, residual, tree_accelerations, varied
from machines import full_machine, random_tree
from taut.dynamics.constraints.closures import closures
from taut.dynamics.forward import constrained_accelerations, forward
from taut.model import new_factor

pytestmark = pytest.mark.uncompiled


@pytest.mark.parametrize("size", [1, 5, 20])
def test_trees(size):
    model = random_tree(np.random.default_rng(size), size)
    data, a = placed(model), np.random.default_rng(0).normal(size=model.column_count)
    force = generalised_forces(model, data, a)
    assert relative_error(tree_accelerations(model, data, force), a) < 1e-10


@pytest.mark.parametrize("seed", range(3))
def test_closed_loops(seed):
    """Accelerations that the closures allow come back, also with multipliers added to their forces."""
    model = full_machine(seed)
    data, rng = placed(model), np.random.default_rng(seed)
    J = dense_jacobian(model, data)
    a = rng.normal(size=model.column_count)
    a -= np.linalg.pinv(J) @ (J @ a + data.rows.bias)
    lam = rng.normal(size=model.row_count)
    force = generalised_forces(model, data, a) - J.T @ lam
    constrained_accelerations(model.tables, data, new_factor(model), force)
    assert relative_error(data.acceleration, a) < 1e-10
    assert relative_error(data.lam, lam, scale=abs(force).max()) < 1e-10


@pytest.mark.parametrize("seed", range(3))
def test_complex_steps_pass_through_forward(seed):
    """The derivatives of accelerations and multipliers solve the derivative of the equations of motion."""
    model = full_machine(seed)
    direction = np.random.default_rng(seed).normal(size=(2, model.column_count))
    data = varied(model, placed(model), *direction)
    forward(model.tables, data, new_factor(model, np.complex128))
    scale = abs(derivative(generalised_forces(model, data, data.acceleration))).max()
    assert relative_error(derivative(residual(model, data, data.acceleration)), 0 * direction[0], scale) < 1e-11
    closures(model.tables, data)  # the closures at the accelerations that were found
    scale = abs(derivative(data.acceleration)).max()
    assert relative_error(derivative(data.rows.bias), np.zeros(model.row_count), scale) < 1e-11
