"""Three-vectors as tuples."""

import numpy as np

from taut.kernels.jit import part

ZERO3 = (0.0, 0.0, 0.0)


@part
def load3(x):
    """Read a stored 3-array into registers."""
    return (x[0], x[1], x[2])


@part
def store3(x, a):
    """Write a tuple to a stored 3-array."""
    x[0] = a[0]
    x[1] = a[1]
    x[2] = a[2]


@part
def add3(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@part
def sub3(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@part
def scale3(s, a):
    return (s * a[0], s * a[1], s * a[2])


@part
def axpy3(s, a, b):
    """``s a + b``."""
    return (s * a[0] + b[0], s * a[1] + b[1], s * a[2] + b[2])


@part
def dot3(a, b):
    """Bilinear (not Hermitian) product, so that complex steps pass through."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@part
def cross3(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@part
def norm3(a):
    """Length; analytic in its argument, so that complex steps pass through."""
    return np.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
