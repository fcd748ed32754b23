"""Rotations as row-major 9-tuples and symmetric 3x3 matrices as 6-tuples (xx, xy, xz, yy, yz, zz)."""

from taut.kernels.jit import part


@part
def load9(x):
    """Read a stored 9-array into registers."""
    return (x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8])


@part
def store9(x, m):
    """Write a 9-tuple to a stored 9-array."""
    x[0] = m[0]
    x[1] = m[1]
    x[2] = m[2]
    x[3] = m[3]
    x[4] = m[4]
    x[5] = m[5]
    x[6] = m[6]
    x[7] = m[7]
    x[8] = m[8]


@part
def load6(x):
    """Read a stored 6-array into registers."""
    return (x[0], x[1], x[2], x[3], x[4], x[5])


@part
def column(m, k):
    """Column k of a 9-tuple."""
    if k == 0:
        return (m[0], m[3], m[6])
    if k == 1:
        return (m[1], m[4], m[7])
    return (m[2], m[5], m[8])


@part
def mat_vec(m, a):
    return (
        m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
        m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
        m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
    )


@part
def mat_t_vec(m, a):
    """Transposed matrix times vector."""
    return (
        m[0] * a[0] + m[3] * a[1] + m[6] * a[2],
        m[1] * a[0] + m[4] * a[1] + m[7] * a[2],
        m[2] * a[0] + m[5] * a[1] + m[8] * a[2],
    )


@part
def mat_mat(m, n):
    return (
        m[0] * n[0] + m[1] * n[3] + m[2] * n[6],
        m[0] * n[1] + m[1] * n[4] + m[2] * n[7],
        m[0] * n[2] + m[1] * n[5] + m[2] * n[8],
        m[3] * n[0] + m[4] * n[3] + m[5] * n[6],
        m[3] * n[1] + m[4] * n[4] + m[5] * n[7],
        m[3] * n[2] + m[4] * n[5] + m[5] * n[8],
        m[6] * n[0] + m[7] * n[3] + m[8] * n[6],
        m[6] * n[1] + m[7] * n[4] + m[8] * n[7],
        m[6] * n[2] + m[7] * n[5] + m[8] * n[8],
    )


@part
def sym_vec(s, a):
    return (
        s[0] * a[0] + s[1] * a[1] + s[2] * a[2],
        s[1] * a[0] + s[3] * a[1] + s[4] * a[2],
        s[2] * a[0] + s[4] * a[1] + s[5] * a[2],
    )


@part
def sym_add(s, r):
    return (s[0] + r[0], s[1] + r[1], s[2] + r[2], s[3] + r[3], s[4] + r[4], s[5] + r[5])


@part
def sym_rotated(m, s):
    """Symmetric matrix s turned by a rotation m: ``m s m^T``."""
    # rows of m s
    a = sym_vec(s, (m[0], m[1], m[2]))
    b = sym_vec(s, (m[3], m[4], m[5]))
    c = sym_vec(s, (m[6], m[7], m[8]))
    return (
        a[0] * m[0] + a[1] * m[1] + a[2] * m[2],
        a[0] * m[3] + a[1] * m[4] + a[2] * m[5],
        a[0] * m[6] + a[1] * m[7] + a[2] * m[8],
        b[0] * m[3] + b[1] * m[4] + b[2] * m[5],
        b[0] * m[6] + b[1] * m[7] + b[2] * m[8],
        c[0] * m[6] + c[1] * m[7] + c[2] * m[8],
    )
