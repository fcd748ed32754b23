"""Workspace of the non-smooth methods: that of every one-step method, and what one-sided rows need.

A one-sided closure has one row, a gap g >= 0 whose multiplier is >= 0; only one of the two may be positive. Here all
these rows stand in the tables of the run at every time, and the method decides in every step which of them act.
"""

from typing import Any

import numpy as np

from taut.integrate.events.impact_law import SETTLING, rebound_part
from taut.integrate.events.watch import EventWatch
from taut.integrate.step.clock import Fields, new_clock, new_count
from taut.integrate.step.work import STATE_ARRAYS, STEP_CLOCK, STEP_COUNT, Shape, StepWork, new_step_work
from taut.kernels.bundle import Bundle
from taut.kernels.jit import part
from taut.kernels.lcp import Complementarity, new_complementarity
from taut.model import Data, Factor, Model, new_factor
from taut.model.tables import INT, REAL, Column, new_table

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
PASSED: Fields = (
    Column("time", REAL, (), "s", ""),
    Column("event", INT, (), "-", ""),
    Column("side", INT, (), "-", "behind it; 0: struck and open again"),
    Column("before", REAL, (), "m/s", "of an impact: rate before it,"),
    Column("behind", REAL, (), "m/s", "behind it,"),
    Column("impulse", REAL, (), "N s", "and its impulse"),
)
MOST_PASSED = 1024  # records between two returns to Python; further changes are only counted


class Sided(Bundle):
    """The interface matrix W of one factor, split in two-sided rows B and one-sided rows."""

    both: Factor  # factor of W with unit rows in place of the one-sided ones
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
    q_begin: np.ndarray
    q_end: np.ndarray
    y_begin: np.ndarray
    y_end: np.ndarray
    y_now: np.ndarray
    y_earlier: np.ndarray
    K: np.ndarray
    K_begin: np.ndarray
    K_end: np.ndarray
    K_before: np.ndarray
    F: np.ndarray
    radius: np.ndarray
    reach: np.ndarray
    offset: np.ndarray
    a_slope: np.ndarray
    a_begin: np.ndarray
    a_end: np.ndarray
    rhs: np.ndarray
    answer: np.ndarray
    lam_begin: np.ndarray
    lam_end: np.ndarray
    lam_slope: np.ndarray
    row_rhs: np.ndarray
    mu: np.ndarray
    watch: EventWatch
    jump: np.ndarray  # jump of the velocity in the step [columns]
    mean_a: np.ndarray  # mean acceleration of the step, impulses included [columns]
    jump_1: np.ndarray  # velocity jumps of the last three steps, latest first: jump_1 to jump_3 [columns]
    jump_2: np.ndarray
    jump_3: np.ndarray
    a_before: np.ndarray  # accelerations at the start of the last step, and (a_earlier) of the one before [columns]
    a_earlier: np.ndarray
    no_lam: np.ndarray  # zeros: evaluations without multipliers [rows]
    row_defect: np.ndarray  # change of the closures' rates by a residual of the velocity jump [rows]
    impulse_1: np.ndarray  # impulses of the last three steps, latest first: impulse_1 to impulse_3 [rows]
    impulse_2: np.ndarray
    impulse_3: np.ndarray
    gap_begin: np.ndarray  # gap of each one-sided row at the start of the step, then its rate, and both at the end
    gap_rate_begin: np.ndarray
    gap_end: np.ndarray
    gap_rate_end: np.ndarray
    struck_at: np.ndarray  # fraction of the step at which a one-sided row has its impact
    # rate of a one-sided row before its impact, and (rate_behind) after all impacts of the step
    rate_before: np.ndarray
    rate_behind: np.ndarray
    bound: np.ndarray  # lower bound of the change of a one-sided row's rate
    shift: np.ndarray  # multiplier or impulse of a one-sided row before the correction
    q_listed: np.ndarray  # right-hand side of the complementarity problem of the active rows, and (z) its solution
    z: np.ndarray
    # whether a one-sided row was struck, and (since_struck) how many steps ago the last time before
    was_struck: np.ndarray
    since_struck: np.ndarray
    hit_before: np.ndarray  # for the audit: rates of a one-sided row before and after its first impact, and the impulse
    hit_behind: np.ndarray
    hit_impulse: np.ndarray
    closed: np.ndarray  # whether each one-sided row is closed at the start of the step, and (closed_end) at its end
    closed_end: np.ndarray
    active: np.ndarray  # rows that take part in the step's complementarity problem
    mass: Factor  # factor of the mass matrix alone
    soft: Sided  # rows condensed by the Newton matrix
    hard: Sided  # rows condensed by the mass matrix
    problem: Complementarity
    rows: np.ndarray  # row of every one-sided closure
    place: np.ndarray  # number of each closure row among the one-sided ones, -1 for two-sided rows [rows]
    restitution: np.ndarray
    hold: np.ndarray  # event that tells whether each one-sided closure is closed
    listed: np.ndarray  # numbers of the active one-sided rows
    M_listed: np.ndarray  # rows and columns of a matrix that belong to the active rows [one-sided, one-sided]
    # deflection of every law that may be slack at the start of the step, and (kinks_end) at its end [events]
    kinks_begin: np.ndarray
    kinks_end: np.ndarray
    passed: np.recarray  # records of rows and laws that changed side, with the fields of PASSED
    # kinetic, gravity, elastic energy, input and lost work at the start of the step, and (E_end) at its end [5]
    E_begin: np.ndarray
    E_end: np.ndarray
    E_least: np.ndarray  # least (and E_most: largest) values of the three energies and two works so far [5]
    E_most: np.ndarray
    most_rank: np.ndarray  # number of independent closure rows, with every one-sided closure counted as closed [1]


OWN_COLUMNS = ("jump", "mean_a", "jump_1", "jump_2", "jump_3", "a_before", "a_earlier")
OWN_ROWS = ("no_lam", "row_defect", "impulse_1", "impulse_2", "impulse_3")
ONE_SIDED = ("gap_begin", "gap_rate_begin", "gap_end", "gap_rate_end", "struck_at", "rate_before", "rate_behind",
             "bound", "shift", "q_listed", "z", "was_struck", "since_struck",
             "hit_before", "hit_behind", "hit_impulse")  # fmt: skip
SIDES = ("closed", "closed_end", "active")
KINKS, ENERGIES = ("kinks_begin", "kinks_end"), ("E_begin", "E_end", "E_least", "E_most")
NONSMOOTH_STATE = (*STATE_ARRAYS, *OWN_COLUMNS, *OWN_ROWS, *ONE_SIDED, *SIDES, *KINKS, *ENERGIES, "most_rank")


def new_nonsmooth_work(model: Model, data: Data, shape: Shape) -> NonsmoothWork:
    """A workspace at the state of ``data``."""
    usual: StepWork = new_step_work(model, data, shape)
    closures = model.tables.closures
    one_sided = closures[closures["is_unilateral"] != 0]
    u, m = len(one_sided), model.row_count
    # number of each row among the one-sided ones; negative for two-sided rows, by which kernels tell them apart
    place = np.full(m, -1)
    place[one_sided["row"]] = np.arange(u)
    sizes = {OWN_COLUMNS: model.column_count, OWN_ROWS: m, ONE_SIDED: u, KINKS: len(model.tables.events), ENERGIES: 5}
    # vectors as in generalized-alpha; its clock and counters are replaced by larger ones
    fields: dict[str, Any] = usual._asdict() | {
        "clock": new_clock(*NONSMOOTH_CLOCK),
        "count": new_count(*NONSMOOTH_COUNT),
    }
    fields |= {name: np.zeros(size) for names, size in sizes.items() for name in names}
    fields |= {name: np.zeros(u, np.int64) for name in SIDES}
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
        listed=np.zeros(u, np.int64),
        M_listed=np.zeros((u, u)),
        passed=new_table(PASSED, MOST_PASSED),
        most_rank=np.array([m]),
    )


@part
def rebound(work, a, rate):
    """Restitution of a row struck at a rate; zero if it was struck a few steps ago: it comes to rest."""
    return rebound_part(work.restitution[a], rate) if work.since_struck[a] >= SETTLING else 0.0


def new_sided(model: Model, u: int) -> Sided:
    """A workspace to split one factor's rows, with u one-sided ones."""
    return Sided(both=new_factor(model), Y=np.zeros((u, model.row_count)), M=np.zeros((u, u)))
