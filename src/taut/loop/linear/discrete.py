"""Discrete models: inputs held over a period,
    exp([A B; 0 0] T) = [A_d B_d; 0 1]                                                       (1)
exact for commands that are held, as those of a plant are.
"""

from dataclasses import replace

import numpy as np
from scipy.linalg import expm

from taut.loop.linear.model import LinearModel
from taut.scenario.errors import Problem, ScenarioError


def with_period(model: LinearModel, period: float) -> LinearModel:
    """The discrete model with a zero-order hold."""
    if not 0.0 < period < np.inf:
        raise ScenarioError([Problem("must be a positive finite number [s]", "period", value=period)])
    n, m = model.B.shape
    # treat the drift as one more input, held at 1
    whole = np.zeros((n + m + 1, n + m + 1))
    whole[:n] = np.hstack([model.A, model.B, model.drift[:, None]])
    found = expm(whole * period)[:n]  # Eq. (1)
    return replace(model, A=found[:, :n], B=found[:, n : n + m], drift=found[:, -1], period=float(period))
