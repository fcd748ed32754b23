import numpy as np
import pytest

from compare import relative_error
from reference.dynamics import forward as reference_forward
from taut.build.tree import RigidBody, TreeBuilder
from taut.dynamics.forward import forward
from taut.model import new_data, new_factor
from taut.model.enums import JointKind
from unit.dynamics.test_inverse import applied_forces

pytestmark = pytest.mark.nojit


def test_accelerations_and_multipliers(machine):
    model, data = machine.model, machine.data
    rank = forward(model.tables, data, new_factor(model))
    a, lam = reference_forward(*machine.state(), data.force + applied_forces(machine))
    assert rank == model.row_count
    assert relative_error(data.acceleration, a) < 1e-10
    assert relative_error(data.lam, lam) < 1e-10


def test_a_free_body_falls():
    builder = TreeBuilder()
    builder.add_node("stone", JointKind.FREE, body=RigidBody(2.0, (0.0, 0.0, 0.0), np.eye(3)))
    model = builder.finish()
    data = new_data(model)
    forward(model.tables, data, new_factor(model))
    assert data.acceleration.tolist() == [0.0, 0.0, -9.81, 0.0, 0.0, 0.0]
