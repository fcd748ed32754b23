"""Ritz cables at any state: dynamics both ways, rows and rates, forces from a potential, and the balance of power."""

import numpy as np
import pytest

from compare import relative_error
from engine import columns_of, dense_jacobian, derivative, place, placed, varied
from ritz_machines import SORTS, suspended
from taut.dynamics.energy import dissipated_power, elastic_energy, gravity_energy, input_power, kinetic_energy
from taut.dynamics.forward import forward
from taut.dynamics.residual import factor_newton, solve_newton
from taut.dynamics.residual import residual as equations_of_motion
from taut.model import new_factor

pytestmark = pytest.mark.uncompiled

H = 1e-3


@pytest.fixture(params=[(sort, small) for sort in SORTS for small in (False, True)], ids=str)
def machine(request):
    """A model and its data at a moving state."""
    sort, is_linear = request.param
    model = suspended(sort, is_linear=is_linear)
    data = placed(model)
    data.v[:] = np.random.default_rng(1).normal(size=model.column_count)
    place(model, data)
    return model, data


def residual(model, data, acceleration):
    """What is left in the equations of motion at a state."""
    result = np.zeros_like(data.v)
    equations_of_motion(model.tables, data, acceleration, data.lam, result)
    return result


def energy(model, data):
    return np.array([f(model.tables, data) for f in (kinetic_energy, gravity_energy, elastic_energy)])


def test_rows_rates_and_wrenches(machine):
    model, data = machine
    J = dense_jacobian(model, data)
    slopes = columns_of(lambda d: derivative(varied(model, data, dq=d).rows["value"]), model.column_count)
    assert relative_error(J, slopes) < 1e-13


def test_forward_dynamics_solves_the_equations(machine):
    model, data = machine
    forward(model.tables, data, new_factor(model))
    found = residual(model, data, data.acceleration)
    assert np.abs(found).max() < 1e-9 * np.abs(data.force - data.own).max()
    assert np.abs(data.rows["bias"]).max() < 1e-10 * np.abs(data.acceleration).max()


def test_forces_at_rest_are_the_gradient_of_the_energy(machine):
    model, data = machine
    data.still[0] = 1.0
    data.v[:] = 0.0
    data.lam[:] = 0.0
    place(model, data)
    slopes = columns_of(lambda d: derivative(energy(model, varied(model, data, dq=d)).sum()), model.column_count)
    found = residual(model, data, np.zeros(model.column_count))
    # this includes turns of the body itself, whose weight has no moment here
    assert relative_error(found, slopes.ravel()) < 1e-11


def test_power_balance(machine):
    model, data = machine
    data.v[:] -= np.linalg.pinv(dense_jacobian(model, data)) @ data.rows["rate"]
    place(model, data)
    forward(model.tables, data, new_factor(model))
    residual(model, data, data.acceleration)
    later = varied(model, data, data.v, data.acceleration)
    rates = derivative(energy(model, later))
    instants = []
    for k in (-2, -1, 1, 2):
        other = placed(model, time=data.time[0] + k * H)
        other.q[:], other.v[:] = data.q, data.v
        place(model, other)
        instants.append(energy(model, other))
    rates += (instants[0] - 8 * instants[1] + 8 * instants[2] - instants[3]) / (12 * H)
    given, lost = input_power(model.tables, data), dissipated_power(model.tables, data)
    assert lost > 0
    assert relative_error(rates.sum(), given - lost, scale=max(*abs(rates), abs(given), lost)) < 1e-8


@pytest.mark.parametrize("sort", ["as published", "no lateral motion"])
def test_newton_matrix_solves_the_linear_equations(sort):
    """At rest with the static tension the matrix lacks only parts of H beside its band: an iteration finds them."""
    model = suspended(sort, is_linear=True)
    data, factor = placed(model), new_factor(model)
    data.still[0] = 1.0
    data.v[:], c_D, c_K = 0.0, 0.02, 0.3
    place(model, data)

    def along(**step):
        return derivative(residual(model, varied(model, data, **step), np.zeros(model.column_count, complex)))

    n = model.column_count
    M = columns_of(lambda d: residual(model, data, d) - residual(model, data, 0 * d), n)
    A = M + c_D * columns_of(lambda d: along(dv=d), n) + c_K * columns_of(lambda d: along(dq=d), n)
    wanted, found, step = np.random.default_rng(2).normal(size=n), np.zeros(n), np.zeros(n)
    place(model, data)
    residual(model, data, 0 * wanted)
    factor_newton(model.tables, data, factor, c_D, c_K)
    J = dense_jacobian(model, data)
    errors = []
    for _ in range(6):
        b, g = A @ (wanted - found), J @ (wanted - found)
        solve_newton(model.tables, data, factor, b, g, step, np.zeros(model.row_count))
        found += step
        errors.append(np.abs(found - wanted).max())
    assert errors[-1] < 1e-7 and errors[1] < 0.1 * errors[0] or errors[0] < 1e-9
