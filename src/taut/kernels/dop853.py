"""The Runge-Kutta method of Dormand and Prince of order 8: error estimates of order 5 and 3, dense output of order 7.

Twelve stages; the thirteenth is the first of the next step; three more are for the dense output only
[Hairer 1993, sec. II.5, II.6]. The coefficients are those of scipy. K are the rates by stage, y the unknowns.
"""

import numpy as np
from scipy.integrate import DOP853

from taut.kernels.jit import part

STAGES = 12
EXTENDED_STAGES = 16
TERMS = 7  # number of terms of the dense output

A = np.zeros((EXTENDED_STAGES, EXTENDED_STAGES))  # coefficients of the stages; row 12 holds the weights of the step
A[:STAGES, :STAGES] = DOP853.A
A[STAGES, :STAGES] = DOP853.B
A[STAGES + 1 :, :] = DOP853.A_EXTRA
C = np.concatenate([DOP853.C, [1.0], DOP853.C_EXTRA])
E = np.stack([DOP853.E3, DOP853.E5])  # weights of the error estimates of order 3 and 5, for stages 0 to 12
D = DOP853.D.copy()  # weights of the last four terms of the dense output


@part
def stage_unknowns(K, begin, i, h, target):
    """The unknowns of stage i, from the start and the stages before it."""
    for c in range(len(begin)):
        target[c] = begin[c]
    for j in range(i):
        f = h * A[i, j]
        if f != 0.0:
            for c in range(len(begin)):
                target[c] += f * K[j, c]


@part
def estimate(K, which, c):
    """One of the two estimates of an unknown's error, per time."""
    total = 0.0
    for j in range(STAGES + 1):
        total += E[which, j] * K[j, c]
    return total


@part
def last_terms(K, F, h):
    """The last four terms of the dense output, once its stages are there."""
    for c in range(K.shape[1]):
        for k in range(4):
            total = 0.0
            for j in range(EXTENDED_STAGES):
                total += D[k, j] * K[j, c]
            F[3 + k, c] = h * total
