"""Small swings about the vertical: matrices and modes.

In absolute angles, with carried mass s_n = sum_{i>=n} m_i,
    M_nk = s_max(n,k) l_n l_k,     K = diag(g s_n l_n)                                             (1)
and a trolley that moves adds M_x = (m + s_1), M_xn = s_n l_n without stiffness. In space the two planes do not couple.
"""

import numpy as np

from taut.analyses.cranes.lumped import LumpedCrane


def vertical_matrices(crane: LumpedCrane, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mass and stiffness matrix of (x, absolute angles) of one plane at the vertical, Eq. (1)."""
    n, l, m = crane.count, np.asarray(lengths, float), np.array(crane.masses)  # noqa: E741
    carried = np.cumsum(m[::-1])[::-1]
    M, K = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
    deeper = np.maximum.outer(np.arange(n), np.arange(n))
    M[1:, 1:] = carried[deeper] * np.outer(l, l)
    M[0, 1:] = M[1:, 0] = carried * l
    M[0, 0] = crane.trolley + carried[0]
    K[1:, 1:] = np.diag(crane.gravity * carried * l)
    return M, K


def modes(crane: LumpedCrane, lengths: np.ndarray, *, trolley: str = "held") -> tuple[np.ndarray, np.ndarray]:
    """Natural frequencies [rad/s], rising, and mode shapes in columns, of one plane.

    Args:
        crane: the masses; all of them must be positive.
        lengths: of the links [m].
        trolley: `held`, or `free` to roll (then the first frequency is zero, the shapes have x as first entry).
    """
    from scipy.linalg import eigh

    M, K = vertical_matrices(crane, lengths)
    first = 0 if trolley == "free" else 1
    squares, shapes = eigh(K[first:, first:], M[first:, first:])
    return np.sqrt(np.maximum(squares, 0.0)), shapes
