"""What a modal node is, by its kind: where its end lies, what its motion needs, its matrix for the factor, its energy.

A new kind is one file beside ``modal.py``, one line in ``model/enums.py`` and one branch in each function here. The
elimination in ``bands.py`` is common to all.
"""

from taut.dynamics.joints import RITZ, joint_frame
from taut.dynamics.modal import fill_modal, modal_energies, modal_needs, place_modal
from taut.dynamics.reduced_nodes import (
    REDUCED,
    fill_reduced,
    place_reduced,
    reduced_drive,
    reduced_energies,
    reduced_loss,
    reduced_needs,
)
from taut.dynamics.ritz import fill_ritz, place_ritz, ritz_drive, ritz_needs
from taut.kernels.jit import kernel, part
from taut.kernels.vec3 import add3, load3, store3


@kernel
def place_modal_node(model, data, node, R, x):
    """Frame of the end, and the axes of the columns, from the frame of the joint."""
    if node.kind == RITZ:
        return place_ritz(model, data, model.ritz[node.modal], R, x)
    if node.kind == REDUCED:
        return R, place_reduced(model.reduced, data.reduced, node, data.columns, data.q, R, x)
    return R, place_modal(node, model.modal, data.columns, data.q, R, x)


@kernel
def modal_drive(model, data, node):
    """Velocity of the end that its coordinates do not say, and acceleration that their accelerations do not."""
    zero = 0.0 * data.nodes[0].x[0]
    if node.kind == RITZ:
        return ritz_drive(model.ritz[node.modal], data.signals, zero)
    if node.kind == REDUCED:
        R, _ = joint_frame(node, data.nodes[node.parent])
        return (zero, zero, zero), reduced_drive(model.reduced, data.reduced, node, data.v, R)
    return (zero, zero, zero), (zero, zero, zero)


@kernel
def modal_wrenches(model, data, acceleration):
    """What every modal node needs, into data.own, and what it asks of its base; after body_wrenches."""
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        if node.band < 0:
            continue
        if node.kind == RITZ:
            ritz_needs(model, data, model.ritz[node.modal], acceleration)
            continue
        parent = data.nodes[node.parent]
        R, _ = joint_frame(node, parent)
        if node.kind == REDUCED:
            F = reduced_needs(model.reduced, data.reduced, node, data, acceleration, R, load3(parent.a))
        else:
            F = modal_needs(node, model.modal, data, acceleration, R, load3(parent.a))
        if node.parent > 0:
            store3(parent.F, add3(load3(parent.F), F))


@part
def fill_band(model, data, factor, node, i, c_D, c_K):
    """M + c_D D + c_K K of one modal node into its band, and its coupling with the base; returns its mass."""
    if node.kind == RITZ:
        return fill_ritz(model, data, factor, model.ritz[node.modal], c_D, c_K)
    R, _ = joint_frame(node, data.nodes[node.parent])
    if node.kind == REDUCED:
        return fill_reduced(model.reduced, data.reduced, node, factor, R, load3(data.nodes[i].F), c_D, c_K)
    return fill_modal(node, model.modal, factor, R, c_D, c_K)


@kernel
def modal_energy(model, data):
    """Kinetic, gravity and elastic energy of super-elements and reduced cables."""
    zero = 0.0 * data.nodes[0].x[0]
    kinetic, gravity, elastic = zero, zero, zero
    g = load3(model.settings[0].gravity)
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        if node.band < 0 or node.kind == RITZ:
            continue
        parent = data.nodes[node.parent]
        R, x = joint_frame(node, parent)
        if node.kind == REDUCED:
            T, V, U = reduced_energies(model.reduced, data.reduced, node, data, R, (x, load3(parent.v)), g)
        else:
            T, V, U, _ = modal_energies(node, model.modal, data, R, x, load3(parent.v), g)
        kinetic, gravity, elastic = kinetic + T, gravity + V, elastic + U
    return kinetic, gravity, elastic


@kernel
def modal_loss(model, data):
    """Power lost in the damping of super-elements and reduced cables."""
    total = 0.0 * data.nodes[0].x[0]
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        if node.band < 0 or node.kind == RITZ:
            continue
        if node.kind == REDUCED:
            total += reduced_loss(model.reduced, node, data.v)
        else:
            parent = data.nodes[node.parent]
            R, x = joint_frame(node, parent)
            g = load3(model.settings[0].gravity)
            total += modal_energies(node, model.modal, data, R, x, load3(parent.v), g)[3]
    return total
