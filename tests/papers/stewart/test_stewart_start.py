"""The Stewart platform at the start against the reference figures of its published model (re-derived independently)."""

import numpy as np
import pytest

import taut
from taut.dynamics.energy import gravity_energy


@pytest.fixture(scope="module")
def fallen():
    model = taut.build(taut.library.load("stewart-free-fall"))
    data = taut.start_state(model).data
    taut.forward_dynamics(model, data)
    return model, data


def test_sizes(fallen):
    model, _ = fallen
    assert (model.column_count, model.row_count) == (24, 18)


def test_energy_at_the_start(fallen):
    model, data = fallen
    assert gravity_energy(model.tables, data) == pytest.approx(295.8997138672619, rel=1e-13)


def test_first_acceleration(fallen):
    model, data = fallen
    x = model.names.columns.index("platform.x")
    assert data.acceleration[x] == pytest.approx(8.05644e-5, rel=1e-5)
    assert data.acceleration[x + 2] == pytest.approx(-10.0332992, rel=1e-8)


def test_holding_it_needs_equal_leg_forces_and_no_more(fallen):
    """Inverse dynamics through the closed loops: six actuated slides hold the platform still."""
    model, data = fallen
    held = taut.inverse_dynamics(model, data, np.zeros(model.column_count))
    assert held.actuators == tuple(f"upper{k}" for k in range(1, 7))
    assert held.residual < 1e-10
    assert held.redundancy == 0
    # mirror symmetry in y
    assert held.forces[:3] == pytest.approx(held.forces[:2:-1], rel=1e-12)
