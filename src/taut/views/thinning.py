"""Fewer points for a curve whose picture stays equal."""

import numpy as np


def thin(x: np.ndarray, y: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """A curve of at most about so many points: of every stretch its smallest and its largest value, in order.

    Peaks stay, so the picture is the same at that resolution.
    """
    if len(x) <= most:
        return np.asarray(x), np.asarray(y)
    stretch = -(-len(x) // max(most // 2, 1))
    count = len(x) // stretch
    values = np.asarray(y[: count * stretch], float).reshape(count, stretch)
    filled_low, filled_high = np.where(np.isnan(values), np.inf, values), np.where(np.isnan(values), -np.inf, values)
    picked = np.stack([filled_low.argmin(axis=1), filled_high.argmax(axis=1)], axis=1)
    rows = np.unique((picked + np.arange(count)[:, None] * stretch).ravel())
    rows = np.unique(np.concatenate([[0], rows, np.arange(count * stretch, len(x)), [len(x) - 1]]))
    return np.asarray(x)[rows], np.asarray(y)[rows]
