"""Cables whose length changes while material flows through their exit: mass, inertia and the forces of the flow.

The unstrained length is L = s L0 with L0 that of the tables; all n elements share it. It is prescribed by a signal, or
a coordinate (``feed_coordinate``). In an element's half-link every particle slides along the axis t with the same speed
u = W L', where W = 1 - k/n at the joint k the half-link is attached to. With mass and inertia at their present values,
the inertia forces of a half-link are
    F = m (a_c + 2 u w x t + W L'' t),     a_c the acceleration of the centre frozen in the link,                (1)
at every joint between two elements, where the flow turns,
    F = rho u^2 (t_next - t_before),                                                                         (2)
and, because the material jumps the gap d = p - l between the two halves of a stretched element, with u_m the mean flow,
    F = rho u_m (d' t + d w x t), half of it on either side of the gap.                                      (3)
They follow from virtual work with the accelerations of the material: a moving mesh, r_tt + 2 c r_xt + c^2 r_xx + ...
The published form keeps the rate of the mass matrix times the velocities instead [Mamidi 2024, as in its code]:
    F = m' v_c + m w x d',   N = d x F + d' x m v_c + I' w   (about the link's origin).                          (4)
"""

from taut.kernels.jit import kernel, part
from taut.kernels.mat3 import column, load9
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3, scale3, store3, sub3
from taut.model.enums import FeedKind, JointKind

PAPER = int(FeedKind.PAPER)
STRETCH = int(JointKind.STRETCH)


@part
def length_ratio(node, signals):
    """Length of a rod against that of the tables."""
    return signals[node.feed, 0] if node.is_fed else 1.0


@part
def rod_properties(node, ratio):
    """Mass, distance of the centre, inertia across and along of a solid cylinder of that ratio of length."""
    half = 0.5 * node.inertia[5]
    across = half + (node.inertia[0] - half) * ratio * ratio
    return ratio * node.mass, ratio * node.com[2], ratio * across, ratio * node.inertia[5]


@part
def flow_speed(node, signals):
    """Speed of the material along its half-link; the published form has none."""
    return node.flow * signals[node.feed, 1] if node.feed >= 0 and node.feed_kind != PAPER else 0.0


@part
def rod_energy(node, here, ratio, flow):
    """Kinetic energy of a rod's material."""
    mass, com, across, along = rod_properties(node, ratio)
    t = column(load9(here.R), 2)
    w = load3(here.w)
    v = axpy3(flow, t, axpy3(com, cross3(w, t), load3(here.v)))
    spin = dot3(t, w)
    return 0.5 * mass * dot3(v, v) + 0.5 * (across * dot3(w, w) + (along - across) * spin * spin)


@kernel
def feed_wrenches(model, data):
    """Add the forces of the flow to what the nodes' joints must transmit; after the bodies' own."""
    nodes, places, signals = model.nodes, data.nodes, data.signals
    for i in range(1, len(nodes)):
        node = nodes[i]
        if node.feed < 0:
            continue
        here = places[i]
        j = node.feed
        if node.feed_kind == PAPER:
            N, F = paper_wrench(node, here, signals[j, 0], signals[j, 1])
        else:
            N, F = flow_wrench(node, here, signals[j, 0], signals[j, 1], signals[j, 2])
            before = places[node.parent]
            if node.kind == STRETCH:
                c = node.column
                stretch = data.q[node.coordinate] - signals[j, 0] * node.length
                rate = data.v[c] - signals[j, 1] * node.length
                mean = 0.5 * (node.flow + nodes[node.parent].flow) * signals[j, 1]
                gap = gap_force(node, here, stretch, rate, mean)
                lever = scale3(0.5 * signals[j, 0] * node.length, column(load9(here.R), 2))
                moment = cross3(lever, gap)
                F = add3(F, gap)
                N = sub3(N, moment)
                add_load(before, moment, gap)
            elif not node.is_exit:
                # Eq. (2): the flow changes direction at a joint between two elements
                u = node.flow * signals[j, 1]
                turn = sub3(column(load9(here.R), 2), column(load9(before.R), 2))
                F = axpy3(node.line_density * u * u, turn, F)
        add_load(here, N, F)


@part
def add_load(here, N, F):
    """Add a wrench to what the node's joint must transmit."""
    store3(here.N, add3(load3(here.N), N))
    store3(here.F, add3(load3(here.F), F))


@part
def flow_wrench(node, here, s, s_rate, s_second):
    """What Eq. (1) adds to the frozen link's inertia forces."""
    mass, com, _, _ = rod_properties(node, s)
    t = column(load9(here.R), 2)
    sideways = cross3(load3(here.w), t)
    F = axpy3(2.0 * mass * node.flow * s_rate, sideways, scale3(mass * node.flow * s_second, t))
    return scale3(com, cross3(t, F)), F


@part
def gap_force(node, here, stretch, rate, mean):
    """Half of the force at a gap, Eq. (3)."""
    t = column(load9(here.R), 2)
    f = 0.5 * node.line_density * mean
    return axpy3(f * rate, t, scale3(f * stretch, cross3(load3(here.w), t)))


@part
def paper_wrench(node, here, s, s_rate):
    """Inertia wrench of the flow in its published form, Eq. (4)."""
    mass, com, _, _ = rod_properties(node, s)
    t = column(load9(here.R), 2)
    w = load3(here.w)
    sideways = cross3(w, t)
    v = axpy3(com, sideways, load3(here.v))
    mass_rate, com_rate = node.mass * s_rate, node.com[2] * s_rate
    half = 0.5 * node.inertia[5]
    across_rate = (half + 3.0 * (node.inertia[0] - half) * s * s) * s_rate
    along_rate = node.inertia[5] * s_rate
    F = axpy3(mass_rate, v, scale3(mass * com_rate, sideways))
    N = axpy3(com, cross3(t, F), scale3(com_rate * mass, cross3(t, v)))
    spin = (along_rate - across_rate) * dot3(t, w)
    return add3(N, axpy3(across_rate, w, scale3(spin, t))), F
