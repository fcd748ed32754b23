"""Workspace that the generalized-alpha and the explicit methods share: everything a step touches, taken once.

The unknowns of a step lie one after the other in y: displacement since its start (velocity coordinates), velocities,
internal states of laws, input and dissipated work. Inside the step they follow one polynomial (``step.dense``), so that
samples and events are found in the same way whatever made the step.
"""

from typing import Any, NamedTuple

import numpy as np

from taut.integrate.events.watch import EventWatch, new_event_watch
from taut.integrate.step.clock import Fields, new_clock, new_count
from taut.kernels.bundle import Bundle
from taut.kernels.copies import copied
from taut.model import Data, Factor, Model, data_beside, new_data, new_factor
from taut.model.tables import INT, REAL, Column

STEP_CLOCK: Fields = (
    Column("nominal", REAL, (), "s", "fixed step"),
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
    Column("is_closed", INT, (), "-", "1 if ends of steps are closed"),
    Column("has_first", INT, (), "-", "1 if the first stage is the last one of the step before"),
    Column("has_driven", INT, (), "-", "1 if closures follow signals"),
    Column("stiff_steps", INT, (), "-", "that stability kept short"),
    Column("easy_steps", INT, (), "-", "since the last of them"),
)
# vectors of the generalized-alpha methods; the explicit method uses two of them as scratch
OF_COLUMNS = ("offset", "a_slope", "a_begin", "a_end", "rhs", "answer")
OF_ROWS = ("lam_begin", "lam_end", "lam_slope", "row_rhs", "mu")
OF_UNKNOWNS = ("y_begin", "y_end", "y_now", "y_earlier", "K_begin", "K_end", "K_before")


class StepWork(Bundle):
    """One run in progress."""

    # time and step size, with the fields STEP_CLOCK; ``count``: counters and flags, with the fields STEP_COUNT
    clock: np.recarray
    count: np.recarray
    at: Data  # state at which the factor was formed
    stage: Data  # evaluations at other states
    factor: Factor
    closing: Factor  # factor for closing a state that is too far away for ``factor``
    q_begin: np.ndarray  # coordinates at the start and at the end of the step
    q_end: np.ndarray
    # unknowns at the start, and (y_end, y_now, y_earlier) at the end, now and at an earlier stage [size]
    y_begin: np.ndarray
    y_end: np.ndarray
    y_now: np.ndarray
    y_earlier: np.ndarray
    K: np.ndarray  # rates of the unknowns, by stage [stages, size]
    # rates of the unknowns at the start and end of the step, and (K_before) at the start of the step before [size]
    K_begin: np.ndarray
    K_end: np.ndarray
    K_before: np.ndarray
    F: np.ndarray  # terms of the step's polynomial [terms, size]
    radius: np.ndarray  # farthest point of each node's body [m]
    reach: np.ndarray  # displacement of the farthest point per unit of a coordinate [m/rad or 1]
    offset: np.ndarray  # (a - v') / h at the start of the step [columns]; ``a_slope``: slope of a in the last step
    a_slope: np.ndarray
    a_begin: np.ndarray  # accelerations a at the start of the step, and (a_end) at its end [columns]
    a_end: np.ndarray
    rhs: np.ndarray  # right-hand side of a linear solve, and (answer) its solution [columns]
    answer: np.ndarray
    # multipliers at the start of the step, (lam_end) at its end, and (lam_slope) their slope in the last step [rows]
    lam_begin: np.ndarray
    lam_end: np.ndarray
    lam_slope: np.ndarray
    row_rhs: np.ndarray  # right-hand side of the rows in a linear solve, and (mu) its multipliers [rows]
    mu: np.ndarray
    watch: EventWatch


STATE_ARRAYS = ("clock", "count", "q_begin", "q_end", "K", *OF_UNKNOWNS, *OF_COLUMNS, *OF_ROWS)


class Shape(NamedTuple):
    """How many stages a method has, and terms its polynomial."""

    stages: int
    terms: int


def new_step_work(model: Model, data: Data, shape: Shape) -> StepWork:
    """A workspace at the state of ``data``."""
    n, m = model.column_count, model.state_count
    first = model.workspace("step", shape, first_step_work)
    work = copied(first, at=data_beside(model, data), stage=data_beside(model, data))
    work.q_begin[:], work.q_end[:] = data.q, data.q
    work.y_begin[n : 2 * n], work.y_begin[2 * n : 2 * n + m] = data.v, data.z
    return work


def first_step_work(model: Model, shape: Shape) -> StepWork:
    """A workspace that others are copies of."""
    n, m = model.column_count, model.state_count
    data = new_data(model)
    # displacement, velocity, internal states and two works in one vector: one polynomial for all
    size = 2 * n + m + 2
    sizes = {OF_UNKNOWNS: size, OF_COLUMNS: n, OF_ROWS: model.row_count}
    vectors: dict[str, Any] = {name: np.zeros(length) for names, length in sizes.items() for name in names}
    return StepWork(
        clock=new_clock(*STEP_CLOCK),
        count=new_count(*STEP_COUNT),
        at=data_beside(model, data),
        stage=data_beside(model, data),
        factor=new_factor(model),
        closing=new_factor(model),
        q_begin=data.q.copy(),
        q_end=data.q.copy(),
        K=np.zeros((shape.stages, size)),
        F=np.zeros((shape.terms, size)),
        radius=np.zeros(len(model.tables.nodes)),
        reach=np.ones(n),
        watch=new_event_watch(model),
        **vectors,
    )
