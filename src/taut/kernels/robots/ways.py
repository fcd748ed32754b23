"""Cables of a robot that run over guides, some of them on the platform: pinholes, sheaves, pulleys at exits.

With the forces f and couples m of a unit tension at the guides (``kernels/routes.py``), of which those on the platform
are at R b from its origin,
    W = [sum f; sum (R b) x f + m],   dl = -W^T (dp, dtheta)                                                       (1)
and how W turns with the platform, dW/d(dp, dtheta), is found by complex steps.                                    (2)
"""

import numpy as np

from taut.kernels.jit import block, entry, only_with, part
from taut.kernels.robots.columns import (
    AT_EXIT,
    EXIT,
    FREE,
    INSIDE_PULLEY,
    LEAVE,
    LENGTH,
    OFF_SHEAVE,
    PULL,
    REACHED,
    SPREAD,
    TOWARDS,
    WRAP,
)
from taut.kernels.routes import CASTOR, trace_route

STEP = 1e-30  # size of the complex steps by which derivatives are taken
LIFTED = 1e-3  # wrap against the bend of a sheave at which a rope has left it [rad]
FARTHEST = 3.0  # largest change of a wrap since the start [rad]: near pi more and less cannot be told apart
PLATFORM = 1  # node of guides that the platform carries


@only_with("routes", otherwise=lambda geometry, i, pose, R, row, W: -1)
@block
def lay(geometry, i, pose, R, row, W):
    """Cable i over its guides: its columns, and Eq. (1) into its column of W; an outcome, or -1: it has no guides."""
    if geometry.ways[i] < 0:
        return -1
    route, places = geometry.routes[geometry.ways[i]], geometry.places
    for k in range(route.guide, route.guide + route.count):
        put_guide(geometry, k, pose, R, places[k])
    row[LENGTH] = trace_route(geometry, route, places)
    put_pulls(geometry, route, pose, places, W, i)
    put_columns(geometry, route, places, row)
    return outcome(geometry, route, places, row)


@part
def put_guide(geometry, k, pose, R, here):
    """Point and axis of a guide in the world; references of arcs count for castors alone, which find their own."""
    guide = geometry.guides[k]
    for c in range(3):
        if guide.node == PLATFORM:
            here.x[c] = pose[c] + R[c, 0] * guide.point[0] + R[c, 1] * guide.point[1] + R[c, 2] * guide.point[2]
        else:
            here.x[c] = guide.point[c]
    if guide.sheave >= 0:
        axis = geometry.sheaves[guide.sheave].axis
        for c in range(3):
            if guide.node == PLATFORM:
                here.axis[c] = R[c, 0] * axis[0] + R[c, 1] * axis[1] + R[c, 2] * axis[2]
            else:
                here.axis[c] = axis[c]


@part
def put_pulls(geometry, route, pose, places, W, i):
    """Column of the structure matrix for one cable over guides, Eq. (1)."""
    for c in range(6):
        W[c, i] = 0.0
    for k in range(route.guide, route.guide + route.count):
        if geometry.guides[k].node == PLATFORM:
            f, m, x = places[k].f, places[k].m, places[k].x
            a0, a1, a2 = x[0] - pose[0], x[1] - pose[1], x[2] - pose[2]
            for c in range(3):
                W[c, i] += f[c]
            W[3, i] += a1 * f[2] - a2 * f[1] + m[0]
            W[4, i] += a2 * f[0] - a0 * f[2] + m[1]
            W[5, i] += a0 * f[1] - a1 * f[0] + m[2]


@part
def put_columns(geometry, route, places, row):
    """Wraps, the pull at the last point on the platform, the last span, and the derivative by the exit."""
    first, last = route.guide, route.guide + route.count - 1
    begin, end = last, first
    row[WRAP] = 0.0
    for k in range(first, last + 1):
        if geometry.guides[k].node == PLATFORM:
            end = max(end, k)
        else:
            begin = min(begin, k)
        if geometry.guides[k].sheave >= 0:
            row[WRAP] += places[k].wrap
    before = places[max(end - 1, first)]
    sheave = geometry.guides[max(end - 1, first)].sheave
    radius = geometry.sheaves[sheave].radius if sheave >= 0 else 0.0
    row[FREE] = row[SPREAD] = before.span
    is_castor = geometry.guides[first].sheave >= 0 and geometry.sheaves[geometry.guides[first].sheave].kind == CASTOR
    for c in range(3):
        row[PULL + c], row[EXIT + c] = places[end].f[c], -places[begin].f[c]
        row[LEAVE + c] = before.centre[c] + (radius * before.leaves[c] if sheave >= 0 else 0.0)
        row[TOWARDS + c] = -places[first].arrives[c] if is_castor else 0.0


@part
def outcome(geometry, route, places, row):
    """Whether the rope reaches over its guides, and still lies on its sheaves."""
    first, last = route.guide, route.guide + route.count - 1
    for k in range(first, last):
        if places[k].span == 0.0:
            return AT_EXIT
    if not np.isfinite(row[LENGTH]):
        return INSIDE_PULLEY
    for k in range(first, last + 1):
        sheave = geometry.guides[k].sheave
        if sheave >= 0:
            wrap = places[k].wrap
            if wrap < -LIFTED or abs(wrap - geometry.sheaves[sheave].wrap) > FARTHEST:
                return OFF_SHEAVE
    return REACHED


@entry
def slope_rows(geometry, poses, turns, first, last, R, W, slopes):
    """Eq. (2) of ropes over guides, [k, m, 6, 6], at poses with rotations ``turns`` [k, 3, 3]; R and W are complex."""
    bent = geometry.bent
    for k in range(first, last):
        for i in range(len(geometry.ways)):
            if geometry.ways[i] >= 0:
                for j in range(6):
                    slope(geometry, i, j, poses[k], turns[k], R, W, bent)
                    for c in range(6):
                        slopes[k, i, c, j] = W[c, i].imag / STEP


@block
def slope(geometry, i, j, pose, turn, R, W, bent):
    """One cable with the platform moved or turned by a complex step about coordinate j; its column of W."""
    at = W[:, len(geometry.ways)]
    for c in range(3):
        at[c] = pose[c] + (1j * STEP if c == j else 0.0)
        for b in range(3):
            R[c, b] = turn[c, b] + 0.0j
    if j >= 3:
        # a turn about axis a: row b moves by -row c, row c by row b
        b, c = (j - 2) % 3, (j - 1) % 3
        for n in range(3):
            R[b, n] -= 1j * STEP * turn[c, n]
            R[c, n] += 1j * STEP * turn[b, n]
    route = geometry.routes[geometry.ways[i]]
    for k in range(route.guide, route.guide + route.count):
        put_guide(geometry, k, at, R, bent[k])
    trace_route(geometry, route, bent)
    put_pulls(geometry, route, at, bent, W, i)
