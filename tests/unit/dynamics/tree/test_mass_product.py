"""M x - J^T lam by recursion, against the dense matrices."""

import numpy as np
import pytest

from compare import relative_error
from engine import dense_jacobian, dense_mass, jump_defect, placed
from ritz_machines import SORTS, suspended

pytestmark = pytest.mark.nojit


def error(model, data):
    """Relative error of the product, for random x and lam."""
    rng = np.random.default_rng(7)
    x, lam = rng.normal(size=model.column_count), rng.normal(size=model.row_count)
    expected = dense_mass(model, data) @ x - dense_jacobian(model, data).T @ lam
    return relative_error(jump_defect(model, data, x, lam), expected)


def test_bodies_of_every_joint(machine):
    assert error(machine.model, machine.data) < 1e-13


@pytest.mark.parametrize("is_linear", [False, True])
@pytest.mark.parametrize("sort", SORTS)
def test_ritz_cables(sort, is_linear):
    model = suspended(sort, is_linear=is_linear)
    assert error(model, placed(model)) < 1e-13
