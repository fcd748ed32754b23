"""The mass matrix, its derivatives and the bias forces belong together."""

import numpy as np
import pytest

from compare import relative_error
from engine import dense_mass, derivative, generalised_forces, placed, varied
from machines import SCALAR_JOINTS, random_tree
from taut.dynamics.energy import gravity_energy


@pytest.fixture(params=range(4))
def machine(request):
    """A quaternion-free tree: its velocities are derivatives of its coordinates."""
    model = random_tree(np.random.default_rng(request.param), 9, SCALAR_JOINTS)
    return model, placed(model)


def christoffel_matrix(model, data):
    """C_ij = 1/2 sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k."""
    dM = np.array([derivative(dense_mass(model, varied(model, data, dq))) for dq in np.eye(model.column_count)])
    v = data.v
    return 0.5 * (np.einsum("kij,k", dM, v) + np.einsum("jik,k", dM, v) - np.einsum("ijk,k", dM, v))


def test_mass_rate_less_twice_coriolis_is_skew(machine):
    model, data = machine
    M_rate = derivative(dense_mass(model, varied(model, data, data.v)))
    S = M_rate - 2 * christoffel_matrix(model, data)
    assert relative_error(S, -S.T) < 1e-12


def test_bias_is_coriolis_and_gravity(machine):
    model, data = machine
    weight = [derivative(gravity_energy(model.tables, varied(model, data, dq))) for dq in np.eye(model.column_count)]
    expected = christoffel_matrix(model, data) @ data.v + weight
    assert relative_error(generalised_forces(model, data, 0 * data.v), expected) < 1e-11
