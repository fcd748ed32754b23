"""Workspace of the non-smooth methods: that of every one-step method, and what one-sided rows need.

A one-sided closure has one row, a gap g >= 0 whose multiplier is >= 0; only one of the two may be positive. Here all
these rows stand in the tables of the run at every time, and the method decides in every step which of them act.
"""

from typing import Any

import numpy as np

from taut.integrate.clock import Fields, new_clock, new_count
from taut.integrate.event_watch import EventWatch
from taut.integrate.step_work import STATE_ARRAYS, STEP_CLOCK, STEP_COUNT, Shape, StepWork, new_step_work
from taut.kernels.bundle import Bundle
from taut.kernels.jit import part
from taut.kernels.lcp import Complementarity, new_complementarity
from taut.model import Data, Factor, Model, new_factor
from taut.model.tables import INT, REAL, Column

NONSMOOTH_CLOCK: Fields = (
    *STEP_CLOCK,
    Column("d_begin", REAL, (), "-", "weights in the displacement: of the acceleration at the begin,"),
    Column("d_end", REAL, (), "-", "of that at the end,"),
    Column("d_jump", REAL, (), "-", "and of the jump of the velocity"),
    Column("overlap", REAL, (), "-", "largest share of gap and multiplier that are positive together"),
    Column("first_rate", REAL, (), "-", "of convergence with the present Newton matrix; negative before"),
    Column("impact_loss", REAL, (), "J", "energy lost by impacts"),
    Column("step_loss", REAL, (), "J", "and in this step"),
    Column("gains", REAL, (2,), "J", "stored energy less input, and energy balance, since the start"),
    Column("least_gains", REAL, (2,), "J", "their least values"),
    Column("gain_floor", REAL, (), "J", "what is always allowed above them"),
    Column("substep", REAL, (), "s", "step that is allowed, a part of the fixed one"),
    Column("grid", REAL, (), "s", "end of the fixed step under way"),
)
NONSMOOTH_COUNT: Fields = (
    *STEP_COUNT,
    Column("has_forces", INT, (), "-", "1 if reactions are forces, 0 if impulses"),
    Column("has_jump", INT, (), "-", "impacts in the step"),
    Column("switched", INT, (), "-", "rows that have closed or opened"),
    Column("impacts", INT, (), "-", "so far"),
    Column("unsolved", INT, (), "-", "problems without a solution"),
    Column("passed", INT, (), "-", "lines in the list of what has passed"),
    Column("is_theta", INT, (), "-", "1 if the scheme is Moreau's"),
    Column("is_cut", INT, (), "-", "1 in the rest of a step that was cut in two"),
    Column("is_watched", INT, (), "-", "1 if gains of energy are watched"),
    Column("gains_let_pass", INT, (), "-", "steps that gained and were let pass"),
    Column("hold", INT, (), "-", "steps before they may grow again"),
    Column("steady", INT, (), "-", "steps since a row has closed or opened, or -1"),
    Column("is_rough", INT, (), "-", "1 if impulses change much in this step"),
    Column("was_rough", INT, (), "-", "and in the last"),
)
# rows of U: gap and its rate at the begin and at the end of the step; place of an impact in the step, from 0 to 1, and
# rate there; lower bound of the change of a rate, the multiplier that is there already, the problem and its solution;
# whether the row was struck, and how many steps ago before; rate behind the impacts, where they happen; and for the
# audit, rates before and behind the first of them, and its impulse
GAP, GAP_RATE, GAP_END, GAP_RATE_END, PLACE, RATE_BEFORE, BOUND, SHIFT, Q_BAR, Z_BAR, STRUCK, SINCE, RATE_BEHIND = (
    range(13)
)
HIT_BEFORE, HIT_BEHIND, HIT_IMPULSE = range(13, 16)
SETTLING = 4  # steps: what strikes again so soon rebounds no more
# rows of sides: closed at the begin, closed at the end, active in the step
CLOSED, CLOSED_END, ACTIVE = range(3)
MOST_PASSED = 1024  # lines of the list between two returns to Python; the rest is only counted


class Sided(Bundle):
    """The interface matrix W of one factor, split in two-sided rows B and one-sided rows."""

    both: Factor  # W with unit rows in place of the one-sided ones, factored
    Y: np.ndarray  # W_BB^-1 W_Bu for every one-sided row u [one-sided, rows]
    M: np.ndarray  # W_uu - W_uB W_BB^-1 W_Bu [one-sided, one-sided]


class NonsmoothWork(Bundle):
    """One run in progress; the first fields are those of ``StepWork``."""

    clock: np.recarray
    count: np.recarray
    at: Data
    stage: Data
    factor: Factor
    closing: Factor
    q: np.ndarray
    y: np.ndarray
    K: np.ndarray
    F: np.ndarray
    radius: np.ndarray
    reach: np.ndarray
    X: np.ndarray
    Y: np.ndarray
    watch: EventWatch
    mass: Factor  # of the mass matrix alone
    soft: Sided  # rows condensed by the Newton matrix
    hard: Sided  # and by the mass matrix
    problem: Complementarity
    rows: np.ndarray  # row of every one-sided closure [one-sided]
    place: np.ndarray  # of every row: its place among the one-sided ones, -1 for two-sided rows [rows]
    restitution: np.ndarray  # [one-sided]
    hold: np.ndarray  # event that tells whether it is closed [one-sided]
    U: np.ndarray  # vectors along the one-sided rows
    sides: np.ndarray  # [3, one-sided]
    listed: np.ndarray  # the active ones [one-sided]
    M_listed: np.ndarray  # their part of a matrix [one-sided, one-sided]
    kinks: np.ndarray  # value of every law that may be slack, at the begin and at the end of the step [2, events]
    passed: np.ndarray  # time [s], event, new side; of impacts rates before and behind [m/s] and impulse [N s]
    E: np.ndarray  # energies and works, rows as in ``nonsmooth_energy`` [4, 5]
    most_rank: np.ndarray  # independent rows, one-sided ones all counted [1]


NONSMOOTH_STATE = (*STATE_ARRAYS, "U", "sides", "kinks", "most_rank", "E")


def new_nonsmooth_work(model: Model, data: Data, shape: Shape) -> NonsmoothWork:
    """A workspace at the state of ``data``."""
    usual: StepWork = new_step_work(model, data, shape)
    closures = model.tables.closures
    one_sided = closures[closures["is_unilateral"] != 0]
    u, m = len(one_sided), model.row_count
    place = np.full(m, -1)
    place[one_sided["row"]] = np.arange(u)
    fields: dict[str, Any] = usual._asdict() | {
        "clock": new_clock(*NONSMOOTH_CLOCK),
        "count": new_count(*NONSMOOTH_COUNT),
    }
    return NonsmoothWork(
        **fields,
        mass=new_factor(model),
        soft=new_sided(model, u),
        hard=new_sided(model, u),
        problem=new_complementarity(u),
        rows=np.array(one_sided["row"], np.int64),
        place=place,
        restitution=np.array(one_sided["restitution"], float),
        hold=np.array(one_sided["hold"], np.int64),
        U=np.zeros((HIT_IMPULSE + 1, u)),
        sides=np.zeros((3, u), np.int64),
        listed=np.zeros(u, np.int64),
        M_listed=np.zeros((u, u)),
        kinks=np.zeros((2, len(model.tables.events))),
        passed=np.zeros((MOST_PASSED, 6)),
        E=np.zeros((4, 5)),
        most_rank=np.array([m]),
    )


@part
def rebound(work, a):
    """Restitution of a row; none where it was struck a few steps ago: it comes to rest."""
    return work.restitution[a] if work.U[SINCE, a] >= SETTLING else 0.0


def new_sided(model: Model, u: int) -> Sided:
    """A workspace for one split."""
    return Sided(both=new_factor(model), Y=np.zeros((u, model.row_count)), M=np.zeros((u, u)))
