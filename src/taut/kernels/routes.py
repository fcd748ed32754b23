"""A rope laid over its guides: straight spans from tangent to tangent, arcs, and the loads of a unit tension.

``way`` is a bundle with the tables ``guides`` (sheave, or -1) and ``sheaves`` (kind, radius, side, wrap); ``places`` is
the table of where they are: x and axis are given, the rest is found. A rope pulls at every guide with the force
f = -dD/dx and the couple m = -dD/d(turn) of its length D (``model/routes.py`` defines it). A sheave that swivels freely
takes no couple: what would turn it pulls on its neighbours, which hold its plane.
"""

from taut.kernels.jit import block, only_with, part
from taut.kernels.tangents import rim, rims, span_slopes, wrap_angle
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3, norm3, scale3, store3, sub3

FIXED, SWIVEL, CASTOR = 0, 1, 2  # kinds of sheaves, as ``SheaveKind`` in ``model/routes.py``


@block
def trace_route(way, route, places):
    """Lay one route over its guides: spans, arcs, and the loads f, m of a unit tension; returns its length."""
    first, last = route.guide, route.guide + route.count - 1
    for k in range(first, last + 1):
        store3(places[k].centre, load3(places[k].x))
        for i in range(3):
            places[k].f[i] = 0.0
            places[k].m[i] = 0.0
    total = 0.0 * places[first].x[0]
    if route.has_sheaves:
        turn_swivels(way, route, places)
    for k in range(first, last):
        if route.has_sheaves:
            total += trace_span(way, places, k)
        else:
            total += straight_span(places, k)
    if route.has_sheaves:
        total += trace_arcs(way, route, places)
    return total


@part
def straight_span(places, k):
    """Direction and length of a span from point to point; no direction where they meet."""
    here, there = places[k], places[k + 1]
    w = sub3(load3(there.centre), load3(here.centre))
    d = norm3(w)
    u = scale3(1.0 / d if abs(d) > 0.0 else 0.0 * d, w)
    here.span = d
    store3(here.u, u)
    store3(here.f, add3(load3(here.f), u))
    store3(there.f, sub3(load3(there.f), u))
    return d


@only_with("sheaves", otherwise=lambda way, places, k: 0.0 * places[k].x[0])
@part
def trace_span(way, places, k):
    """Direction and length of a span between guides, of which either may have a radius; by ``kernels/tangents.py``."""
    i, j = way.guides[k].sheave, way.guides[k + 1].sheave
    if i < 0 and j < 0:
        return straight_span(places, k)
    here, there = places[k], places[k + 1]
    w = sub3(load3(there.centre), load3(here.centre))
    a_i, a_j = load3(here.axis), load3(there.axis)
    zero = scale3(0.0, w)
    R_i, s_i = (way.sheaves[i].radius, way.sheaves[i].side) if i >= 0 else (0.0, 1.0)
    R_j, s_j = (way.sheaves[j].radius, way.sheaves[j].side) if j >= 0 else (0.0, 1.0)
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


@only_with("sheaves", otherwise=lambda way, route, places: None)
@part
def turn_swivels(way, route, places):
    """Planes of the sheaves that swivel, and centres of castors."""
    first = route.guide
    for k in range(first, first + route.count):
        i = way.guides[k].sheave
        if i >= 0 and way.sheaves[i].kind == CASTOR:
            h, _ = castor_arm(places, k)
            store3(places[k].centre, axpy3(way.sheaves[i].radius, h, load3(places[k].x)))
            store3(places[k].arrives, scale3(-1.0, h))
            store3(places[k].axis, cross3(load3(places[k].axis), h))
    for k in range(first, first + route.count):
        i = way.guides[k].sheave
        if i >= 0 and way.sheaves[i].kind == SWIVEL:
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


@only_with("sheaves", otherwise=lambda way, route, places: 0.0 * places[route.guide].x[0])
@part
def trace_arcs(way, route, places):
    """Wraps, and the couples of sheaves that swivel as forces on their neighbours; returns the length of the arcs."""
    first = route.guide
    total = 0.0 * places[first].x[0]
    for k in range(first, first + route.count):
        i = way.guides[k].sheave
        if i >= 0:
            sheave, here = way.sheaves[i], places[k]
            axis = load3(here.axis)
            here.wrap = wrap_angle(axis, load3(here.arrives), load3(here.leaves), sheave.side, sheave.wrap)
            total += sheave.radius * here.wrap
            if sheave.kind == SWIVEL:
                free_swivel(places, k)
    # free a castor last, because a sheave after it may pull on its centre
    i = way.guides[first].sheave
    if i >= 0 and way.sheaves[i].kind == CASTOR:
        free_castor(places, first, way.sheaves[i].radius)
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
