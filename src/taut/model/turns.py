"""Rates of rotations by vectors that change: R = exp(r) R_0 gives, in world axes,

    w = T(r) r',   w' = T r'' + T' r',   T = 1 + (1 - cos a)/a^2 [r] + (a - sin a)/a^3 [r]^2,   a = |r|       (1)
T' comes from a complex step along r', which has no truncation error.
"""

import numpy as np

STEP = 1e-30
SMALL = 1e-2  # rotation vectors with a^2 below this have their coefficients evaluated as series


def turn_rates(r: np.ndarray, rate: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity and acceleration in world axes of exp(r), Eq. (1)."""
    varied = turn_matrix(r + 1j * STEP * rate)
    T, T_rate = np.real(varied), np.imag(varied) / STEP
    return T @ rate, T @ second + T_rate @ rate


def turn_matrix(r: np.ndarray) -> np.ndarray:
    """Matrix T of Eq. (1); analytic in r."""
    s = np.sum(r * r)
    if abs(s) < SMALL:
        first = 1 / 2 - s / 24 + s**2 / 720 - s**3 / 40320 + s**4 / 3628800
        second = 1 / 6 - s / 120 + s**2 / 5040 - s**3 / 362880 + s**4 / 39916800
    else:
        a = np.sqrt(s)
        first, second = (1 - np.cos(a)) / s, (a - np.sin(a)) / (s * a)
    S = np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
    return np.eye(3) + first * S + second * S @ S
