"""Cables from their exits to a platform: straight from a point, over a swivelling pulley, or over guides.

Exit A in the world, anchor b on the platform, B = p + R b, d = B - A. From a point, with l = |d|,
    u = -d / l                                                                                                    (1)
is the pull on the platform. A pulley of radius r has its swivel axis k (unit, the direction in which the cable runs at
A) through A; with h = k.d, q = |d - h k|, e = (d - h k)/q, x = q - r, D = |(x, h)|
    free = sqrt(D^2 - r^2),   th = atan2(h, x) + acos(r/D),   l = free + r (pi - th)                               (2)
    leave point A + r e + r (cos th e + sin th k),   u = cos th k - sin th e                                      (3)
[Pott2018, sec. 7.2]. Its derivative is dl/dB = -u: wrap and swivel drop out, so that the structure matrix is
    W = [u_i; (R b_i) x u_i],   l' = -W^T [v; omega]                                                               (4)
in both cases, in world axes, with moments about the platform's origin. Ropes over guides are laid by ``ways.py``.
"""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.jit import kernel, part
from taut.kernels.robots.columns import (
    AT_EXIT,
    COSINE,
    EXIT,
    FREE,
    INSIDE_PULLEY,
    LEAVE,
    LENGTH,
    PULL,
    REACHED,
    SINE,
    SPREAD,
    TOWARDS,
    WRAP,
)
from taut.kernels.robots.ways import lay

NEAR = 1e-12  # an anchor closer to the swivel axis than this share of its distance has no direction from it


class Geometry(Bundle):
    """Exits, anchors and pulleys of a robot's cables, and their routes over guides."""

    exits: np.ndarray  # exits A in the world [m], shape [n_cables, 3]
    anchors: np.ndarray  # anchors b in the platform frame [m], shape [n_cables, 3]
    axes: np.ndarray  # swivel axes k of the pulleys, shape [n_cables, 3]
    radii: np.ndarray  # pulley radii r [m], 0 for a pinhole, shape [n_cables]
    leads: np.ndarray  # length of the cable before its exit, over fixed guides [m], shape [n_cables]
    ways: np.ndarray  # row of ``routes`` of a cable that runs over guides, -1 for others, shape [n_cables]
    routes: np.ndarray  # tables of ropes (``model/rope_tables.py``); node 1 is the platform
    guides: np.ndarray
    sheaves: np.ndarray
    places: np.ndarray  # positions of guides at a pose and results of laying ropes over them
    bent: np.ndarray  # positions and results as in ``places``, complex, for derivatives

    _optional = ("routes", "sheaves")


@part
def reach(A, k, r, B, found):
    """Cable from its exit to a point, Eqs. (1) to (3), into ``found``; returns an outcome."""
    d0, d1, d2 = B[0] - A[0], B[1] - A[1], B[2] - A[2]
    far = np.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    if r == 0.0:
        if far == 0.0:
            return AT_EXIT
        found[LENGTH], found[FREE], found[WRAP], found[SPREAD] = far, far, 0.0, far
        found[COSINE], found[SINE] = 0.0, 1.0
        for c in range(3):
            found[PULL + c], found[LEAVE + c], found[TOWARDS + c] = (A[c] - B[c]) / far, A[c], (B[c] - A[c]) / far
        return REACHED
    h = k[0] * d0 + k[1] * d1 + k[2] * d2
    e0, e1, e2 = d0 - h * k[0], d1 - h * k[1], d2 - h * k[2]
    q = np.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
    if q <= NEAR * far:
        return AT_EXIT
    x, D = q - r, np.sqrt((q - r) * (q - r) + h * h)
    if D < r:
        return INSIDE_PULLEY
    th = np.arctan2(h, x) + np.arccos(r / D)
    cosine, sine = np.cos(th), np.sin(th)
    found[FREE], found[WRAP] = np.sqrt((D - r) * (D + r)), np.pi - th
    found[LENGTH] = found[FREE] + r * found[WRAP]
    found[SPREAD], found[COSINE], found[SINE] = q, cosine, sine
    found[TOWARDS], found[TOWARDS + 1], found[TOWARDS + 2] = e0 / q, e1 / q, e2 / q
    for c in range(3):
        e = found[TOWARDS + c]
        found[PULL + c] = cosine * k[c] - sine * e  # Eq. (3)
        found[LEAVE + c] = A[c] + r * e + r * (cosine * e + sine * k[c])
    return REACHED


@part
def turned(pose, R):
    """R = Rx(a) Ry(b) Rz(c) of a pose x, y, z, a, b, c."""
    ca, sa, cb, sb = np.cos(pose[3]), np.sin(pose[3]), np.cos(pose[4]), np.sin(pose[4])
    cc, sc = np.cos(pose[5]), np.sin(pose[5])
    R[0, 0], R[0, 1], R[0, 2] = cb * cc, -cb * sc, sb
    R[1, 0], R[1, 1], R[1, 2] = ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb
    R[2, 0], R[2, 1], R[2, 2] = sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb


@kernel
def structure(geometry, pose, R, found, W):
    """All cables at a pose: ``found`` [n_cables, COLUMNS] and the six rows of W, Eq. (4); returns an outcome."""
    exits, anchors, axes, radii = geometry.exits, geometry.anchors, geometry.axes, geometry.radii
    leads = geometry.leads
    turned(pose, R)
    outcome = REACHED
    for i in range(len(radii)):
        row = found[i]
        # columns of W that are written later store the arm and the anchor in the world until then
        for c in range(3):
            arm = R[c, 0] * anchors[i, 0] + R[c, 1] * anchors[i, 1] + R[c, 2] * anchors[i, 2]
            W[3 + c, i], W[c, i] = arm, pose[c] + arm
        code = lay(geometry, i, pose, R, row, W)
        is_laid = code >= 0
        if not is_laid:
            code = reach(exits[i], axes[i], radii[i], W[:3, i], row)
        if code != REACHED:
            outcome = code
        if is_laid:
            continue
        row[LENGTH] += leads[i]
        row[EXIT], row[EXIT + 1], row[EXIT + 2] = row[PULL], row[PULL + 1], row[PULL + 2]
        a0, a1, a2 = W[3, i], W[4, i], W[5, i]
        u0, u1, u2 = row[PULL], row[PULL + 1], row[PULL + 2]
        W[0, i], W[1, i], W[2, i] = u0, u1, u2
        W[3, i], W[4, i], W[5, i] = a1 * u2 - a2 * u1, a2 * u0 - a0 * u2, a0 * u1 - a1 * u0
    return outcome
