"""Quaternions of rotations."""

import numpy as np


def quaternions(turns: np.ndarray) -> np.ndarray:
    """Quaternions (w, x, y, z), continuous in time, of rotations [time, body, 9]."""
    wxyz = of_matrices(turns.reshape(-1, 3, 3)).reshape(*turns.shape[:2], 4)
    flips = np.sign(np.sum(wxyz[1:] * wxyz[:-1], axis=-1))
    wxyz[1:] *= np.cumprod(np.where(flips == 0, 1.0, flips), axis=0)[..., None]
    return wxyz


def of_matrices(R: np.ndarray) -> np.ndarray:
    """Unit quaternions (w, x, y, z) of rotation matrices [n, 3, 3].

    The outer product of a quaternion with itself, times four, is linear in the matrix. Every row of it is a multiple of
    the quaternion; the one with the largest diagonal entry is taken, so that nothing is divided by a small number.
    """
    xx, yy, zz = R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]
    square = np.empty((len(R), 4, 4))
    square[:, 0, 0], square[:, 1, 1] = 1.0 + xx + yy + zz, 1.0 + xx - yy - zz
    square[:, 2, 2], square[:, 3, 3] = 1.0 - xx + yy - zz, 1.0 - xx - yy + zz
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        square[:, 0, k + 1] = square[:, k + 1, 0] = R[:, j, i] - R[:, i, j]
        square[:, i + 1, j + 1] = square[:, j + 1, i + 1] = R[:, i, j] + R[:, j, i]
    rows = square[np.arange(len(R)), np.argmax(np.einsum("nii->ni", square), axis=1)]
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
