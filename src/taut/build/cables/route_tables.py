"""Routes of ropes in plain numbers, and their tables: guides in their order, sheaves, coordinates that pay out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taut.model import tables as t
from taut.model.enums import ClosureKind, JointKind
from taut.model.routes import SheaveKind

if TYPE_CHECKING:
    from taut.build.tree import TreeBuilder

WORLD = 0


@dataclass(frozen=True)
class SheaveSpec:
    """A wheel over which a rope runs."""

    radius: float
    axis: Any  # body axes of the guide's node; of a castor the line on which the rope arrives
    side: int = 1
    kind: SheaveKind = SheaveKind.FIXED
    wrap: float = 1.0  # at the start [rad]
    reference: Any = (0.0, 0.0, 0.0)  # first or last of a route: from where its arc counts, axes of the carrier
    carrier: int = WORLD  # node whose axes these are
    turns: bool = False  # whether the guide's node is the wheel itself, which carries the rope with it


@dataclass(frozen=True)
class GuideSpec:
    """A point of a node through which a rope runs, or the centre of a sheave there."""

    node: int
    point: Any
    sheave: SheaveSpec | None = None


@dataclass(frozen=True)
class RouteSpec:
    """The way of a rope, with both ends."""

    guides: Sequence[GuideSpec]
    drum: int = WORLD  # node whose coordinate, a length, pays out


@dataclass(frozen=True)
class TetherSpec:
    """A cable without mass that stretches, from a point of one node, over guides, to a point of another."""

    name: str
    nodes: tuple[int, int]
    points: tuple[Any, Any]
    length: float  # unstrained, at the start [m]
    stiffness: float  # EA [N]
    damping: float = 0.0  # eta A [N s]
    signal: int = -1  # of the length against that at the start
    drum: int = WORLD  # node whose coordinate is the length
    switch: int = -1  # handle of the switch that cuts it
    is_two_sided: bool = False  # whether it pushes too
    guides: Sequence[GuideSpec] = ()  # the whole way; none: straight

    @property
    def route(self) -> RouteSpec:
        """Its way."""
        return RouteSpec(self.guides or straight(self.nodes, self.points), self.drum)


def straight(nodes: tuple[int, int], points: tuple[Any, Any]) -> tuple[GuideSpec, GuideSpec]:
    """A way without guides."""
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
    tables = {"routes": routes, "guides": guides, "sheaves": t.new_table(t.SHEAVES, len(sheaves))}
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
        if spec.sheave is not None:
            guide.sheave = count
            fill_sheave(tables["sheaves"][count], spec.sheave, index)
            count += 1
        nodes[guide.node].has_contact = guide.node > 0
    pay_out(builder, tables, specs, nodes)
    return tables


def closures_of(builder: "TreeBuilder") -> list[int]:
    """Closures that keep the length of a route."""
    return [j for j, spec in enumerate(builder.closures) if is_routed(spec)]


def feeds(spec: RouteSpec) -> tuple[GuideSpec, ...]:
    """Drums of a route."""
    return (GuideSpec(spec.drum, (0.0, 0.0, 0.0)),) if spec.drum != WORLD else ()


def fill_sheave(sheave: Any, spec: SheaveSpec, index: dict[int, int]) -> None:
    """One row."""
    sheave.kind, sheave.radius, sheave.side, sheave.wrap = spec.kind, spec.radius, spec.side, spec.wrap
    sheave.axis[:], sheave.reference[:] = spec.axis, spec.reference
    sheave.carrier = index[spec.carrier]


def pay_out(builder: "TreeBuilder", tables: dict[str, Any], specs: list[RouteSpec], nodes: Any) -> None:
    """Coordinates that pay out: of drums, and of the wheels at a route's ends, which let it out or take it in."""
    for route, spec in zip(tables["routes"], specs, strict=True):
        last = int(route.guide + route.count - 1)
        if route.feeds:
            drum = tables["guides"][last + 1]
            drum.column, drum.ratio = nodes[drum.node].column, 1.0
            drum.start = builder.nodes[spec.drum].position[0]
        for k, sign in ((int(route.guide), 1.0), (last, -1.0)):
            sheave = spec.guides[k - int(route.guide)].sheave
            if sheave is not None and sheave.turns:
                guide = tables["guides"][k]
                guide.column, guide.ratio = nodes[guide.node].column, sign * sheave.side * sheave.radius
