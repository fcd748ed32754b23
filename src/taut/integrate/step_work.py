"""Workspace that the generalized-alpha and the explicit methods share: everything a step touches, taken once.

The unknowns of a step lie one after the other in y: displacement since its begin (velocity coordinates), velocities,
internal states of laws, input and dissipated work. Inside the step they follow one polynomial (``step_dense``), so that
samples and events are found in the same way whatever made the step.
"""

from typing import NamedTuple

import numpy as np

from taut.integrate.clock import Fields, new_clock, new_count
from taut.integrate.event_watch import EventWatch, new_event_watch
from taut.kernels.bundle import Bundle
from taut.model import Data, Factor, Model, data_beside, new_factor
from taut.model.tables import INT, REAL, Column

STEP_CLOCK: Fields = (
    Column("nominal", REAL, (), "s", "fixed step"),
    Column("trusted_rate", REAL, (), "-", "of convergence, without being measured"),
    Column("goal", REAL, (), "-", "of Newton's iteration"),
    Column("alpha_m", REAL, (), "-", "the four numbers of the generalized-alpha scheme"),
    Column("alpha_f", REAL, (), "-", ""),
    Column("gamma", REAL, (), "-", ""),
    Column("beta", REAL, (), "-", ""),
    Column("damping", REAL, (), "1/s", "Baumgarte's two"),
    Column("stiffness", REAL, (), "1/s", ""),
)
STEP_COUNT: Fields = (
    Column("is_fixed", INT, (), "-", "1 if the step is"),
    Column("is_started", INT, (), "-", "1 if accelerations of the last step are known"),
    Column("index", INT, (), "-", "of the constraints: 2 or 3"),
    Column("most_iterations", INT, (), "-", "of Newton in a step"),
    Column("is_real_time", INT, (), "-", "1 if a step takes a fixed number of them"),
    Column("is_closed", INT, (), "-", "1 if ends of steps are closed"),
    Column("has_first", INT, (), "-", "1 if the first stage is the last one of the step before"),
    Column("has_driven", INT, (), "-", "1 if closures follow signals"),
    Column("stiff_steps", INT, (), "-", "that stability kept short"),
    Column("easy_steps", INT, (), "-", "since the last of them"),
)
# rows of q and y
BEGIN, FINAL, NOW, EARLIER = range(4)


class StepWork(Bundle):
    """One run in progress."""

    clock: np.recarray  # fields in ``integrate.clock``, and those above
    count: np.recarray
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
        clock=new_clock(*STEP_CLOCK),
        count=new_count(*STEP_COUNT),
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
