"""Events of measurements: which rows of the tables they read."""

from typing import TYPE_CHECKING, Any

import numpy as np

from taut.build.freeze.names import guide_names, route_names
from taut.build.freeze.watched import first_events
from taut.model.enums import EventKind

if TYPE_CHECKING:
    from taut.build.tree import CrossingSpec, TreeBuilder

Tables = dict[str, Any]
GUIDES = {"guide_wrap": EventKind.WRAP, "guide_load": EventKind.LOAD, "guide_swivel": EventKind.SWIVEL}


def watch_measurements(builder: "TreeBuilder", index: dict[int, int], tables: Tables, starts: Any) -> None:
    """Fill the events that watch a measurement of a joint or cable; checks of the scenario have refused others."""
    found = [spec for spec in builder.crossings if spec.measured is not None]
    if not found:
        return
    first = first_events(builder, tables["columns"]).crossing
    lines = Lines(builder, index, tables, starts)
    for event, spec in zip(tables["events"][first:], builder.crossings, strict=True):
        if spec.measured is not None:
            lines.fill(event, spec)
    tables["settings"][0].has_loads = (tables["events"]["kind"] == EventKind.ANCHOR).any()


class Lines:
    """Writes rows of the event table for measured quantities."""

    def __init__(self, builder: "TreeBuilder", index: dict[int, int], tables: Tables, starts: Any) -> None:
        """Find the routes and guides of all cables by their names."""
        self.builder, self.index, self.tables, self.starts = builder, index, tables, starts
        self.nodes = {builder.nodes[handle].name: i for handle, i in index.items()}
        self.routes = route_names(builder, tables)
        behind = {spec.name.removesuffix(".rope"): (int(row["route"]),)
                  for spec, row in zip(builder.tethers, tables["tethers"], strict=True)
                  if spec.name.endswith(".rope")}  # fmt: skip
        self.behind = {name: route for name, route in behind.items() if name not in self.routes}
        self.guides = guide_names(tables, self.routes)["guides"]
        for name, (route,) in self.behind.items():
            row = tables["routes"][route]
            ways = range(int(row.guide), int(row.guide + row.count))
            self.guides |= {f"{name}.{k or 'exit'}": (guide,) for k, guide in enumerate(ways)}

    def fill(self, event: Any, spec: "CrossingSpec") -> None:
        """Fill the row of one event."""
        measured, what = spec.measured, spec.measured.quantity()
        if measured.owner() == "joint":
            self._coordinate(event, self.index[self.builder.bodies[measured.joint]], 1.0, is_rate=what == "velocity")
        elif what in ("drum_angle", "drum_speed"):
            node, scale = self._drum(measured.drum_key()), 1.0 / spec.drum.radius
            self._coordinate(event, node, scale, is_rate=what == "drum_speed")
        elif what in ("drum_torque", "motor_torque"):
            ratio = spec.drum.gearbox.ratio if what == "motor_torque" and spec.drum.gearbox is not None else 1.0
            event.kind, event.scale = EventKind.TORQUE, spec.drum.radius / ratio
            event.index = self.tables["nodes"][self._drum(measured.drum_key())].column
        elif what == "guide_slip":
            self._coordinate(event, self.nodes[f"{measured.cable}.guide{measured.guide}"], 1.0, is_rate=False)
        elif what == "length":
            self._length(event, measured.cable)
        elif what in GUIDES:
            self._guide(event, measured)
        else:
            self._tension(event, measured)

    def _drum(self, cable: str) -> int:
        return self.nodes[self.builder.spools.get(cable, f"{cable}.length")]

    def _coordinate(self, event: Any, node: int, scale: float, *, is_rate: bool) -> None:
        """A coordinate or its rate; that of a drum counts from its start."""
        row = self.tables["nodes"][node]
        event.kind, event.is_speed, event.scale = EventKind.COORDINATE, is_rate, scale
        event.index = row.column if is_rate else row.coordinate
        if not is_rate and scale != 1.0:
            event.level += scale * float(self.starts[int(row.coordinate)])

    def _length(self, event: Any, cable: str) -> None:
        """Lengths of routes; of a cable of elements its own length times its feed, and the rope behind it."""
        pieces = self.routes.get(cable, self.behind.get(cable, ()))
        event.kind, event.index = EventKind.LENGTH, -1
        event.route, event.count = (pieces[0] if pieces else 0), len(pieces)
        if cable in self.routes:
            return
        nodes = [self.index[handle] for handle in self.builder.cables[cable]]
        columns = self.tables["columns"][self.tables["nodes"]["column"][nodes]]
        own, feed = float(columns["free"].sum()), int(columns["feed"][0])
        event.index, event.scale = feed, own
        if feed < 0:
            event.level -= own

    def _guide(self, event: Any, measured: Any) -> None:
        rows = self.guides[f"{measured.cable}.{measured.guide or 'exit'}"]
        routes = self.tables["routes"]
        owner = np.flatnonzero((routes["guide"] <= rows[0]) & (rows[0] < routes["guide"] + routes["count"]))[0]
        event.kind = GUIDES[measured.quantity()]
        event.index, event.count, event.route = rows[0], len(rows), owner

    def _tension(self, event: Any, measured: Any) -> None:
        """Tension of one piece of a rope, or at the anchor of a cable of elements."""
        what, pieces = measured.quantity(), self.routes.get(measured.cable)
        if pieces is None and what == "tension_anchor":
            nodes = [self.index[handle] for handle in self.builder.cables[measured.cable]]
            name = f"{measured.cable}.anchor"
            number = next(j for j, spec in enumerate(self.builder.closures) if spec.name == name)
            closure = self.tables["closures"][number]
            event.kind, event.index, event.route = EventKind.ANCHOR, closure.row, nodes[-1]
            event.direction[:] = closure.point_rows
            return
        if pieces is None:
            piece = self.behind[measured.cable][0]
        elif what == "span_tension":
            counts = [int(self.tables["routes"][piece].count) - 1 for piece in pieces]
            piece = pieces[int(np.searchsorted(np.cumsum(counts), measured.span))]
        else:
            piece = pieces[0 if what == "tension_exit" else -1]
        event.kind, event.index, event.count = EventKind.TENSION, piece, 1
