"""Friction of rigid ground: a force that the multipliers of its closures make.

The multiplier lam_r of a point that touches is its normal force, and its friction is B_r lam_r, with B_r that of a unit
normal force (``contact``, Eq. 1). So a linear system of the equations of motion with closures becomes
    S x - (J^T + B V^T) mu = b,     J x = g                                                                 (1)
where V picks the multipliers of those points: no longer symmetric. With the symmetric solver for B = 0, y = (x, mu),
    y = y_0 + Z c,   Z = solution for the loads B,   c = V^T mu = (1 - V^T Z)^-1 V^T mu_0                        (2)
[Hager 1989]. Where points are redundant, every part of Eq. (2) has multipliers of smallest norm, and so has their sum.
"""

from taut.dynamics.forces.contact import CLOSED, RIGID, add_force, contact_state, friction_direction, grip_mode
from taut.kernels.jit import kernel, only_with, part
from taut.kernels.small_inverse import invert_right
from taut.kernels.vec3 import cross3, store3


@only_with("contacts", otherwise=lambda model, data, lam: None)
@kernel
def add_drags(model, data, lam):
    """Take the friction of rigid ground off what the nodes' joints must transmit."""
    for j in range(len(model.contacts)):
        contact = model.contacts[j]
        if contact.law == RIGID and data.modes[contact.side] == CLOSED:
            add_force(contact, data, j, lam)


@part
def load_drag(contact, data, factor, j):
    """B_r of one point as the only load on the factor's nodes, which are clear."""
    here, at = data.nodes[contact.node], factor.nodes[contact.node]
    d, _, u = contact_state(contact, here)
    n = friction_direction(contact, here, d, u, grip_mode(contact, data.modes), data.anchors[j])
    # a load is what the joints must transmit: minus the force
    F = (contact.friction * n[0], contact.friction * n[1], 0.0 * n[0])
    store3(at.N, cross3(d, F))
    store3(at.F, F)


@kernel
def invert_drags(model, factor):
    """Invert 1 - V^T Z, into the right half of drag_C."""
    C, n = factor.drag_C, len(factor.drag_c)
    # [1 - V^T Z | 1], to be inverted by elimination; open contacts have Z = 0, so that their rows stay regular
    for j in range(len(model.contacts)):
        contact = model.contacts[j]
        if contact.drag >= 0:
            for k in range(n):
                one = 1.0 if k == contact.drag else 0.0
                C[contact.drag, k] = one - factor.drag_mu[k, contact.row]
                C[contact.drag, n + k] = one
    invert_right(C, n)


@only_with("contacts", otherwise=lambda model, factor, x, mu: None)
@kernel
def add_drag_answer(model, factor, x, mu):
    """Add the effect of friction of rigid ground to the solution without it, in place, Eq. (2)."""
    C, c, n = factor.drag_C, factor.drag_c, len(factor.drag_c)
    for k in range(n):
        c[k] = 0.0
    for j in range(len(model.contacts)):
        contact = model.contacts[j]
        if contact.drag >= 0:
            for k in range(n):
                c[k] += C[k, n + contact.drag] * mu[contact.row]
    for k in range(n):
        for i in range(len(x)):
            x[i] += factor.drag_x[k, i] * c[k]
        for i in range(len(mu)):
            mu[i] += factor.drag_mu[k, i] * c[k]
