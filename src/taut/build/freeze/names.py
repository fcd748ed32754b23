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
        drives={spec.name: i for i, spec in nodes.items() if spec.kind in DRIVEN_JOINTS},
    )
