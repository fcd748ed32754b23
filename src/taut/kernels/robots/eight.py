"""Balance of eight cables and six wrench rows, the commonest robot: ``nullspace.py`` with whole rows as one number.

Householder's reflections from the left turn the eight rows of [W^T | 1] into [T | Q^T]: the first six rows of Q^T span
the wrenches, and the last two are the nullspace N. With a the column j of what is left, s = a.a and
alpha = -sign(a_j) sqrt(s), the reflection is v = a - alpha e_j, and all columns B change by
    B -= v h,   h = (a^T B - alpha B_j) / (s - alpha a_j)                                                          (1)
[Golub 2013, sec. 5.2]: sums along the lanes (``kernels/lanes.py``) are never needed. z = T^-T w follows row by row, and
p = Q_1 z. Columns are not exchanged; where the diagonal of T says that the pose may be singular nothing is decided
here, and ``nullspace.py`` has to find out.
"""

from typing import Any

import numpy as np

from taut.kernels.jit import part
from taut.kernels.lanes import eight, put

CABLES, ROWS = 8, 6
PAIR = 16  # numbers in a row of [W^T | 1]: six of W^T, two zeros, eight of the identity
# offsets in the workspace: right-hand side w, minimum-norm solution p
RIGHT, SUM = CABLES * PAIR, CABLES * PAIR + 8
NULL = ROWS * PAIR + 8  # offset in the workspace of the null space N
SPACE = SUM + 8
DOUBTFUL = 1e-6  # ratio of the smallest to the largest diagonal entry of T below which ``nullspace.py`` factors W anew


def reflection(j: int) -> Any:
    """The step of column j; as a function of its own, so that its loops have lengths that the compiler knows."""
    first, second = PAIR * j, PAIR * j + 8

    @part
    def reflect(B):
        """Reflect one column, Eq. (1), with z_j and its share of p; returns the entry of T's diagonal."""
        a0, a1 = B[first + j], B[first + PAIR + j]
        one, other = a0 * eight(B, first), a1 * eight(B, first + PAIR)
        unit, rest = a0 * eight(B, second), a1 * eight(B, second + PAIR)
        s, t = a0 * a0, a1 * a1
        for i in range(j + 2, CABLES):
            a = B[PAIR * i + j]
            if (i - j) % 2 == 0:
                one, unit, s = one + a * eight(B, PAIR * i), unit + a * eight(B, PAIR * i + 8), s + a * a
            else:
                other, rest, t = other + a * eight(B, PAIR * i), rest + a * eight(B, PAIR * i + 8), t + a * a
        s += t
        alpha = -np.copysign(np.sqrt(s), a0)
        share = 1.0 / (s - alpha * a0)
        h = share * ((one + other) - alpha * eight(B, first))
        g = share * ((unit + rest) - alpha * eight(B, second))
        z = B[RIGHT + j] / alpha
        top, end = eight(B, first) - (a0 - alpha) * h, eight(B, second) - (a0 - alpha) * g
        put(B, RIGHT, eight(B, RIGHT) - z * top)
        put(B, SUM, eight(B, SUM) + z * end)
        for i in range(j + 1, CABLES):
            a = B[PAIR * i + j]
            put(B, PAIR * i, eight(B, PAIR * i) - a * h)
            put(B, PAIR * i + 8, eight(B, PAIR * i + 8) - a * g)
        return abs(alpha)

    return reflect


first, second, third, fourth, fifth, sixth = (reflection(j) for j in range(ROWS))


@part
def balance_eight(W, w, B):
    """p and N into B; returns whether the pose is clearly regular."""
    for i in range(CABLES):
        for c in range(ROWS):
            B[PAIR * i + c] = W[c, i]
        put(B, PAIR * i + 8, eight(B, SPACE + 8 * i))
    for c in range(ROWS):
        B[RIGHT + c] = w[c]
    put(B, SUM, 0.0)
    t0, t1, t2, t3, t4, t5 = first(B), second(B), third(B), fourth(B), fifth(B), sixth(B)
    least = min(min(min(t0, t1), min(t2, t3)), min(t4, t5))
    most = max(max(max(t0, t1), max(t2, t3)), max(t4, t5))
    # a NaN anywhere reaches the last entry
    return least > DOUBTFUL * most and t5 == t5


def new_block() -> np.ndarray:
    """Workspace for B, with the unit matrix in its last columns."""
    return np.concatenate([np.zeros(SPACE), np.eye(CABLES).ravel()])
