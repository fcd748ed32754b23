"""Rate of a rotation vector for a given angular velocity: the inverse of the exponential's derivative.

With q = exp(d) q_0 and angular velocity w in the fixed axes of d,
    d' = w - 1/2 d x w + f(|d|) d x (d x w),    f(a) = (1 - a/2 cot(a/2)) / a^2          (1)
"""

import numpy as np

from taut.kernels.jit import part
from taut.kernels.vec3 import axpy3, cross3, dot3


@part
def rotation_vector_rate(d, w):
    """Eq. (1)."""
    square = dot3(d, d)
    if abs(square) < 1e-4:
        f = 1.0 / 12.0 + square / 720.0 + square * square / 30240.0
    else:
        angle = np.sqrt(square)
        f = (1.0 - 0.5 * angle / np.tan(0.5 * angle)) / square
    turned = cross3(d, w)
    return axpy3(f, cross3(d, turned), axpy3(-0.5, turned, w))
