"""Tethers: cables without mass that stretch, along a route of length D from an exit over guides to an anchor.

With the unstrained length L, its own, times the ratio that a signal gives, and what coordinates (drums, wheels that
carry the rope with them) have paid out, a taut tether has the one tension
    T = EA (D - L) / L + CA (D' - L') / L                                                              (1)
and loads every guide with T times what ``routes`` has for a unit tension. It goes taut when D > L and T > 0, and slack
when T < 0: neither spring nor damper push. That changes only at located events, so that between two of them every force
is smooth. A two-sided one, a spring and damper, is never slack and pushes as well.
Where a rope slips over guides with friction its pieces are a tether each. A piece cannot hold against a slack one, and
without tension the rope runs to where it is missing: so all pieces are taut or slack together, by Eq. (1) with the sums
of D, L and their rates, which is their mean tension (``integrate.events.ropes``).
Energy and powers, with T_e the spring's part of T:
    U = EA (D - L)^2 / (2 L),   loss = CA (D' - L')^2 / L,   input = -L'_signal (T + T_e^2 / (2 EA))      (2)
A coordinate that pays out feels -dU/dL = T + T_e^2 / (2 EA): the material that goes out is stretched there. The tangent
of (1) is, with J the unit tension's loads as a row, and n the direction of a span of length d at either of its ends,
    k J^T J + T/d (1 - n n^T),   k = (c_K EA + c_D CA) / L                                              (3)
"""

from taut.dynamics.constraints.closures import DISTANCE, is_open
from taut.dynamics.forces.routes import pay_slope
from taut.dynamics.newton import add_rotary, add_sines
from taut.dynamics.tree.feed_factor import is_feed
from taut.kernels.inertia import accumulate_inertia, point_inertia
from taut.kernels.jit import block, entry, kernel, only_with, part
from taut.kernels.vec3 import load3, scale3, store3, sub3


@part
def is_cut(tether, modes):
    """Whether the tether has failed."""
    return tether.switch >= 0 and modes[tether.switch] > 0


@part
def tether_length(tether, data):
    """Unstrained length, and its rate by the signal alone."""
    paid = data.routes[tether.route].paid
    if tether.signal >= 0:
        j = tether.signal
        return tether.length * data.signals[j, 0] + paid, tether.length * data.signals[j, 1] + 0.0 * paid
    return tether.length + paid, 0.0 * paid


@part
def tether_tension(tether, data):
    """Tension of a tether by Eq. (1), whether taut or not: the spring's and the damper's part."""
    here = data.routes[tether.route]
    L, rate = tether_length(tether, data)
    return tether.stiffness * (here.length / L - 1.0), tether.damping * (here.rate - rate) / L


@part
def is_taut(tether, data):
    """Whether the tether pulls: it is taut, and not cut. Where its mode is 0, the placed state decides."""
    mode = data.modes[tether.event]
    if is_cut(tether, data.modes):
        return False
    if tether.is_two_sided:
        return True
    if mode != 0:
        return mode > 0
    spring, damper = tether_tension(tether, data)
    return spring.real > 0.0 and (spring + damper).real > 0.0


@only_with("routes", otherwise=lambda model, data: None)
@block
def tether_wrenches(model, data):
    """Take the pull of taut tethers off what the nodes' joints must transmit; after body_wrenches."""
    for j in range(len(model.tethers)):
        tether = model.tethers[j]
        if is_taut(tether, data):
            spring, damper = tether_tension(tether, data)
            route = model.routes[tether.route]
            more = 0.5 * spring * spring / tether.stiffness
            for k in range(route.guide, route.guide + route.count + route.feeds):
                guide, here = model.guides[k], data.guides[k]
                take_wrench(data.nodes[guide.node], spring + damper, load3(here.N), load3(here.F))
                if guide.column >= 0 and not guide.is_way:
                    data.force[guide.column] += pay_slope(model, guide, data.q) * more
                if guide.is_way or is_feed(model, guide.node):
                    data.force[guide.column] += column_pull(model, guide, data.q) * (spring + damper)


@part
def column_pull(model, guide, q):
    """Force of a unit tension on a coordinate alone: a length, or the turn of a pulley, which shortens the way."""
    slope = pay_slope(model, guide, q)
    return -slope if guide.is_way else slope


@part
def take_wrench(here, scale, N, F):
    """Take a scaled wrench off what a node's joint must transmit."""
    store3(here.N, sub3(load3(here.N), scale3(scale, N)))
    store3(here.F, sub3(load3(here.F), scale3(scale, F)))


@only_with("routes", otherwise=lambda model, data, factor, c_D, c_K: None)
@block
def add_tethers(model, data, factor, c_D, c_K):
    """Add Eq. (3) to nodes of taut tethers; its first term for straight ones on one body only (else ``coupling``)."""
    for j in range(len(model.tethers)):
        tether = model.tethers[j]
        if is_taut(tether, data):
            spring, damper = tether_tension(tether, data)
            L, _ = tether_length(tether, data)
            # a pushing damper would make the matrix indefinite: drop the geometric stiffness
            T = spring + damper if (spring + damper).real > 0.0 else 0.0 * spring
            k = (c_K * tether.stiffness + c_D * tether.damping) / L if tether.coupled < 0 else 0.0 * c_K * T
            add_route(model, data, factor, model.routes[tether.route], k, c_K * T)


@only_with("routes", otherwise=lambda model, data, factor, c_K: None)
@block
def add_distances(model, data, factor, c_K):
    """The second term of Eq. (3) for closures of a distance that pull; the multiplier is the tension."""
    for j in range(len(model.closures)):
        closure = model.closures[j]
        if closure.kind == DISTANCE and not is_open(closure, data.modes) and data.lam[closure.row].real > 0.0:
            T = c_K * data.lam[closure.row]
            add_route(model, data, factor, model.routes[closure.route], 0.0 * T, T)


@part
def add_route(model, data, factor, route, k, T):
    """Add Eq. (3) of a route to its nodes: k of the first term, T times c_K; spans within one body add nothing."""
    for i in range(route.guide, route.guide + route.count):
        guide, here = model.guides[i], data.guides[i]
        if guide.node > 0:
            node, at = data.nodes[guide.node], factor.nodes[guide.node]
            d = sub3(load3(here.centre), load3(node.x))
            if i > route.guide and model.guides[i - 1].node != guide.node:
                add_span(at, d, data.guides[i - 1], k, T)
            if i < route.guide + route.count - 1 and model.guides[i + 1].node != guide.node:
                add_span(at, d, here, k, T)
            pull = scale3(T, load3(here.f))
            if guide.is_linear:
                add_sines(at.rotary, pull[2], guide.point, node)
            else:
                add_rotary(at.rotary, -1.0, d, pull)


@part
def add_span(at, d, span, k, T):
    """Add both terms of Eq. (3) of one span to the node at one end."""
    if abs(span.span) > 0.0:
        add_pull(at, d, load3(span.u), k, T / span.span)


@part
def add_pull(here, d, n, k, g):
    """Add k n n^T + g (1 - n n^T) at the lever d to a node's inertia."""
    x, y, z = n
    e = k - g
    matrix = (g + e * x * x, e * x * y, e * x * z, g + e * y * y, e * y * z, g + e * z * z)
    a, b, c = point_inertia(d, matrix)
    accumulate_inertia(here.inertia, a, b, c)


@only_with("routes", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
@kernel
def tether_energy(model, data):
    """Energy stored in taut tethers, Eq. (2)."""
    total = 0.0 * data.nodes[0].x[0]
    for j in range(len(model.tethers)):
        tether = model.tethers[j]
        if is_taut(tether, data):
            L, _ = tether_length(tether, data)
            excess = data.routes[tether.route].length - L
            total += 0.5 * tether.stiffness * excess * excess / L
    return total


@only_with("routes", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
@kernel
def tether_loss(model, data):
    """Power lost in the dampers of taut tethers, Eq. (2)."""
    total = 0.0 * data.nodes[0].x[0]
    for j in range(len(model.tethers)):
        tether = model.tethers[j]
        if is_taut(tether, data):
            L, rate = tether_length(tether, data)
            speed = data.routes[tether.route].rate - rate
            total += tether.damping * speed * speed / L
    return total


@only_with("routes", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
@kernel
def tether_power(model, data):
    """Power that comes in as signals change the length of taut tethers, Eq. (2)."""
    total = 0.0 * data.nodes[0].x[0]
    for j in range(len(model.tethers)):
        tether = model.tethers[j]
        if tether.signal >= 0 and is_taut(tether, data):
            spring, damper = tether_tension(tether, data)
            _, rate = tether_length(tether, data)
            total -= rate * (spring + damper + 0.5 * spring * spring / tether.stiffness)
    return total


@only_with("routes", otherwise=lambda model, tether, data, mode: 0.0 * data.nodes[0].x[0])
@part
def tether_value(model, tether, data, mode):
    """Event function: positive when the tether should be taut; one that is cut stays as it is."""
    spring, damper = tether_tension(tether, data)
    if is_cut(tether, data.modes):
        return 0.0 * spring + mode
    if tether.is_two_sided:
        return 0.0 * spring + 1.0
    if mode != 0:
        spring, damper = mean_tension(model, tether, data)
    return spring + damper if mode > 0 else min(spring, spring + damper)


@only_with("capstans", otherwise=lambda model, tether, data: tether_tension(tether, data))
@part
def mean_tension(model, tether, data):
    """Tension by Eq. (1) of all pieces of the rope that are slack together: the spring's and the damper's part."""
    length = rate = L = 0.0 * data.routes[tether.route].length
    for j in range(tether.first, tether.last + 1):
        other, here = model.tethers[j], data.routes[model.tethers[j].route]
        own, pays = tether_length(other, data)
        length, rate, L = length + here.length, rate + (here.rate - pays), L + own
    return tether.stiffness * (length / L - 1.0), tether.damping * rate / L


@entry
def tether_pull(model, data, j):
    """Tension of tether j at the placed state; zero if it is slack."""
    spring, damper = tether_tension(model.tethers[j], data)
    return spring + damper if is_taut(model.tethers[j], data) else 0.0
