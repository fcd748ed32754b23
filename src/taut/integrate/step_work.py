"""Workspace that the generalized-alpha and the explicit methods share: everything a step touches, taken once.

The unknowns of a step lie one after the other in y: displacement since its begin (velocity coordinates), velocities,
internal states of laws, input and dissipated work. Inside the step they follow one polynomial (``step_dense``), so that
samples and events are found in the same way whatever made the step. Entries of ``clock`` and ``count`` are those of
every method, with each method's own behind them.
"""

from typing import NamedTuple

import numpy as np

from taut.integrate import radau_work
from taut.integrate.event_watch import EventWatch, new_event_watch
from taut.kernels.bundle import Bundle
from taut.model import Data, Factor, Model, data_beside, new_factor

# entries of clock after those that all methods share: fixed step [s], rate of convergence that is trusted without being
# measured, Newton's goal; the four numbers of the generalized-alpha scheme; Baumgarte's two [1/s]
NOMINAL, TRUSTED_RATE, GOAL, ALPHA_M, ALPHA_F, GAMMA, BETA, DAMPING, STIFFNESS = range(
    radau_work.CLOCK_LENGTH, radau_work.CLOCK_LENGTH + 9
)
CLOCK_LENGTH = STIFFNESS + 1
# entries of count after those that all methods share
IS_FIXED, IS_STARTED, INDEX, MOST_ITERATIONS, IS_REAL_TIME, IS_CLOSED = range(
    radau_work.COUNT_LENGTH, radau_work.COUNT_LENGTH + 6
)
HAS_FIRST, HAS_DRIVEN, STIFF_STEPS, EASY_STEPS = range(IS_CLOSED + 1, IS_CLOSED + 5)
COUNT_LENGTH = EASY_STEPS + 1
# rows of q and y
BEGIN, FINAL, NOW, EARLIER = range(4)


class StepWork(Bundle):
    """One run in progress."""

    clock: np.ndarray
    count: np.ndarray
    at: Data  # state at which the factor was formed
    stage: Data  # evaluations at other states
    factor: Factor
    closing: Factor  # of a state that is far from closed
    q: np.ndarray  # coordinates at the begin and at the end of the step [2, ...]
    y: np.ndarray  # unknowns at the begin, at the end, now, and at an earlier stage [4, size]
    K: np.ndarray  # rates of the unknowns, by stage [stages, size]
    F: np.ndarray  # terms of the step's polynomial [terms, size]
    radius: np.ndarray  # farthest point of each node's body [m]
    reach: np.ndarray  # way of the farthest point that a coordinate moves [m/rad or 1]
    X: np.ndarray  # the method's own vectors along the columns
    Y: np.ndarray  # and along the rows of the closures
    watch: EventWatch


STATE_ARRAYS = ("clock", "count", "q", "y", "K", "X", "Y")


class Shape(NamedTuple):
    """How many vectors of each kind a method needs."""

    stages: int
    terms: int
    column_vectors: int
    row_vectors: int


def new_step_work(model: Model, data: Data, shape: Shape) -> StepWork:
    """A workspace at the state of ``data``."""
    n, m = model.column_count, model.state_count
    size = 2 * n + m + 2
    y = np.zeros((4, size))
    y[BEGIN, n : 2 * n], y[BEGIN, 2 * n : 2 * n + m] = data.v, data.z
    return StepWork(
        clock=np.zeros(CLOCK_LENGTH),
        count=np.zeros(COUNT_LENGTH, np.int64),
        at=data_beside(model, data),
        stage=data_beside(model, data),
        factor=new_factor(model),
        closing=new_factor(model),
        q=np.stack([data.q, data.q]),
        y=y,
        K=np.zeros((shape.stages, size)),
        F=np.zeros((shape.terms, size)),
        radius=np.zeros(len(model.tables.nodes)),
        reach=np.ones(n),
        X=np.zeros((shape.column_vectors, n)),
        Y=np.zeros((shape.row_vectors, model.row_count)),
        watch=new_event_watch(model),
    )
