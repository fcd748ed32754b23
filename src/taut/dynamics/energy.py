"""Energies of the placed state, and the powers that change them.

    d(kinetic + gravity + elastic)/dt = input - dissipated                 (1)
input: actuator signals, applied wrenches, driven points and joints; dissipated: dampers, friction, internal states of
laws.
"""

from taut.dynamics.constraints.closures import COORDINATE, DISTANCE, is_open
from taut.dynamics.forces.acting import column_position, column_stretch, free_rate, length_scale
from taut.dynamics.forces.capstans import rub_loss
from taut.dynamics.forces.contact import contact_energy, contact_loss
from taut.dynamics.forces.feed import flow_speed, length_ratio, rod_energy
from taut.dynamics.forces.feed_power import feed_power
from taut.dynamics.forces.laws import (
    damping_coefficient,
    friction_force,
    has_law,
    is_motor,
    spring_energy,
    state_goal,
    state_loss,
    state_rate,
)
from taut.dynamics.forces.tethers import tether_energy, tether_loss, tether_power
from taut.dynamics.modal.nodes import modal_energy, modal_loss
from taut.dynamics.modal.ritz_energy import ritz_elastic, ritz_gravity, ritz_kinetic, ritz_loss, ritz_power
from taut.dynamics.tree.joints import DRIVEN, DRIVEN_TURN, SMALL, driven_axis, driven_signal, is_driven_joint
from taut.kernels.inertia import has_matter
from taut.kernels.jit import kernel, part
from taut.kernels.mat3 import load6, load9, mat_vec, sym_rotated, sym_vec
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3


@kernel
def kinetic_energy(model, data):
    """1/2 sum m v_c^2 + w.I w."""
    total = 0.0 * data.nodes[0].x[0]
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        if has_matter(node):
            here = data.nodes[i]
            # material slides through a fed rod: its flow adds to the velocity of the rod
            if node.is_fed:
                total += rod_energy(node, here, length_ratio(node, data.signals), flow_speed(node, data.signals))
                continue
            w = load3(here.w)
            # linearised body: origin at the centre of mass, inertia fixed in world axes
            if node.kind == SMALL:
                v = load3(here.v)
                total += 0.5 * node.mass * dot3(v, v) + 0.5 * dot3(w, sym_vec(load6(node.inertia), w))
                continue
            R = load9(here.R)
            v = add3(load3(here.v), cross3(w, mat_vec(R, load3(node.com))))
            total += 0.5 * node.mass * dot3(v, v) + 0.5 * dot3(w, sym_vec(sym_rotated(R, load6(node.inertia)), w))
    for c in range(len(model.columns)):
        total += 0.5 * model.columns[c].armature * data.v[c] * data.v[c]
    if model.settings[0].has_modal:
        total += modal_energy(model, data)[0] + ritz_kinetic(model, data)
    return total


@kernel
def gravity_energy(model, data):
    """- sum m g.x_c."""
    total = 0.0 * data.nodes[0].x[0]
    g = load3(model.settings[0].gravity)
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        here = data.nodes[i]
        ratio = length_ratio(node, data.signals)
        centre = axpy3(ratio, mat_vec(load9(here.R), load3(node.com)), load3(here.x))
        total -= ratio * node.mass * dot3(g, centre)
    if model.settings[0].has_modal:
        total += modal_energy(model, data)[1] + ritz_gravity(model, data)
    return total


@kernel
def elastic_energy(model, data):
    """Energy stored in joint and material laws, in closed contacts and in taut tethers."""
    total = contact_energy(model, data) + tether_energy(model, data)
    for c in range(len(model.columns)):
        column = model.columns[c]
        if has_law(column, data.modes):
            scale = length_scale(column, data.signals)
            e = column_stretch(column, column_position(column, data.q), scale)
            z = data.z[column.state] if column.state >= 0 else e
            total += scale * spring_energy(column, e, z)
    if model.settings[0].has_modal:
        total += modal_energy(model, data)[2] + ritz_elastic(model, data)
    return total


@kernel
def dissipated_power(model, data):
    """Power lost in dampers, friction, internal states, contacts and tethers."""
    total = contact_loss(model, data) + tether_loss(model, data) + rub_loss(model, data)
    for i in range(1, len(model.nodes)):
        # losses of modal nodes: modal_loss, ritz_loss
        if model.nodes[i].band < 0:
            total += joint_loss(model, data, model.nodes[i])
    if model.settings[0].has_modal:
        total += modal_loss(model, data) + ritz_loss(model, data)
    return total


@part
def joint_loss(model, data, node):
    """Power lost in one joint's columns."""
    total = 0.0 * data.nodes[0].x[0]
    for c in range(node.column, node.column + node.column_count):
        column = model.columns[c]
        v = data.v[c]
        total -= friction_force(column, v, data.modes) * v
        if has_law(column, data.modes):
            scale = length_scale(column, data.signals)
            e = column_stretch(column, column_position(column, data.q), scale)
            rate = v - free_rate(column, data.signals)
            total += damping_coefficient(column, e, data.columns[c].side) * rate * rate / scale
            if column.state >= 0:
                goal = state_goal(column, e, v, data.signals)
                total += state_loss(column, state_rate(column, goal, data.z[column.state]))
    return total


@kernel
def input_power(model, data):
    """Power of actuator signals, applied wrenches and driven points.

    Needs the multipliers of ``forward`` and, for driven points that are eliminated, the transmitted wrenches of
    ``inverse`` at the same accelerations with the multipliers applied.
    """
    total = 0.0 * data.nodes[0].x[0]
    for i in range(1, len(model.nodes)):
        if model.nodes[i].band < 0:
            total += actuator_power(model, data, model.nodes[i])
    # the nodes hold applied wrenches only if the model has any
    if len(model.wrenches) > 0:
        for i in range(len(model.nodes)):
            here = data.nodes[i]
            total += dot3(load3(here.external_F), load3(here.v)) + dot3(load3(here.external_N), load3(here.w))
    for i in range(1, len(model.nodes)):
        # eliminated drives have no multiplier: the transmitted wrench is the force of the drive
        if model.nodes[i].kind == DRIVEN:
            total += dot3(load3(data.nodes[i].F), load3(data.nodes[i].v))
        elif is_driven_joint(model.nodes[i]):
            total += drive_force(model.nodes[i], data.nodes[i]) * driven_signal(model.nodes[i], data.signals, 1)
    for j in range(len(model.closures)):
        total += closure_power(model.closures[j], data)
    return total + length_power(model, data)


@part
def actuator_power(model, data, node):
    """Power of the signals that drive one joint's columns."""
    total = 0.0 * data.nodes[0].x[0]
    for c in range(node.column, node.column + node.column_count):
        column = model.columns[c]
        k = column.signal
        if is_motor(column):
            goal = state_goal(column, column_position(column, data.q) - column.free, data.v[c], data.signals)
            total += (data.z[column.state] if column.state >= 0 else goal) * data.v[c]
        elif k >= 0:
            total += data.signals[k, 0] * data.v[c]
    return total


@part
def length_power(model, data):
    """Power of what changes the length of cables."""
    total = 0.0 * data.nodes[0].x[0]
    total += tether_power(model, data)
    if model.settings[0].has_feed:
        total += feed_power(model, data)
    if model.settings[0].has_modal:
        total += ritz_power(model, data)
    return total


@part
def drive_force(node, here):
    """Generalised force of a driven joint on its node: the transmitted wrench along the axis; needs ``inverse``."""
    s = driven_axis(node, here)
    return dot3(load3(here.N), s) if node.kind == DRIVEN_TURN else dot3(load3(here.F), s)


@part
def closure_power(closure, data):
    """A driven point's multiplier works on its prescribed motion."""
    total = 0.0 * data.nodes[0].x[0]
    row = closure.row
    if is_open(closure, data.modes):
        return total
    # coordinate and point rows subtract their signal, so the multiplier works with its rate
    if closure.kind == COORDINATE:
        j = closure.signal[0]
        return total + data.lam[row] * data.signals[j, 1] if j >= 0 else total
    # the row is length minus distance: paying out against a tension takes power out
    if closure.kind == DISTANCE:
        j = closure.signal[0]
        return total - data.lam[row] * data.signals[j, 1] if j >= 0 else total
    for k in range(3):
        if closure.point_rows[k]:
            if closure.signal[k] >= 0:
                total += data.lam[row] * data.signals[closure.signal[k], 1]
            row += 1
    return total
