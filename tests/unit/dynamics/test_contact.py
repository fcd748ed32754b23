"""Contact with the ground: forces, energy, the Newton matrix's share, modes."""

import numpy as np
import pytest

import taut
from taut.dynamics.contact import contact_energy, contact_loss
from taut.dynamics.residual import consistent_accelerations, place


def block(law="unilateral", **state):
    machine = taut.Machine("block")
    machine.platform(mass=2.0, box=[0.4, 0.2, 0.1], **state)
    machine.ground(stiffness=1000.0, damping=10.0, law=law)
    return taut.build(machine.scenario())


def closed(model):
    data = taut.new_data(model)
    data.modes[:] = 1
    place(model.tables, data)
    return data


@pytest.mark.parametrize("law", ["unilateral", "bilateral"])
def test_a_block_at_rest_depth_does_not_move(law):
    depth = 2.0 * 9.81 / 1000.0
    model = block(law, position=[0, 0, 0.05 - depth])
    data = closed(model)
    if law == "unilateral":
        data.modes[4:] = -1  # the upper corners are in the air
    consistent_accelerations(model.tables, data, taut.new_factor(model))
    assert np.abs(data.acceleration).max() < 1e-10


def test_force_is_the_slope_of_the_energy_and_the_loss_of_the_dampers():
    """d(energy)/dt of a falling, sliding, turning block = - loss, gravity and kinetic energy apart."""
    model = block(position=[0, 0, 0.03], velocity=[0.2, -0.1, -0.3], angular_velocity=[0.5, 0.2, 1.0])
    data = closed(model)
    consistent_accelerations(model.tables, data, taut.new_factor(model))
    momentum = np.diag([2.0] * 3)
    inertia = 2.0 / 12 * np.diag([0.2**2 + 0.1**2, 0.4**2 + 0.1**2, 0.4**2 + 0.2**2])
    w = data.v[3:]
    bias = np.cross(w, inertia @ w)
    power = data.v[:3] @ (momentum @ data.acceleration[:3] + [0, 0, 2.0 * 9.81])
    power += w @ (inertia @ data.acceleration[3:] + bias)
    h = 1e-6
    later = taut.new_data(model)
    later.modes[:] = 1
    energies = []
    for step in (-h, h):
        from taut.dynamics.positions import move

        move(model.tables, data.q, step * data.v, later.q)
        place(model.tables, later)
        energies.append(contact_energy(model.tables, later))
    slope = (energies[1] - energies[0]) / (2 * h)
    assert power == pytest.approx(-slope - contact_loss(model.tables, data), rel=1e-7)


def test_open_contacts_do_nothing():
    model = block(position=[0, 0, -1.0])
    data = taut.new_data(model)
    consistent_accelerations(model.tables, data, taut.new_factor(model))
    assert data.acceleration[2] == pytest.approx(-9.81)


def test_a_body_without_a_box_cannot_lie_on_the_ground():
    machine = taut.Machine("ball")
    machine.platform(mass=1.0, sphere={"radius": 0.1})
    machine.ground(stiffness=1000.0, law="bilateral")
    with pytest.raises(taut.ScenarioError, match="needs the shape box"):
        taut.build(machine.scenario())
