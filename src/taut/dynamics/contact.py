"""Contact of points with the ground, a horizontal plane.

A point with gap g (negative below the surface) and velocity u feels, while its contact is closed,
    F_n = -k g - c g',     F_t = -mu F_n tanh(|u_t| / v_0) u_t / |u_t|                              (1)
Bilateral contacts are closed while g <= 0 [Mamidi 2024, App. B, with the sign that restores]. Unilateral ones close
when g <= 0 and F_n > 0, and open when F_n < 0. Modes change only at located events, so that between two of them every
force is smooth.
"""

import numpy as np

from taut.kernels.inertia import accumulate_inertia
from taut.kernels.jit import kernel, part
from taut.kernels.mat3 import load9, mat_vec
from taut.kernels.vec3 import add3, cross3, load3, store3
from taut.model.enums import ContactLaw, ContactMode

UNILATERAL = int(ContactLaw.UNILATERAL)
CLOSED = int(ContactMode.CLOSED)


@part
def contact_state(contact, here):
    """Lever, gap and velocity of the point."""
    d = mat_vec(load9(here.R), load3(contact.point))
    gap = here.x[2] + d[2] - contact.height
    return d, gap, add3(load3(here.v), cross3(load3(here.w), d))


@part
def contact_force(contact, gap, u):
    """Eq. (1)."""
    normal = -contact.stiffness * gap - contact.damping * u[2]
    speed2 = u[0] * u[0] + u[1] * u[1]
    drag = contact.friction * normal * smoothed_sign(speed2, contact.velocity_scale)
    return (-drag * u[0], -drag * u[1], normal)


@part
def smoothed_sign(speed2, scale):
    """tanh(s / scale) / s with s^2 = speed2, smooth through zero."""
    x2 = speed2 / (scale * scale)
    if abs(x2) < 1e-4:
        return (1.0 - x2 / 3.0 + 2.0 * x2 * x2 / 15.0) / scale
    s = np.sqrt(speed2)
    return np.tanh(s / scale) / s


@kernel
def contact_wrenches(model, data):
    """Take the forces of closed contacts off what the nodes' joints must transmit; after body_wrenches."""
    contacts, modes, places = model.contacts, data.modes, data.nodes
    for j in range(len(contacts)):
        if modes[j] == CLOSED:
            contact = contacts[j]
            here = places[contact.node]
            d, gap, u = contact_state(contact, here)
            F = contact_force(contact, gap, u)
            N = cross3(d, F)
            store3(here.N, (here.N[0] - N[0], here.N[1] - N[1], here.N[2] - N[2]))
            store3(here.F, (here.F[0] - F[0], here.F[1] - F[1], here.F[2] - F[2]))


@kernel
def add_contacts(model, data, factor, c_D, c_K):
    """Stiffness and damping of closed contacts on their nodes' inertia: exact for the normal force."""
    contacts, modes, places, here = model.contacts, data.modes, data.nodes, factor.nodes
    for j in range(len(contacts)):
        if modes[j] == CLOSED:
            contact = contacts[j]
            d, gap, u = contact_state(contact, places[contact.node])
            normal = -contact.stiffness * gap - contact.damping * u[2]
            slope = contact.friction * abs(normal) * smoothed_sign(u[0] * u[0] + u[1] * u[1], contact.velocity_scale)
            k = c_K * contact.stiffness + c_D * contact.damping
            add_point_matrix(here[contact.node].inertia, d, c_D * slope, k)


@part
def add_point_matrix(inertia, d, k_t, k_n):
    """Add diag(k_t, k_t, k_n) at the lever d: C = K, B = [d] K, A = -[d] K [d]."""
    x, y, z = d
    zero = 0.0 * k_n
    # [d] K with [d] = ((0, -z, y), (z, 0, -x), (-y, x, 0))
    b = (zero, -z * k_t, y * k_n, z * k_t, zero, -x * k_n, -y * k_t, x * k_t, zero)
    a = (
        z * z * k_t + y * y * k_n,
        -x * y * k_n,
        -x * z * k_t,
        z * z * k_t + x * x * k_n,
        -y * z * k_t,
        (x * x + y * y) * k_t,
    )
    accumulate_inertia(inertia, a, b, (k_t, zero, zero, k_t, zero, k_n))


@kernel
def contact_energy(model, data):
    """Energy stored in the springs of closed contacts."""
    total = 0.0 * data.nodes[0].x[0]
    for j in range(len(model.contacts)):
        if data.modes[j] == CLOSED:
            _, gap, _ = contact_state(model.contacts[j], data.nodes[model.contacts[j].node])
            total += 0.5 * model.contacts[j].stiffness * gap * gap
    return total


@kernel
def contact_loss(model, data):
    """Power lost in dampers and friction of closed contacts."""
    total = 0.0 * data.nodes[0].x[0]
    for j in range(len(model.contacts)):
        if data.modes[j] == CLOSED:
            contact = model.contacts[j]
            _, gap, u = contact_state(contact, data.nodes[contact.node])
            F = contact_force(contact, gap, u)
            total += contact.damping * u[2] * u[2] - F[0] * u[0] - F[1] * u[1]
    return total


@part
def contact_value(contact, here, mode):
    """Event function: positive when the contact should be closed.

    An open unilateral contact must be below the surface and pushed; a closed one opens when it would pull.
    """
    _, gap, u = contact_state(contact, here)
    depth = -contact.stiffness * gap
    if contact.law == UNILATERAL:
        force = depth - contact.damping * u[2]
        return force if mode == CLOSED else min(depth, force)
    return depth
