"""Tensions that carry given loads and are nearest to wanted ones.

Of all tensions T with W T = w those nearest to p are
    T = p + W^+ (w - W p)                                                                                      (1)
"""

import numpy as np

BALANCED = 1e-9  # share of the largest load that tensions may leave


def nearest_tensions(W: np.ndarray, w: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, float]:
    """Tensions by Eq. (1), and the largest load that is left; 0 where all are carried."""
    tensions = wanted + np.linalg.pinv(W, rcond=1e-10) @ (w - W @ wanted)
    left = float(np.abs(W @ tensions - w).max(initial=0.0))
    return tensions, left if left > BALANCED * max(float(np.abs(w).max(initial=0.0)), 1.0) else 0.0
