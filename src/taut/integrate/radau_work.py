"""Workspace of the Radau method: everything a step touches, taken once.

``clock`` and ``count`` together with the state arrays are all that a restart needs; their entries are named here.
"""

from typing import NamedTuple

import numpy as np

from taut.model import Data, Factor, Model, new_data, new_factor

# entries of clock
TIME, STEP, LAST_STEP, LAST_ERROR, TOLERANCE, LARGEST_STEP, END, ERROR, RATE, FACTOR_STEP = range(10)
WORK_IN, WORK_LOST, STEP_END, DONE_STEP = range(10, 14)
CLOCK_LENGTH = 14
# entries of count
ACCEPTED, REJECTED, NEWTON_FAILED, ITERATIONS, FACTORED, EVALUATED, NEXT_SAMPLE = range(7)
IS_FIRST, IS_FRESH, IS_REJECTED, LOGGED, IS_PENDING, STEP_ITERATIONS = range(7, 13)
COUNT_LENGTH = 13


class RadauWork(NamedTuple):
    """One run in progress."""

    clock: np.ndarray
    count: np.ndarray
    at: Data  # state at which the Newton matrix was formed
    stage: Data  # residual evaluations
    real: Factor
    paired: Factor  # of the complex pair of stages
    q: np.ndarray  # state at the begin of the step
    v: np.ndarray
    v_last: np.ndarray  # velocity at the begin of the last step, for the prediction
    acceleration: np.ndarray
    lam: np.ndarray
    z: np.ndarray
    Q: np.ndarray  # stages [3, ...]
    V: np.ndarray
    D: np.ndarray  # displacement since the begin of the step, velocity coordinates
    D_rate: np.ndarray
    a: np.ndarray
    L: np.ndarray  # multipliers
    Z: np.ndarray
    R: np.ndarray  # residuals
    G: np.ndarray  # constraint rates
    V_last: np.ndarray  # velocities and multipliers of the last step's stages, for the prediction
    L_last: np.ndarray
    power: np.ndarray  # input and dissipated power at the begin and the stages [4, 2]
    b: np.ndarray  # right-hand sides and solutions of one linear solve
    g: np.ndarray
    x: np.ndarray
    mu: np.ndarray
    b_paired: np.ndarray
    g_paired: np.ndarray
    x_paired: np.ndarray
    mu_paired: np.ndarray
    e_q: np.ndarray  # error estimate
    e_v: np.ndarray
    scale: np.ndarray  # tolerated error of each coordinate


STATE_ARRAYS = ("clock", "count", "q", "v", "v_last", "acceleration", "lam", "z", "V_last", "L_last")


def new_radau_work(model: Model, data: Data) -> RadauWork:
    """A workspace at the state of ``data``."""
    n, m, k = model.column_count, model.row_count, model.state_count
    stages = [np.zeros((3, size)) for size in (len(data.q), n, n, n, n, m, k, n, m, n, m)]
    pair = [np.zeros(size, complex) for size in (n, m, n, m)]
    return RadauWork(
        np.zeros(CLOCK_LENGTH), np.zeros(COUNT_LENGTH, np.int64), new_data(model), new_data(model), new_factor(model),
        new_factor(model, np.complex128), data.q.copy(), data.v.copy(), data.v.copy(), np.zeros(n), np.zeros(m), data.z.copy(),
        *stages, np.zeros((4, 2)), np.zeros(n), np.zeros(m), np.zeros(n), np.zeros(m), *pair, np.zeros(n), np.zeros(n), np.ones(n),
    )  # fmt: skip
