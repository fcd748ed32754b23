"""Articulated inertias: the symmetric 6x6 that maps acceleration to force at a reference point, in world axes.

    [N]   [A   B] [alpha]
    [F] = [B^T C] [a    ]          A, C symmetric (6-tuples), B full (9-tuple)

alpha, a: angular and linear acceleration at the reference point; N, F: moment about it and force.
A joint column is either a pure rotation (axis through the reference point) or a pure translation, so that a product
with a column is a 3x3 product, and the elimination of a column is one rank-one update.
"""

from taut.kernels.jit import part
from taut.kernels.mat3 import sym_add
from taut.kernels.vec3 import cross3


@part
def has_matter(node):
    """Whether a node has a body: mass, or, as a wheel whose mass its carrier has, inertia alone."""
    return node.mass != 0.0 or node.inertia[0] + node.inertia[3] + node.inertia[5] != 0.0


@part
def rod_inertia(mass, centre, across, along, t):
    """Inertia of an axisymmetric body with axis t about a point on its axis, ``centre`` metres before its centre."""
    # Irr = (I_perp + m c^2)(1 - t t^T) + I_ax t t^T ; Irt = m c [t]x
    p = across + mass * centre * centre
    e = along - p
    x, y, z = t
    mc = mass * centre
    zero = 0.0 * x
    a = (p + e * x * x, e * x * y, e * x * z, p + e * y * y, e * y * z, p + e * z * z)
    b = (zero, -mc * z, mc * y, mc * z, zero, -mc * x, -mc * y, mc * x, zero)
    c = (mass + zero, zero, zero, mass + zero, zero, mass + zero)
    return a, b, c


@part
def body_inertia(mass, d, inertia):
    """Inertia of a body with centre of mass at d from the reference point; ``inertia`` is about the centre."""
    x, y, z = d
    zero = 0.0 * x
    a = sym_add(
        inertia,
        (
            mass * (y * y + z * z),
            -mass * x * y,
            -mass * x * z,
            mass * (x * x + z * z),
            -mass * y * z,
            mass * (x * x + y * y),
        ),
    )
    b = (zero, -mass * z, mass * y, mass * z, zero, -mass * x, -mass * y, mass * x, zero)
    c = (mass + zero, zero, zero, mass + zero, zero, mass + zero)
    return a, b, c


@part
def point_inertia(d, k):
    """A symmetric 3x3 matrix k (6-tuple) that acts on a point at d: C = k, B = [d] k, A = -[d] k [d]."""
    x, y, z = d
    xx, xy, xz, yy, yz, zz = k
    b = (
        y * xz - z * xy,
        y * yz - z * yy,
        y * zz - z * yz,
        z * xx - x * xz,
        z * xy - x * yz,
        z * xz - x * zz,
        x * xy - y * xx,
        x * yy - y * xy,
        x * yz - y * xz,
    )
    a = (
        y * b[2] - z * b[1],
        z * b[0] - x * b[2],
        x * b[1] - y * b[0],
        z * b[3] - x * b[5],
        x * b[4] - y * b[3],
        x * b[7] - y * b[6],
    )
    return a, b, k


@part
def load_inertia(x):
    """Read (A, B, C) from a stored 21-array."""
    return (
        (x[0], x[1], x[2], x[3], x[4], x[5]),
        (x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13], x[14]),
        (x[15], x[16], x[17], x[18], x[19], x[20]),
    )


@part
def accumulate_inertia(x, a, b, c):
    """Add (A, B, C) to a stored 21-array."""
    for k in range(6):
        x[k] += a[k]
        x[15 + k] += c[k]
    for k in range(9):
        x[6 + k] += b[k]


@part
def added_inertia(first, second):
    """Sum of two inertias at the same point."""
    b, d = first[1], second[1]
    return (
        sym_add(first[0], second[0]),
        (
            b[0] + d[0],
            b[1] + d[1],
            b[2] + d[2],
            b[3] + d[3],
            b[4] + d[4],
            b[5] + d[5],
            b[6] + d[6],
            b[7] + d[7],
            b[8] + d[8],
        ),
        sym_add(first[2], second[2]),
    )


@part
def shifted_inertia(a, b, c, r):
    """An inertia referred to a point from which the old reference point lies at r."""
    # B' = B + [r] C ; A' = A + [r] B^T - B' [r]
    c0 = cross3(r, (c[0], c[1], c[2]))
    c1 = cross3(r, (c[1], c[3], c[4]))
    c2 = cross3(r, (c[2], c[4], c[5]))
    n = (
        b[0] + c0[0], b[1] + c1[0], b[2] + c2[0],
        b[3] + c0[1], b[4] + c1[1], b[5] + c2[1],
        b[6] + c0[2], b[7] + c1[2], b[8] + c2[2],
    )  # fmt: skip
    e0 = cross3(r, (b[0], b[1], b[2]))
    e1 = cross3(r, (b[3], b[4], b[5]))
    e2 = cross3(r, (b[6], b[7], b[8]))
    f0 = cross3(r, (n[0], n[1], n[2]))
    f1 = cross3(r, (n[3], n[4], n[5]))
    f2 = cross3(r, (n[6], n[7], n[8]))
    m = (
        a[0] + e0[0] + f0[0], a[1] + e1[0] + f0[1], a[2] + e2[0] + f0[2],
        a[3] + e1[1] + f1[1], a[4] + e2[1] + f1[2],
        a[5] + e2[2] + f2[2],
    )  # fmt: skip
    return m, n, c


@part
def sym_less_outer(s, u, f):
    """``S - f u u^T``."""
    x = f * u[0]
    y = f * u[1]
    z = f * u[2]
    return (s[0] - x * u[0], s[1] - x * u[1], s[2] - x * u[2], s[3] - y * u[1], s[4] - y * u[2], s[5] - z * u[2])


@part
def mat_less_outer(b, u, w, f):
    """``B - f u w^T``."""
    x = f * u[0]
    y = f * u[1]
    z = f * u[2]
    return (
        b[0] - x * w[0], b[1] - x * w[1], b[2] - x * w[2],
        b[3] - y * w[0], b[4] - y * w[1], b[5] - y * w[2],
        b[6] - z * w[0], b[7] - z * w[1], b[8] - z * w[2],
    )  # fmt: skip
