"""Accelerations from the residual and the Newton blocks are those of forward dynamics, redundant rows or not."""

import numpy as np
import pytest

import taut
from taut.dynamics.forward import forward
from taut.dynamics.residual import consistent_accelerations, place, stabilised_accelerations
from taut.dynamics.tree.positions import move
from taut.model import new_factor


def moving(name):
    """A machine of the library with random velocities, its loops a little open."""
    model = taut.build(taut.library.load(name))
    data = taut.start_state(model).data
    random = np.random.default_rng(1)
    data.v[:] = random.normal(size=len(data.v))
    move(model.tables, data.q.copy(), 0.01 * random.normal(size=len(data.v)), data.q)
    return model, data, new_factor(model)


@pytest.mark.parametrize("name", ["four-bar", "bennett", "stewart"])
def test_consistent_accelerations_are_those_of_forward_dynamics(name):
    model, data, factor = moving(name)
    consistent_accelerations(model.tables, data, factor)
    found = data.acceleration.copy(), data.lam.copy()
    forward(model.tables, data, factor)
    scale = np.abs(data.acceleration).max()
    assert np.abs(found[0] - data.acceleration).max() < 1e-9 * scale
    assert np.abs(found[1] - data.lam).max() < 1e-8 * np.abs(data.lam).max()


def test_baumgarte_feeds_errors_back():
    """Baumgarte's feedback changes the closures' accelerations J a by its terms."""
    model, data, factor = moving("stewart")
    place(model.tables, data)
    value, rate, v = data.rows["value"].copy(), data.rows["rate"].copy(), data.v.copy()
    value_before, found = np.abs(value).max(), []
    for damping, stiffness in ((0.0, 0.0), (5.0, 3.0)):
        stabilised_accelerations(model.tables, data, factor, damping, stiffness)
        # rates are linear in the velocities
        data.v[:] = v + data.acceleration
        place(model.tables, data)
        found.append(data.rows["rate"] - rate)
        data.v[:] = v
    expected = -(2.0 * 5.0 * rate + 3.0**2 * value)
    assert value_before > 1e-3 and np.abs(found[1] - found[0] - expected).max() < 1e-9 * np.abs(expected).max()
