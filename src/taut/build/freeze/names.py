"""Names of everything in a model, by index."""

from typing import TYPE_CHECKING, Any

from taut.build.freeze.watched import event_names, first_events
from taut.model.enums import DRIVEN_JOINTS, ClosureKind
from taut.model.model import Names

if TYPE_CHECKING:
    from taut.build.tree import TreeBuilder


def names_of(builder: "TreeBuilder", index: dict[int, int], tables: dict[str, Any], labels: Any) -> Names:
    """Names from what was collected.

    Args:
        builder: what was collected.
        index: from handles to nodes.
        tables: those of the model.
        labels: names of the columns and of the rows.
    """
    columns, rows = labels
    nodes = {i: builder.nodes[handle] for handle, i in sorted(index.items(), key=lambda pair: pair[1])}
    first = first_events(builder, tables["columns"])
    routes = route_names(builder, tables)
    is_distance = [spec.kind == ClosureKind.DISTANCE and spec.name in builder.cables for spec in builder.closures]
    return Names(
        nodes=tuple(spec.name for spec in nodes.values()),
        columns=tuple(columns),
        subsystems=tuple(nodes[int(i)].name for i in tables["subsystems"]["node"]),
        closures=tuple(spec.name for spec in builder.closures),
        rows=tuple(rows),
        contacts=tuple(spec.name for spec in builder.contacts),
        events=event_names(builder, tables["columns"], columns),
        switches={first.switch + k: switch.says for k, switch in enumerate(builder.switches)},
        bodies={name: index[handle] for name, handle in builder.bodies.items()},
        cables={name: tuple(index[h] for h in handles) for name, handles in builder.cables.items()},
        tethers={spec.name: j for j, spec in enumerate(builder.tethers)},
        distances={spec.name: j for j, spec in enumerate(builder.closures) if is_distance[j]},
        routes=routes,
        **guide_names(tables, routes),
        drives={spec.name: i for i, spec in nodes.items() if spec.kind in DRIVEN_JOINTS},
    )


def route_names(builder: "TreeBuilder", tables: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """Routes of the pieces of every cable without mass."""
    numbers = {"tether": tables["tethers"]["route"], "closure": tables["closures"]["route"]}
    return {cable: tuple(int(numbers[kind][j]) for kind, j in pieces) for cable, pieces in builder.pieces.items()}


def guide_names(tables: dict[str, Any], routes: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    """Guides of cables that have any, with their rows (two where two pieces meet), and their spans."""
    guides: dict[str, tuple[int, ...]] = {}
    spans: list[str] = []
    for cable, pieces in routes.items():
        rows = [tables["routes"][piece] for piece in pieces]
        ways = [list(range(int(row.guide), int(row.guide + row.count))) for row in rows]
        inner = [(k,) for k in ways[0][1:-1]]
        for before, way in zip(ways, ways[1:], strict=False):
            inner += [(before[-1], way[0]), *((k,) for k in way[1:-1])]
        if tables["guides"]["sheave"][ways[0][0]] >= 0:
            guides[f"{cable}.exit"] = (ways[0][0],)
        guides |= {f"{cable}.{k}": row for k, row in enumerate(inner, 1)}
        if inner or f"{cable}.exit" in guides:
            spans += [f"{cable}.{k + 1}" for k in range(len(inner) + 1)]
    return {"guides": guides, "spans": tuple(spans)}
