"""Workspace of the Radau method: everything a step touches, taken once."""

from typing import Any

import numpy as np

from taut.integrate.events.watch import EventWatch, new_event_watch
from taut.integrate.step.clock import Fields, new_clock, new_count
from taut.kernels.bundle import Bundle
from taut.kernels.copies import copied
from taut.model import Data, Factor, Model, data_beside, new_data, new_factor
from taut.model.tables import INT, REAL, Column

RADAU_CLOCK: Fields = (
    Column("jump_step", REAL, (), "s", "step proposed after the first one since the last jump; 0 before that"),
)
RADAU_COUNT: Fields = (
    Column("is_end_known", INT, (), "-", "1 if the residual of the last stage is that of the Newton matrix"),
)


class RadauWork(Bundle):
    """One run in progress."""

    clock: np.recarray  # time and step size, fields in ``integrate.step.clock``; ``count``: counters and flags
    count: np.recarray
    at: Data  # state at which the Newton matrix was formed
    stage: Data  # state at which residuals are evaluated
    real: Factor  # Newton matrix of the real eigenvalue of A^-1; serves the error estimate and closing, too
    paired: Factor  # Newton matrix of the complex pair of eigenvalues of A^-1
    closing: Factor  # factor for closing a state that is too far away for ``real``
    # coordinates at the start of the step; here and below: velocities, accelerations, multipliers, internal states
    q: np.ndarray
    v: np.ndarray
    v_last: np.ndarray  # velocity at the start of the last step, for the prediction
    acceleration: np.ndarray
    lam: np.ndarray
    z: np.ndarray
    Q: np.ndarray  # coordinates at the three stages [3, ...]
    V: np.ndarray
    D: np.ndarray  # displacement since the start of the step, velocity coordinates
    D_rate: np.ndarray
    a: np.ndarray
    L: np.ndarray  # multipliers at the three stages [3, rows]
    Z: np.ndarray
    R: np.ndarray  # residuals at the three stages [3, columns]
    G: np.ndarray  # constraint rates at the three stages [3, rows]
    V_last: np.ndarray  # velocities and multipliers of the last step's stages, for the prediction
    L_last: np.ndarray
    power_begin: np.ndarray  # input and dissipated power at the start of the step [2], and (power) at its stages [3, 2]
    power: np.ndarray
    power_last: np.ndarray  # input and dissipated power at the end of the last step [2]
    # kinetic, gravity and elastic energy at the start of the step, and (energy_end) at its end [3]
    energy_begin: np.ndarray
    energy_end: np.ndarray
    least: np.ndarray  # least (and most: largest) values of the three energies and two works so far [5]
    most: np.ndarray
    either_way: np.ndarray  # sums of the absolute changes of the three energies and two works [5]
    b: np.ndarray  # right-hand sides b, g and solutions x, mu of a linear solve, real and (_paired) complex
    g: np.ndarray
    x: np.ndarray
    mu: np.ndarray
    b_paired: np.ndarray
    g_paired: np.ndarray
    x_paired: np.ndarray
    mu_paired: np.ndarray
    e_q: np.ndarray  # error estimate of displacements, and (e_v) of velocities
    e_v: np.ndarray
    radius: np.ndarray  # farthest point of each node's body [m]
    reach: np.ndarray  # displacement of the farthest point per unit of a coordinate [m/rad or 1]
    watch: EventWatch


STATE_ARRAYS = ("clock", "count", "q", "v", "v_last", "acceleration", "lam", "z", "V_last", "L_last", "power_last",
                "energy_begin", "energy_end", "least", "most", "either_way")  # fmt: skip


def new_radau_work(model: Model, data: Data) -> RadauWork:
    """A workspace at the state of ``data``."""
    first = model.workspace("radau", float, first_radau_work)
    work = copied(first, at=data_beside(model, data), stage=data_beside(model, data))
    work.q[:], work.v[:], work.v_last[:], work.z[:] = data.q, data.v, data.v, data.z
    return work


def first_radau_work(model: Model, _dtype: type) -> RadauWork:
    """A workspace that others are copies of."""
    n, m, k = model.column_count, model.row_count, model.state_count
    data = new_data(model)
    state = {"q": data.q.copy(), "v": data.v.copy(), "v_last": data.v.copy(), "z": data.z.copy()}
    of_columns = {name: np.zeros(n) for name in ("acceleration", "b", "x", "e_q", "e_v")}
    of_rows = {name: np.zeros(m) for name in ("lam", "g", "mu")}
    column_stages = {name: np.zeros((3, n)) for name in ("V", "D", "D_rate", "a", "R", "V_last")}
    row_stages = {name: np.zeros((3, m)) for name in ("L", "G", "L_last")}
    pair = {f"{name}_paired": np.zeros(size, complex) for name, size in (("b", n), ("g", m), ("x", n), ("mu", m))}
    arrays: dict[str, Any] = {**state, **of_columns, **of_rows, **column_stages, **row_stages, **pair}
    return RadauWork(
        clock=new_clock(*RADAU_CLOCK),
        count=new_count(*RADAU_COUNT),
        at=data_beside(model, data),
        stage=data_beside(model, data),
        real=new_factor(model),
        closing=new_factor(model),
        paired=new_factor(model, np.complex128),
        Q=np.zeros((3, len(data.q))),
        Z=np.zeros((3, k)),
        power_begin=np.zeros(2),
        power=np.zeros((3, 2)),
        power_last=np.zeros(2),
        energy_begin=np.zeros(3),
        energy_end=np.zeros(3),
        # the range of the kinetic energy includes zero
        least=np.array([0.0] + 4 * [np.inf]),
        most=np.array([0.0] + 4 * [-np.inf]),
        either_way=np.zeros(5),
        radius=np.zeros(len(model.tables.nodes)),
        reach=np.ones(n),
        watch=new_event_watch(model),
        **arrays,
    )
