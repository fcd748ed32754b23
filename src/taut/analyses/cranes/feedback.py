"""Collocated partial feedback linearisation: what the actuators feel when the unactuated coordinates move as they must.

With the coordinates split into actuated (a) and unactuated (u), [Brogliato2022, Eqs. 176-178; Spong1994],
    (M_aa - M_au M_uu^-1 M_ua) a_a + h_a - M_au M_uu^-1 h_u = F                                       (1)
The matrix is the Schur complement of M_uu in M, hence positive definite wherever M is.
"""

from typing import Any

import numpy as np

from taut.analyses.cranes.lumped import LumpedCrane


def split(crane: LumpedCrane, actuated: Any) -> tuple[np.ndarray, np.ndarray]:
    """Positions of actuated and of unactuated coordinates among the kept ones."""
    kept = list(crane.kept())
    chosen = [kept.index(k) for k in actuated]
    return np.array(chosen), np.array([k for k in range(len(kept)) if k not in chosen])


def actuated_inertia(crane: LumpedCrane, q: Any, actuated: Any = (0,)) -> np.ndarray:
    """The matrix of Eq. (1): inertia that the actuated coordinates feel.

    Args:
        crane: fixed and driven lengths are dropped.
        q: all coordinates.
        actuated: numbers of the actuated coordinates; the trolley is 0.
    """
    a, u = split(crane, actuated)
    M = crane.reduced_mass_matrix(q)
    return M[np.ix_(a, a)] - M[np.ix_(a, u)] @ np.linalg.solve(M[np.ix_(u, u)], M[np.ix_(u, a)])
