"""Sums over the elements of a cable from a few stations: the Gauss rule for n equal points.

The points are x_i = (2 i + 1)/n - 1. Polynomials that are orthonormal in the sum over them obey
    x P_k = b_{k+1} P_{k+1} + b_k P_{k-1},   b_k = k/n sqrt((n^2 - k^2)/(4 k^2 - 1))                         (1)
(discrete Legendre or Gram polynomials). The eigenvalues of their Jacobi matrix are the K stations, and n times the
squares of the first components of its eigenvectors the weights: positive, and exact for sums of polynomials up to
degree 2 K - 1 [Golub1969]. With K = n the stations are the points themselves.
"""

import numpy as np


def recurrence(n: int, k: np.ndarray | int) -> np.ndarray:
    """Coefficient b_k of Eq. (1)."""
    k = np.asarray(k, float)
    return k / n * np.sqrt((n**2 - k**2) / (4 * k**2 - 1))


def points(n: int) -> np.ndarray:
    """Stations at n points of equal distance and weight."""
    return (2 * np.arange(n) + 1) / n - 1


def gram_polynomials(n: int, degree: int, x: np.ndarray) -> np.ndarray:
    """P_0 .. P_degree at x, shape [x, degree + 1]; degree < n."""
    found = np.zeros((len(x), degree + 1))
    found[:, 0] = 1 / np.sqrt(n)
    for k in range(1, degree + 1):
        before = recurrence(n, k - 1) * found[:, k - 2] if k > 1 else 0.0
        found[:, k] = (x * found[:, k - 1] - before) / recurrence(n, k)
    return found


def gauss_rule(n: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Stations and weights of a Gauss rule."""
    if count >= n:
        return points(n), np.ones(n)
    b = recurrence(n, np.arange(1, count))
    x, vectors = np.linalg.eigh(np.diag(b, 1) + np.diag(b, -1))
    return x, n * vectors[0] ** 2


def middle_sums(n: int, x: np.ndarray) -> np.ndarray:
    """W with c_k = sum_j W_kj u_j: sum over the elements before station k, and half of that at it [k, j]."""
    count = len(x)
    if count == n:
        return np.tril(np.ones((n, n)), -1) + 0.5 * np.eye(n)
    at = points(n)
    # cardinal polynomials, which are 1 at one station and 0 at the others, evaluated at all points
    cardinal = gram_polynomials(n, count - 1, at) @ np.linalg.inv(gram_polynomials(n, count - 1, x))
    middles = np.cumsum(cardinal, axis=0) - 0.5 * cardinal
    # a cumulative sum raises the degree by one, so an orthonormal expansion with one more polynomial is exact
    return gram_polynomials(n, count, x) @ (gram_polynomials(n, count, at).T @ middles)
