"""States at which the audit's equations are compared with the engine's."""

import numpy as np

from taut.audit.twin.points import Points, no_points
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
