"""Model: the compiled machine. Never written after the build; many Data may share it."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.kernels.bundle import Bundle
from taut.model.piecewise import PiecewiseTables, piecewise_tables
from taut.model.reduced import ReducedTables
from taut.model.tables import MODAL_TABLES


class Tables(Bundle):
    """What kernels see of a model: read-only record tables (columns listed in ``model/tables.py``)."""

    # compiled code for a model that lacks these tables leaves out what needs them; tethers have routes
    _optional = ("routes", "sheaves", "capstans", "feeds", *MODAL_TABLES, "piecewise")
    _beside = {"feeds": ("routes", "sheaves")}
    _constant = True

    nodes: np.recarray
    columns: np.recarray
    subsystems: np.recarray
    closures: np.recarray
    ends: np.recarray
    row_lists: np.ndarray
    wrenches: np.recarray
    contacts: np.recarray
    tethers: np.recarray
    routes: np.recarray
    guides: np.recarray
    sheaves: np.recarray
    layers: np.recarray
    capstans: np.recarray
    feeds: np.recarray
    events: np.recarray
    signals: np.recarray
    terms: np.recarray
    pieces: np.recarray
    paces: np.recarray
    settings: np.recarray
    ritz: np.recarray
    shapes: np.ndarray  # per shape function: k^2, end value, integral, integral with 1 - xi, slope at the exit [j, 5]
    shapes_B: np.ndarray  # integrals of shape functions: ``build/cables/ritz_integrals.py``, Eqs. (3)-(5); B transposed
    shapes_G: np.ndarray
    shapes_H: np.ndarray
    shape_slopes: np.ndarray  # slopes of the shape functions at the points of the quadrature [point, j]
    shape_weights: np.ndarray
    modal: np.ndarray  # matrices and vectors of modal nodes, one after the other
    reduced: ReducedTables
    piecewise: PiecewiseTables


@dataclass(frozen=True)
class Names:
    """Names of the scenario, by index."""

    nodes: tuple[str, ...]
    columns: tuple[str, ...]
    subsystems: tuple[str, ...]
    closures: tuple[str, ...]
    rows: tuple[str, ...]
    contacts: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    switches: dict[int, str] = field(default_factory=dict)  # event -> what happens at it, in words
    signals: tuple[str, ...] = ()
    bodies: dict[str, int] = field(default_factory=dict)  # body name -> node
    cables: dict[str, tuple[int, ...]] = field(default_factory=dict)  # cable name -> its stretch nodes, exit to anchor
    # cable without mass that stretches -> its row in the table of tethers
    tethers: dict[str, int] = field(default_factory=dict)
    distances: dict[str, int] = field(default_factory=dict)  # cable without mass that does not stretch -> its closure
    routes: dict[str, tuple[int, ...]] = field(default_factory=dict)  # cable without mass -> routes of its pieces
    # guide of a cable -> its rows in the table of guides, one per piece of the cable
    guides: dict[str, tuple[int, ...]] = field(default_factory=dict)
    spans: tuple[str, ...] = ()  # names of the free spans of cables over guides
    drives: dict[str, int] = field(default_factory=dict)  # body on a driven joint -> node


@dataclass(frozen=True)
class Model:
    """Tables for the kernels, names for people, the start state as given, the plan of a run, and where it came from."""

    tables: Tables
    names: Names
    start_coordinates: np.ndarray
    start_velocities: np.ndarray
    start_states: np.ndarray
    breakpoints: tuple[float, ...] = ()  # times at which a signal or its derivatives jump [s]
    curves: tuple[Any, ...] = ()  # curves of the signals from the scenario; None for signals made without one
    plan: Any = None  # settings of a run besides the machine (``build/plan.py``)
    scenario: Any = None
    reduced: dict[str, Any] = field(default_factory=dict)  # reduced cables by name (``build/reduction/reduced.py``)
    points: Any = None  # piecewise linear forces (``build/reduction/piecewise.py``); None: the forces are exact
    full: "Model | None" = None  # the full machine that a reduced one stands for
    way: float = 0.0  # reduced machine: largest displacement norm of its cables in training [kg^(1/2) m]
    usual_residual: float = 0.0  # reduced machine: largest ``rom_residual`` in training
    warnings: tuple[str, ...] = ()  # warnings that every run repeats

    @property
    def exact_tables(self) -> Tables:
        """The tables with unsmoothed forces of friction and contact."""
        return self.tables if self.points is None else self.tables._replace(piecewise=piecewise_tables())

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the coordinates q: those of the columns, and ``.qw`` to ``.qz`` for the parts of a quaternion."""
        found = [""] * self.coordinate_count
        for name, column in zip(self.names.columns, self.tables.columns, strict=True):
            first = int(column.coordinate)
            if column.component < 0:
                found[first] = name
            elif column.component == 0:
                owner = name.rpartition(".")[0]
                found[first : first + 4] = [f"{owner}.{part}" for part in ("qw", "qx", "qy", "qz")]
        return tuple(found)

    def coordinates_of(self, node: int) -> slice:
        """Entries of a node in q: one per column, and one more for a quaternion."""
        row = self.tables.nodes[node]
        first, last = int(row.column), int(row.column + row.column_count)
        more = int((self.tables.columns["component"][first:last] == 0).sum())
        return slice(int(row.coordinate), int(row.coordinate + row.column_count) + more)

    @property
    def coordinate_count(self) -> int:
        """Length of q."""
        return int(self.tables.settings[0].coordinate_count)

    @property
    def column_count(self) -> int:
        """Length of v: velocity coordinates of all trees."""
        return int(self.tables.settings[0].column_count)

    @property
    def row_count(self) -> int:
        """Constraint rows."""
        return int(self.tables.settings[0].row_count)

    @property
    def state_count(self) -> int:
        """Internal states of laws."""
        return int(self.tables.settings[0].state_count)

    @property
    def weight(self) -> float:
        """Weight of everything [N]."""
        return float(np.linalg.norm(self.tables.settings[0].gravity) * self.tables.nodes["mass"].sum())

    def workspace(self, name: str, dtype: Any, make: Callable[["Model", Any], Bundle]) -> Bundle:
        """A workspace of this model of which others are copies; machines of one structure share it."""
        known = self.tables.__dict__.setdefault("_workspaces", {})
        if (name, dtype) not in known:
            known[name, dtype] = make(self, dtype)
        return known[name, dtype]

    def digest(self) -> str:
        """A hash of every number in the model; a test checks that no algorithm changes it."""
        sha = hashlib.sha256()
        tables = [table for table in self.tables if not isinstance(table, Bundle)]
        for table in (*tables, *self.tables.reduced, *self.tables.piecewise, *self._starts()):
            sha.update(np.ascontiguousarray(table).tobytes())
        return sha.hexdigest()

    def _starts(self) -> tuple[np.ndarray, ...]:
        return self.start_coordinates, self.start_velocities, self.start_states


def frozen(table: np.ndarray) -> Any:
    """A view of a table that is read-only."""
    table.setflags(write=False)
    return table
