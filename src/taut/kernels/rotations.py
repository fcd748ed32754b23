"""Rotations about an axis, quaternions (w, x, y, z) and the exponential map."""

import numpy as np

from taut.kernels.jit import part
from taut.kernels.vec3 import axpy3, cross3, dot3, scale3

SMALL_ANGLE_SQUARED = 1e-8  # squared angle below which four terms of the series are exact to rounding
SERIES_REACH = 1.0  # up to this angle [rad] the series of ``sine_cosine`` are exact to rounding
SERIES_BESIDE = 1e-2  # imaginary parts up to which the series are exact too; complex steps are far smaller


@part
def sine_cosine(x):
    """sin x and cos x; their Taylor series where these are exact to rounding, without a call.

    Joints of cables turn by less than a radian, and a call of the library for each costs as much as all their products.
    """
    if abs(x.real) <= SERIES_REACH and abs(x.imag) <= SERIES_BESIDE:
        z = x * x
        # 1/3!, 1/5!, ... and 1/4!, 1/6!, ...: the first term left out is 1/19! of sin, 1/20! of cos
        f = 1.0 / 1307674368000.0 - z * (1.0 / 355687428096000.0)
        f = 1.0 / 39916800.0 - z * (1.0 / 6227020800.0 - z * f)
        f = 1.0 / 120.0 - z * (1.0 / 5040.0 - z * (1.0 / 362880.0 - z * f))
        g = 1.0 / 20922789888000.0 - z * (1.0 / 6402373705728000.0)
        g = 1.0 / 3628800.0 - z * (1.0 / 479001600.0 - z * (1.0 / 87178291200.0 - z * g))
        g = 1.0 / 24.0 - z * (1.0 / 720.0 - z * (1.0 / 40320.0 - z * g))
        return x - x * (z * (1.0 / 6.0 - z * f)), 1.0 - z * (0.5 - z * g)
    return np.sin(x), np.cos(x)


@part
def rotated_about(m, axis, angle):
    """``m Rot(axis, angle)`` with a unit axis given in the frame m turns (Rodrigues)."""
    s, c = sine_cosine(angle)
    v = 1.0 - c
    x, y, z = axis
    r0, r1, r2 = c + v * x * x, v * x * y - s * z, v * x * z + s * y
    r3, r4, r5 = v * x * y + s * z, c + v * y * y, v * y * z - s * x
    r6, r7, r8 = v * x * z - s * y, v * y * z + s * x, c + v * z * z
    return (
        m[0] * r0 + m[1] * r3 + m[2] * r6,
        m[0] * r1 + m[1] * r4 + m[2] * r7,
        m[0] * r2 + m[1] * r5 + m[2] * r8,
        m[3] * r0 + m[4] * r3 + m[5] * r6,
        m[3] * r1 + m[4] * r4 + m[5] * r7,
        m[3] * r2 + m[4] * r5 + m[5] * r8,
        m[6] * r0 + m[7] * r3 + m[8] * r6,
        m[6] * r1 + m[7] * r4 + m[8] * r7,
        m[6] * r2 + m[7] * r5 + m[8] * r8,
    )


@part
def rotated_about_x(m, angle):
    """``m Rot(x, angle)``: only the second and third columns change."""
    s, c = sine_cosine(angle)
    return (
        m[0], c * m[1] + s * m[2], c * m[2] - s * m[1],
        m[3], c * m[4] + s * m[5], c * m[5] - s * m[4],
        m[6], c * m[7] + s * m[8], c * m[8] - s * m[7],
    )  # fmt: skip


@part
def rotated_about_y(m, angle):
    """``m Rot(y, angle)``: only the first and third columns change."""
    s, c = sine_cosine(angle)
    return (
        c * m[0] - s * m[2], m[1], c * m[2] + s * m[0],
        c * m[3] - s * m[5], m[4], c * m[5] + s * m[3],
        c * m[6] - s * m[8], m[7], c * m[8] + s * m[6],
    )  # fmt: skip


@part
def quaternion_product(p, q):
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@part
def quaternion_matrix(q):
    """Rotation of a quaternion, which need not be normalised (the result is orthogonal anyway)."""
    w, x, y, z = q
    s = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
        s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x),
        s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y),
    )  # fmt: skip


@part
def quaternion_of_rotation_vector(d):
    """exp(d): (cos |d|/2, sin(|d|/2) d/|d|)."""
    square = dot3(d, d)
    if abs(square) < SMALL_ANGLE_SQUARED:
        w = 1.0 - square / 8.0 + square * square / 384.0
        f = 0.5 - square / 48.0 + square * square / 3840.0
    else:
        angle = np.sqrt(square)
        w = np.cos(0.5 * angle)
        f = np.sin(0.5 * angle) / angle
    return (w, f * d[0], f * d[1], f * d[2])


@part
def rotation_vector_of_quaternion(q):
    """log(q): the rotation vector, of length at most pi; analytic, so that complex steps pass through."""
    w, x, y, z = q
    if w.real < 0.0:
        w, x, y, z = -w, -x, -y, -z
    n2 = x * x + y * y + z * z
    if abs(n2) < SMALL_ANGLE_SQUARED:
        # short form for small angles: atan(s)/s with s^2 = n2
        # w^2
        t2 = n2 / (w * w)
        f = 2.0 / w * (1.0 - t2 / 3.0 + t2 * t2 / 5.0)
    else:
        n = np.sqrt(n2)
        # half-angle form of atan2: |angle| below pi/4 keeps arctan well conditioned for every rotation
        f = 4.0 * np.arctan(n / (w + np.sqrt(w * w + n2))) / n
    return scale3(f, (x, y, z))


@part
def rotation_vector_rate(d, w):
    """Rate of a rotation vector d by the angular velocity w in fixed axes: w - d x w/2 + f d x (d x w)."""
    square = dot3(d, d)
    if abs(square) < 1e-4:
        f = 1.0 / 12.0 + square / 720.0 + square * square / 30240.0
    else:
        angle = np.sqrt(square)
        f = (1.0 - 0.5 * angle / np.tan(0.5 * angle)) / square
    turned = cross3(d, w)
    return axpy3(f, cross3(d, turned), axpy3(-0.5, turned, w))
