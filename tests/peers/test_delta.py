"""The delta robot with its closed loops against Pinocchio."""

import numpy as np
import pytest

from compare import relative_error
from engine import dense_jacobian
from manipulators import manipulator, moving_state
from taut.analyses.forward_dynamics import forward_dynamics
from taut.analyses.inverse_dynamics import inverse_dynamics
from taut.bench.pinocchio_tree import PinocchioTree

pytestmark = pytest.mark.peers


@pytest.mark.parametrize("name", ["delta", "hexapod"])
@pytest.mark.parametrize("seed", range(3))
def test_constrained_forward_dynamics(name, seed):
    model = manipulator(name)
    data = moving_state(model, seed)
    forward_dynamics(model, data)
    theirs = PinocchioTree(model).constraint_dynamics(data)(1)
    assert relative_error(data.acceleration, theirs) < 1e-8


@pytest.mark.parametrize("seed", range(3))
def test_torques_found_give_pinocchio_the_motion_asked_for(seed):
    """Inverse dynamics through the loops, then Pinocchio's forward dynamics with these torques."""
    model = manipulator("delta")
    data = moving_state(model, seed)
    forward_dynamics(model, data)
    # any motion the loops allow: add one along a direction in which they leave it free
    free = np.linalg.svd(dense_jacobian(model, data))[2][-3:]
    wanted = data.acceleration + free.T @ np.random.default_rng(seed).normal(size=3)
    found = inverse_dynamics(model, data, wanted)
    assert found.residual < 1e-10
    data.force[:] = 0.0
    data.force[[model.names.columns.index(name) for name in found.actuators]] = found.forces
    assert relative_error(PinocchioTree(model).constraint_dynamics(data)(1), wanted) < 1e-8
