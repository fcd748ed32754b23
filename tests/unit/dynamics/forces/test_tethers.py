"""Tethers: their tangent against differences of the residual, and the coupling of trees in the Newton matrix."""

import numpy as np
import pytest

from taut.build.tree import RigidBody, TetherSpec, TreeBuilder
from taut.dynamics.statics import factor_motion, motion_residual, solve_motion
from taut.model import new_data, new_factor
from taut.model.enums import JointKind

C_D, C_K = 0.03, 0.002
ZERO = (0.0, 0.0, 0.0)


def masses(strain, *, is_held):
    """Point masses on two tethers in a row; the first hangs on the world, and may also be held by a rod."""
    builder = TreeBuilder()
    one = builder.add_node("one", JointKind.POINT, 0, RigidBody(2.0), position=[0.3, 0.1, -1.0])
    two = builder.add_node("two", JointKind.POINT, 0, RigidBody(0.5), position=[1.2, -0.4, -1.6])
    places = {0: np.zeros(3), one: np.array([0.3, 0.1, -1.0]), two: np.array([1.2, -0.4, -1.6])}
    for name, ends in {"upper": (0, one), "lower": (one, two), "side": (0, two)}.items():
        length = float(np.linalg.norm(places[ends[1]] - places[ends[0]])) / (1.0 + strain)
        builder.add_tether(TetherSpec(name, ends, (ZERO, ZERO), length, 1e4, 20.0))
    if is_held:
        builder.add_distance("rod", (one, 0), (ZERO, (0.0, 1.0, 0.0)), float(np.linalg.norm(places[one] - [0, 1, 0])))
    model = builder.finish()
    data = new_data(model)
    data.modes[:] = 1
    return model, data


def dense_newton(model, data):
    """M + C_D D + C_K K of the residual by central differences, and the closures' Jacobian."""
    n, lam, zero = model.column_count, np.zeros(model.row_count), np.zeros(model.column_count)
    S, J, sides = np.zeros((n, n)), np.zeros((model.row_count, n)), np.zeros((2, n))
    q = data.q.copy()
    for c, direction in enumerate(np.eye(n)):
        for part, step in ((1.0, 1.0), (C_D, 1.0), (C_K, 1e-6)):
            for side, sign in enumerate((step, -step)):
                data.q[:] = q + (sign * direction if part == C_K else 0.0)
                data.v[:] = sign * direction if part == C_D else 0.0
                motion_residual(model.tables, data, sign * direction if part == 1.0 else zero, lam, sides[side])
            S[:, c] += part * (sides[0] - sides[1]) / (2.0 * step)
            if part == C_D:
                J[:, c] = -data.rows["rate"]
    data.q[:], data.v[:] = q, 0.0
    return S, J


@pytest.mark.parametrize("is_held", [False, True])
def test_the_coupled_newton_matrix_is_exact_for_tethers_that_are_just_taut(is_held):
    model, data = masses(0.0, is_held=is_held)
    assert list(model.tables.tethers["coupled"]) == [-1, 0, -1]
    S, J = dense_newton(model, data)
    n, m = model.column_count, model.row_count
    factor, x, mu, result = new_factor(model), np.zeros(n), np.zeros(m), np.zeros(n)
    motion_residual(model.tables, data, np.zeros(n), data.lam, result)
    factor_motion(model.tables, data, factor, C_D, C_K)
    b, g = np.arange(1.0, n + 1.0), np.full(m, 0.3)
    solve_motion(model.tables, data, factor, b, g, x, mu)
    whole = np.block([[S, -J.T], [J, np.zeros((m, m))]])
    assert np.concatenate([x, mu]) == pytest.approx(np.linalg.solve(whole, np.concatenate([b, g])), rel=1e-7)


def test_the_tangent_at_a_standing_end_has_the_geometric_part():
    builder = TreeBuilder()
    node = builder.add_node("mass", JointKind.POINT, 0, RigidBody(1.0), position=[0.3, -0.2, -1.0])
    builder.add_tether(TetherSpec("tether", (0, node), (ZERO, ZERO), 0.9, 500.0, 3.0))
    model = builder.finish()
    data = new_data(model)
    data.modes[:] = 1
    S, _ = dense_newton(model, data)
    factor, x = new_factor(model), np.zeros(3)
    motion_residual(model.tables, data, np.zeros(3), data.lam, x)
    factor_motion(model.tables, data, factor, C_D, C_K)
    solve_motion(model.tables, data, factor, np.array([1.0, 2.0, 3.0]), np.zeros(0), x, np.zeros(0))
    assert x == pytest.approx(np.linalg.solve(S, [1.0, 2.0, 3.0]), rel=1e-8)


def test_a_slack_tether_does_nothing():
    model, data = masses(0.01, is_held=False)
    result = np.zeros(model.column_count)
    data.modes[:] = -1
    motion_residual(model.tables, data, np.zeros(model.column_count), data.lam, result)
    assert result == pytest.approx([0, 0, 2.0 * 9.81, 0, 0, 0.5 * 9.81])
