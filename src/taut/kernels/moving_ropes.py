"""Lengths of ropes over guides on moving bodies, with two rates, and the loads of unit tensions.

A guide at p of a body with origin o, rotation R, velocity v and angular velocity w has the place and the motion
    x = o + R p,   x' = v + w x R p,   x'' = a + alpha x R p + w x (w x R p)                                       (1)
With the force f and the couple m of a unit tension on every guide (``kernels/routes.py``), a rope of the length D has
    D' = -sum (f.x' + m.w),   D'' = -sum (f'.x' + m'.w + f.x'' + m.alpha)                                          (2)
Places that move by a complex step along their motion give D' and, in one go, the rates f' and m'.
"""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import block, entry, part
from taut.kernels.routes import trace_route

STEP = 1e-30  # size of the complex steps by which derivatives are taken


class MovingRopes(Bundle):
    """Ropes, the motion of the bodies that carry their guides, and what is found."""

    routes: np.ndarray  # tables of ropes (``model/laid_tables.py``), in which nodes are numbers of bodies
    guides: np.ndarray
    sheaves: np.ndarray
    places: np.ndarray  # positions of guides and results of laying ropes over them, complex
    origins: np.ndarray  # origins o of the bodies, world [m], shape [n_bodies, 3]
    turns: np.ndarray  # rotations R to the world, shape [n_bodies, 3, 3]
    rates: np.ndarray  # velocities v and angular velocities w [m/s, rad/s], shape [n_bodies, 6]
    seconds: np.ndarray  # accelerations a and alpha of the bodies [m/s^2, rad/s^2], shape [n_bodies, 6]
    arms: np.ndarray  # vector from the body's origin to each guide, R p, world axes [m], shape [n_guides, 3]
    lengths: np.ndarray  # length, rate and second rate of every rope [m], shape [n_ropes, 3]
    # force and moment about the body's origin by a unit tension of a rope, shape [n_ropes, n_bodies, 6]
    loads: np.ndarray

    _optional = ("sheaves",)


@entry
def lay_ropes(ropes):
    """Every rope over its guides, Eqs. (1) and (2)."""
    for i in range(len(ropes.routes)):
        lay_rope(ropes, i)


@block
def lay_rope(ropes, i):
    """Lay one rope over its guides: length with two rates, and the loads of a unit tension."""
    route, places = ropes.routes[i], ropes.places
    for k in range(route.guide, route.guide + route.count):
        put_place(ropes, k)
    D = trace_route(ropes, route, places)
    ropes.lengths[i, 0], ropes.lengths[i, 1] = D.real, D.imag / STEP
    second = 0.0
    for b in range(len(ropes.origins)):
        for c in range(6):
            ropes.loads[i, b, c] = 0.0
    for k in range(route.guide, route.guide + route.count):
        second -= add_load(ropes, i, k)
    ropes.lengths[i, 2] = second


@part
def put_place(ropes, k):
    """Move a guide by a complex step along its motion, Eq. (1), and turn the axis of its wheel."""
    guide, here, arm = ropes.guides[k], ropes.places[k], ropes.arms[k]
    b = guide.node
    R, w = ropes.turns[b], ropes.rates[b]
    p = guide.point
    for c in range(3):
        arm[c] = R[c, 0] * p[0] + R[c, 1] * p[1] + R[c, 2] * p[2]
    for c in range(3):
        i, j = (c + 1) % 3, (c + 2) % 3
        rate = w[c] + w[3 + i] * arm[j] - w[3 + j] * arm[i]
        here.x[c] = ropes.origins[b, c] + arm[c] + 1j * STEP * rate
    if guide.sheave >= 0:
        a = ropes.sheaves[guide.sheave].axis
        for c in range(3):
            i, j = (c + 1) % 3, (c + 2) % 3
            a_c = R[c, 0] * a[0] + R[c, 1] * a[1] + R[c, 2] * a[2]
            a_i = R[i, 0] * a[0] + R[i, 1] * a[1] + R[i, 2] * a[2]
            a_j = R[j, 0] * a[0] + R[j, 1] * a[1] + R[j, 2] * a[2]
            here.axis[c] = a_c + 1j * STEP * (w[3 + i] * a_j - w[3 + j] * a_i)


@part
def add_load(ropes, i, k):
    """Load of a guide on its body, and its share of D'' less the sign, Eq. (2)."""
    guide, here, arm = ropes.guides[k], ropes.places[k], ropes.arms[k]
    b = guide.node
    load, w, a = ropes.loads[i, b], ropes.rates[b], ropes.seconds[b]
    share = 0.0
    for c in range(3):
        n, j = (c + 1) % 3, (c + 2) % 3
        spin_n = w[3 + j] * arm[c] - w[3 + c] * arm[j]
        spin_j = w[3 + c] * arm[n] - w[3 + n] * arm[c]
        across = a[3 + n] * arm[j] - a[3 + j] * arm[n]
        second = a[c] + across + w[3 + n] * spin_j - w[3 + j] * spin_n
        rate = here.x[c].imag / STEP
        share += here.f[c].imag / STEP * rate + here.f[c].real * second
        share += here.m[c].imag / STEP * w[3 + c] + here.m[c].real * a[3 + c]
        load[c] += here.f[c].real
        load[3 + c] += here.m[c].real + arm[n] * here.f[j].real - arm[j] * here.f[n].real
    return share
