import numpy as np
import pytest

from compare import relative_error
from engine import dense_jacobian, dense_mass, placed
from machines import ALL_CLOSURES, random_tree
from taut.dynamics.constraints.projection import add_multipliers, project_forces, project_rows
from taut.dynamics.tree.factor import factor_mass
from taut.dynamics.tree.solve import clear_loads, expand_outwards, reduce_inwards
from taut.model import new_factor


@pytest.fixture(params=["closures between trees", "closures within a tree"])
def projected(request, machine):
    if request.param == "closures within a tree":
        model = random_tree(np.random.default_rng(0), 12, closures=ALL_CLOSURES)
        machine = machine._replace(model=model, data=placed(model))
    factor = new_factor(machine.model)
    factor_mass(machine.model.tables, machine.data, factor)
    project_rows(machine.model.tables, machine.data, factor)
    return machine, factor, dense_mass(machine.model, machine.data), dense_jacobian(machine.model, machine.data)


def test_interface_matrix(projected):
    _, factor, M, J = projected
    W = np.tril(factor.W)
    assert relative_error(W + np.tril(W, -1).T, J @ np.linalg.solve(M, J.T)) < 1e-11


def test_forces_on_the_interface(projected):
    machine, factor, M, J = projected
    force, psi = machine.vector(), np.zeros(len(J))
    clear_loads(factor)
    reduce_inwards(machine.model.tables, machine.data, factor, force)
    project_forces(machine.model.tables, factor, psi)
    assert relative_error(psi, J @ np.linalg.solve(M, force)) < 1e-11


def test_multipliers_on_the_tree(projected):
    machine, factor, M, J = projected
    lam, a = machine.vector(len(J)), np.zeros(len(M))
    factor.columns.u[:] = 0.0
    add_multipliers(machine.model.tables, factor, lam)
    expand_outwards(machine.model.tables, machine.data, factor, a)
    assert relative_error(a, np.linalg.solve(M, J.T @ lam)) < 1e-11
