"""Small complementarity problems of symmetric, positive semidefinite matrices.

    0 <= x,   0 <= W x + b,   x.(W x + b) = 0                                                               (1)
is the optimum of 1/2 x.W x + b.x over x >= 0. With W = Y^T Y and b = Y^T c that is the non-negative least-squares
problem |Y x + c| -> min [Lawson 1995, ch. 23]. A part of b outside of the range of W has no c:
then no x may satisfy (1), which the residual tells. The same over a box |x_i| <= l_i is a least-squares problem with
bounds.
"""

import numpy as np

MOST_RUBBINGS, RUBBED = 200, 1e-12  # rounds of friction, and of the largest unknown, when they end
RANK = 1e-12  # an eigenvalue this small against the largest is zero


def solve_symmetric(W: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, float]:
    """Return x of Eq. (1), and the largest violation of W x + b >= 0 against the largest entry of b."""
    from scipy.optimize import nnls

    if not len(b):
        return np.zeros(0), 0.0
    scale = 1.0 / np.sqrt(np.where(np.diag(W) > 0.0, np.diag(W), 1.0))
    values, vectors = np.linalg.eigh(W * np.outer(scale, scale))
    kept = values > RANK * max(float(values[-1]), 1e-300)
    root = np.sqrt(values[kept])
    Y = root[:, None] * vectors[:, kept].T
    c = vectors[:, kept].T @ (scale * b) / root
    x = scale * nnls(Y, -c)[0] if kept.any() else np.zeros(len(b))
    least = float((W @ x + b).min())
    return x, max(-least, 0.0) / max(float(np.abs(b).max()), 1e-300)


def solve_rubbing(W: np.ndarray, rub: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, float]:
    """Eq. (1) with the matrix W + rub, whose second part is friction's: in rounds, with the friction found last."""
    x, violation = solve_symmetric(W, b)
    for _ in range(MOST_RUBBINGS if rub.any() else 0):
        last = x
        x, violation = solve_symmetric(W, b + rub @ last)
        if np.abs(x - last).max() <= RUBBED * max(float(np.abs(x).max()), 1e-300):
            break
    return x, violation


def solve_box(W: np.ndarray, b: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Return the optimum of 1/2 x.W x + b.x over |x_i| <= limits_i."""
    from scipy.optimize import lsq_linear

    scale = 1.0 / np.sqrt(np.where(np.diag(W) > 0.0, np.diag(W), 1.0))
    values, vectors = np.linalg.eigh(W * np.outer(scale, scale))
    kept = values > RANK * max(float(values[-1]), 1e-300)
    if not kept.any():
        return np.zeros(len(b))
    root = np.sqrt(values[kept])
    Y = root[:, None] * vectors[:, kept].T
    c = vectors[:, kept].T @ (scale * b) / root
    bounds = limits / scale
    return scale * lsq_linear(Y, -c, bounds=(-bounds, bounds), method="bvls", tol=1e-15).x
