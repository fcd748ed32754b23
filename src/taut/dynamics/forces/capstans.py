"""Friction at the guides of ropes: slip on them, and bearings of sheaves; its size follows the tensions.

Where a rope may slip it is cut into two pieces, before and after the guide, with tensions T_a and T_b; how much has
passed from one to the other is a coordinate. What resists it is at most the force at which the ratio of the tensions
is that of a capstan,
    |P_b - P_a| <= P - P(T/e),   P = T + T^2/(2 EA),   T = max(T_a, T_b),   e = exp(sum mu theta)             (1)
where P is what such a coordinate feels of a rope that stretches (``tethers``), or T of one that does not; with the
coefficients mu and the wraps theta of one guide, or of several one after the other on the same body. A sheave
without inertia on a bearing of friction radius b R turns before the rope slips if that is easier:
    e = min(exp(mu theta), (1 + b sin(theta/2)) / (1 - b sin(theta/2)))                                      (2)
The bearing of a sheave with inertia resists its turning by at most
    mu_b r_b |T_b u_b - T_a u_a + m g|                                                                     (3)
The gearbox of a drum loses a share z of the torque that it hands on, which at the drum's radius is T - m a, with the
drum's inertia m and the acceleration a at which it pays out; a brake that takes time to close has a force by signal.
Which of them stick is decided at events, as for all dry friction. Sliding, both are forces that tensions make: with
V the slopes of the friction forces by motions x and multipliers mu, and B their directions,
    S x - J^T mu - B V (x, mu) = b,     J x = g                                                             (4)
is solved as ``drag``, Eq. (2): y = y_0 + Z c, c = (1 - V Z)^-1 V y_0.
"""

import numpy as np

from taut.dynamics.constraints.closures import is_open
from taut.dynamics.forces.laws import BACKWARD, FORWARD, PRESSED_BACKWARD, PRESSED_FORWARD, STICKS, slip_sign
from taut.dynamics.forces.tethers import is_taut, tether_length, tether_tension
from taut.kernels.jit import block, kernel, only_with, part
from taut.kernels.small_inverse import invert_right
from taut.kernels.vec3 import add3, cross3, dot3, load3, norm3, scale3, sub3
from taut.model.enums import CapstanKind

BEARING = int(CapstanKind.BEARING)
GEAR = int(CapstanKind.GEAR)
BRAKE = int(CapstanKind.BRAKE)


@part
def route_tension(model, data, lam, j):
    """Tension along route j, not negative."""
    route = model.routes[j]
    T = 0.0 * data.guides[route.guide].x[0]
    if route.closure >= 0:
        closure = model.closures[route.closure]
        if not is_open(closure, data.modes):
            T = T + lam[closure.row]
    elif is_taut(model.tethers[j], data):
        spring, damper = tether_tension(model.tethers[j], data)
        T = spring + damper
    return T if T.real > 0.0 else 0.0 * T


@part
def turn_between(a, b):
    """Angle between two unit vectors."""
    c = cross3(a, b)
    size = norm3(c)
    # complex step: the real angle by sine and cosine, and no derivative; size is the sine
    return np.arctan2(size.real, dot3(a, b).real) + 0.0 * size


@part
def guide_exponent(guide, wrap):
    """ln e of one guide, Eqs. (1), (2): the least of what is given."""
    x = wrap if wrap.real > 0.0 else 0.0 * wrap
    found = guide.friction * x if guide.friction >= 0.0 else -1.0 + 0.0 * x
    if guide.bearing >= 0.0:
        b = guide.bearing * np.sin(0.5 * x)
        turning = np.log((1.0 + b) / (1.0 - b))
        found = turning if found.real < 0.0 or turning.real < found.real else found
    if guide.loss >= 0.0:
        found = guide.loss + 0.0 * x if found.real < 0.0 or guide.loss < found.real else found
    return found if found.real > 0.0 else 0.0 * x


@part
def capstan_exponent(model, data, capstan):
    """Exponent ln e of all guides of a capstan together."""
    before, after = model.routes[capstan.before], model.routes[capstan.after]
    last = before.guide + before.count - 1
    total = 0.0 * data.guides[last].x[0]
    for k in range(capstan.first, last):
        wrap = turn_between(load3(data.guides[k - 1].u), load3(data.guides[k].u))
        total += guide_exponent(model.guides[k], data.guides[k].wrap if model.guides[k].sheave >= 0 else wrap)
    # a sheave at which the rope is cut: both pieces share its wrap
    wrap = turn_between(load3(data.guides[last - 1].u), load3(data.guides[after.guide].u))
    if model.guides[last].sheave >= 0:
        wrap = data.guides[last].wrap + data.guides[after.guide].wrap
    return total + guide_exponent(model.guides[last], wrap)


@part
def bearing_load(model, data, capstan, T_a, T_b):
    """Load N of a sheave's bearing, Eq. (3), and the directions of both spans."""
    before, after = model.routes[capstan.before], model.routes[capstan.after]
    u_a, u_b = load3(data.guides[before.guide + before.count - 2].u), load3(data.guides[after.guide].u)
    weight = scale3(capstan.mass, load3(model.settings[0].gravity))
    return add3(sub3(scale3(T_b, u_b), scale3(T_a, u_a)), weight), u_a, u_b


@part
def is_forward(mode, T_a, T_b):
    """Whether the piece after the guide is the tight one: as it slips, or, at rest, as it is pulled."""
    if mode in (FORWARD, PRESSED_FORWARD):
        return True
    if mode in (BACKWARD, PRESSED_BACKWARD):
        return False
    return T_b.real >= T_a.real


@part
def capstan_limit(model, data, capstan, lam, acceleration):
    """Largest force that friction at guides resists, Eqs. (1), (3)."""
    if capstan.kind == BRAKE:
        return data.signals[capstan.signal, 0] + 0.0 * data.v[capstan.column]
    if capstan.kind == GEAR:
        handed = route_tension(model, data, lam, capstan.after) - capstan.mass * acceleration[capstan.column]
        return capstan.arm * (handed if handed.real >= 0.0 else -handed)
    T_a, T_b = route_tension(model, data, lam, capstan.before), route_tension(model, data, lam, capstan.after)
    if capstan.kind == BEARING:
        N, _, _ = bearing_load(model, data, capstan, T_a, T_b)
        return capstan.arm * norm3(N)
    mode = data.modes[model.columns[capstan.column].stick]
    is_after = is_forward(mode, T_a, T_b)
    loose = np.exp(-capstan_exponent(model, data, capstan))
    more = stretched_more(model, data, capstan.after if is_after else capstan.before)
    return (1.0 - loose) * (T_b if is_after else T_a) + (1.0 - loose * loose) * more


@part
def stretched_more(model, data, j):
    """P - T of route j: what a coordinate that pays it out feels because the material is stretched."""
    more = 0.0 * data.guides[model.routes[j].guide].x[0]
    if model.routes[j].closure < 0 and is_taut(model.tethers[j], data):
        spring, _ = tether_tension(model.tethers[j], data)
        more = 0.5 * spring * spring / model.tethers[j].stiffness
    return more


@only_with("capstans", otherwise=lambda model, data, lam, acceleration: None)
@block
def rub_columns(model, data, lam, acceleration):
    """Friction at guides and drums, on the coordinates that slip; limits of all."""
    for j in range(len(model.capstans)):
        data.columns[model.capstans[j].column].limit = 0.0
    for j in range(len(model.capstans)):
        capstan = model.capstans[j]
        c = capstan.column
        limit = capstan_limit(model, data, capstan, lam, acceleration)
        sign, _ = slip_sign(model.columns[c], data.v[c], data.modes)
        data.columns[c].limit += limit
        data.force[c] -= sign * limit


@only_with("capstans", otherwise=lambda model, data: 0.0 * data.nodes[0].x[0])
@block
def rub_loss(model, data):
    """Power lost by friction at guides, with the limits of the last residual."""
    total = 0.0 * data.nodes[0].x[0]
    for c in range(len(model.columns)):
        if model.columns[c].capstan >= 0:
            sign, _ = slip_sign(model.columns[c], data.v[c], data.modes)
            total += sign * data.columns[c].limit * data.v[c]
    return total


@part
def is_rubbing(model, data, capstan):
    """Whether the rope slips there, so that friction is a force that follows tensions."""
    mode = data.modes[model.columns[capstan.column].stick]
    return mode != STICKS


@block
def fill_slopes(model, data, factor, j, c_D, c_K):
    """A row of V of Eq. (4): how a friction force changes with the motion and with multipliers."""
    capstan = model.capstans[j]
    c = capstan.column
    by_x, by_mu = factor.rub_by_x[j], factor.rub_by_mu[j]
    for i in range(len(by_x)):
        by_x[i] = 0.0
    for i in range(len(by_mu)):
        by_mu[i] = 0.0
    if not is_rubbing(model, data, capstan):
        return
    sign, _ = slip_sign(model.columns[c], data.v[c], data.modes)
    if capstan.kind == BRAKE:
        return
    if capstan.kind == GEAR:
        # a rope pulls its drum, so the gearbox transmits a hoisting torque
        add_slope(model, data, by_x, by_mu, capstan.after, -sign * capstan.arm, (c_D, c_K))
        by_x[c] += sign * capstan.arm * capstan.mass
        return
    T_a, T_b = route_tension(model, data, data.lam, capstan.before), route_tension(model, data, data.lam, capstan.after)
    if capstan.kind == BEARING:
        N, u_a, u_b = bearing_load(model, data, capstan, T_a, T_b)
        size = norm3(N)
        n = scale3(1.0 / size if abs(size) > 0.0 else 0.0 * size, N)
        add_slope(model, data, by_x, by_mu, capstan.before, sign * capstan.arm * dot3(n, u_a), (c_D, c_K))
        add_slope(model, data, by_x, by_mu, capstan.after, -sign * capstan.arm * dot3(n, u_b), (c_D, c_K))
        return
    share = 1.0 - np.exp(-capstan_exponent(model, data, capstan))
    is_after = is_forward(data.modes[model.columns[c].stick], T_a, T_b)
    add_slope(model, data, by_x, by_mu, capstan.after if is_after else capstan.before, -sign * share, (c_D, c_K))


@part
def add_slope(model, data, by_x, by_mu, j, scale, steps):
    """Add the slopes of the tension of route j, times a factor."""
    route = model.routes[j]
    c_D, c_K = steps
    if route.closure >= 0:
        by_mu[model.closures[route.closure].row] += scale
    elif is_taut(model.tethers[j], data):
        tether = model.tethers[j]
        L, _ = tether_length(tether, data)
        # a motion along the force of a unit tension shortens the rope's path
        k = -scale * (c_K * tether.stiffness + c_D * tether.damping) / L
        for i in range(route.guide, route.guide + route.count + route.feeds):
            here = data.guides[i]
            add_load_row(model, data, by_x, model.guides[i].node, k, (load3(here.N), load3(here.F)))


@part
def add_load_row(model, data, row, i, k, wrench):
    """Add k times what a wrench at a node is on every column."""
    N, F = wrench
    while i > 0:
        node = model.nodes[i]
        for c in range(node.column, node.column + node.column_count):
            s = load3(data.columns[c].s)
            row[c] += k * (dot3(s, N) if model.columns[c].is_rotation else dot3(s, F))
        N = add3(N, cross3(load3(data.nodes[i].r), F))
        i = node.parent


@kernel
def invert_rubs(factor):
    """Invert 1 - V Z, into the right half of rub_C."""
    C, n = factor.rub_C, len(factor.rub_c)
    for i in range(n):
        for k in range(n):
            s = 0.0 * C[i, k]
            for c in range(len(factor.rub_x[k])):
                s += factor.rub_by_x[i, c] * factor.rub_x[k, c]
            for r in range(len(factor.rub_mu[k])):
                s += factor.rub_by_mu[i, r] * factor.rub_mu[k, r]
            one = 1.0 if i == k else 0.0
            C[i, k] = one - s
            C[i, n + k] = one
    invert_right(C, n)


@only_with("capstans", otherwise=lambda model, factor, x, mu: None)
@block
def add_rub_answer(model, factor, x, mu):
    """Add the effect of friction at guides to the solution without it, in place, Eq. (4)."""
    C, c, n = factor.rub_C, factor.rub_c, len(factor.rub_c)
    for k in range(n):
        c[k] = 0.0
    for i in range(n):
        s = 0.0 * c[0]
        for j in range(len(x)):
            s += factor.rub_by_x[i, j] * x[j]
        for j in range(len(mu)):
            s += factor.rub_by_mu[i, j] * mu[j]
        for k in range(n):
            c[k] += C[k, n + i] * s
    for k in range(n):
        for j in range(len(x)):
            x[j] += factor.rub_x[k, j] * c[k]
        for j in range(len(mu)):
            mu[j] += factor.rub_mu[k, j] * c[k]
