import numpy as np
import pytest

from compare import relative_error
from engine import dense_mass, solve_mass
from reference.dynamics import centre_jacobians
from taut.dynamics.tree.factor import factor_mass
from taut.model import new_factor


def solve(machine, factor, b):
    factor_mass(machine.model.tables, machine.data, factor)
    return solve_mass(machine.model, machine.data, factor, b)


@pytest.mark.nojit
@pytest.mark.parametrize("shift", [0.0, 1.0, 1.0 + 2.0j])
def test_added_diagonals(machine, shift):
    dtype = np.result_type(shift).type
    factor = new_factor(machine.model, dtype)
    factor.columns.added[:] = shift * np.arange(1, machine.model.column_count + 1)
    b = machine.vector().astype(dtype)
    A = dense_mass(machine.model, machine.data) + np.diag(factor.columns.added)
    assert relative_error(solve(machine, factor, b), np.linalg.solve(A, b)) < 1e-11


@pytest.mark.parametrize("shift", [1.0, 1.0 + 2.0j])
def test_added_rotary_blocks(machine, shift):
    """A rotary addition is an inertia without mass: sum J_w^T X J_w."""
    dtype = np.result_type(shift).type
    factor = new_factor(machine.model, dtype)
    factor.nodes.rotary[1:] = shift * np.array([1.0, 0.2, 0.1, 2.0, 0.3, 3.0])
    X = shift * np.array([[1.0, 0.2, 0.1], [0.2, 2.0, 0.3], [0.1, 0.3, 3.0]])
    turns = [J[3:] for J, _ in centre_jacobians(*machine.position())[1:]]
    A = dense_mass(machine.model, machine.data) + sum(J.T @ X @ J for J in turns)
    b = machine.vector().astype(dtype)
    assert relative_error(solve(machine, factor, b), np.linalg.solve(A, b)) < 1e-11
