"""How far two results are apart; the largest distance met in each test is kept for ``pytest --worst``."""

import os

import numpy as np

WORST: dict[str, float] = {}


def relative_error(found, expected, scale=None) -> float:
    """max |found - expected| / max |expected|; ``scale`` replaces the denominator where cancellation makes it small."""
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    if found.size == 0:
        return 0.0
    reference = np.max(np.abs(expected)) if scale is None else scale
    return remembered(float(np.max(np.abs(found - expected)) / reference))


def remembered(error: float) -> float:
    """The error itself, kept if it is the largest of the running test (all its parameters together)."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0].partition("[")[0]
    WORST[test] = max(error, WORST.get(test, 0.0))
    return error
