"""How far two results are apart."""

import numpy as np


def relative_error(found, expected, scale=None) -> float:
    """max |found - expected| / max |expected|; ``scale`` replaces the denominator where cancellation makes it small."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    if found.size == 0:
        return 0.0
    reference = np.max(np.abs(expected)) if scale is None else scale
    return float(np.max(np.abs(found - expected)) / reference)
