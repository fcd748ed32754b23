"""Data and Factor: preallocated workspaces; kernels own no memory.

A real run has a real Data and Factors in real and complex arithmetic (Newton matrices of implicit methods);
a complex-step derivative uses a complex Data.
"""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.kernels.copies import copied
from taut.model import tables as t
from taut.model.commands import new_commands
from taut.model.enums import EventKind, GripMode, SlipMode
from taut.model.model import Model, Tables
from taut.model.piecewise import PiecewiseData, new_piecewise_data
from taut.model.reduced import ReducedData, new_reduced_data


class Data(Bundle):
    """State of the machine and all that follows from it: kinematics, forces, constraint rows."""

    time: np.ndarray  # the instant [s], shape [1]
    window: np.ndarray  # signals choose their pieces within these limits [s], shape [2]
    still: np.ndarray  # 1 if all signals stand still [1]
    q: np.ndarray  # coordinates [coordinate_count]
    v: np.ndarray  # velocities [column_count]
    acceleration: np.ndarray  # joint accelerations [column_count]; filled by forward
    force: np.ndarray  # generalised forces of laws, friction and actuators [column_count]; by joint_forces, inverse
    z: np.ndarray  # internal states of laws [state_count]
    z_rate: np.ndarray  # rates of the internal states of laws [state_count]; by joint_forces
    shape_work: np.ndarray  # scratch of Ritz cables [2, shape functions]
    own: np.ndarray  # generalised forces that modal nodes need for their motion [column_count]; by modal_wrenches
    lam: np.ndarray  # multipliers of the closure rows [row_count]; filled by forward
    modes: np.ndarray  # side of zero of every event function, +1 or -1, or its ContactMode or SlipMode; set at events
    anchors: np.ndarray  # per contact: place where it sticks, or direction in which it began to slip [contact, 2]
    due: np.ndarray  # of every timer: when its event will have lasted as long as asked [s]; inf: it does not run
    most_rank: np.ndarray  # independent closure rows of the machine in general position [1]; by the start
    commands: np.ndarray  # course of every command [command_count, 6], entries in ``model/commands.py``; by controllers
    signals: np.ndarray  # value, rate, second rate of every signal, then of every feed's length ratio [.., 3]
    nodes: np.recarray
    columns: np.recarray
    rows: np.recarray
    routes: np.recarray
    guides: np.recarray
    bent: np.recarray  # the guides after a complex step along their motion, for derivatives
    reduced: ReducedData
    piecewise: PiecewiseData


class Factor(Bundle):
    """One factorisation of (mass matrix + additions) and of the interface system of the constraints."""

    nodes: np.recarray
    columns: np.recarray
    band: np.ndarray  # matrices of modal nodes, factored in place; by eliminate
    load: np.ndarray  # loads on the columns of modal nodes [column_count]; set by the caller
    y: np.ndarray  # scratch: effect of unit multipliers on the columns of a modal node [column_count, 3]
    line: np.ndarray  # scratch: a right-hand side of a modal node with a full matrix
    projection: np.ndarray  # rows projected on columns, a block per sub-system; by project_rows
    # motion of the columns by a unit multiplier of each row, in blocks as projection; by fill_answers
    answers: np.ndarray
    closings: np.ndarray  # how often loops were closed with this factor so far [1]
    W: np.ndarray  # interface matrix J M^-1 J^T [row_count, row_count]; by project_rows
    L: np.ndarray  # factor of the interface matrix W; by factor_interface
    gram: np.ndarray  # scratch: share of a sub-system in W; Gram matrix if rank-deficient [row_count, row_count]
    scale: np.ndarray  # equilibration of W [row_count]
    group: np.ndarray  # first of the rows that are scaled alike [row_count]
    order: np.ndarray  # pivot order of the rank-deficient case [row_count]
    sign: np.ndarray  # sign of each pivot in the rank-deficient case [row_count]
    rank: np.ndarray  # rank of W, and whether its factor is the pivoted one [2]; by factor_interface
    rhs: np.ndarray  # right-hand side of the rows, and scratch [row_count]
    coupled: np.ndarray  # number of tethers in this factor that couple moving bodies [1]; by couple_tethers
    spread: np.ndarray  # effect of a unit tension of each coupled tether on the columns [coupled, column_count]
    tether_W: np.ndarray  # block of the coupled tethers in the interface matrix [coupled, coupled]
    tether_L: np.ndarray  # factor of tether_W [coupled, coupled]
    tether_Y: np.ndarray  # share of the coupled tethers in the closures' rows [coupled, row_count]
    tether_y: np.ndarray  # scratch [coupled]
    drag_x: np.ndarray  # motion by the friction of a unit multiplier of rigid ground [drag, column_count]
    drag_mu: np.ndarray  # multipliers of the motion drag_x [drag, row_count]; both by factor_drags
    # inverse that turns multipliers of rigid ground without friction into those with it [drag, 2 drag]
    drag_C: np.ndarray
    drag_c: np.ndarray  # scratch [drag]
    rub_x: np.ndarray  # motion by a unit friction force at a guide [capstan, column_count]
    rub_mu: np.ndarray  # multipliers of the motion rub_x [capstan, row_count]; both by factor_rubs
    rub_by_x: np.ndarray  # change of the friction forces at guides with the motion [capstan, column_count]
    rub_by_mu: np.ndarray  # change of the friction forces at guides with the multipliers [capstan, row_count]
    # inverse that turns friction forces without their own feedback into those with it [capstan, 2 capstan]
    rub_C: np.ndarray
    rub_c: np.ndarray  # scratch [capstan]
    more: np.ndarray  # scratch: change of the multipliers [row_count]
    border: np.ndarray  # columns of cables with a feed: coupling of each with that feed [column_count]; by eliminate


def new_data(model: Model, dtype: type = np.float64, **shared: np.ndarray) -> Data:
    """A workspace at the model's given start state; ``shared`` are arrays of another one that it is to use."""
    data = copied(model.workspace("data", dtype, first_data), **shared)
    data.q[:], data.v[:], data.z[:] = model.start_coordinates, model.start_velocities, model.start_states
    if "commands" not in shared:
        data.commands[:] = new_commands(model.tables)
    return data


def first_data(model: Model, dtype: type) -> Data:
    """A workspace that others are copies of."""
    m = model.tables
    q = np.array(model.start_coordinates, dtype=dtype)
    v = np.array(model.start_velocities, dtype=dtype)
    n, r, z = model.column_count, model.row_count, model.state_count
    data = Data(
        time=np.zeros(1),
        window=np.array([-np.inf, np.inf]),
        still=np.zeros(1),
        q=q,
        v=v,
        acceleration=np.zeros(n, dtype),
        force=np.zeros(n, dtype),
        z=np.array(model.start_states, dtype=dtype),
        z_rate=np.zeros(z, dtype),
        shape_work=np.zeros((2, len(m.shapes)), dtype),
        own=np.zeros(n, dtype),
        lam=np.zeros(r, dtype),
        modes=-np.ones(len(m.events), np.int64),
        anchors=np.zeros((len(m.contacts), 2)),
        due=np.full(np.count_nonzero(m.events["kind"] == EventKind.TIMER), np.inf),
        most_rank=np.array([r]),
        commands=new_commands(m),
        # complex only with feeds, whose lengths depend on coordinates
        signals=np.zeros((len(m.signals) + len(m.feeds), 3), dtype if len(m.feeds) else np.float64),
        nodes=t.new_table(t.DATA_NODES, len(m.nodes), dtype),
        columns=t.new_table(t.DATA_COLUMNS, n, dtype),
        rows=t.new_table(t.DATA_ROWS, r, dtype),
        routes=t.new_table(t.DATA_ROUTES, len(m.routes), dtype),
        guides=t.new_table(t.DATA_GUIDES, len(m.guides), dtype),
        bent=t.new_table(t.DATA_GUIDES, len(m.guides), np.complex128),
        reduced=new_reduced_data(m.reduced, dtype),
        piecewise=new_piecewise_data(m.piecewise, len(m.nodes), dtype),
    )
    data.nodes[0].R[:] = np.eye(3).ravel()
    data.modes[m.events["kind"] == EventKind.FRICTION] = SlipMode.SMOOTHED
    data.modes[m.events["kind"] == EventKind.GRIP] = GripMode.SMOOTHED
    return data


def data_beside(model: Model, data: Data) -> Data:
    """Another workspace of the same machine; modes, timers, anchors, rank and commands are the same arrays."""
    shared = ("modes", "anchors", "due", "most_rank", "commands")
    return new_data(model, **{name: getattr(data, name) for name in shared})


def set_moment(data: Data, other: Data) -> None:
    """Put ``data`` at the moment of another workspace."""
    data.time[:], data.window[:], data.still[:] = other.time, other.window, other.still


def row_groups(tables: Tables, count: int) -> np.ndarray:
    """For every row, the first of those that hold the same point, or the same axes: their directions are arbitrary.

    Points on rigid ground with friction share its pressure alike in every factor, whatever they are added.
    """
    group = np.arange(count)
    for closure in tables.closures:
        first, points = int(closure.row), int(np.sum(closure.point_rows))
        group[first : first + points] = first
        group[first + points : first + int(closure.row_count)] = first + points
    pressed = tables.contacts["row"][tables.contacts["drag"] >= 0]
    group[pressed] = pressed.min(initial=count)
    return group


def new_factor(model: Model, dtype: type = np.float64) -> Factor:
    """A workspace for one factorisation."""
    return copied(model.workspace("factor", dtype, first_factor))


def first_factor(model: Model, dtype: type) -> Factor:
    """A workspace that others are copies of."""
    m = model.tables
    r, k = model.row_count, int(m.tethers["coupled"].max(initial=-1)) + 1
    drags = int(m.contacts["drag"].max(initial=-1)) + 1
    size = int(np.sum(m.subsystems["column_count"] * m.subsystems["row_count"]))
    return Factor(
        nodes=t.new_table(t.FACTOR_NODES, len(m.nodes), dtype),
        columns=t.new_table(t.FACTOR_COLUMNS, model.column_count, dtype),
        band=np.zeros(
            int(np.sum(m.nodes["column_count"] * (m.nodes["half_band"] + 1) * (m.nodes["band"] >= 0))), dtype
        ),
        load=np.zeros(model.column_count, dtype),
        y=np.zeros((model.column_count, 3), dtype),
        line=np.zeros(int(m.nodes["half_band"].max(initial=0)) + 1, dtype),
        projection=np.zeros(size, dtype),
        answers=np.zeros(size, dtype),
        closings=np.zeros(1, np.int64),
        W=np.zeros((r, r), dtype),
        L=np.zeros((r, r), dtype),
        gram=np.zeros((r, r), dtype),
        scale=np.zeros(r, dtype),
        group=row_groups(m, r),
        order=np.zeros(r, np.int64),
        sign=np.ones(r),
        rank=np.zeros(2, np.int64),
        rhs=np.zeros(r, dtype),
        coupled=np.zeros(1, np.int64),
        spread=np.zeros((k, model.column_count), dtype),
        tether_W=np.zeros((k, k), dtype),
        tether_L=np.zeros((k, k), dtype),
        tether_Y=np.zeros((k, r), dtype),
        tether_y=np.zeros(k, dtype),
        drag_x=np.zeros((drags, model.column_count), dtype),
        drag_mu=np.zeros((drags, r), dtype),
        drag_C=np.zeros((drags, 2 * drags), dtype),
        drag_c=np.zeros(drags, dtype),
        rub_x=np.zeros((len(m.capstans), model.column_count), dtype),
        rub_mu=np.zeros((len(m.capstans), r), dtype),
        rub_by_x=np.zeros((len(m.capstans), model.column_count), dtype),
        rub_by_mu=np.zeros((len(m.capstans), r), dtype),
        rub_C=np.zeros((len(m.capstans), 2 * len(m.capstans)), dtype),
        rub_c=np.zeros(len(m.capstans), dtype),
        more=np.zeros(r, dtype),
        border=np.zeros(model.column_count if len(m.feeds) else 0, dtype),
    )
