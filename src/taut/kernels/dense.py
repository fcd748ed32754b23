"""Inside a step: the unknowns as one polynomial.

With s from 0 to 1 and r = 1 - s [Hairer 1993, sec. II.6],
    y(s) = y_0 + s (F_0 + r (F_1 + s (F_2 + r (F_3 + s (F_4 + ...)))))                                      (1)
The first three terms are Hermite's cubic through values and rates at both ends.
"""

from taut.kernels.jit import part


@part
def cubic_terms(begin, end, first, last, h, F):
    """First three terms of Eq. (1), from unknowns and rates at the start and at the end."""
    for c in range(len(begin)):
        change = end[c] - begin[c]
        F[0, c] = change
        F[1, c] = h * first[c] - change
        F[2, c] = 2.0 * change - h * (last[c] + first[c])


@part
def dense_values(begin, F, s, target):
    """The unknowns at s by Eq. (1)."""
    for c in range(len(begin)):
        f = 0.0
        for k in range(len(F) - 1, 0, -1):
            f = (F[k, c] + f) * (1.0 - s if k % 2 else s)
        target[c] = begin[c] + s * (F[0, c] + f)
