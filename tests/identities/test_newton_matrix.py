"""The articulated factor with Newton additions against the complex-step derivative of the residual."""

import numpy as np
import pytest

from compare import relative_error
from engine import columns_of, dense_mass, derivative, place, placed, residual, solve_mass, varied
from machines import SCALAR_JOINTS, full_machine, grow_tree, hanging_cable, random_columns
from reference.dynamics import centre_jacobians
from taut.build.tree import TreeBuilder
from taut.dynamics.newton import add_diagonals, add_geometric
from taut.dynamics.tree.factor import factor_mass
from taut.model import new_factor

pytestmark = pytest.mark.uncompiled

COEFFICIENTS = [(0.0, 0.0), (0.3, 0.2), (30.0, 2000.0), (2.0 + 3.0j, -1.0 + 4.0j)]


def residual_jacobians(model, data, a):
    """Derivatives of inverse - forces - J^T lam by acceleration, velocity and position."""

    def along(**step):
        return derivative(residual(model, varied(model, data, **step), a.astype(complex)))

    def by_acceleration(direction):
        return residual(model, data, a + direction) - residual(model, data, a)

    n = model.column_count
    return columns_of(by_acceleration, n), columns_of(lambda d: along(dv=d), n), columns_of(lambda d: along(dq=d), n)


def newton_factor(model, data, c_D, c_K):
    factor = new_factor(model, np.result_type(c_D, c_K).type)
    add_diagonals(model.tables, data, factor, c_D, c_K)
    add_geometric(model.tables, data, factor, c_K)
    factor_mass(model.tables, data, factor)
    return factor


def solution_error(model, data, factor, A):
    """Error of a solve with the factor, against the dense matrix it stands for."""
    expected = np.random.default_rng(0).normal(size=len(A)).astype(factor.columns.u.dtype)
    return relative_error(solve_mass(model, data, factor, A @ expected), expected)


@pytest.mark.parametrize(("c_D", "c_K"), COEFFICIENTS)
@pytest.mark.parametrize("direction", [(0.0, 0.0, -1.0), (2.0, 3.0, -6.0)])
def test_straight_cable_at_rest_has_all_terms(direction, c_D, c_K):
    model, lam = hanging_cable(direction)
    data = placed(model)
    data.lam[:] = lam
    M, D, K = residual_jacobians(model, data, 0 * data.v)
    place(model, data)
    residual(model, data, 0 * data.v)
    factor = newton_factor(model, data, c_D, c_K)
    assert solution_error(model, data, factor, M + c_D * D + c_K * K) < 1e-9


def test_diagonals_hold_dampers_friction_and_springs():
    builder, c_D, c_K = TreeBuilder(), 0.3, 0.2
    grow_tree(builder, np.random.default_rng(0), 20, SCALAR_JOINTS, columns=random_columns)
    model = builder.finish()
    data, factor = placed(model), new_factor(model)
    D = columns_of(lambda dv: -derivative(varied(model, data, dv=dv).force), model.column_count)
    K = columns_of(lambda dq: -derivative(varied(model, data, dq).force), model.column_count)
    add_diagonals(model.tables, data, factor, c_D, c_K)
    assert relative_error(np.diag(factor.columns.added), c_D * D + c_K * K) < 1e-13


def turned_lever(r, F):
    """The symmetric part of d(r x F)/d(turn)."""
    return 0.5 * (np.outer(r, F) + np.outer(F, r)) - (r @ F) * np.eye(3)


def geometric_stiffness(model, data):
    """Every lever of the machine: to children, to the body's own centre, to the ends of closures."""
    m, here = model.tables, data.nodes
    R = here.R.reshape(-1, 3, 3)
    X = np.zeros((len(m.nodes), 3, 3))
    for i in range(1, len(m.nodes)):
        d = R[i] @ m.nodes[i].com
        X[i] += turned_lever(d, m.nodes[i].mass * (here[i].a + np.cross(here[i].alpha, d)))
        X[m.nodes[i].parent] += turned_lever(here[i].x - here[m.nodes[i].parent].x, here[i].F)
    for closure in m.closures:
        rows = slice(closure.row, closure.row + closure.row_count)
        F = data.lam[rows] @ data.rows.F_a[rows]
        X[closure.node_a] -= turned_lever(R[closure.node_a] @ closure.point_a, F)
        X[closure.node_b] += turned_lever(R[closure.node_b] @ closure.point_b, F)
    jacobians = centre_jacobians(m, data.q, data.signals)
    return sum(J[3:].T @ X[i] @ J[3:] for i, (J, _) in enumerate(jacobians) if i > 0)


@pytest.mark.parametrize("seed", range(3))
def test_any_state_has_the_terms_it_claims(seed):
    model, c_D, c_K = full_machine(seed), 0.3, 0.02
    data, rng = placed(model), np.random.default_rng(seed)
    data.lam[:] = rng.normal(size=model.row_count)
    residual(model, data, rng.normal(size=model.column_count))
    factor = newton_factor(model, data, c_D, c_K)
    A = dense_mass(model, data) + np.diag(factor.columns.added) + c_K * geometric_stiffness(model, data)
    assert solution_error(model, data, factor, A) < 1e-10
