"""Tangents of two wheels in space: a straight line that meets the rims of both, each in its own plane.

w leads from the centre of wheel i to that of wheel j; each has an axis a, a radius R and a side s, the rope running
along s a x e where e is the unit vector from the centre to it. With r = w + R_j e_j - R_i e_i the conditions are
    F_i = r.e_i = 0,   F_j = r.e_j = 0                                                                          (1)
and, with de = a x e and the turns of e_i, e_j as unknowns, their Jacobian is
    | r.de_i          R_j de_j.e_i |
    | -R_i de_i.e_j   r.de_j       |                                                                            (2)
The length that a span adds, l = |r| + s_i R_i (angle of e_i) - s_j R_j (angle of e_j), is not stationary in the angles
if the span leaves the planes: its slopes are R_i (s_i - u.de_i) and -R_j (s_j - u.de_j), u = r/|r|. With multipliers m,
    J^T m = -slopes                                                                                            (3)
its exact gradient by w is  u + m_i e_i + m_j e_j,  and by turns of the wheels' frames
    e_i x (-R_i u + m_i (w + R_j e_j) - m_j R_i e_j),   e_j x (R_j u + m_i R_j e_i + m_j (w - R_i e_i)).         (4)
For a point R = 0 and e = 0.
"""

import numpy as np

from taut.kernels.jit import part
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, norm3, scale3, sub3

MOST_TURNS = 30
SMALL_TURN = 1e-12  # change of an angle after which one more correction is exact to rounding [rad]


@part
def rim(w, axis, radius, side):
    """Unit vector e across the axis with w.e = radius, on the side on which the rope runs away along w."""
    across = sub3(w, scale3(dot3(w, axis), axis))
    size = norm3(across)
    x = scale3(1.0 / size, across)
    cosine = radius / size
    sine = -side * np.sqrt(1.0 - cosine * cosine)
    return axpy3(cosine, x, scale3(sine, cross3(axis, x)))


@part
def turned(e, de, by):
    """e turned towards de by a small angle whose tangent is given."""
    return scale3(1.0 / np.sqrt(1.0 + by * by), axpy3(by, de, e))


@part
def rims(w, a_i, R_i, s_i, a_j, R_j, s_j):
    """Tangent points of both wheels, Eqs. (1), (2), by Newton's method from the tangents of the centres."""
    e_j = rim(w, a_j, -R_j, s_j)
    e_i = rim(axpy3(R_j, e_j, w), a_i, R_i, s_i)
    for _ in range(MOST_TURNS):
        r = sub3(axpy3(R_j, e_j, w), scale3(R_i, e_i))
        de_i, de_j = cross3(a_i, e_i), cross3(a_j, e_j)
        F_i, F_j = dot3(r, e_i), dot3(r, e_j)
        J_ii, J_jj = dot3(r, de_i), dot3(r, de_j)
        J_ij, J_ji = R_j * dot3(de_j, e_i), -R_i * dot3(de_i, e_j)
        det = J_ii * J_jj - J_ij * J_ji
        by_i, by_j = (J_ij * F_j - J_jj * F_i) / det, (J_ji * F_i - J_ii * F_j) / det
        e_i, e_j = turned(e_i, de_i, by_i), turned(e_j, de_j, by_j)
        if not abs(by_i) + abs(by_j) > SMALL_TURN:
            break
    return e_i, e_j


@part
def span_slopes(w, a_i, R_i, s_i, e_i, a_j, R_j, s_j, e_j):  # noqa: PLR0913
    """Direction and length of a span, and Eqs. (3), (4): gradient by w, couples of the frames."""
    r = sub3(axpy3(R_j, e_j, w), scale3(R_i, e_i))
    d = norm3(r)
    u = scale3(1.0 / d, r)
    de_i, de_j = cross3(a_i, e_i), cross3(a_j, e_j)
    g_i, g_j = R_i * (s_i - dot3(u, de_i)), -R_j * (s_j - dot3(u, de_j))
    # a point has no angle: its row is the identity
    J_ii = dot3(r, de_i) if R_i > 0.0 else 1.0 + 0.0 * d
    J_jj = dot3(r, de_j) if R_j > 0.0 else 1.0 + 0.0 * d
    J_ij, J_ji = R_j * dot3(de_j, e_i), -R_i * dot3(de_i, e_j)
    det = J_ii * J_jj - J_ij * J_ji
    m_i, m_j = (J_ji * g_j - J_jj * g_i) / det, (J_ij * g_i - J_ii * g_j) / det
    slope = add3(u, add3(scale3(m_i, e_i), scale3(m_j, e_j)))
    by_i = axpy3(-R_i, u, axpy3(m_i, axpy3(R_j, e_j, w), scale3(-m_j * R_i, e_j)))
    by_j = axpy3(R_j, u, axpy3(m_i * R_j, e_i, scale3(m_j, axpy3(-R_i, e_i, w))))
    return u, d, slope, cross3(e_i, by_i), cross3(e_j, by_j)


@part
def wrap_angle(axis, e_in, e_out, side, about):
    """Angle from e_in to e_out as the rope runs, of all its turns the one nearest to ``about``."""
    x, y = dot3(e_in, e_out), dot3(axis, cross3(e_in, e_out))
    angle = np.arctan2(y.real, x.real)
    c, s = np.cos(angle), np.sin(angle)
    # correct the real angle: by the imaginary part of a complex step, or by rounding for real numbers
    theta = side * (angle + (c * y - s * x) / (c * x + s * y))
    return theta + 2.0 * np.pi * np.round((about - theta.real) / (2.0 * np.pi))
