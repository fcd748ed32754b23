"""Arithmetic of vectors along the last axis: quicker than numpy's own for many small arrays."""

import numpy as np


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products a x b."""
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    b0, b1, b2 = b[..., 0], b[..., 1], b[..., 2]
    first = a1 * b2 - a2 * b1
    found = np.empty((*first.shape, 3))
    found[..., 0], found[..., 1], found[..., 2] = first, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0
    return found


def skew(a: np.ndarray) -> np.ndarray:
    """Matrices of the cross products with a."""
    K = np.zeros((*a.shape, 3))
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    K[..., 2, 1], K[..., 1, 2], K[..., 0, 2], K[..., 2, 0], K[..., 1, 0], K[..., 0, 1] = x, -x, y, -y, z, -z
    return K


def axial(A: np.ndarray) -> np.ndarray:
    """Axial vectors of matrices: sum e_ijk A_jk."""
    return np.stack([A[..., 1, 2] - A[..., 2, 1], A[..., 2, 0] - A[..., 0, 2], A[..., 0, 1] - A[..., 1, 0]], axis=-1)
