"""d(energy)/dt = input - dissipated along the true motion, with everything a machine can have on it.

The motion's own derivative is a complex step along (v, a, dz/dt); what is left is the explicit time dependence of
driven points, whose signals are cubics: then the energy is a quartic in time and a five-point difference is exact.
"""

import numpy as np
import pytest

from compare import relative_error
from engine import dense_jacobian, derivative, place, placed, residual, varied
from machines import full_machine
from taut.dynamics.energy import dissipated_power, elastic_energy, gravity_energy, input_power, kinetic_energy
from taut.dynamics.forward import forward
from taut.model import new_factor

pytestmark = pytest.mark.uncompiled

H = 0.1


def energy(model, data):
    return np.array([f(model.tables, data) for f in (kinetic_energy, gravity_energy, elastic_energy)])


def energy_at(model, data, time):
    """Energies at another instant for the present coordinates and rates."""
    later = placed(model, time=time)
    later.v[:], later.z[:] = data.v, data.z
    place(model, later)
    return energy(model, later)


def explicit_rate(model, data):
    """Partial derivative of the energies by time."""
    t = data.time[0]
    before2, before, after, after2 = (energy_at(model, data, t + k * H) for k in (-2, -1, 1, 2))
    return (before2 - 8 * before + 8 * after - after2) / (12 * H)


def moving_machine(seed):
    """A machine whose velocities satisfy its closures, with accelerations, multipliers and transmitted wrenches."""
    model = full_machine(seed)
    data = placed(model)
    data.z[:] += np.random.default_rng(seed).normal(size=model.state_count)
    data.v[:] -= np.linalg.pinv(dense_jacobian(model, data)) @ data.rows.rate
    place(model, data)
    assert abs(data.rows.rate).max() < 1e-12
    forward(model.tables, data, new_factor(model))
    assert abs(residual(model, data, data.acceleration)).max() < 1e-8
    return model, data


@pytest.mark.parametrize("seed", range(10))
def test_power_balance(seed):
    model, data = moving_machine(seed)
    later = varied(model, data, data.v, data.acceleration, data.z_rate)
    rates = derivative(energy(model, later)) + explicit_rate(model, data)
    given, lost = input_power(model.tables, data), dissipated_power(model.tables, data)
    assert lost > 0
    assert relative_error(rates.sum(), given - lost, scale=max(*abs(rates), abs(given), lost)) < 1e-9
