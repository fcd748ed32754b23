"""Closure rows, their rates and their bias are derivatives of each other along the motion."""

import numpy as np
import pytest

from compare import relative_error
from engine import dense_jacobian, derivative, placed, varied
from machines import ALL_CLOSURES, random_tree


@pytest.fixture(params=range(4))
def machine(request):
    model = random_tree(np.random.default_rng(request.param), 12, closures=ALL_CLOSURES)
    return model, placed(model)


def test_rate_is_the_derivative_of_the_value(machine):
    model, data = machine
    assert relative_error(data.rows.rate, derivative(varied(model, data, data.v).rows.value)) < 1e-12
    assert relative_error(data.rows.rate, dense_jacobian(model, data) @ data.v) < 1e-12


def test_bias_is_the_derivative_of_the_jacobian(machine):
    model, data = machine
    J_rate = derivative(dense_jacobian(model, varied(model, data, data.v)))
    assert relative_error(data.rows.bias, J_rate @ data.v) < 1e-12


def test_second_derivative(machine):
    model, data = machine
    a = np.random.default_rng(0).normal(size=model.column_count)
    second = derivative(varied(model, data, data.v, a).rows.rate)
    assert relative_error(dense_jacobian(model, data) @ a + data.rows.bias, second) < 1e-12
