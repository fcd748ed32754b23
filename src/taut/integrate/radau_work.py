"""Workspace of the Radau method: everything a step touches, taken once.

``clock`` and ``count`` together with the state arrays are all that a restart needs; their entries are named here.
"""

from typing import Any

import numpy as np

from taut.integrate.event_watch import EventWatch, new_event_watch
from taut.kernels.bundle import Bundle
from taut.model import Data, Factor, Model, data_beside, new_factor

# entries of clock
TIME, STEP, LAST_STEP, LAST_ERROR, TOLERANCE, LARGEST_STEP, END, ERROR, RATE, FACTOR_STEP = range(10)
WORK_IN, WORK_LOST, STEP_END, DONE_STEP = range(10, 14)
# next time at which a step is kept for the audit; largest errors of position and velocity before closing, at the ends
# of steps and at samples
WITNESS, STEP_GAP, STEP_GAP_RATE, SAMPLE_GAP, SAMPLE_GAP_RATE = range(14, 19)
# error tolerated [m], and the time for which an error of a velocity counts [s]
TOLERATED, TIME_SCALE = 19, 20
# energy: share of what is exchanged and what is allowed in any case [J]; error and size of a step refused for it; sum
# of the steps' errors [J]
ENERGY_LIMIT, ENERGY_FLOOR, REFUSED_ENERGY, REFUSED_STEP, ENERGY_SUM = range(21, 26)
CLOCK_LENGTH = 26
# entries of count
ACCEPTED, REJECTED, NEWTON_FAILED, ITERATIONS, FACTORED, EVALUATED, NEXT_SAMPLE = range(7)
IS_FIRST, IS_FRESH, IS_REJECTED, LOGGED, IS_PENDING, STEP_ITERATIONS, EVENT = range(7, 14)
IS_WITNESS = 14  # whether the last step was kept for the audit
LET_PASS = 15  # steps whose energy is still let pass
UNBALANCED = 16  # steps that were let pass with too large an error of their energy
COUNT_LENGTH = 17


class RadauWork(Bundle):
    """One run in progress."""

    clock: np.ndarray
    count: np.ndarray
    at: Data  # state at which the Newton matrix was formed
    stage: Data  # residual evaluations
    real: Factor
    paired: Factor  # of the complex pair of stages
    closing: Factor  # of a state that is far from closed
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
    power_last: np.ndarray  # at the end of the last step [2]
    energies: np.ndarray  # kinetic, gravity and elastic energy at the begin and the end of the step [2, 3]
    ranges: np.ndarray  # least and largest of these and of the works so far, and all that went either way [3, 5]
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
    radius: np.ndarray  # farthest point of each node's body [m]
    reach: np.ndarray  # way of the farthest point that a coordinate moves [m/rad or 1]
    watch: EventWatch


STATE_ARRAYS = ("clock", "count", "q", "v", "v_last", "acceleration", "lam", "z", "V_last", "L_last", "power_last",
                "energies", "ranges")  # fmt: skip


def new_radau_work(model: Model, data: Data) -> RadauWork:
    """A workspace at the state of ``data``."""
    n, m, k = model.column_count, model.row_count, model.state_count
    state = {"q": data.q.copy(), "v": data.v.copy(), "v_last": data.v.copy(), "z": data.z.copy()}
    of_columns = {name: np.zeros(n) for name in ("acceleration", "b", "x", "e_q", "e_v")}
    of_rows = {name: np.zeros(m) for name in ("lam", "g", "mu")}
    column_stages = {name: np.zeros((3, n)) for name in ("V", "D", "D_rate", "a", "R", "V_last")}
    row_stages = {name: np.zeros((3, m)) for name in ("L", "G", "L_last")}
    pair = {f"{name}_paired": np.zeros(size, complex) for name, size in (("b", n), ("g", m), ("x", n), ("mu", m))}
    arrays: dict[str, Any] = {**state, **of_columns, **of_rows, **column_stages, **row_stages, **pair}
    return RadauWork(
        clock=np.zeros(CLOCK_LENGTH),
        count=np.zeros(COUNT_LENGTH, np.int64),
        at=data_beside(model, data),
        stage=data_beside(model, data),
        real=new_factor(model),
        closing=new_factor(model),
        paired=new_factor(model, np.complex128),
        Q=np.zeros((3, len(data.q))),
        Z=np.zeros((3, k)),
        power=np.zeros((4, 2)),
        power_last=np.zeros(2),
        energies=np.zeros((2, 3)),
        # the kinetic energy counts from rest
        ranges=np.array([[0.0] + 4 * [np.inf], [0.0] + 4 * [-np.inf], 5 * [0.0]]),
        radius=np.zeros(len(model.tables.nodes)),
        reach=np.ones(n),
        watch=new_event_watch(model),
        **arrays,
    )
