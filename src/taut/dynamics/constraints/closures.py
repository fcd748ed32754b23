"""Closures: how far apart their ends are, how fast that changes, and the wrench of a unit multiplier on each end.

Point rows hold P_a - P_b - e(t) = 0 in world directions n [Mamidi 2024, Eqs. 3, 12]; e is the prescribed motion of a
driven point:
    value = n.(P_a - P_b - e),   rate = n.(v_a - v_b - e'),   bias = n.(a_a - a_b - e'')                     (1)
Axis rows hold c.d = 0 for an axis c on a and d on b; with n = c x d
    rate = n.(w_a - w_b),   bias = n.(alpha_a - alpha_b) + n'.(w_a - w_b),  n' = (w_a x c) x d + c x (w_b x d)   (2)
A coordinate row holds q - e(t) = 0 for one coordinate of the joint of a on its parent b, with axis s:
    rate = q' - e',   bias = s.(relative acceleration of a, without velocity products) - e''                 (3)
or, where a rope leaves a sheave of radius R across its plane, with a turn q_2 about the radius s there, the climb of
the rope on the flank of the groove:
    q - R (1/cos q_2 - 1) = 0,   rate = q' - h q_2',   bias = q'' - h q_2'' - h' q_2'^2,   h = R sin/cos^2   (4)
A multiplier is the force (or moment) on end a by end b: the paper's lambda when a is the cable. A closure that has
been opened keeps its rows, all zero.

One-sided closures have one row, a gap g >= 0 whose multiplier, >= 0, acts to widen it: a point above a plane (point row
in one direction), or a route (two points with nothing between them, or with guides) no longer than L(t) and what
coordinates have paid out, of length D:
    g = L + paid - D,   rate = L' - (D - paid)',   bias = L'' - (D - paid)''                                    (5)
with rates and the unit multiplier's loads on all guides from ``routes``. Its row has no ends a and b.
"""

import numpy as np

from taut.dynamics.forces.routes import hide_wrenches, pay_curve, pay_slope, second_rate, show_wrenches
from taut.dynamics.tree.points import lever, moment, point_motion
from taut.kernels.jit import block, kernel, only_with, part
from taut.kernels.mat3 import load9, mat_vec
from taut.kernels.vec3 import add3, cross3, dot3, load3, scale3, store3, sub3
from taut.model.enums import ClosureKind

UNIVERSAL = int(ClosureKind.UNIVERSAL)
REVOLUTE = int(ClosureKind.REVOLUTE)
FIXED = int(ClosureKind.FIXED)
COORDINATE = int(ClosureKind.COORDINATE)
DISTANCE = int(ClosureKind.DISTANCE)
TURN = int(ClosureKind.TURN)


@kernel
def closures(model, data):
    """Fill data.rows at the placed state; the bias is taken at the nodes' current accelerations."""
    for j in range(len(model.closures)):
        closure = model.closures[j]
        # opened closures keep their rows, so that row numbers never change; zero rows give zero multipliers
        if is_open(closure, data.modes):
            clear_rows(model, closure, data)
            continue
        if closure.kind == COORDINATE:
            coordinate_row(model, closure, data)
            continue
        if closure.kind == DISTANCE:
            distance_row(model, closure, data)
            continue
        # held directions of the point first, then one axis row for each locked rotation
        row = point_rows(closure, data)
        if closure.kind == UNIVERSAL:
            axis_row(closure, data, row, 0, 0)
        elif closure.kind == REVOLUTE:
            axis_row(closure, data, row, 0, 1)
            axis_row(closure, data, row + 1, 0, 2)
        elif closure.kind == FIXED:
            axis_row(closure, data, row, 0, 1)
            axis_row(closure, data, row + 1, 0, 2)
            axis_row(closure, data, row + 2, 1, 2)
        elif closure.kind == TURN:
            turn_row(closure, data, row)


@part
def is_open(closure, modes):
    """Whether the event has passed that opens the closure, or a one-sided one does not hold."""
    return (closure.switch >= 0 and modes[closure.switch] > 0) or (closure.hold >= 0 and modes[closure.hold] < 0)


@part
def clear_rows(model, closure, data):
    """Set the rows of a closure that does not hold, and its wrenches, to zero."""
    clear_route(model, closure, data)
    for row in range(closure.row, closure.row + closure.row_count):
        here = data.rows[row]
        here.value, here.rate, here.bias = 0.0, 0.0, 0.0
        for k in range(3):
            here.F_a[k] = 0.0
            here.F_b[k] = 0.0
            here.N_a[k] = 0.0
            here.N_b[k] = 0.0


@part
def coordinate_row(model, closure, data):
    """Row that prescribes one coordinate of a joint, Eq. (3)."""
    column = model.columns[closure.column]
    a = data.nodes[closure.node_a]
    b = data.nodes[closure.node_b]
    here = data.rows[closure.row]
    s = load3(data.columns[closure.column].s)
    zero = scale3(0.0, s)
    value, rate, second = coordinate_motion(model, data, closure.column)
    # wrench of a unit multiplier: a moment or a force along s on a, its reaction on b through the same line
    if column.is_rotation:
        store3(here.N_a, s)
        store3(here.F_a, zero)
        store3(here.N_b, scale3(-1.0, s))
        store3(here.F_b, zero)
    else:
        store3(here.N_a, zero)
        store3(here.F_a, s)
        store3(here.N_b, cross3(s, sub3(load3(a.x), load3(b.x))))
        store3(here.F_b, scale3(-1.0, s))
    if closure.groove != 0.0:
        turn, turn_rate, turn_second = coordinate_motion(model, data, closure.partner)
        climb, slope, curve = climb_of(closure.groove, turn)
        value = value - climb
        rate = rate - slope * turn_rate
        second = second - slope * turn_second - curve * turn_rate * turn_rate
        # virtual work: the climb grows with the turn by its slope, so a force along s also gives a couple of -slope s
        couple = scale3(-slope, s)
        store3(here.N_a, add3(load3(here.N_a), couple))
        store3(here.N_b, sub3(load3(here.N_b), couple))
    # Eq. (3) with the prescribed motion e(t)
    j = closure.signal[0]
    here.value, here.rate, here.bias = value - closure.start, rate, second
    if j >= 0:
        here.value -= data.signals[j, 0]
        here.rate -= data.signals[j, 1]
        here.bias -= data.signals[j, 2]


@part
def climb_of(radius, turn):
    """Eq. (4): how far a rope climbs the flank of its groove, and the first and second slope of that by its turn.

    With this climb the pull of a rope, T cos(turn) at the distance R/cos(turn), turns the sheave by T R at any turn, as
    on a surface without friction (R cos = constant along the rope: Clairaut). On the circle R it would be T R cos.
    """
    c, s = np.cos(turn), np.sin(turn)
    return radius * (1.0 / c - 1.0), radius * s / (c * c), radius * (1.0 + s * s) / (c * c * c)


@part
def coordinate_motion(model, data, c):
    """A coordinate, its rate, and its acceleration read off the nodes."""
    column = model.columns[c]
    here = data.nodes[column.node]
    before = data.nodes[model.nodes[column.node].parent]
    s = load3(data.columns[c].s)
    alpha = load3(before.alpha)
    if column.is_rotation:
        second = dot3(s, sub3(sub3(load3(here.alpha), alpha), load3(here.bias_w)))
    else:
        carried = add3(load3(before.a), add3(cross3(alpha, load3(here.r)), load3(here.bias_v)))
        second = dot3(s, sub3(load3(here.a), carried))
    return data.q[column.coordinate], data.v[c], second


@part
def ends_apart(closure, a, b):
    """Differences of the points a and b of a closure, of their velocities and of their accelerations."""
    gap = sub3(add3(load3(a.x), lever(a, closure.point_a)), add3(load3(b.x), lever(b, closure.point_b)))
    v_a, acc_a = point_motion(a, closure.point_a, closure.is_linear_a)
    v_b, acc_b = point_motion(b, closure.point_b, closure.is_linear_b)
    return gap, sub3(v_a, v_b), sub3(acc_a, acc_b)


@part
def point_rows(closure, data):
    """Closure errors, rates and biases of the held directions, Eq. (1); returns the next free row."""
    a, b = data.nodes[closure.node_a], data.nodes[closure.node_b]
    gap, speed, bias = ends_apart(closure, a, b)
    row = closure.row
    for k in range(3):
        if closure.point_rows[k]:
            here = data.rows[row]
            # Eq. (1) along world axis k: the dot product with n is the component itself
            if k == 0:
                n = (1.0, 0.0, 0.0)
                here.value, here.rate, here.bias = gap[0], speed[0], bias[0]
            elif k == 1:
                n = (0.0, 1.0, 0.0)
                here.value, here.rate, here.bias = gap[1], speed[1], bias[1]
            else:
                n = (0.0, 0.0, 1.0)
                here.value, here.rate, here.bias = gap[2], speed[2], bias[2]
            # driven point: subtract the prescribed motion e(t) and its derivatives
            j = closure.signal[k]
            if j >= 0:
                here.value -= data.signals[j, 0]
                here.rate -= data.signals[j, 1]
                here.bias -= data.signals[j, 2]
            store3(here.F_a, n)
            store3(here.F_b, scale3(-1.0, n))
            store3(here.N_a, moment(a, closure.point_a, n, closure.is_linear_a))
            store3(here.N_b, moment(b, closure.point_b, scale3(-1.0, n), closure.is_linear_b))
            row += 1
    return row


@only_with("routes", otherwise=lambda model, closure, data: None)
@part
def clear_route(model, closure, data):
    """Set the wrenches on the guides of a distance closure to zero."""
    if closure.kind == DISTANCE:
        hide_wrenches(model, data, model.routes[closure.route])


@only_with("routes", otherwise=lambda model, closure, data: None)
@block
def distance_row(model, closure, data):
    """One-sided row of a rope's largest length, Eq. (5)."""
    route, way = model.routes[closure.route], data.routes[closure.route]
    here = data.rows[closure.row]
    here.value = closure.start + way.paid - way.length
    here.rate = -way.rate
    here.bias = -second_rate(model, data, route)
    for k in range(route.guide + route.count, route.guide + route.count + route.feeds):
        guide = model.guides[k]
        _, rate, second = coordinate_motion(model, data, guide.column)
        here.bias += pay_slope(model, guide, data.q) * second + pay_curve(model, guide, data.q) * rate * rate
    j = closure.signal[0]
    if j >= 0:
        here.value += data.signals[j, 0]
        here.rate += data.signals[j, 1]
        here.bias += data.signals[j, 2]
    show_wrenches(model, data, route)


@kernel
def unilateral_gap(model, closure, data):
    """Gap of a one-sided closure at the placed state, also while it is open; fills its row."""
    if closure.kind == DISTANCE:
        distance_row(model, closure, data)
    else:
        point_rows(closure, data)
    return data.rows[closure.row].value


@part
def axis_row(closure, data, row, axis_a, axis_b):
    """Row that keeps one axis of each end perpendicular, Eq. (2)."""
    a = data.nodes[closure.node_a]
    b = data.nodes[closure.node_b]
    k = 3 * axis_a
    c = mat_vec(load9(a.R), (closure.axis_a[k], closure.axis_a[k + 1], closure.axis_a[k + 2]))
    k = 3 * axis_b
    d = mat_vec(load9(b.R), (closure.axis_b[k], closure.axis_b[k + 1], closure.axis_b[k + 2]))
    w_a = load3(a.w)
    w_b = load3(b.w)
    # Eq. (2): a relative turn about n changes c.d fastest, so n is also the moment of a unit multiplier
    n = cross3(c, d)
    turn = sub3(w_a, w_b)
    n_rate = add3(cross3(cross3(w_a, c), d), cross3(c, cross3(w_b, d)))
    here = data.rows[row]
    here.value = dot3(c, d)
    here.rate = dot3(n, turn)
    here.bias = dot3(n, sub3(load3(a.alpha), load3(b.alpha))) + dot3(n_rate, turn)
    store3(here.N_a, n)
    store3(here.N_b, scale3(-1.0, n))
    # an axis row transmits a moment and no force
    for k in range(3):
        here.F_a[k] = 0.0
        here.F_b[k] = 0.0


@part
def turn_row(closure, data, row):
    """Row that keeps the turns about the vertical of two ends with small rotations equal."""
    a = data.nodes[closure.node_a]
    b = data.nodes[closure.node_b]
    here = data.rows[row]
    here.value = a.R[3] - b.R[3]
    here.rate = a.w[2] - b.w[2]
    here.bias = a.alpha[2] - b.alpha[2]
    for k in range(3):
        here.N_a[k] = 1.0 if k == 2 else 0.0
        here.N_b[k] = -1.0 if k == 2 else 0.0
        here.F_a[k] = 0.0
        here.F_b[k] = 0.0


@kernel
def add_closure_wrenches(model, data, lam):
    """Add the multipliers' wrenches to the applied wrenches of the nodes: J^T lam as forces."""
    for j in range(len(model.closures)):
        closure = model.closures[j]
        if closure.kind == DISTANCE:
            add_route_wrenches(model, data, closure, lam[closure.row])
            continue
        for row in range(closure.row, closure.row + closure.row_count):
            here = data.rows[row]
            add_wrench(data.nodes[closure.node_a], lam[row], load3(here.N_a), load3(here.F_a))
            add_wrench(data.nodes[closure.node_b], lam[row], load3(here.N_b), load3(here.F_b))


@only_with("routes", otherwise=lambda model, data, closure, tension: None)
@part
def add_route_wrenches(model, data, closure, tension):
    """Add the wrenches of a rope's tension, the multiplier of a distance closure, to the nodes of all its guides."""
    route = model.routes[closure.route]
    for k in range(route.guide, route.guide + route.count + route.feeds):
        here = data.guides[k]
        add_wrench(data.nodes[model.guides[k].node], tension, load3(here.N), load3(here.F))


@part
def add_wrench(here, scale, N, F):
    """Take a scaled wrench off what the node's joint must transmit."""
    store3(here.N, sub3(load3(here.N), scale3(scale, N)))
    store3(here.F, sub3(load3(here.F), scale3(scale, F)))
