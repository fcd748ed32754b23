"""Modal nodes by their kind: position of the end, inertia and elastic forces, matrix for the factor, energies.

A new kind is one file beside ``super_element.py``, one line in ``model/joints.py`` and one branch in each function
here. The elimination in ``bands.py`` is common to all.
"""

from taut.dynamics.modal.reduced_nodes import (
    REDUCED,
    fill_reduced,
    place_reduced,
    reduced_drive,
    reduced_energies,
    reduced_loss,
    reduced_needs,
)
from taut.dynamics.modal.ritz import fill_ritz, place_ritz, ritz_drive, ritz_needs
from taut.dynamics.modal.ritz_ends import ritz_inertia
from taut.dynamics.modal.super_element import fill_modal, modal_energies, modal_inertia, modal_needs, place_modal
from taut.dynamics.tree.joints import RITZ, joint_frame
from taut.kernels.jit import kernel, only_with, part
from taut.kernels.vec3 import add3, load3, scale3, store3, sub3
from taut.model.tables import MODAL_TABLES


@part
def no_vector(data):
    """Zeros of the kind of number that ``data`` holds."""
    zero = 0.0 * data.nodes[0].x[0]
    return zero, zero, zero


@only_with(*MODAL_TABLES, otherwise=lambda model, data, node, R, x: (R, x))
@kernel
def place_modal_node(model, data, node, R, x):
    """Frame of the end, and the axes of the columns, from the frame of the joint."""
    if node.kind == RITZ:
        return place_ritz(model, data, model.ritz[node.modal], R, x)
    if node.kind == REDUCED:
        return R, place_reduced(model.reduced, data.reduced, node, data.columns, data.q, R, x)
    return R, place_modal(model, data, node, R, x)


@only_with(*MODAL_TABLES, otherwise=lambda model, data, node: (no_vector(data), no_vector(data)))
@kernel
def modal_drive(model, data, node):
    """Velocity of the end besides that of its coordinates, and acceleration besides that of theirs."""
    if node.kind == RITZ:
        return ritz_drive(model, data, model.ritz[node.modal])
    if node.kind == REDUCED:
        R, _ = joint_frame(node, data.nodes[node.parent])
        return no_vector(data), reduced_drive(model.reduced, data.reduced, node, data.v, R)
    return no_vector(data), no_vector(data)


@only_with(*MODAL_TABLES, otherwise=lambda model, data, acceleration: None)
@kernel
def modal_wrenches(model, data, acceleration):
    """Forces that every modal node needs, into data.own, and its force on the base; after body_wrenches."""
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        if node.band < 0:
            continue
        # the exit of a Ritz cable moves as prescribed: no force on a parent
        if node.kind == RITZ:
            ritz_needs(model, data, model.ritz[node.modal], acceleration)
            continue
        parent = data.nodes[node.parent]
        R, _ = joint_frame(node, parent)
        if node.kind == REDUCED:
            F = reduced_needs(model.reduced, data.reduced, node, data, acceleration, R, load3(parent.a))
        else:
            F = modal_needs(model, data, node, acceleration, R, load3(parent.a))
        # the base's joint must transmit the inertia force of the cable as well
        if node.parent > 0:
            store3(parent.F, add3(load3(parent.F), F))


@only_with(*MODAL_TABLES, otherwise=lambda model, data, i, x, scratch: None)
@part
def modal_product(model, data, i, x, scratch):
    """M x of a modal node into data.own, and its force on the base."""
    node = model.nodes[i]
    if node.kind == RITZ:
        ritz_inertia(model, data, model.ritz[node.modal], x)
        return
    parent = data.nodes[node.parent]
    R, _ = joint_frame(node, parent)
    if node.kind == REDUCED:
        F = reduced_product(model, data, node, x, scratch, R, load3(parent.a))
    else:
        F = modal_inertia(model, data, node, x, R, load3(parent.a))
    if node.parent > 0:
        store3(parent.F, add3(load3(parent.F), F))


@part
def reduced_product(model, data, node, x, scratch, R, base):
    """M x of a reduced cable: forces at the accelerations x less those at zero; all other terms cancel."""
    first, last = node.column, node.column + node.column_count
    for c in range(first, last):
        scratch[c] = 0.0
    rest = reduced_needs(model.reduced, data.reduced, node, data, scratch, R, scale3(0.0, base))
    for c in range(first, last):
        scratch[c] = data.own[c]
    F = reduced_needs(model.reduced, data.reduced, node, data, x, R, base)
    for c in range(first, last):
        data.own[c] -= scratch[c]
    return sub3(F, rest)


@only_with(*MODAL_TABLES, otherwise=lambda model, data, factor, node, i, c_D, c_K: node.mass)
@part
def fill_band(model, data, factor, node, i, c_D, c_K):
    """M + c_D D + c_K K of one modal node into its band, and its coupling with the base; returns its mass."""
    if node.kind == RITZ:
        return fill_ritz(model, data, factor, model.ritz[node.modal], c_D, c_K)
    R, _ = joint_frame(node, data.nodes[node.parent])
    if node.kind == REDUCED:
        return fill_reduced(model.reduced, data.reduced, node, factor, R, load3(data.nodes[i].F), c_D, c_K)
    return fill_modal(model, factor, node, R, c_D, c_K)


@only_with("modal", "reduced", otherwise=lambda model, data: no_vector(data))
@kernel
def modal_energy(model, data):
    """Kinetic, gravity and elastic energy of super-elements and reduced cables."""
    zero = 0.0 * data.nodes[0].x[0]
    kinetic, gravity, elastic = zero, zero, zero
    g = load3(model.settings[0].gravity)
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        # Ritz cables have energies with terms of the flow (``ritz_energy``)
        if node.band < 0 or node.kind == RITZ:
            continue
        parent = data.nodes[node.parent]
        R, x = joint_frame(node, parent)
        if node.kind == REDUCED:
            T, V, U = reduced_energies(model.reduced, data.reduced, node, data, R, (x, load3(parent.v)), g)
        else:
            T, V, U, _ = modal_energies(model, data, node, R, x, load3(parent.v), g)
        kinetic, gravity, elastic = kinetic + T, gravity + V, elastic + U
    return kinetic, gravity, elastic


@only_with("modal", "reduced", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
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
            total += modal_energies(model, data, node, R, x, load3(parent.v), g)[3]
    return total
