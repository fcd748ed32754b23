"""Sums over the entries of every sample, added one after the other.

numpy and BLAS add in another order for one sample than for many, and how many samples are read at once depends on when
the journal was last written. With these a resumed run is bit by bit what it would have been.
"""

import numpy as np


def sums(values: np.ndarray) -> np.ndarray:
    """Sum of the entries of every sample; ``values`` [time, entry]."""
    total = np.zeros(len(values))
    for column in values.T:
        total += column
    return total


def combined(coefficients: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    """Sum of shapes by their coefficients: [time, shape] and [place, shape] give [time, place].

    ``einsum`` without BLAS takes the same scalar products of rows, whatever their number, if rows are contiguous.
    """
    return np.einsum("ts,ps->tp", np.ascontiguousarray(coefficients), np.ascontiguousarray(shapes))
