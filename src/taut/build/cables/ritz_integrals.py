"""Shape functions of a Ritz cable and their integrals in closed form.

With xi = y/l from 0 at the exit to 1 at the anchor,
    eta_j = sqrt(2) sin(k_j xi),   k_j = (2 j - 1) pi/2,   s_j = sin(k_j) = (-1)^(j+1)                        (1)
    D = int eta' eta'                   = k_j^2 on the diagonal                                              (2)
    B = int (1 - xi) eta_j eta_k'       = 1/2,  2 k_j k_k / (k_j^2 - k_k^2)                                  (3)
    H = int (1 - xi) eta_j' eta_k'      = (k_j^2 + 1)/2,  k_j k_k [(1 + p)/(k_j + k_k)^2 + (1 - p)/(k_j - k_k)^2],
                                          p = (-1)^(j + k)                                                   (4)
    G = int (1 - xi)^2 eta_j' eta_k'    = k_j^2/3 + 1/2,  2 k_j k_k [1/(k_j + k_k)^2 + 1/(k_j - k_k)^2]      (5)
    E = eta(1) = sqrt(2) s,   I = int eta = sqrt(2)/k,   b = int (1 - xi) eta = sqrt(2)/k - sqrt(2) s/k^2    (6)
[Wang2018, appendix A]. An integral does not depend on how many functions there are: one table serves all cables.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

ROOT = np.sqrt(2.0)
SPARE = 8  # extra quadrature points beyond two per shape function


@dataclass(frozen=True)
class Integrals:
    """Eqs. (1)-(6) for a number of shape functions, and a quadrature for what has no closed form."""

    k: np.ndarray
    E: np.ndarray
    I: np.ndarray  # noqa: E741 (the name of the table in the source)
    b: np.ndarray
    B: np.ndarray
    G: np.ndarray
    H: np.ndarray
    points: np.ndarray  # points xi of a Gauss-Legendre rule on [0, 1]
    weights: np.ndarray
    slopes: np.ndarray  # slopes eta_j' of the shape functions at the points, shape [point, j]


def shape_numbers(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Wave numbers k and signs s of Eq. (1)."""
    j = np.arange(1, count + 1)
    return (2 * j - 1) * np.pi / 2, np.where(j % 2 == 1, 1.0, -1.0)


def ritz_integrals(count: int) -> Integrals:
    """The table for ``count`` shape functions."""
    k, s = shape_numbers(count)
    product = np.outer(k, k)
    parity = np.outer(s, s)  # signs (-1)^(j + k)
    plus = (k[:, None] + k) ** 2
    # the identity avoids division by zero on the diagonals, which are written below
    minus = (k[:, None] - k) ** 2 + np.eye(count)
    B = 2.0 * product / (k[:, None] ** 2 - k**2 + np.eye(count))
    H = product * ((1.0 + parity) / plus + (1.0 - parity) / minus)
    G = 2.0 * product * (1.0 / plus + 1.0 / minus)
    for matrix, diagonal in ((B, 0.5 + 0.0 * k), (H, 0.5 * k**2 + 0.5), (G, k**2 / 3.0 + 0.5)):
        np.fill_diagonal(matrix, diagonal)
    points, weights = np.polynomial.legendre.leggauss(2 * count + SPARE) if count else (np.zeros(0), np.zeros(0))
    points = 0.5 * (points + 1.0)
    slopes = ROOT * k * np.cos(np.outer(points, k))
    b = ROOT / k - ROOT * s / k**2
    return Integrals(k, ROOT * s, ROOT / k, b, B, G, H, points, 0.5 * weights, slopes)


def shapes(count: int, xi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shape functions and their derivatives by xi at given places, shape [place, j]; read-only."""
    return _shapes(count, np.asarray(xi, float).tobytes())


# all cables of a machine are read at the same few lists of places, after every batch of samples
@lru_cache(maxsize=32)
def _shapes(count: int, places: bytes) -> tuple[np.ndarray, np.ndarray]:
    k, _ = shape_numbers(count)
    angles = np.outer(np.frombuffer(places), k)
    found = ROOT * np.sin(angles), ROOT * k * np.cos(angles)
    for part in found:
        part.setflags(write=False)
    return found
