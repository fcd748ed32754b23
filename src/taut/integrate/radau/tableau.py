"""Radau IIA with three stages: order 5, stiffly accurate, L-stable [Hairer 1996, sec. IV.5].

A^-1 has one real eigenvalue gamma and a complex pair alpha +- i beta. With its eigenvectors t and u + i v as the
columns of T, the three coupled stage systems of a simplified Newton iteration become one real and one complex system:
    V = t W_1 + u W_2 + v W_3,    complex unknown W_2 + i W_3 with eigenvalue alpha - i beta.           (1)
"""

import numpy as np

ROOT6 = np.sqrt(6.0)
C = np.array([(4 - ROOT6) / 10, (4 + ROOT6) / 10, 1.0])
A = np.array([
    [(88 - 7 * ROOT6) / 360, (296 - 169 * ROOT6) / 1800, (-2 + 3 * ROOT6) / 225],
    [(296 + 169 * ROOT6) / 1800, (88 + 7 * ROOT6) / 360, (-2 - 3 * ROOT6) / 225],
    [(16 - ROOT6) / 36, (16 + ROOT6) / 36, 1 / 9],
])  # fmt: skip
B = A[2]
A_INVERSE = np.linalg.inv(A)

# error estimate [Hairer 1996, Eq. IV.8.19]: weights of the stage increments beside the derivative at the start
ERROR_WEIGHTS = np.array([-(13 + 7 * ROOT6) / 3, (-13 + 7 * ROOT6) / 3, -1 / 3])


def eigenbasis() -> tuple[float, complex, np.ndarray, np.ndarray]:
    """gamma, alpha - i beta, T and its inverse, Eq. (1)."""
    values, vectors = np.linalg.eig(A_INVERSE)
    real = int(np.argmin(np.abs(np.imag(values))))
    pair = int(np.argmax(np.imag(values)))
    u = vectors[:, pair]
    T = np.column_stack([np.real(vectors[:, real]), np.real(u), np.imag(u)])
    return float(np.real(values[real])), complex(np.conj(values[pair])), T, np.linalg.inv(T)


GAMMA, MU, T, T_INVERSE = eigenbasis()

# dense output: the cubic through the velocities at 0 and the stages, as coefficients of powers of s in [0, 1]
NODES = np.concatenate([[0.0], C])
# inverse Vandermonde matrix: a row per power, a column per node
CUBIC = np.linalg.inv(np.vander(NODES, 4, increasing=True))
PARABOLA = np.linalg.inv(np.vander(C, 3, increasing=True))
