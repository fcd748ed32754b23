import pytest

from compare import relative_error
from engine import generalised_forces
from reference.dynamics import inverse
from reference.frames import point_jacobian, walk

pytestmark = pytest.mark.nojit


def applied_forces(machine):
    """J^T of the applied wrenches, point by point."""
    m, data = machine.model.tables, machine.data
    frames, motions = walk(*machine.position())
    total = 0.0
    for wrench in m.wrenches:
        R, x = frames[wrench.node][:3, :3], frames[wrench.node][:3, 3]
        values = data.signals[wrench.signal, 0].reshape(2, 3)
        force, torque = values @ R.T if wrench.is_follower else values
        J = point_jacobian(m, motions, wrench.node, x + R @ wrench.point)
        total = total + force @ J[:3] + torque @ J[3:]
    return total


def test_inverse_dynamics(machine):
    a = machine.vector()
    expected = inverse(*machine.state(), a) - applied_forces(machine)
    assert relative_error(generalised_forces(machine.model, machine.data, a), expected) < 1e-12
