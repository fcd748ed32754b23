"""Contact with the ground: forces, energy, the Newton matrix's share, modes."""

import numpy as np
import pytest

import taut
from taut.dynamics.forces.contact import contact_energy, contact_loss
from taut.dynamics.residual import consistent_accelerations, place
from taut.dynamics.statics import factor_motion, motion_residual, solve_motion
from taut.model.enums import EventKind, GripMode


def block(law="unilateral", **state):
    machine = taut.Machine("block")
    machine.platform(mass=2.0, box=[0.4, 0.2, 0.1], **state)
    machine.ground(stiffness=1000.0, damping=10.0, law=law)
    return taut.build(machine.scenario())


def closed(model):
    data = taut.new_data(model)
    close(model, data)
    place(model.tables, data)
    return data


def close(model, data, grip=GripMode.SMOOTHED):
    data.modes[: len(model.tables.contacts)] = 1
    data.modes[model.tables.events["kind"] == EventKind.GRIP] = grip
    data.anchors[:] = [0.6, 0.8]


@pytest.mark.parametrize("law", ["unilateral", "bilateral"])
def test_a_block_at_rest_depth_does_not_move(law):
    depth = 2.0 * 9.81 / 1000.0
    model = block(law, position=[0, 0, 0.05 - depth])
    data = closed(model)
    if law == "unilateral":
        data.modes[4:8] = -1  # the upper corners are in the air
    consistent_accelerations(model.tables, data, taut.new_factor(model))
    assert np.abs(data.acceleration).max() < 1e-10


@pytest.mark.parametrize("grip", GripMode)
def test_force_is_the_slope_of_the_energy_and_the_loss_of_the_dampers(grip):
    """d(energy)/dt of a falling, sliding, turning block = - loss, gravity and kinetic energy apart."""
    model = block(position=[0, 0, 0.03], velocity=[0.2, -0.1, -0.3], angular_velocity=[0.5, 0.2, 1.0])
    data = closed(model)
    close(model, data, grip)
    consistent_accelerations(model.tables, data, taut.new_factor(model))
    momentum = np.diag([2.0] * 3)
    inertia = 2.0 / 12 * np.diag([0.2**2 + 0.1**2, 0.4**2 + 0.1**2, 0.4**2 + 0.2**2])
    w = data.v[3:]
    bias = np.cross(w, inertia @ w)
    power = data.v[:3] @ (momentum @ data.acceleration[:3] + [0, 0, 2.0 * 9.81])
    power += w @ (inertia @ data.acceleration[3:] + bias)
    h = 1e-6
    later = taut.new_data(model)
    close(model, later, grip)
    energies = []
    for step in (-h, h):
        from taut.dynamics.tree.positions import move

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


@pytest.mark.parametrize("grip", [GripMode.STICKS, GripMode.SLIPS])
def test_the_newton_matrix_has_the_slope_of_friction(grip):
    """Friction's slope agrees with differences of the residual, for a block that slides and turns at a steady load."""
    model = block(position=[0, 0, 0.05 - 0.01962], velocity=[0.2, -0.1, 0.0])
    data, factor = closed(model), taut.new_factor(model)
    close(model, data, grip)
    data.modes[4:8] = -1
    data.anchors[:] = data.nodes["x"][1][:2] + model.tables.contacts["point"][:, :2] if grip > 0 else [0.6, 0.8]
    zero, none, c_D = np.zeros(6), np.zeros(0), 0.1
    result, v, slopes = np.zeros((2, 6)), data.v.copy(), np.zeros((6, 6))
    for c in (0, 1, 5):
        for side, sign in enumerate((1.0, -1.0)):
            data.v[:] = v + sign * 1e-5 * np.eye(6)[c]
            motion_residual(model.tables, data, zero, none, result[side])
        slopes[c] = (result[0] - result[1]) / 2e-5
    data.v[:] = v
    motion_residual(model.tables, data, zero, none, result[0])
    mass = np.diag([2.0, 2.0, 2.0, *(2.0 / 12 * np.array([0.05, 0.17, 0.2]))])
    factor_motion(model.tables, data, factor, c_D, 0.0)
    for c in (0, 1, 5):
        x = np.zeros(6)
        solve_motion(model.tables, data, factor, mass[c] + c_D * slopes[c], none, x, none)
        assert x[[0, 1, 5]] == pytest.approx(np.eye(6)[c][[0, 1, 5]], abs=2e-3)
