"""The audit's equations of motion against the engine's, at random states of machines with everything in them."""

import numpy as np
import pytest

from audit_points import random_point
from machines import full_machine
from taut.audit.twin.motion import evaluate_motion


@pytest.mark.parametrize("seed", range(6))
def test_residual_is_that_of_the_engine(seed):
    model = full_machine(seed)
    points, data, expected = random_point(model, seed)
    motion = evaluate_motion(model, points)
    np.testing.assert_allclose(motion.residual[0], expected, atol=1e-9 * motion.parts.max())
    np.testing.assert_allclose(motion.rows.errors[0, 0], data.rows["value"], atol=1e-12)
    np.testing.assert_allclose(motion.rows.errors[1, 0], data.rows["rate"], atol=1e-10)


def test_a_wrong_acceleration_is_seen():
    model = full_machine(0)
    points, _, expected = random_point(model, 0)
    points.a[0, 0] += 1e-6
    motion = evaluate_motion(model, points)
    assert np.abs(motion.residual[0] - expected).max() > 1e-9
