"""Least squares with what the data can tell: of calibrations and of fits.

    min |r(x)|^2,   A = dr/dx,   A S^-1 = U diag(s) V^T,   S: lengths of the columns of A                            (1)
Columns are taken in units of their own length, so that units of unknowns do not matter. Singular values below a share
`told` of the largest belong to combinations that the data cannot tell: a step leaves them alone. With noise of variance
v the covariance of the unknowns is
    C = v S^-1 V diag(1/s^2) V^T S^-1,   v = |r|^2 / (n - number of combinations told)                              (2)
"""

from dataclasses import dataclass

import numpy as np

# singular values smaller than this share of the largest belong to combinations that the data do not determine
TOLD = 1e-8
SHARE = 1e-3  # an unknown takes part in a unit direction if its entry exceeds this; smaller entries are rounding


@dataclass(frozen=True)
class Spread:
    """Standard deviations and correlations of fitted unknowns."""

    covariance: np.ndarray  # covariance of the unknowns, of the combinations that the data determine [n, n]
    deviation: np.ndarray  # standard deviations [n]; NaN for unknowns that the data do not determine
    noise: float  # variance of the residuals
    condition: float  # condition number of the scaled matrix
    hidden: tuple[tuple[int, ...], ...]  # groups of unknowns that the data cannot distinguish, by index


def norms(A: np.ndarray) -> np.ndarray:
    """Lengths of columns; 1 for those that vanish."""
    found = np.linalg.norm(A, axis=0)
    return np.where(found > 0.0, found, 1.0)


def step(A: np.ndarray, r: np.ndarray, told: float = TOLD) -> np.ndarray:
    """The step of Gauss and Newton, within the combinations that the data determine."""
    scale = norms(A)
    return np.linalg.lstsq(A / scale, -r, rcond=told)[0] / scale


def spread(A: np.ndarray, r: np.ndarray, told: float = TOLD) -> Spread:
    """Covariance of the unknowns at the solution, Eq. (2), and what cannot be told."""
    scale = norms(A)
    _, values, rows = np.linalg.svd(A / scale, full_matrices=False)
    is_told = values > told * values[0]
    noise = float(r @ r) / max(len(r) - int(is_told.sum()), 1)
    known = rows[is_told] / values[is_told, None]
    covariance = noise * (known.T @ known) / np.outer(scale, scale)
    deviation = np.sqrt(np.diag(covariance))
    hidden = [tuple(int(k) for k in np.flatnonzero(np.abs(row) > SHARE)) for row in rows[~is_told]]
    for own in hidden:
        deviation[list(own)] = np.nan
    return Spread(covariance, deviation, noise, float(values[0] / max(values[-1], 1e-300)), tuple(hidden))
