"""Multipliers of a machine at rest that is held more than once: the smallest that balance it, none of which push.

At rest J^T lam = R, the residual without multipliers. Of all solutions with lam >= 0 in the one-sided rows, the one of
the smallest norm: by least squares if that has no negative ones, else with the rows left out that would push. Those are
at their bounds in
    min |lam|^2 + F^2 |J^T lam - R|^2 / |J|^2,   lam >= 0 in the one-sided rows.                               (1)
"""

import numpy as np

from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.statics import motion_residual
from taut.integrate.events.holds import Holds
from taut.kernels.bounded_qp import bounded_qp
from taut.model import Data, Model

FIRMNESS = 1e4  # weight F of the balance against the norm, Eq. (1)


def least_tensions(model: Model, data: Data, holds: Holds) -> None:
    """Replace data.lam; the rows that are open stay so."""
    R, J = np.zeros(model.column_count), np.zeros((model.row_count, model.column_count))
    motion_residual(model.tables, data, np.zeros(model.column_count), np.zeros(model.row_count), R)
    closure_jacobian(model.tables, data, J)
    # open closures have zero rows and keep zero multipliers
    rows = np.flatnonzero(np.abs(J).max(axis=1, initial=0.0) > 0.0)
    is_one_sided = np.isin(rows, holds.rows)
    lam = np.linalg.lstsq(J[rows].T, R, rcond=1e-12)[0]
    # Eq. (1) as a bounded quadratic programme; it only tells which rows would push
    if (lam[is_one_sided] < 0.0).any():
        A = FIRMNESS * J[rows] / np.abs(J).max()
        low = np.where(is_one_sided, 0.0, -np.inf)
        found, _ = bounded_qp(A @ A.T + np.eye(len(rows)), -FIRMNESS / np.abs(J).max() * (A @ R), low)
        kept = found > low
        lam = np.zeros(len(rows))
        # exact balance of the remaining rows, without the compromise of Eq. (1)
        lam[kept] = np.linalg.lstsq(J[rows[kept]].T, R, rcond=1e-12)[0]
    data.lam[:] = 0.0
    data.lam[rows] = lam
