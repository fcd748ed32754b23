"""The audit's equations of motion against the engine's, at random states of machines with everything in them."""

import numpy as np
import pytest

from machines import full_machine
from taut.audit.motion import evaluate_motion
from taut.audit.points import Points, no_points
from taut.dynamics.statics import motion_residual
from taut.model import new_data


def random_point(model, seed):
    """A random state, and the engine's residual there."""
    rng, data = np.random.default_rng(seed), new_data(model)
    data.time[0] = 0.3
    data.v[:] = rng.normal(size=len(data.v))
    a, lam, found = rng.normal(size=len(data.v)), rng.normal(size=len(data.lam)), np.zeros(len(data.v))
    motion_residual(model.tables, data, a, lam, found)
    values = {"time": 0.3, "low": -np.inf, "high": np.inf, "q": data.q, "v": data.v, "a": a, "lam": lam, "z": data.z}
    values |= {"modes": data.modes, "side": data.columns["side"], "commands": data.commands, "anchors": data.anchors}
    return Points(**{name: np.array(values[name], float)[None] for name in vars(no_points(model))}), data, found


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
