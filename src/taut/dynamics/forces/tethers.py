"""Tethers: cables without mass that stretch, between points P_a (exit) and P_b (anchor) of two nodes.

With r = P_b - P_a, d = |r|, n = r / d and the unstrained length L(t), a taut tether pulls with
    T = EA (d - L) / L + CA (d' - L') / L                                                              (1)
along n on a and against it on b. It goes taut when d > L and T > 0, and slack when T < 0: neither spring nor damper
push. That changes only at located events, so that between two of them every force is smooth. L is the own length, times
the ratio that a signal gives; or the coordinate of a drum, whose node then feels T along its axis. A two-sided one, a
spring and damper, is never slack and pushes as well.
Energy and powers:
    U = EA (d - L)^2 / (2 L),   loss = CA (d' - L')^2 / L,   input = -L' (T + EA (d - L)^2 / (2 L^2))     (2)
of which the drum's own motion gives -L' T. The tangent of (1) at a point is
    k n n^T + T/d (1 - n n^T),   k = (c_K EA + c_D CA) / L                                              (3)
"""

import numpy as np

from taut.dynamics.constraints.closures import DISTANCE, is_open
from taut.dynamics.newton import add_rotary
from taut.kernels.inertia import accumulate_inertia, point_inertia
from taut.kernels.jit import entry, kernel, only_with, part
from taut.kernels.mat3 import load9, mat_vec
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3, scale3, store3, sub3


@part
def is_cut(tether, modes):
    """Whether the tether has failed."""
    return tether.switch >= 0 and modes[tether.switch] > 0


@part
def tether_line(tether, data):
    """Levers of both ends, direction from a to b, distance and its rate; no direction where the ends meet."""
    a, b = data.nodes[tether.node_a], data.nodes[tether.node_b]
    d_a = mat_vec(load9(a.R), load3(tether.point_a))
    d_b = mat_vec(load9(b.R), load3(tether.point_b))
    r = sub3(add3(load3(b.x), d_b), add3(load3(a.x), d_a))
    u = sub3(add3(load3(b.v), cross3(load3(b.w), d_b)), add3(load3(a.v), cross3(load3(a.w), d_a)))
    distance = np.sqrt(dot3(r, r))
    n = scale3(1.0 / distance if abs(distance) > 0.0 else 0.0 * distance, r)
    return d_a, d_b, n, distance, dot3(n, u)


@part
def tether_length(model, tether, data):
    """Unstrained length and its rate."""
    if tether.drum > 0:
        drum = model.nodes[tether.drum]
        return data.q[drum.coordinate], data.v[drum.column]
    zero = 0.0 * data.nodes[0].x[0]
    if tether.signal >= 0:
        j = tether.signal
        return tether.length * data.signals[j, 0] + zero, tether.length * data.signals[j, 1] + zero
    return tether.length + zero, zero


@part
def tether_tension(model, tether, data, distance, speed):
    """Eq. (1), whether taut or not: the spring's and the damper's part."""
    L, rate = tether_length(model, tether, data)
    return tether.stiffness * (distance / L - 1.0), tether.damping * (speed - rate) / L


@part
def is_taut(model, tether, data):
    """Whether the tether pulls: it is taut, and not cut. Where its mode is 0, the placed state decides."""
    mode = data.modes[tether.event]
    if is_cut(tether, data.modes):
        return False
    if tether.is_two_sided:
        return True
    if mode != 0:
        return mode > 0
    _, _, _, distance, speed = tether_line(tether, data)
    spring, damper = tether_tension(model, tether, data, distance, speed)
    return spring.real > 0.0 and (spring + damper).real > 0.0


@only_with("tethers", otherwise=lambda model, data: None)
@kernel
def tether_wrenches(model, data):
    """Take the pull of taut tethers off what the nodes' joints must transmit; after body_wrenches."""
    tethers, places = model.tethers, data.nodes
    for j in range(len(tethers)):
        tether = tethers[j]
        if is_taut(model, tether, data):
            d_a, d_b, n, distance, speed = tether_line(tether, data)
            spring, damper = tether_tension(model, tether, data, distance, speed)
            pull = scale3(spring + damper, n)
            take_force(places[tether.node_a], d_a, pull)
            take_force(places[tether.node_b], d_b, scale3(-1.0, pull))
            if tether.drum > 0:
                s = load3(data.columns[model.nodes[tether.drum].column].s)
                drum = places[tether.drum]
                store3(drum.F, axpy3(-(spring + damper), s, load3(drum.F)))


@part
def take_force(here, d, F):
    """Take a force at the lever d off what a node's joint must transmit."""
    store3(here.N, sub3(load3(here.N), cross3(d, F)))
    store3(here.F, sub3(load3(here.F), F))


@only_with("tethers", otherwise=lambda model, data, factor, c_D, c_K: None)
@kernel
def add_tethers(model, data, factor, c_D, c_K):
    """Eq. (3) on the nodes of taut tethers; the first term only where one end stands still (else ``coupling``)."""
    tethers = model.tethers
    for j in range(len(tethers)):
        tether = tethers[j]
        if is_taut(model, tether, data):
            d_a, d_b, n, distance, speed = tether_line(tether, data)
            spring, damper = tether_tension(model, tether, data, distance, speed)
            L, _ = tether_length(model, tether, data)
            # a push would make the matrix indefinite: its geometric stiffness is left out
            T = spring + damper if (spring + damper).real > 0.0 else 0.0 * spring
            k = (c_K * tether.stiffness + c_D * tether.damping) / L if tether.coupled < 0 else 0.0 * c_K * T
            g = c_K * T / distance
            if tether.node_a > 0:
                add_pull(factor.nodes[tether.node_a], d_a, n, k, g)
                add_rotary(factor.nodes[tether.node_a].rotary, -c_K, d_a, scale3(T, n))
            if tether.node_b > 0:
                add_pull(factor.nodes[tether.node_b], d_b, n, k, g)
                add_rotary(factor.nodes[tether.node_b].rotary, -c_K, d_b, scale3(-T, n))


@kernel
def add_distances(model, data, factor, c_K):
    """The second term of Eq. (3) for closures of a distance that pull; the multiplier is the tension."""
    for j in range(len(model.closures)):
        closure = model.closures[j]
        if closure.kind == DISTANCE and not is_open(closure, data.modes) and data.lam[closure.row].real > 0.0:
            here = data.rows[closure.row]
            n = load3(here.F_b)
            a, b = data.nodes[closure.node_a], data.nodes[closure.node_b]
            d_a = mat_vec(load9(a.R), load3(closure.point_a))
            d_b = mat_vec(load9(b.R), load3(closure.point_b))
            r = sub3(add3(load3(a.x), d_a), add3(load3(b.x), d_b))
            g = c_K * data.lam[closure.row] / dot3(n, r)
            if closure.node_a > 0:
                add_pull(factor.nodes[closure.node_a], d_a, n, 0.0 * g, g)
            if closure.node_b > 0:
                add_pull(factor.nodes[closure.node_b], d_b, n, 0.0 * g, g)


@part
def add_pull(here, d, n, k, g):
    """Add k n n^T + g (1 - n n^T) at the lever d to a node's inertia."""
    x, y, z = n
    e = k - g
    matrix = (g + e * x * x, e * x * y, e * x * z, g + e * y * y, e * y * z, g + e * z * z)
    a, b, c = point_inertia(d, matrix)
    accumulate_inertia(here.inertia, a, b, c)


@only_with("tethers", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
@kernel
def tether_energy(model, data):
    """Eq. (2): energy stored in taut tethers."""
    total = 0.0 * data.nodes[0].x[0]
    for j in range(len(model.tethers)):
        tether = model.tethers[j]
        if is_taut(model, tether, data):
            _, _, _, distance, _ = tether_line(tether, data)
            L, _ = tether_length(model, tether, data)
            total += 0.5 * tether.stiffness * (distance - L) * (distance - L) / L
    return total


@only_with("tethers", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
@kernel
def tether_loss(model, data):
    """Eq. (2): power lost in the dampers of taut tethers."""
    total = 0.0 * data.nodes[0].x[0]
    for j in range(len(model.tethers)):
        tether = model.tethers[j]
        if is_taut(model, tether, data):
            _, _, _, _, speed = tether_line(tether, data)
            L, rate = tether_length(model, tether, data)
            total += tether.damping * (speed - rate) * (speed - rate) / L
    return total


@only_with("tethers", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
@kernel
def tether_power(model, data):
    """Eq. (2): power that comes in as taut tethers change their length."""
    total = 0.0 * data.nodes[0].x[0]
    for j in range(len(model.tethers)):
        tether = model.tethers[j]
        if is_taut(model, tether, data) and (tether.signal >= 0 or tether.drum > 0):
            _, _, _, distance, speed = tether_line(tether, data)
            spring, damper = tether_tension(model, tether, data, distance, speed)
            _, rate = tether_length(model, tether, data)
            total -= rate * 0.5 * spring * spring / tether.stiffness
            if tether.drum == 0:
                total -= rate * (spring + damper)
    return total


@only_with("tethers", otherwise=lambda model, tether, data, mode: 0.0 * data.nodes[0].x[0])
@part
def tether_value(model, tether, data, mode):
    """Event function: positive when the tether should be taut; one that is cut stays as it is."""
    _, _, _, distance, speed = tether_line(tether, data)
    spring, damper = tether_tension(model, tether, data, distance, speed)
    if is_cut(tether, data.modes):
        return 0.0 * spring + mode
    if tether.is_two_sided:
        return 0.0 * spring + 1.0
    return spring + damper if mode > 0 else min(spring, spring + damper)


@entry
def tether_pull(model, data, j):
    """Tension of tether j at the placed state; zero if it is slack."""
    tether = model.tethers[j]
    _, _, _, distance, speed = tether_line(tether, data)
    spring, damper = tether_tension(model, tether, data, distance, speed)
    return spring + damper if is_taut(model, tether, data) else 0.0
