"""Cables whose unstrained length is a coordinate L: its equation of motion, and the rows that stand for its signal.

A cable fed by a coordinate is one fed by a signal (``feed``) whose value, rate and second rate are those of L. They
stand in rows of data.signals after the signals, as ratios to the length L0 of the tables, so that laws, masses and flow
read both alike. The equation of L follows from a virtual displacement of the material at fixed coordinates of the
chain, which slides every half-link's material by W dL along its axis t:
    sum W m t.(a_c + W L'' t) = Q,     a_c the acceleration of the centre, less weight                              (1)
    Q = -dU/dL + sum N_damper l/L + (what acts on L: the drum, the rope behind the last guide)                       (2)
With s = L/L0, the stretch e of the law at the tables' length (``acting``, Eq. 1), and y = x/s of a stretch x or y = e
of a bend,
    dU/ds = U0 + f0 y,     f0 the law's force (``acting.feed_laws``)                                             (3)
    Hessian of U in (x, s) = k/s [1, -y; -y, y^2],     damping matrix c/s [1, -l; -l, l^2], l = 0 of a bend          (4)
The node of L has one column whose axis is zero: nothing moves with it.
"""

from taut.dynamics.forces.acting import column_position, column_stretch
from taut.dynamics.forces.feed import rod_properties
from taut.dynamics.forces.laws import NONE, damping_coefficient, tangent_stiffness
from taut.kernels.jit import block, only_with, part
from taut.kernels.mat3 import column, load9
from taut.kernels.vec3 import axpy3, cross3, dot3, load3, scale3, store3


@only_with("feeds", otherwise=lambda model, data: None)
@part
def feed_ratios(model, data):
    """Length ratio and its rate of every feed, after the signals."""
    for k in range(len(model.feeds)):
        feed, row = model.feeds[k], len(model.signals) + k
        data.signals[row, 0] = data.q[feed.coordinate] / feed.length
        data.signals[row, 1] = data.v[feed.column] / feed.length


@only_with("feeds", otherwise=lambda model, data, acceleration: None)
@part
def feed_seconds(model, data, acceleration):
    """Second rates of the length ratios, for given accelerations."""
    for k in range(len(model.feeds)):
        data.signals[len(model.signals) + k, 2] = acceleration[model.feeds[k].column] / model.feeds[k].length


@only_with("feeds", otherwise=lambda model, data: None)
@part
def rest_feeds(model, data):
    """Set the second rates of all feeds to zero."""
    for k in range(len(model.feeds)):
        data.signals[len(model.signals) + k, 2] = 0.0


@only_with("feeds", otherwise=lambda model, data: None)
@block
def feed_inertia(model, data):
    """Left-hand side of Eq. (1), into data.own; needs the nodes' accelerations and second rates of the ratios."""
    for k in range(len(model.feeds)):
        feed, row = model.feeds[k], len(model.signals) + k
        s, second = data.signals[row, 0], data.signals[row, 2]
        total = 0.0 * s
        for i in range(feed.node + 1, feed.last_node + 1):
            node, here = model.nodes[i], data.nodes[i]
            mass, com, _, _ = rod_properties(node, s)
            t, w = column(load9(here.R), 2), load3(here.w)
            centre = axpy3(com, cross3(load3(here.alpha), t), axpy3(com, cross3(w, cross3(w, t)), load3(here.a)))
            total += node.flow * mass * (dot3(t, centre) + node.flow * second)
        data.own[feed.column] = total / feed.length


@only_with("feeds", otherwise=lambda model, data, x: None)
@block
def feed_product(model, data, x):
    """Left-hand side of Eq. (1) for jumps x of velocities in place of accelerations, and forces on the half-links."""
    for k in range(len(model.feeds)):
        feed = model.feeds[k]
        s, jump = data.signals[len(model.signals) + k, 0], x[feed.column] / feed.length
        total = 0.0 * s
        for i in range(feed.node + 1, feed.last_node + 1):
            node, here = model.nodes[i], data.nodes[i]
            mass, com, _, _ = rod_properties(node, s)
            t = column(load9(here.R), 2)
            centre = axpy3(com, cross3(load3(here.alpha), t), load3(here.a))
            total += node.flow * mass * (dot3(t, centre) + node.flow * jump)
            # the force acts along t through the centre: no moment about the origin
            store3(here.F, axpy3(mass * node.flow * jump, t, load3(here.F)))
        data.own[feed.column] = total / feed.length


@part
def law_border(model, data, c, s, c_D, c_K):
    """Newton matrix of a column's law with the length L, Eq. (4), per unit of s: column with L, and L with itself."""
    law = model.columns[c]
    if law.law == NONE:
        return 0.0 * s * c_K, 0.0 * s * c_K
    x = column_position(law, data.q)
    e = column_stretch(law, x, s)
    y, length = (e, 0.0) if law.is_rotation else (x / s, law.free)
    k = c_K * tangent_stiffness(law, e, e) / s
    d = c_D * damping_coefficient(law, e, data.columns[c].side) / s
    return -(k * y + d * length), k * y * y + d * length * length


@part
def slide_force(node, here, s):
    """Inertia force of a half-link by a unit second rate of s, and its share in the mass of s."""
    mass, _, _, _ = rod_properties(node, s)
    return scale3(mass * node.flow, column(load9(here.R), 2)), mass * node.flow * node.flow
