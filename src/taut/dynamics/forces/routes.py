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
from taut.kernels.routes import CASTOR, trace_route
from taut.kernels.vec3 import ZERO3, add3, cross3, dot3, load3, scale3, store3, sub3
from taut.model.routes import STEP

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
    """Slope of ``pay_slope`` by the coordinate."""
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
    """Integral of the change of slope over the drum's angle, around a change of layer."""
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


@part
def unit_power(model, data, route):
    """Rate of the length of a route by Eq. (2), without what coordinates pay out apart from wheels."""
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
    """Set the wrenches on the guides of a route to zero."""
    for k in range(route.guide, route.guide + route.count + route.feeds):
        store3(data.guides[k].F, ZERO3)
        store3(data.guides[k].N, ZERO3)


@block
def second_rate(model, data, route):
    """Second rate of the length of a route by Eq. (3), at the nodes' current accelerations."""
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
    """Second rate of a span by its turning: (|v|^2 - (u.v)^2)/d with the velocity v of one end against the other."""
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
