"""Friction of rigid ground in linear solves: the corrected symmetric solver against a dense one."""

import numpy as np
import pytest

import taut
from taut.dynamics.residual import consistent_accelerations, place
from taut.dynamics.statics import motion_residual
from taut.integrate.events.switches import Switches
from taut.integrate.start.redundancy import find_rank
from taut.integrate.start.start_state import start_state
from taut.model import new_factor
from taut.scenario.errors import ScenarioError


def leaning_box():
    """A box that slides and turns on the edge of two corners, where friction presses and turns it."""
    machine = taut.Machine("box")
    machine.platform(mass=3.0, box=[0.4, 0.3, 0.2], position=[0, 0, 0.2 * np.sin(0.3) + 0.1 * np.cos(0.3)],
                     orientation={"rotation_vector": [0, 0.3, 0]}, velocity=[0.7, 0.2, 0],
                     angular_velocity=[0, 0, 1.0])  # fmt: skip
    machine.ground(law="rigid", friction=0.4)
    return taut.build(machine.run(duration=0.1).scenario())


def test_accelerations_balance_with_the_friction_of_their_own_multipliers():
    model = leaning_box()
    data = start_state(model).data
    Switches(model, data)
    factor, R = new_factor(model), np.zeros(model.column_count)
    find_rank(model, data, factor)
    consistent_accelerations(model.tables, data, factor)
    pressed = data.lam[model.tables.contacts["row"]]
    motion_residual(model.tables, data, data.acceleration, data.lam, R)
    assert np.abs(R).max() < 1e-11 * pressed.max()
    assert np.abs(data.rows["bias"]).max() < 1e-10


def test_the_multipliers_are_those_of_the_unsymmetric_system():
    model = leaning_box()
    data = start_state(model).data
    Switches(model, data)
    n, m, tables = model.column_count, model.row_count, model.tables
    place(tables, data)
    free, L, M, J = np.zeros(n), np.zeros((m, n)), np.zeros((n, n)), np.zeros((m, n))
    motion_residual(tables, data, np.zeros(n), np.zeros(m), free)
    bias = data.rows["bias"].copy()
    for row, unit in zip(L, np.eye(m), strict=True):
        motion_residual(tables, data, np.zeros(n), unit, row)
    for c, unit in enumerate(np.eye(n)):
        motion_residual(tables, data, unit, np.zeros(m), M[c])
        J[:, c] = data.rows["bias"] - bias
    held = np.abs(J).max(axis=1) > 0.0
    A = np.block([[(M - free).T, (L - free)[held].T], [J[held], np.zeros((held.sum(), held.sum()))]])
    dense = np.linalg.solve(A, -np.concatenate([free, bias[held]]))
    factor = new_factor(model)
    find_rank(model, data, factor)
    consistent_accelerations(tables, data, factor)
    np.testing.assert_allclose(np.concatenate([data.acceleration, data.lam[held]]), dense, rtol=1e-9, atol=1e-9)


def test_forward_dynamics_has_the_friction_and_inverse_dynamics_refuses_it():
    model = leaning_box()
    data = start_state(model).data
    Switches(model, data)
    consistent_accelerations(model.tables, data, new_factor(model))
    expected = data.acceleration.copy()
    taut.forward_dynamics(model, data)
    np.testing.assert_allclose(data.acceleration, expected, rtol=1e-12)
    with pytest.raises(ScenarioError, match="knows no friction of rigid ground"):
        taut.inverse_dynamics(model, data, expected)
