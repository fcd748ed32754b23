"""Inverse dynamics (recursive Newton-Euler): generalised forces that produce given accelerations.

Outwards, with r from the parent's origin:
    alpha_i = alpha_p + bias_w + sum_rot s qdd                                     (1)
    a_i     = a_p + alpha_p x r + bias_v + sum_trans s qdd                         (2)
The root carries -g, so that weight needs no term of its own. The wrench a body needs, at its own origin, with
centre of mass at d:
    F = m (a + alpha x d + w x (w x d))                                            (3)
    N = I alpha + w x I w + d x F                                                  (4)
Inwards, a column feels the sum of everything it carries:  force = s.N (rotation) or s.F (translation).      (5)
[Featherstone 2008, Table 5.1]
"""

from taut.dynamics.forces.contact import contact_wrenches
from taut.dynamics.forces.feed import feed_wrenches, length_ratio, rod_properties
from taut.dynamics.forces.feed_coordinate import feed_inertia, feed_seconds, rest_feeds
from taut.dynamics.forces.tethers import tether_wrenches
from taut.dynamics.modal.nodes import modal_wrenches
from taut.dynamics.modal.ritz_ends import collect_end, end_motion
from taut.dynamics.tree.feed_factor import is_feed
from taut.dynamics.tree.joints import RITZ, SMALL
from taut.kernels.inertia import has_matter
from taut.kernels.jit import kernel, part
from taut.kernels.mat3 import column, load6, load9, mat_vec, sym_rotated, sym_vec
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3, scale3, store3, sub3


@kernel
def accelerations(model, data, acceleration):
    """Accelerations of every node for given joint accelerations, Eqs. (1), (2)."""
    root_acceleration(model, data)
    feed_seconds(model, data, acceleration)
    motion = load_acceleration(data.nodes[0])
    for i in range(1, len(model.nodes)):
        motion = node_acceleration(model, data, i, acceleration, parent_acceleration(model, data, i, motion))


@kernel
def needed_wrenches(model, data, acceleration):
    """``accelerations`` and ``body_wrenches`` in one pass over the nodes."""
    root_acceleration(model, data)
    feed_seconds(model, data, acceleration)
    motion = load_acceleration(data.nodes[0])
    for i in range(1, len(model.nodes)):
        motion = node_acceleration(model, data, i, acceleration, parent_acceleration(model, data, i, motion))
        node_wrench(model, data, i)
    other_wrenches(model, data)


@part
def load_acceleration(here):
    """Angular acceleration and acceleration of a node."""
    return load3(here.alpha), load3(here.a)


@part
def parent_acceleration(model, data, i, last):
    """Accelerations of the parent of node i, where ``last`` are those of the node before it."""
    before = model.nodes[i].parent
    return last if before == i - 1 else load_acceleration(data.nodes[before])


@part
def node_acceleration(model, data, i, acceleration, before):
    """Accelerations of one node by Eqs. (1), (2), from its parent's accelerations ``before``; returns them."""
    node, here = model.nodes[i], data.nodes[i]
    alpha, a = carried_acceleration(here, before)
    alpha, a = with_columns(model, data, node, acceleration, alpha, a)
    store3(here.alpha, alpha)
    store3(here.a, a)
    return alpha, a


@part
def with_columns(model, data, node, acceleration, alpha, a):
    """Accelerations of a node with what its columns add."""
    first, last = node.column, node.column + node.column_count
    if node.kind == RITZ:
        turn, move = end_motion(model, model.ritz[node.modal], acceleration, 0.0 * alpha[0])
        alpha, a = add3(alpha, turn), add3(a, move)
        first = last
    for c in range(first, last):
        s = load3(data.columns[c].s)
        if model.columns[c].is_rotation:
            alpha = axpy3(acceleration[c], s, alpha)
        else:
            a = axpy3(acceleration[c], s, a)
    return alpha, a


@kernel
def bias_accelerations(model, data):
    """Accelerations of every node when all joint accelerations are zero."""
    root_acceleration(model, data)
    rest_feeds(model, data)
    for i in range(1, len(model.nodes)):
        here = data.nodes[i]
        alpha, a = carried_acceleration(here, load_acceleration(data.nodes[model.nodes[i].parent]))
        store3(here.alpha, alpha)
        store3(here.a, a)


@part
def root_acceleration(model, data):
    """Weight as an upward acceleration of the root."""
    for k in range(3):
        data.nodes[0].a[k] = -model.settings[0].gravity[k]


@part
def carried_acceleration(here, before):
    """Accelerations that a node gets from its parent, Eqs. (1), (2) without the joint accelerations."""
    alpha_p, a_p = before
    turned = add3(cross3(alpha_p, load3(here.r)), load3(here.bias_v))
    return add3(alpha_p, load3(here.bias_w)), add3(a_p, turned)


@kernel
def body_wrenches(model, data):
    """Wrench each body needs for its acceleration, less what acts on it otherwise, Eqs. (3), (4)."""
    for i in range(1, len(model.nodes)):
        node_wrench(model, data, i)
    other_wrenches(model, data)


@part
def node_wrench(model, data, i):
    """Wrench that one node's body needs, Eqs. (3), (4), less the wrenches applied to it."""
    node, here = model.nodes[i], data.nodes[i]
    # massless nodes, such as exits, only pass on what is applied to them
    zero = 0.0 * here.a[0]
    N, F = (zero, zero, zero), (zero, zero, zero)
    if has_matter(node):
        if node.is_rod:
            N, F = rod_wrench(node, here, load3(here.w), length_ratio(node, data.signals))
        elif node.kind == SMALL:
            N = sym_vec(load6(node.inertia), load3(here.alpha))
            F = scale3(node.mass, load3(here.a))
        else:
            N, F = body_wrench(node, here, load3(here.w))
    # the nodes hold applied wrenches only if the model has any
    if len(model.wrenches) > 0:
        N, F = sub3(N, load3(here.external_N)), sub3(F, load3(here.external_F))
    store3(here.N, N)
    store3(here.F, F)


@part
def other_wrenches(model, data):
    """Wrenches of flowing material, contacts and tethers: they add to those of the bodies, so they come after them."""
    if model.settings[0].has_feed:
        feed_wrenches(model, data)
        feed_inertia(model, data)
    contact_wrenches(model, data)
    tether_wrenches(model, data)


@part
def body_wrench(node, here, w):
    """Inertia wrench of any body, Eqs. (3), (4)."""
    R = load9(here.R)
    alpha = load3(here.alpha)
    d = mat_vec(R, load3(node.com))
    centre = add3(load3(here.a), add3(cross3(alpha, d), cross3(w, cross3(w, d))))
    F = scale3(node.mass, centre)
    inertia = sym_rotated(R, load6(node.inertia))
    N = add3(sym_vec(inertia, alpha), cross3(w, sym_vec(inertia, w)))
    return add3(N, cross3(d, F)), F


@part
def rod_wrench(node, here, w, ratio):
    """Inertia wrench, Eqs. (3), (4), of a body with an axis t, whose I = I_perp 1 + (I_ax - I_perp) t t^T."""
    mass, com, across, along = rod_properties(node, ratio)
    t = column(load9(here.R), 2)
    alpha = load3(here.alpha)
    d = scale3(com, t)
    centre = add3(load3(here.a), add3(cross3(alpha, d), cross3(w, cross3(w, d))))
    F = scale3(mass, centre)
    e = along - across
    N = axpy3(across, alpha, axpy3(e * dot3(t, alpha), t, scale3(e * dot3(t, w), cross3(w, t))))
    return add3(N, cross3(d, F)), F


@kernel
def collect_forces(model, data, force):
    """Sum the wrenches inwards and read every column's share, Eq. (5).

    What a node hands to its parent stays in registers when that is the node before it; every node's sum is stored too.
    """
    zero = 0.0 * data.nodes[0].N[0]
    nothing = (zero, zero, zero)
    N_child, F_child = nothing, nothing
    # tips first: a node has received the wrenches of all its children when it is reached
    for i in range(len(model.nodes) - 1, 0, -1):
        node = model.nodes[i]
        here = data.nodes[i]
        N = add3(load3(here.N), N_child)
        F = add3(load3(here.F), F_child)
        store3(here.N, N)
        store3(here.F, F)
        first, last = node.column, node.column + node.column_count
        # a Ritz cable sums over its shapes' end values and leaves its many columns' axes unread
        if node.kind == RITZ:
            collect_end(model, data, model.ritz[node.modal], N, F, force)
            first = last
        for c in range(first, last):
            s = load3(data.columns[c].s)
            force[c] = dot3(s, N) if model.columns[c].is_rotation else dot3(s, F)
            if node.band >= 0 or is_feed(model, i):
                force[c] += data.own[c]
        # shift to the parent's origin; the world needs no sum
        N = add3(N, cross3(load3(here.r), F))
        N_child, F_child = nothing, nothing
        if node.parent == i - 1:
            N_child, F_child = N, F
        elif node.parent > 0:
            parent = data.nodes[node.parent]
            store3(parent.N, add3(load3(parent.N), N))
            store3(parent.F, add3(load3(parent.F), F))


@kernel
def inverse(model, data, acceleration, force):
    """RNEA: generalised forces for given accelerations at the placed state; needs kinematics and external wrenches.

    On return every node holds the wrench its joint transmits.
    """
    needed_wrenches(model, data, acceleration)
    if model.settings[0].has_modal:
        modal_wrenches(model, data, acceleration)
    collect_forces(model, data, force)
    for c in range(len(force)):
        force[c] += model.columns[c].armature * acceleration[c]
