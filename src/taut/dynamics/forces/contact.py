"""Contact of points with the ground, a horizontal plane.

A point with gap g (negative below the surface) and velocity u feels, while its contact is closed,
    F_n = -k g - c g',     F_t = -mu F_n n                                                                  (1)
Bilateral contacts are closed while g <= 0 [Mamidi 2024, App. B, with the sign that restores]. Unilateral ones close
when g <= 0 and F_n > 0, and open when F_n < 0. Modes change only at located events, so that between two of them every
force is smooth.

Friction (``GripMode``) of a point that sticks is that of many small contacts, whose stiffness grows with the load
[Mindlin 1949; Archard 1957]: a spring and a damper to an anchor y on the ground,
    sticks:    n = (x - y + tau u) / delta     until |n| = 1                                                 (2)
    slips:     n = s / |s|,   s = u + v_0 y / (1 + |u|^2 / v_0^2)     until u.y = 0                           (3)
with the presliding distance delta. While a point slips, y is the direction n at which slipping started; it loses its
influence at speeds beyond v_0 = delta / tau, some tenths of a mm/s, and makes Eq. (3) continue Eq. (2) where u is still
nearly zero. The size of the force is mu F_n throughout. A point that sticks does not creep, since its spring carries
the load. When a point stops, its anchor is set so that the spring carries exactly that (``integrate.events.grips``).

Rigid ground has no springs: F_n is the multiplier of the one-sided closure that keeps the point above it, and only
friction is a force of the contact (``drag``).
"""

import numpy as np

from taut.kernels.inertia import accumulate_inertia
from taut.kernels.jit import kernel, part
from taut.kernels.mat3 import load9, mat_vec
from taut.kernels.vec3 import add3, cross3, load3, store3
from taut.model.enums import ContactLaw, ContactMode, GripMode

UNILATERAL, RIGID = int(ContactLaw.UNILATERAL), int(ContactLaw.RIGID)
CLOSED = int(ContactMode.CLOSED)
STICKS, SMOOTHED, SLIPS, YIELDS = (
    int(m) for m in (GripMode.STICKS, GripMode.SMOOTHED, GripMode.SLIPS, GripMode.YIELDS)
)
BACKWARDS = 1e-9  # a slipping point sticks when it moves back faster than this [m/s]
BEYOND = 1e-8  # friction may exceed its limit by this share before it slips: no switching back and forth


@part
def contact_state(contact, here):
    """Lever, gap and velocity of the point."""
    d = mat_vec(load9(here.R), load3(contact.point))
    d = (d[0], d[1], d[2] - contact.radius)
    gap = here.x[2] + d[2] - contact.height
    return d, gap, add3(load3(here.v), cross3(load3(here.w), d))


@part
def grip_mode(contact, modes):
    """Whether friction at a closed contact sticks or slips."""
    return modes[contact.grip] if contact.grip >= 0 else SMOOTHED


@part
def stick_vector(contact, here, d, u, anchor, time):
    """n of Eq. (2) at a lever d and a velocity u, with the time of the damper."""
    return ((here.x[0] + d[0] - anchor[0] + time * u[0]) / contact.presliding,
            (here.x[1] + d[1] - anchor[1] + time * u[1]) / contact.presliding)  # fmt: skip


@part
def slip_vector(contact, u, anchor):
    """s of Eq. (3) and its length, negative after a reversal: n stays continuous in a step across a stop."""
    v_0 = contact.presliding / contact.presliding_time
    k = v_0 / (1.0 + (u[0] * u[0] + u[1] * u[1]) / (v_0 * v_0))
    s = (u[0] + k * anchor[0], u[1] + k * anchor[1])
    size = np.sqrt(s[0] * s[0] + s[1] * s[1])
    return s, size if (s[0] * anchor[0] + s[1] * anchor[1]).real > 0.0 else -size


@part
def friction_direction(contact, here, d, u, mode, anchor):
    """Direction n of friction, Eq. (1)."""
    if mode == STICKS:
        return stick_vector(contact, here, d, u, anchor, contact.presliding_time)
    if mode == SLIPS:
        s, size = slip_vector(contact, u, anchor)
        return s[0] / size, s[1] / size
    if mode == YIELDS:
        w = stick_vector(contact, here, d, u, anchor, 0.0)
        size = np.sqrt(w[0] * w[0] + w[1] * w[1])
        return (w[0] / size, w[1] / size) if size.real > 1.0 else w
    drag = smoothed_sign(u[0] * u[0] + u[1] * u[1], contact.velocity_scale)
    return drag * u[0], drag * u[1]


@part
def normal_force(contact, gap, u, lam):
    """Normal force F_n of Eq. (1); on rigid ground it is the multiplier."""
    if contact.law == RIGID:
        return lam[contact.row] + 0.0 * gap
    return -contact.stiffness * gap - contact.damping * u[2]


@part
def contact_force(contact, here, d, u, normal, mode, anchor):
    """Force of the ground, Eq. (1); on rigid ground the friction alone, since a multiplier carries the normal force."""
    n = friction_direction(contact, here, d, u, mode, anchor)
    up = 0.0 * normal if contact.law == RIGID else normal
    return (-contact.friction * normal * n[0], -contact.friction * normal * n[1], up)


@part
def friction_slopes(contact, here, d, u, mode, anchor, c_D, c_K):
    """Derivative of n: xx, xy, yy of c_D d/du + c_K d/dx."""
    zero = 0.0 * (u[0] + c_D + c_K)
    if mode == STICKS:
        k = (c_K + c_D * contact.presliding_time) / contact.presliding + zero
        return k, zero, k
    if mode == SLIPS:
        s, size = slip_vector(contact, u, anchor)
        x, y, k = s[0] / size, s[1] / size, c_D / abs(size)
        return k * y * y, -k * x * y, k * x * x
    if mode == YIELDS:
        # secant instead of tangent beyond the limit: with the tangent Newton's method would oscillate
        w = stick_vector(contact, here, d, u, anchor, 0.0)
        k = c_K / (contact.presliding * max(1.0, np.sqrt(w[0] * w[0] + w[1] * w[1]).real)) + zero
        return k, zero, k
    k = c_D * smoothed_sign(u[0] * u[0] + u[1] * u[1], contact.velocity_scale)
    return k, zero, k


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
    """Forces of the ground's springs, with their friction; after body_wrenches."""
    contacts, modes = model.contacts, data.modes
    for j in range(len(contacts)):
        contact = contacts[j]
        if modes[contact.side] == CLOSED and contact.law != RIGID:
            add_force(contact, data, j, data.lam)


@part
def add_force(contact, data, j, lam):
    """Take the force of a closed contact off what its node's joint must transmit."""
    here = data.nodes[contact.node]
    d, gap, u = contact_state(contact, here)
    normal = normal_force(contact, gap, u, lam)
    F = contact_force(contact, here, d, u, normal, grip_mode(contact, data.modes), data.anchors[j])
    N = cross3(d, F)
    store3(here.N, (here.N[0] - N[0], here.N[1] - N[1], here.N[2] - N[2]))
    store3(here.F, (here.F[0] - F[0], here.F[1] - F[1], here.F[2] - F[2]))


@kernel
def add_contacts(model, data, factor, c_D, c_K):
    """Stiffness and damping of closed contacts on their nodes' inertia: exact for the normal force."""
    contacts, modes, places, here = model.contacts, data.modes, data.nodes, factor.nodes
    for j in range(len(contacts)):
        contact = contacts[j]
        if modes[contact.side] == CLOSED:
            place = places[contact.node]
            d, gap, u = contact_state(contact, place)
            normal = abs(normal_force(contact, gap, u, data.lam))
            slopes = friction_slopes(contact, place, d, u, grip_mode(contact, modes), data.anchors[j], c_D, c_K)
            f = contact.friction * normal
            k = c_K * contact.stiffness + c_D * contact.damping
            add_point_matrix(here[contact.node].inertia, d, (f * slopes[0], f * slopes[1], f * slopes[2]), k)


@part
def add_point_matrix(inertia, d, tangential, k_n):
    """Add K = ((xx, xy, 0), (xy, yy, 0), (0, 0, k_n)) at the lever d: C = K, B = [d] K, A = -[d] K [d]."""
    x, y, z = d
    xx, xy, yy = tangential
    zero = 0.0 * k_n
    # [d] K with [d] = ((0, -z, y), (z, 0, -x), (-y, x, 0))
    b = (-z * xy, -z * yy, y * k_n, z * xx, z * xy, -x * k_n, x * xy - y * xx, x * yy - y * xy, zero)
    a = (
        z * z * yy + y * y * k_n,
        -z * z * xy - x * y * k_n,
        z * (y * xy - x * yy),
        z * z * xx + x * x * k_n,
        z * (x * xy - y * xx),
        y * y * xx - 2.0 * x * y * xy + x * x * yy,
    )
    accumulate_inertia(inertia, a, b, (xx, xy, zero, yy, zero, k_n))


@kernel
def contact_energy(model, data):
    """Energy stored in the springs of closed contacts."""
    total = 0.0 * data.nodes[0].x[0]
    for j in range(len(model.contacts)):
        if data.modes[model.contacts[j].side] == CLOSED:
            _, gap, _ = contact_state(model.contacts[j], data.nodes[model.contacts[j].node])
            total += 0.5 * model.contacts[j].stiffness * gap * gap
    return total


@kernel
def contact_loss(model, data):
    """Power lost in dampers and friction of closed contacts; the small energy of presliding springs counts as lost.

    On rigid ground with the multipliers in ``data``.
    """
    total = 0.0 * data.nodes[0].x[0]
    for j in range(len(model.contacts)):
        contact = model.contacts[j]
        if data.modes[contact.side] == CLOSED:
            here = data.nodes[contact.node]
            d, gap, u = contact_state(contact, here)
            normal = normal_force(contact, gap, u, data.lam)
            F = contact_force(contact, here, d, u, normal, grip_mode(contact, data.modes), data.anchors[j])
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


@part
def grip_value(contact, here, modes, anchors, j):
    """Event function of friction at contact j, times its mode: margin to the limit, or speed along y (slips)."""
    mode, anchor = modes[contact.grip], anchors[j]
    d, gap, u = contact_state(contact, here)
    if modes[contact.side] == CLOSED and mode == STICKS:
        w = stick_vector(contact, here, d, u, anchor, contact.presliding_time)
        return 1.0 + BEYOND - w[0] * w[0] - w[1] * w[1]
    if modes[contact.side] == CLOSED and mode == SLIPS:
        return -(u[0] * anchor[0] + u[1] * anchor[1] + BACKWARDS)
    return 0.0 * gap + mode
