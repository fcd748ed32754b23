"""Routes of ropes in plain numbers, and their tables: guides in their order, sheaves, coordinates that pay out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from taut.model import tables as t
from taut.model.enums import CapstanKind, ClosureKind, JointKind
from taut.model.routes import SheaveKind, wound_off

if TYPE_CHECKING:
    from taut.build.tree import TreeBuilder

WORLD = 0
MORE_LAYERS = 30  # number of layers that may be wound beyond those at the start


@dataclass(frozen=True)
class SheaveSpec:
    """A wheel over which a rope runs."""

    radius: float
    axis: Any  # axis of the wheel in the axes of the guide's node; for a castor, the line on which the rope arrives
    side: int = 1
    kind: SheaveKind = SheaveKind.FIXED
    wrap: float = 1.0  # wrap angle at the start [rad]
    # first or last guide of a route: direction from which its wrap counts, in the axes of ``carrier``
    reference: Any = (0.0, 0.0, 0.0)
    carrier: int = WORLD  # node in whose axes ``reference`` is given
    turns: bool = False  # whether the guide's node is the wheel itself, which moves with the rope


@dataclass(frozen=True)
class GuideSpec:
    """A point of a node through which a rope runs, or the centre of a sheave there."""

    node: int
    point: Any
    sheave: SheaveSpec | None = None
    friction: float = -1.0  # Coulomb coefficient between rope and guide; -1 if the rope does not slip there
    bearing: float = -1.0  # friction radius of the sheave's bearing over the sheave's radius; -1 for none
    loss: float = -1.0  # -ln of the sheave's efficiency; -1 for none


@dataclass(frozen=True)
class PaySpec:
    """A node whose one coordinate pays out, or makes the way longer."""

    node: int
    ratio: float
    start: float  # value of the coordinate at which nothing is paid out
    is_way: bool = False


@dataclass(frozen=True)
class LayersSpec:
    """Rope paid out by a drum with layers, by its angle: the slope far on the wound side, and the changes of slope."""

    ratio: float
    offset: float  # added to the rope paid out, so that it is zero at the start [m]
    # changes of layer: coordinate beyond the start, change of the slope, half width
    changes: tuple[tuple[float, float, float], ...]

    def reflected(self, sign: float) -> "LayersSpec":
        """Of a drum that turns the other way: f(-x), times a sign, instead of f(x)."""
        slope = self.ratio + sum(step for _, step, _ in self.changes)
        changes = tuple((-at, sign * step, climb) for at, step, climb in reversed(self.changes))
        return from_start(-sign * slope, changes)


class Slip(NamedTuple):
    """A node whose coordinate is rope that comes in (1) or leaves (-1) at an end: off a drum, or as it slips."""

    node: int
    ratio: float
    layers: LayersSpec | None = None  # of a drum, instead of the ratio


def from_start(ratio: float, changes: tuple[tuple[float, float, float], ...]) -> LayersSpec:
    """Slope far on the wound side and its changes, with nothing paid out at the start."""
    row = {"ratio": ratio, "offset": 0.0, "layer": 0, "layer_count": len(changes)}
    rows = [dict(zip(("at", "step", "climb"), change, strict=True)) for change in changes]
    return LayersSpec(ratio, float(wound_off(row, rows, 0.0)[0]), changes)


def layer_ends(radius: float, layers: Any) -> list[tuple[float, float]]:
    """Coordinate (the radius times the turn) beyond the start, and half width, of all changes of layer."""
    per = layers.turns_per_layer
    top = int(layers.turns // per) + MORE_LAYERS
    # layer k + 1 ends when k per turns are left on the drum, that is, after (turns - k per) turns have been paid out
    return [(2.0 * math.pi * radius * (layers.turns - k * per), 0.5 * math.pi * radius) for k in range(top, 0, -1)]


def layers_of(radius: float, layers: Any) -> LayersSpec:
    """Layers of a drum by its lowest radius."""
    rise, ends = layers.rise / radius, layer_ends(radius, layers)
    return from_start(1.0 + len(ends) * rise, tuple((at, -rise, climb) for at, climb in ends))


def travel_of(radius: float, pitch: float, layers: Any) -> LayersSpec:
    """Travel of the rope along a drum: the pitch for every turn, to and fro from layer to layer.

    It grows where the rope is paid out from the layer of the start, and turns about while the rope climbs.
    """
    slope = pitch / (2.0 * math.pi * radius)
    ends = layer_ends(radius, layers) if layers is not None else []
    passed = sum(at <= 0.0 for at, _ in ends)
    signs = [1.0 if (k - passed) % 2 == 0 else -1.0 for k in range(len(ends) + 1)]
    changes = tuple((at, 2.0 * slope * sign, climb) for (at, climb), sign in zip(ends, signs[1:], strict=True))
    return from_start(slope * signs[0], changes)


@dataclass(frozen=True)
class RouteSpec:
    """A rope's route: its two ends and the guides between them."""

    guides: Sequence[GuideSpec]
    slips: tuple[Slip, ...] = ()
    paying: tuple[PaySpec, ...] = ()  # further coordinates that pay out the rope


@dataclass(frozen=True)
class CapstanSpec:
    """Friction at guides that follows the tensions of two pieces of a rope."""

    kind: CapstanKind
    # pieces of the rope (tether or closure, and its number) before and after the friction
    pieces: tuple[tuple[str, int], tuple[str, int]]
    node: int  # node whose coordinate the friction resists
    count: int = 1  # number of guides whose friction this is: the last ones of the piece before it
    arm: float = 0.0
    mass: float = 0.0
    signal: int = -1


@dataclass(frozen=True)
class TetherSpec:
    """A cable without mass that stretches, from a point of one node, over guides, to a point of another."""

    name: str
    nodes: tuple[int, int]
    points: tuple[Any, Any]
    length: float  # unstrained length at the start [m]
    stiffness: float  # axial stiffness EA [N]
    damping: float = 0.0  # axial damping eta A [N s]
    signal: int = -1  # signal of the change of the length since the start
    switch: int = -1  # handle of the switch that cuts the cable
    is_two_sided: bool = False  # whether the cable can push too
    guides: Sequence[GuideSpec] = ()  # guides from the exit to the anchor; empty for a straight cable
    slips: tuple[Slip, ...] = ()
    paying: tuple[PaySpec, ...] = ()

    @property
    def route(self) -> RouteSpec:
        """The rope's route."""
        return RouteSpec(self.guides or straight(self.nodes, self.points), self.slips, self.paying)


def straight(nodes: tuple[int, int], points: tuple[Any, Any]) -> tuple[GuideSpec, GuideSpec]:
    """Route of a straight rope, without guides."""
    return GuideSpec(nodes[0], points[0]), GuideSpec(nodes[1], points[1])


def is_routed(spec: Any) -> bool:
    """Whether a closure keeps the length of a route."""
    return spec.kind == ClosureKind.DISTANCE


def route_tables(builder: "TreeBuilder", index: dict[int, int], nodes: Any) -> dict[str, Any]:
    """Tables of all routes: those of the tethers first, then those of the closures of a distance."""
    specs = [tether.route for tether in builder.tethers]
    specs += [closure.route for closure in builder.closures if is_routed(closure)]
    rows = [guide for spec in specs for guide in (*spec.guides, *feeds(spec))]
    routes, guides = t.new_table(t.ROUTES, len(specs)), t.new_table(t.GUIDES, len(rows))
    sheaves = [guide.sheave for guide in rows if guide.sheave is not None]
    # a dummy row: friction at guides is compiled together with sheaves, so a machine with friction needs at least one
    count_of = max(len(sheaves), 1 if builder.capstans else 0)
    tables = {"routes": routes, "guides": guides, "sheaves": t.new_table(t.SHEAVES, count_of),
              "layers": layer_table(specs)}  # fmt: skip
    first = count = 0
    for route, spec in zip(routes, specs, strict=True):
        route.guide, route.count, route.feeds = first, len(spec.guides), len(feeds(spec))
        route.has_sheaves = any(guide.sheave is not None for guide in spec.guides)
        first += route.count + route.feeds
    for number, closure in enumerate((-1,) * len(builder.tethers) + tuple(closures_of(builder))):
        routes[number].closure = closure
    for guide, spec in zip(guides, rows, strict=True):
        guide.node, guide.sheave, guide.column = index[spec.node], -1, -1
        guide.point[:] = spec.point
        guide.is_linear = nodes[guide.node].kind == JointKind.SMALL
        guide.friction, guide.bearing, guide.loss = spec.friction, spec.bearing, spec.loss
        if spec.sheave is not None:
            guide.sheave = count
            fill_sheave(tables["sheaves"][count], spec.sheave, index)
            count += 1
        nodes[guide.node].has_contact = guide.node > 0
    pay_out(builder, tables, specs, nodes)
    return tables


def layer_table(specs: list[RouteSpec]) -> Any:
    """Changes of layer of all drums, by the routes that they pay out."""
    layers = [slip.layers for spec in specs for slip in spec.slips if slip.layers is not None]
    changes = [change for own in layers for change in own.changes]
    table = t.new_table(t.LAYERS, len(changes))
    for row, change in zip(table, changes, strict=True):
        row.at, row.step, row.climb = change
    return table


def closures_of(builder: "TreeBuilder") -> list[int]:
    """Closures that keep the length of a route."""
    return [j for j, spec in enumerate(builder.closures) if is_routed(spec)]


def feeds(spec: RouteSpec) -> tuple[GuideSpec, ...]:
    """Coordinates that pay out a route: lengths of cables, turns of pulleys, drums, what slips at its ends."""
    nodes = [*(pay.node for pay in spec.paying), *(slip.node for slip in spec.slips)]
    return tuple(GuideSpec(node, (0.0, 0.0, 0.0)) for node in nodes)


def fill_sheave(sheave: Any, spec: SheaveSpec, index: dict[int, int]) -> None:
    """Fill one row of the table of sheaves."""
    sheave.kind, sheave.radius, sheave.side, sheave.wrap = spec.kind, spec.radius, spec.side, spec.wrap
    sheave.axis[:], sheave.reference[:] = spec.axis, spec.reference
    sheave.carrier = index[spec.carrier]


def pay_out(builder: "TreeBuilder", tables: dict[str, Any], specs: list[RouteSpec], nodes: Any) -> None:
    """Coordinates that pay out: of drums, and of the wheels at a route's ends, which let it out or take it in."""
    layer = 0
    for route, spec in zip(tables["routes"], specs, strict=True):
        last = int(route.guide + route.count - 1)
        for k, pay in enumerate(spec.paying, last + 1):
            row = tables["guides"][k]
            row.column, row.ratio, row.start, row.is_way = nodes[row.node].column, pay.ratio, pay.start, pay.is_way
        for k, slip in enumerate(spec.slips, last + 1 + len(spec.paying)):
            feed = tables["guides"][k]
            feed.column, feed.ratio = nodes[feed.node].column, slip.ratio
            feed.start = builder.nodes[slip.node].position[0]
            if slip.layers is not None:
                own = slip.layers
                feed.ratio, feed.offset, feed.layer, feed.layer_count = own.ratio, own.offset, layer, len(own.changes)
                layer += len(own.changes)
        for k, sign in ((int(route.guide), 1.0), (last, -1.0)):
            sheave = spec.guides[k - int(route.guide)].sheave
            if sheave is not None and sheave.turns:
                guide = tables["guides"][k]
                guide.column, guide.ratio = nodes[guide.node].column, sign * sheave.side * sheave.radius


def capstan_table(builder: "TreeBuilder", index: dict[int, int], tables: dict[str, Any]) -> Any:
    """Friction at guides; its columns get their rows."""
    table = t.new_table(t.CAPSTANS, len(builder.capstans))
    numbers = {"tether": range(len(builder.tethers)), "closure": tables["closures"]["route"]}
    tables["columns"]["capstan"] = -1
    for j, (capstan, spec) in enumerate(zip(table, builder.capstans, strict=True)):
        capstan.kind, capstan.arm, capstan.mass, capstan.signal = spec.kind, spec.arm, spec.mass, spec.signal
        capstan.before, capstan.after = (int(numbers[kind][number]) for kind, number in spec.pieces)
        before = tables["routes"][capstan.before]
        capstan.first = before.guide + before.count - spec.count
        capstan.column = tables["nodes"][index[spec.node]].column
        tables["columns"][capstan.column].capstan = j
    return table
