"""TreeBuilder: nodes, closures, wrenches and signals in plain numbers, collected and frozen into a Model.

The scenario builders (bodies, cables, drivers, closures) and the tests use this class, which does not depend on
scenarios. Every child of the world starts a sub-system; nodes of a sub-system are stored parents first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taut.build.cables.ritz_tables import RitzSpec
from taut.build.cables.route_tables import CapstanSpec, GuideSpec, RouteSpec, Slip, TetherSpec, straight
from taut.build.freeze.tables import freeze
from taut.build.reduction.reduced import filled_up
from taut.model.enums import JOINT_COLUMNS, ClosureKind, ContactLaw, FeedKind, JointKind, LawKind
from taut.model.joints import JOINTS, rest_position
from taut.model.model import Model

WORLD = 0
NO_SIGNALS = (-1, -1, -1)
IDENTITY = np.eye(3)
X_AXIS, Y_AXIS, Z_AXIS = IDENTITY
ALL_DIRECTIONS = (True, True, True)
PLANE_DIRECTIONS = (True, False, True)


@dataclass(frozen=True)
class Spring:
    """A law of one coordinate, in plain numbers."""

    kind: LawKind = LawKind.NONE
    stiffness: float = 0.0
    damping: float = 0.0
    free: float = 0.0
    parameters: tuple[float, ...] = ()


@dataclass(frozen=True)
class ColumnSpec:
    """Laws, forces and friction that act on one coordinate."""

    spring: Spring = Spring()
    coulomb: float = 0.0
    viscous: float = 0.0
    velocity_scale: float = 1e-3
    stiction: float = 0.0
    stribeck_velocity: float = 1e-2
    signal: int = -1
    is_actuated: bool = False
    feed: int = -1  # signal of the cable's length ratio
    feed_node: int = WORLD  # instead of ``feed``: the node whose coordinate is the cable's length
    armature: float = 0.0
    brake: float = 0.0
    is_braked: bool = False
    brake_switch: int = -1  # handle of the switch that closes the brake or lets it go
    law_switch: int = -1  # handle of the switch that ends the spring
    is_capstan: bool = False  # whether friction that follows rope tensions acts on the column
    is_slip: bool = False  # whether the coordinate is rope that slips over a guide
    force: float = 0.0  # force of a motor with a lag at the start


@dataclass(frozen=True)
class RigidBody:
    """Mass [kg], centre of mass [m] and inertia about it [kg m^2], body axes; a rod has z as axis of symmetry."""

    mass: float = 0.0
    com: Any = (0.0, 0.0, 0.0)
    inertia: Any = field(default_factory=lambda: np.zeros((3, 3)))
    is_rod: bool = False


@dataclass(frozen=True)
class FeedSpec:
    """A half-link whose length changes: by the ratio that a signal gives, or by that of a coordinate to its start."""

    length: float  # length of the element for which mass and inertia hold [m]
    line_density: float  # mass per length [kg/m]
    signal: int = -1
    kind: FeedKind = FeedKind.CONSISTENT
    flow: float = 0.0  # speed of the material along the rod per rate of the ratio [m]
    is_exit: bool = False
    node: int = WORLD  # instead of ``signal``: the node whose coordinate is the cable's length


@dataclass(frozen=True)
class ModalSpec:
    """Coordinates of a modal node: which turn the end (others move it), and its numbers for the kernels."""

    turns: tuple[bool, ...]
    labels: tuple[str, ...]
    half_band: int  # half bandwidth of its matrix: entries on each side of the diagonal
    numbers: np.ndarray
    reduced: dict[str, Any] | None = None  # tables of a reduced cable

    @classmethod
    def super_element(
        cls, M: Any, D: Any, K: Any, coupling: Any, end: Any, *, mass: float, load: Any = None, rest: Any = (0, 0, 0)
    ) -> "ModalSpec":
        """Constant matrices; layout and meaning in ``dynamics/modal/super_element.py``."""
        n = len(M)
        parts = (M, D, K, coupling, end, np.zeros(n) if load is None else load, mass, rest)
        numbers = np.concatenate([np.ravel(np.asarray(part, float)) for part in parts])
        return cls((False,) * n, tuple(str(k + 1) for k in range(n)), n - 1, numbers)

    @classmethod
    def reduced_cable(cls, tables: dict[str, Any]) -> "ModalSpec":
        """A cable as a sum of shapes, from ``build/reduction/reduced.py``."""
        n = len(tables["rest"])
        labels = tuple(f"shape{k + 1}" for k in range(n))
        # the kernels process rows of the matrix in blocks of eight entries, so rows are padded to whole blocks
        return cls((False,) * n, labels, filled_up(n) - 1, np.zeros(0), tables)


@dataclass(frozen=True)
class NodeSpec:
    """One node of a tree: joint on its parent, body, start state."""

    name: str
    kind: JointKind
    parent: int
    body: RigidBody
    offset: Any
    rotation: Any
    axes: tuple[Any, Any]
    columns: Sequence[ColumnSpec]
    position: Sequence[float]
    velocity: Sequence[float]
    signals: Sequence[int]
    start: Any
    feed: FeedSpec | None
    is_hoist: bool = False
    modal: ModalSpec | None = None

    @property
    def turns(self) -> tuple[bool, ...]:
        """Columns of the node: True for a rotation."""
        return self.modal.turns if self.modal is not None else JOINT_COLUMNS[self.kind]


@dataclass(frozen=True)
class ClosureSpec:
    """Two ends that meet; axes are three unit rows in each body's frame."""

    name: str
    kind: ClosureKind
    nodes: tuple[int, int]
    points: tuple[Any, Any]
    axes: tuple[Any, Any]
    signals: Sequence[int]
    directions: Sequence[bool]
    switch: int = -1  # handle of the switch that opens the closure
    column: int = 0  # closures of a coordinate: index among the joint's columns
    groove: float = 0.0  # closures of a coordinate: radius of a sheave whose flank it climbs [m]
    climb: int = -1  # the node that climbs on the flank of the groove; -1: none
    start: float = 0.0  # closures of a distance: the length [m]
    is_unilateral: bool = False
    restitution: float = 0.0
    route: RouteSpec = RouteSpec(())  # closures of a distance: the rope's path, whose length is kept

    def row_count(self) -> int:
        """Constraint rows: held directions and axes."""
        if self.kind in (ClosureKind.COORDINATE, ClosureKind.DISTANCE):
            return 1
        axis_rows = {ClosureKind.POINT: 0, ClosureKind.UNIVERSAL: 1, ClosureKind.REVOLUTE: 2, ClosureKind.FIXED: 3,
                     ClosureKind.TURN: 1}  # fmt: skip
        return sum(self.directions) + axis_rows[self.kind]


@dataclass(frozen=True)
class WrenchSpec:
    """A force and torque on a node, by signals."""

    node: int
    point: Any
    signals: Sequence[int]
    is_follower: bool
    switch: int = -1  # handle of the switch that ends the force


@dataclass(frozen=True)
class ContactSpec:
    """A point of a node that the ground carries."""

    name: str
    node: int
    law: ContactLaw
    point: Any
    height: float  # height of the point above the ground's zero when it touches [m]
    stiffness: float
    damping: float
    friction: float = 0.0
    velocity_scale: float = 1e-3
    presliding: float = 1e-6
    radius: float = 0.0  # radius of a sphere about the point [m]
    closure: int = -1  # rigid ground: number of the one-sided closure that keeps the point above the ground


@dataclass(frozen=True)
class CrossingSpec:
    """A point of a node that passes a plane, or whose speed passes a value."""

    name: str
    node: int
    point: Any
    direction: Any
    level: float
    is_speed: bool = False
    cable: str | None = None  # name of a cable without mass whose tension is watched instead of the point
    measured: Any = None  # measurement of a joint or cable that is watched instead of the point
    drum: Any = None  # drum of the cable whose measurement is watched
    lasts: float = 0.0  # time for which the watched quantity must stay beyond the level until the event counts [s]
    side: int = 1  # side of the level on which it must stay, +1 above, -1 below


@dataclass(frozen=True)
class SwitchSpec:
    """A change that happens once: at a time [s], or, with time infinity, when another event triggers it."""

    name: str
    time: float
    says: str  # what happens, in words for the log of events


class TreeBuilder:
    """Collects the parts of a machine; ``finish`` freezes them into a Model."""

    def __init__(self, gravity: Sequence[float] = (0.0, 0.0, -9.81)) -> None:
        """Start with the world alone."""
        self.gravity = tuple(gravity)
        self.nodes: list[NodeSpec] = []
        self.closures: list[ClosureSpec] = []
        self.wrenches: list[WrenchSpec] = []
        self.contacts: list[ContactSpec] = []
        self.tethers: list[TetherSpec] = []
        self.capstans: list[CapstanSpec] = []
        self.crossings: list[CrossingSpec] = []
        self.switches: list[SwitchSpec] = []
        self.signals: list[list[Any]] = []  # terms of each signal
        self.curves: list[Any] = []  # curve that the terms of each signal were made from
        self.breakpoints: set[float] = set()
        self.bodies: dict[str, int] = {}
        self.cables: dict[str, tuple[int, ...]] = {}
        self.own_lengths: dict[str, float] = {}  # unstrained length of every cable at the start [m]
        # node of the drum of every cable; with ".anchor", of that at the cable's anchor
        self.spools: dict[str, str] = {}
        # pieces of each cable without mass, in order: tether or closure, and its number
        self.pieces: dict[str, list[tuple[str, int]]] = {}
        self.ritz: list[tuple[int, RitzSpec]] = []  # Ritz cables with their nodes
        self.add_node("world", JointKind.WORLD, -1)

    def add_node(
        self,
        name: str,
        kind: JointKind,
        parent: int = WORLD,
        body: RigidBody | None = None,
        *,
        offset: Any = (0.0, 0.0, 0.0),
        rotation: Any = IDENTITY,
        axes: tuple[Any, Any] = (Z_AXIS, Y_AXIS),
        columns: Sequence[ColumnSpec] | None = None,
        position: Sequence[float] | None = None,
        velocity: Sequence[float] | None = None,
        signals: Sequence[int] = NO_SIGNALS,
        start: Any = (0.0, 0.0, 0.0),
        feed: FeedSpec | None = None,
        is_hoist: bool = False,
        modal: ModalSpec | None = None,
    ) -> int:
        """Add a node and return its handle (the order may change in the model)."""
        count = len(modal.turns) if modal is not None else len(JOINT_COLUMNS[kind])
        spec = NodeSpec(
            name=name,
            kind=kind,
            parent=parent,
            body=body or RigidBody(),
            offset=offset,
            rotation=rotation,
            axes=axes,
            columns=columns if columns is not None else [ColumnSpec()] * count,
            position=position if position is not None else default_position(kind, count),
            velocity=velocity if velocity is not None else [0.0] * count,
            signals=signals,
            start=start,
            feed=feed,
            is_hoist=is_hoist,
            modal=modal,
        )
        self.nodes.append(spec)
        return len(self.nodes) - 1

    def add_ritz(self, name: str, cable: RitzSpec, position: Sequence[float]) -> int:
        """Add a cable with assumed modes, whose node is its end, and return its handle."""
        modal = ModalSpec(tuple(cable.rotations()), tuple(cable.labels()), 1, np.zeros(0))
        node = self.add_node(name, JointKind.RITZ, offset=cable.start, position=position, modal=modal)
        self.ritz.append((node, cable))
        return node

    def add_closure(
        self,
        name: str,
        kind: ClosureKind,
        nodes: tuple[int, int],
        points: tuple[Any, Any],
        *,
        axes: tuple[Any, Any] = (IDENTITY, IDENTITY),
        signals: Sequence[int] = NO_SIGNALS,
        directions: Sequence[bool] = ALL_DIRECTIONS,
        switch: int = -1,
        restitution: float | None = None,
    ) -> int:
        """Add a closure of two nodes and return its index; one with a restitution is one-sided (and has one row)."""
        spec = ClosureSpec(name, kind, nodes, points, axes, signals, directions, switch,
                           is_unilateral=restitution is not None, restitution=restitution or 0.0)  # fmt: skip
        self.closures.append(spec)
        return len(self.closures) - 1

    def add_distance(
        self,
        name: str,
        nodes: tuple[int, int],
        points: tuple[Any, Any],
        length: float,
        *,
        signal: int = -1,
        switch: int = -1,
        restitution: float | None = None,
        guides: Sequence[GuideSpec] = (),
        slips: tuple[Slip, ...] = (),
    ) -> int:
        """Keep a way (by default from point to point) a length long: exactly, or, with a restitution, at most."""
        route = RouteSpec(guides or straight(nodes, points), slips)
        spec = ClosureSpec(name, ClosureKind.DISTANCE, nodes, points, (IDENTITY, IDENTITY), (signal, -1, -1),
                           (False, False, False), switch, start=length, is_unilateral=restitution is not None,
                           restitution=restitution or 0.0, route=route)  # fmt: skip
        self.closures.append(spec)
        return len(self.closures) - 1

    def add_motion(self, name: str, node: int, column: int, signal: int) -> int:
        """Let one coordinate of a node's joint (by its number in the joint) follow a signal."""
        nodes, points = (node, self.nodes[node].parent), ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        signals = (signal, -1, -1)
        spec = ClosureSpec(name, ClosureKind.COORDINATE, nodes, points, (IDENTITY, IDENTITY), signals,
                           (False, False, False), column=column)  # fmt: skip
        self.closures.append(spec)
        return len(self.closures) - 1

    def add_climb(self, name: str, climb: int, turn: int, radius: float) -> None:
        """Let the slide of a node follow the turn of a later one, as a rope climbs the flank of a sheave's groove."""
        self.closures.append(ClosureSpec(name, ClosureKind.COORDINATE, (turn, self.nodes[climb].parent),
                                         ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), (IDENTITY, IDENTITY), (-1, -1, -1),
                                         (False, False, False), groove=radius, climb=climb))  # fmt: skip

    def add_wrench(
        self, node: int, point: Any, signals: Sequence[int], *, is_follower: bool = False, switch: int = -1
    ) -> None:
        """Apply a force and torque (six signal handles) to a node."""
        self.wrenches.append(WrenchSpec(node, point, signals, is_follower, switch))

    def add_switch(self, name: str, time: float, says: str) -> int:
        """Add a change of the machine during the run and return its handle."""
        self.switches.append(SwitchSpec(name, time, says))
        return len(self.switches) - 1

    def add_contact(self, contact: ContactSpec) -> None:
        """Let the ground carry a point of a node."""
        self.contacts.append(contact)

    def add_tether(self, tether: TetherSpec) -> int:
        """Stretch a cable without mass between two nodes and return its index."""
        self.tethers.append(tether)
        return len(self.tethers) - 1

    def add_piece(self, cable: str, kind: str, number: int) -> None:
        """Say that a tether or a closure is the next piece of a cable."""
        self.pieces.setdefault(cable, []).append((kind, number))

    def add_signal(self, terms: list[Any], breakpoints: Sequence[float] = (), curve: Any = None) -> int:
        """Add a signal (a list of polynomial pieces and sinusoids) and return its handle; the audit reads the curve."""
        self.signals.append(terms)
        self.curves.append(curve)
        self.breakpoints.update(breakpoints)
        return len(self.signals) - 1

    def finish(self, scenario: Any = None, *, is_draft: bool = False) -> Model:
        """Freeze everything into a Model; that of a draft is never run, and its inputs limit no steps."""
        return freeze(self, scenario, is_draft=is_draft)


def default_position(kind: JointKind, count: int) -> list[float]:
    """Zero coordinates; the identity for quaternions."""
    return rest_position(kind) if kind in JOINTS else [0.0] * count
