"""Routes: how long the way of a rope over its guides is, how fast that changes, and the loads of a unit tension.

The length D is a function of the guides' points x and of the turns of their bodies alone (``model/routes.py``); a rope
with one tension T pulls at every guide with
    T f,  T m,     f = -dD/dx,  m = -dD/d(turn)                                                                 (1)
so that, with what coordinates pay out (q times a ratio: drums, the turn of a wheel that carries the rope with it),
    d(D - paid)/dt = -sum (f.v + m.w) - sum ratio q'                                                            (2)
    d^2 (D - paid)/dt^2 = -sum (f.a + m.alpha + f'.v + m'.w) - sum ratio q''                                     (3)
A wheel that carries the rope with it is the node of its guide: then m has a part along its axis, by which it turns.
Straight spans have f' from n' = (1 - n n^T)(v_b - v_a)/d; over sheaves f' and m' come from a complex step of f and m
along the motion. A sheave that swivels freely takes no couple: what would turn it pulls on its neighbours, which hold
its plane.
"""

from taut.dynamics.tree.points import lever, moment, point_motion
from taut.kernels.jit import block, only_with, part
from taut.kernels.mat3 import load9, mat_vec
from taut.kernels.tangents import rim, rims, span_slopes, wrap_angle
from taut.kernels.vec3 import ZERO3, add3, axpy3, cross3, dot3, load3, norm3, scale3, store3, sub3
from taut.model.routes import STEP, SheaveKind

SWIVEL = int(SheaveKind.SWIVEL)
CASTOR = int(SheaveKind.CASTOR)
LIFTED = 1e-3  # wrap, negative against the sheave's side, at which a rope has left its sheave [rad]
FARTHEST = 3.0  # largest change of a wrap since the start: near pi more and less cannot be told apart [rad]


@only_with("routes", otherwise=lambda model, data: None)
@block
def trace_routes(model, data):
    """Fill data.routes and data.guides at the placed nodes."""
    for j in range(len(model.routes)):
        route, here = model.routes[j], data.routes[j]
        place_guides(model, data, route)
        here.length = trace_route(model, route, data.guides)
        here.rate = unit_power(model, data, route)
        here.paid = paid_out(model, route, data.q)
        for k in range(route.guide + route.count, route.guide + route.count + route.feeds):
            guide = model.guides[k]
            if guide.is_way:
                here.length += guide.ratio * (data.q[model.columns[guide.column].coordinate] - guide.start)
                here.rate += guide.ratio * data.v[guide.column]
            else:
                here.rate -= pay_slope(model, guide, data.q) * data.v[guide.column]
        # forces of a closure's rope are shown only while the closure holds
        if route.closure < 0:
            show_wrenches(model, data, route)


@part
def paid_out(model, route, q):
    """Length that coordinates have paid out."""
    total = 0.0 * q[0]
    for k in range(route.guide, route.guide + route.count + route.feeds):
        guide = model.guides[k]
        if guide.column >= 0 and not guide.is_way:
            x = q[model.columns[guide.column].coordinate] - guide.start
            total += guide.ratio * x - guide.offset
            for j in range(guide.layer, guide.layer + guide.layer_count):
                total += layer_length(model.layers[j], x)
    return total


@part
def pay_slope(model, guide, q):
    """Length paid out by a unit of a guide's coordinate: on a drum with layers that of the present one."""
    slope = guide.ratio + 0.0 * q[0]
    if guide.layer_count > 0:
        x = q[model.columns[guide.column].coordinate] - guide.start
        for j in range(guide.layer, guide.layer + guide.layer_count):
            slope += layer_slope(model.layers[j], x)
    return slope


@part
def pay_curve(model, guide, q):
    """Slope of ``pay_slope``."""
    curve = 0.0 * q[0]
    if guide.layer_count > 0:
        x = q[model.columns[guide.column].coordinate] - guide.start
        for j in range(guide.layer, guide.layer + guide.layer_count):
            layer = model.layers[j]
            u = (x - layer.at) / layer.climb
            if -1.0 < u.real < 1.0:
                curve += layer.step * 0.75 * (1.0 - u * u) / layer.climb
    return curve


@part
def layer_slope(layer, x):
    """By how much a change of layer has changed what a unit of the drum's coordinate pays out; ``wound_off``."""
    u = (x - layer.at) / layer.climb
    if u.real <= -1.0:
        return 0.0 * u
    if u.real >= 1.0:
        return layer.step + 0.0 * u
    return layer.step * (0.5 + 0.25 * u * (3.0 - u * u))


@part
def layer_length(layer, x):
    """Its integral."""
    u = (x - layer.at) / layer.climb
    if u.real <= -1.0:
        return 0.0 * u
    if u.real >= 1.0:
        return layer.step * layer.climb * u
    return layer.step * layer.climb * (0.1875 + u * (0.5 + u * (0.375 - 0.0625 * u * u)))


@part
def place_guides(model, data, route):
    """Points and axes of a route's guides in the world."""
    for k in range(route.guide, route.guide + route.count):
        guide, here = model.guides[k], data.guides[k]
        node = data.nodes[guide.node]
        store3(here.x, add3(load3(node.x), lever(node, guide.point)))
        v, _ = point_motion(node, guide.point, guide.is_linear)
        store3(here.v, v)
        place_sheave(model, data, guide, here)


@only_with("sheaves", otherwise=lambda model, data, guide, here: None)
@part
def place_sheave(model, data, guide, here):
    """Axis of a guide's sheave, and where its arc begins or ends if no span says so."""
    if guide.sheave >= 0:
        sheave = model.sheaves[guide.sheave]
        store3(here.axis, mat_vec(load9(data.nodes[guide.node].R), load3(sheave.axis)))
        reference = mat_vec(load9(data.nodes[sheave.carrier].R), load3(sheave.reference))
        store3(here.arrives, reference)
        store3(here.leaves, reference)


@block
def trace_route(model, route, places):
    """Lay one route over its guides: spans, arcs, and the loads f, m of a unit tension; returns its length."""
    first, last = route.guide, route.guide + route.count - 1
    for k in range(first, last + 1):
        store3(places[k].centre, load3(places[k].x))
        for i in range(3):
            places[k].f[i] = 0.0
            places[k].m[i] = 0.0
    total = 0.0 * places[first].x[0]
    if route.has_sheaves:
        turn_swivels(model, route, places)
    for k in range(first, last):
        if route.has_sheaves:
            total += trace_span(model, places, k)
        else:
            total += straight_span(places, k)
    if route.has_sheaves:
        total += trace_arcs(model, route, places)
    return total


@part
def straight_span(places, k):
    """From point to point; no direction where they meet."""
    here, there = places[k], places[k + 1]
    w = sub3(load3(there.centre), load3(here.centre))
    d = norm3(w)
    u = scale3(1.0 / d if abs(d) > 0.0 else 0.0 * d, w)
    here.span = d
    store3(here.u, u)
    store3(here.f, add3(load3(here.f), u))
    store3(there.f, sub3(load3(there.f), u))
    return d


@only_with("sheaves", otherwise=lambda model, places, k: 0.0 * places[k].x[0])
@part
def trace_span(model, places, k):
    """From guide to guide, of which either may have a radius; ``kernels/tangents.py``."""
    i, j = model.guides[k].sheave, model.guides[k + 1].sheave
    if i < 0 and j < 0:
        return straight_span(places, k)
    here, there = places[k], places[k + 1]
    w = sub3(load3(there.centre), load3(here.centre))
    a_i, a_j = load3(here.axis), load3(there.axis)
    zero = scale3(0.0, w)
    R_i, s_i = (model.sheaves[i].radius, model.sheaves[i].side) if i >= 0 else (0.0, 1.0)
    R_j, s_j = (model.sheaves[j].radius, model.sheaves[j].side) if j >= 0 else (0.0, 1.0)
    if j < 0:
        e_i, e_j = rim(w, a_i, R_i, s_i), zero
    elif i < 0:
        e_i, e_j = zero, rim(w, a_j, -R_j, s_j)
    else:
        e_i, e_j = rims(w, a_i, R_i, s_i, a_j, R_j, s_j)
    u, d, slope, M_i, M_j = span_slopes(w, a_i, R_i, s_i, e_i, a_j, R_j, s_j, e_j)
    if i >= 0:
        store3(here.leaves, e_i)
    if j >= 0:
        store3(there.arrives, e_j)
    here.span = d
    store3(here.u, u)
    store3(here.f, add3(load3(here.f), slope))
    store3(there.f, sub3(load3(there.f), slope))
    store3(here.m, sub3(load3(here.m), M_i))
    store3(there.m, sub3(load3(there.m), M_j))
    return d


@only_with("sheaves", otherwise=lambda model, route, places: None)
@part
def turn_swivels(model, route, places):
    """Planes of the sheaves that swivel, and centres of castors."""
    first = route.guide
    for k in range(first, first + route.count):
        i = model.guides[k].sheave
        if i >= 0 and model.sheaves[i].kind == CASTOR:
            h, _ = castor_arm(places, k)
            store3(places[k].centre, axpy3(model.sheaves[i].radius, h, load3(places[k].x)))
            store3(places[k].arrives, scale3(-1.0, h))
            store3(places[k].axis, cross3(load3(places[k].axis), h))
    for k in range(first, first + route.count):
        i = model.guides[k].sheave
        if i >= 0 and model.sheaves[i].kind == SWIVEL:
            normal = swivel_normal(places, k)
            store3(places[k].axis, scale3(1.0 / norm3(normal), normal))


@part
def castor_arm(places, k):
    """Direction from a castor's inlet to its centre, while its axis is still the line it swivels about; and w_p."""
    w, z = sub3(load3(places[k + 1].centre), load3(places[k].x)), load3(places[k].axis)
    across = sub3(w, scale3(dot3(w, z), z))
    size = norm3(across)
    return scale3(1.0 / size, across), size


@part
def swivel_normal(places, k):
    """x cross y of the ways to and from a sheave that swivels."""
    here = load3(places[k].centre)
    return cross3(sub3(here, load3(places[k - 1].centre)), sub3(load3(places[k + 1].centre), here))


@only_with("sheaves", otherwise=lambda model, route, places: 0.0 * places[route.guide].x[0])
@part
def trace_arcs(model, route, places):
    """Wraps, and the couples of sheaves that swivel as forces on their neighbours; returns the length of the arcs."""
    first = route.guide
    total = 0.0 * places[first].x[0]
    for k in range(first, first + route.count):
        i = model.guides[k].sheave
        if i >= 0:
            sheave, here = model.sheaves[i], places[k]
            axis = load3(here.axis)
            here.wrap = wrap_angle(axis, load3(here.arrives), load3(here.leaves), sheave.side, sheave.wrap)
            total += sheave.radius * here.wrap
            if sheave.kind == SWIVEL:
                free_swivel(places, k)
    # free a castor last, because a sheave after it may pull on its centre
    i = model.guides[first].sheave
    if i >= 0 and model.sheaves[i].kind == CASTOR:
        free_castor(places, first, model.sheaves[i].radius)
    return total


@part
def free_swivel(places, k):
    """The plane's normal n = x cross y follows the neighbours: its couple m acts on them by h = m x a / |n|."""
    here, before, after = places[k], places[k - 1], places[k + 1]
    x, y = sub3(load3(here.centre), load3(before.centre)), sub3(load3(after.centre), load3(here.centre))
    normal = cross3(x, y)
    h = scale3(-1.0 / norm3(normal), cross3(load3(here.m), load3(here.axis)))
    yh, hx = cross3(y, h), cross3(h, x)
    store3(before.f, add3(load3(before.f), yh))
    store3(here.f, sub3(load3(here.f), sub3(yh, hx)))
    store3(after.f, sub3(load3(after.f), hx))
    store3(here.m, scale3(0.0, h))


@part
def free_castor(places, k, radius):
    """Loads at the inlet instead of the centre; the swivel takes no couple about its line z, which follows w."""
    here, after = places[k], places[k + 1]
    h = scale3(-1.0, load3(here.arrives))
    side = load3(here.axis)
    z = cross3(h, side)
    w = sub3(load3(after.centre), load3(here.x))
    size = dot3(w, h)
    M = add3(load3(here.m), cross3(scale3(radius, h), load3(here.f)))
    turn = dot3(M, z)
    pull = scale3(turn / size, side)
    store3(after.f, add3(load3(after.f), pull))
    store3(here.f, sub3(load3(here.f), pull))
    store3(here.m, add3(sub3(M, scale3(turn, z)), scale3(turn * dot3(w, z) / size, h)))


@part
def unit_power(model, data, route):
    """Eq. (2) without what coordinates pay out apart from wheels."""
    rate = 0.0 * data.guides[route.guide].x[0]
    for k in range(route.guide, route.guide + route.count):
        here = data.guides[k]
        rate -= dot3(load3(here.f), load3(here.v)) + dot3(load3(here.m), load3(data.nodes[model.guides[k].node].w))
    return rate


@part
def show_wrenches(model, data, route):
    """N, F of every row of a route: its unit tension about the nodes' origins."""
    for k in range(route.guide, route.guide + route.count):
        guide, here = model.guides[k], data.guides[k]
        f = load3(here.f)
        store3(here.F, f)
        store3(here.N, add3(load3(here.m), moment(data.nodes[guide.node], guide.point, f, guide.is_linear)))
    for k in range(route.guide + route.count, route.guide + route.count + route.feeds):
        guide, here = model.guides[k], data.guides[k]
        # a pulley that turns on its carrier: an internal force, which acts on its own column only
        slope = pay_slope(model, guide, data.q)
        s = scale3(0.0 * slope if guide.is_way else slope, load3(data.columns[guide.column].s))
        is_turn = model.columns[guide.column].is_rotation
        store3(here.F, scale3(0.0 if is_turn else 1.0, s))
        store3(here.N, scale3(1.0 if is_turn else 0.0, s))


@part
def hide_wrenches(model, data, route):
    """N, F of a route that holds nothing."""
    for k in range(route.guide, route.guide + route.count + route.feeds):
        store3(data.guides[k].F, ZERO3)
        store3(data.guides[k].N, ZERO3)


@block
def second_rate(model, data, route):
    """Eq. (3) at the nodes' current accelerations."""
    total = 0.0 * data.guides[route.guide].x[0]
    for k in range(route.guide, route.guide + route.count):
        guide, here = model.guides[k], data.guides[k]
        node = data.nodes[guide.node]
        _, a = point_motion(node, guide.point, guide.is_linear)
        total -= dot3(load3(here.f), a) + dot3(load3(here.m), load3(node.alpha))
    if route.has_sheaves:
        total -= bent_power(model, data, route)
    else:
        for k in range(route.guide, route.guide + route.count - 1):
            total += span_curvature(data.guides[k], data.guides[k + 1])
    return total


@part
def span_curvature(here, there):
    """(|v|^2 - (u.v)^2)/d of the velocity v of one end against the other."""
    v = sub3(load3(there.v), load3(here.v))
    along = dot3(load3(here.u), v)
    return (dot3(v, v) - along * along) / here.span if abs(here.span) > 0.0 else 0.0 * here.span


@only_with("sheaves", otherwise=lambda model, data, route: 0.0 * data.guides[route.guide].x[0])
@part
def bent_power(model, data, route):
    """Sum of f'.v + m'.w by a complex step; a derivative of it by another one is not seen."""
    bent = data.bent
    for k in range(route.guide, route.guide + route.count):
        guide, here, there = model.guides[k], data.guides[k], bent[k]
        w = load3(data.nodes[guide.node].w)
        for i in range(3):
            there.x[i] = here.x[i].real + 1j * STEP * here.v[i].real
        if guide.sheave >= 0:
            axis = mat_vec(load9(data.nodes[guide.node].R), load3(model.sheaves[guide.sheave].axis))
            turning = cross3(w, axis)
            for i in range(3):
                there.axis[i] = axis[i].real + 1j * STEP * turning[i].real
                there.arrives[i] = here.arrives[i].real
                there.leaves[i] = here.leaves[i].real
    trace_route(model, route, bent)
    total = 0.0 * data.guides[route.guide].x[0]
    for k in range(route.guide, route.guide + route.count):
        v, w = load3(data.guides[k].v), load3(data.nodes[model.guides[k].node].w)
        for i in range(3):
            total += (bent[k].f[i].imag * v[i] + bent[k].m[i].imag * w[i]) / STEP
    return total


@only_with("sheaves", otherwise=lambda model, data: False)
@block
def is_off_sheave(model, data):
    """Whether a rope that pulls has left a sheave, or is wound so far that its turns can no longer be told."""
    for j in range(len(model.routes)):
        route = model.routes[j]
        # whether the rope pulls: its closure is closed, or its tether, which has the same number as the route, is taut
        if route.closure >= 0:
            is_pulling = model.closures[route.closure].hold < 0 or data.modes[model.closures[route.closure].hold] > 0
        else:
            is_pulling = data.modes[model.tethers[j].event] > 0
        for k in range(route.guide, route.guide + route.count):
            guide, here = model.guides[k], data.guides[k]
            if guide.sheave >= 0 and is_pulling:
                sheave = model.sheaves[guide.sheave]
                # at the ends of a route the wrap counts from a mark and may be negative
                is_inner = route.guide < k < route.guide + route.count - 1 or sheave.kind == CASTOR
                if (is_inner and here.wrap < -LIFTED) or abs(here.wrap - sheave.wrap) > FARTHEST:
                    return True
    return False
