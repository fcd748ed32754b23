"""Distances of straight cables from each other and from boxes.

Two segments P + s a and Q + t b, s and t in [0, 1], with r = P - Q, are nearest where s solves
    s (a.a b.b - (a.b)^2) = (a.b)(b.r) - (a.r)(b.b),                                                               (1)
then t follows, and each is cut to its interval in turn. The distance of a point from a box is convex along a segment:
its slope grows, and the nearest point is found by halving an interval in which it changes sign.
"""

import numpy as np

from taut.kernels.jit import entry, only_with, part
from taut.kernels.robots.columns import LEAVE
from taut.kernels.robots.reach import structure

PARALLEL = 1e-14  # lines count as parallel if the squared sine of their angle is smaller
HALVINGS = 60


@part
def cut(x):
    """A number limited to the interval from 0 to 1."""
    return min(max(x, 0.0), 1.0)


@part
def segment_distance(P, A, Q, B):
    """Distance of the segment from P to A and the one from Q to B."""
    aa, bb, ab, ar, br = 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(3):
        a, b, r = A[c] - P[c], B[c] - Q[c], P[c] - Q[c]
        aa, bb, ab, ar, br = aa + a * a, bb + b * b, ab + a * b, ar + a * r, br + b * r
    bottom = aa * bb - ab * ab
    s = cut((ab * br - ar * bb) / bottom) if bottom > PARALLEL * aa * bb else 0.0  # Eq. (1)
    t = (ab * s + br) / bb
    if t < 0.0:
        t, s = 0.0, cut(-ar / aa)
    elif t > 1.0:
        t, s = 1.0, cut((ab - ar) / aa)
    square = 0.0
    for c in range(3):
        gap = P[c] + s * (A[c] - P[c]) - Q[c] - t * (B[c] - Q[c])
        square += gap * gap
    return np.sqrt(square)


@part
def box_slope(P, A, low, high, t):
    """Half the derivative of the squared distance from the box, and that distance, at P + t (A - P)."""
    slope, square = 0.0, 0.0
    for c in range(3):
        x = P[c] + t * (A[c] - P[c])
        over = max(x - high[c], 0.0) + min(x - low[c], 0.0)
        slope += over * (A[c] - P[c])
        square += over * over
    return slope, square


@part
def box_distance(P, A, low, high):
    """Distance of the segment from P to A and a box; 0 if it cuts the box."""
    begin, end = 0.0, 1.0
    if box_slope(P, A, low, high, 0.0)[0] >= 0.0:
        end = 0.0
    elif box_slope(P, A, low, high, 1.0)[0] <= 0.0:
        begin = 1.0
    else:
        for _ in range(HALVINGS):
            middle = 0.5 * (begin + end)
            if box_slope(P, A, low, high, middle)[0] > 0.0:
                end = middle
            else:
                begin = middle
    t = 0.5 * (begin + end)
    return np.sqrt(box_slope(P, A, low, high, t)[1])


@entry
def pair_rows(task, poses, pairs, first, last, ends, distances):
    """Distances of pairs of pieces [k, pair] at poses; their ends [2, piece, 3] of the last one. NaN: not reached."""
    geometry = task.geometry
    for k in range(first, last):
        code = structure(geometry, poses[k], task.R, task.cables, task.W)
        if code == 0:
            put_ends(task, poses[k], ends)
        for p in range(len(pairs)):
            i, j = pairs[p, 0], pairs[p, 1]
            distances[k, p] = segment_distance(ends[0, i], ends[1, i], ends[0, j], ends[1, j]) if code == 0 else np.nan


@part
def put_ends(task, pose, ends):
    """Ends of all straight pieces: from where a cable leaves to its anchor, and of ropes between their guides."""
    geometry, R, n = task.geometry, task.R, 0
    anchors = geometry.anchors
    for i in range(len(anchors)):
        more = put_rope_ends(geometry, i, n, ends)
        if more == 0:
            for c in range(3):
                ends[0, n, c] = task.cables[i, LEAVE + c]
                ends[1, n, c] = pose[c] + R[c, 0] * anchors[i, 0] + R[c, 1] * anchors[i, 1] + R[c, 2] * anchors[i, 2]
            more = 1
        n += more


@only_with("routes", otherwise=lambda geometry, i, n, ends: 0)
@part
def put_rope_ends(geometry, i, n, ends):
    """Ends of the pieces of a rope over guides, from place n on; returns how many there are."""
    if geometry.ways[i] < 0:
        return 0
    route = geometry.routes[geometry.ways[i]]
    for k in range(route.count - 1):
        for side in range(2):
            at = route.guide + k + side
            here, sheave = geometry.places[at], geometry.guides[at].sheave
            radius = geometry.sheaves[sheave].radius if sheave >= 0 else 0.0
            for c in range(3):
                rim = (here.leaves[c] if side == 0 else here.arrives[c]) if sheave >= 0 else 0.0
                ends[side, n + k, c] = here.centre[c] + radius * rim
    return route.count - 1


@entry
def box_rows(task, poses, boxes, trims, is_carried, first, last, ends, distances):
    """Distances of pieces from boxes [k, box, piece] at poses; boxes [b, 2, 3] stand in the world, or are carried.

    ``trims`` [m]: length of a piece at its first and last end that does not count, shape [2, piece].
    """
    R, m = task.R, ends.shape[1]
    for k in range(first, last):
        code = structure(task.geometry, poses[k], R, task.cables, task.W)
        if code == 0:
            put_ends(task, poses[k], ends)
            for i in range(m):
                shorten(ends[0, i], ends[1, i], trims[1, i])
                shorten(ends[1, i], ends[0, i], trims[0, i])
                if is_carried:
                    to_platform(R, poses[k], ends[0, i])
                    to_platform(R, poses[k], ends[1, i])
        for b in range(len(boxes)):
            for i in range(m):
                far = box_distance(ends[0, i], ends[1, i], boxes[b, 0], boxes[b, 1]) if code == 0 else np.nan
                distances[k, b, i] = far


@part
def shorten(A, B, trim):
    """Move B towards A by a length."""
    far = np.sqrt((A[0] - B[0]) ** 2 + (A[1] - B[1]) ** 2 + (A[2] - B[2]) ** 2)
    share = min(trim / far, 1.0) if far > 0.0 else 0.0
    for c in range(3):
        B[c] += share * (A[c] - B[c])


@part
def to_platform(R, pose, x):
    """A point of the world in the platform's frame."""
    a, b, c = x[0] - pose[0], x[1] - pose[1], x[2] - pose[2]
    for k in range(3):
        x[k] = R[0, k] * a + R[1, k] * b + R[2, k] * c
