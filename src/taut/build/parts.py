"""Parts of a machine that are built again, alone: bodies with other masses, cables of another material or length.

The builders of the whole machine build the part, beside all else as it was. Its rows of the tables are then compared
with those of the unchanged part: whole numbers (kinds, indices, flags) must be the same, the other numbers are copied.
"""

from collections.abc import Iterable
from copy import copy
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np

from taut.build.cables.kinds import BUILDERS, begin_of
from taut.build.context import Context
from taut.build.freeze.rows import Row, blank_rows
from taut.build.freeze.tables import fill_column, fill_node, places_of
from taut.build.freeze.watched import LEAST_PULL, slack_ends, weight_of
from taut.build.machine.bodies import add_body
from taut.build.tree import NodeSpec, TreeBuilder
from taut.model import tables as t
from taut.model.enums import EventKind
from taut.model.laws import LAWS
from taut.model.model import Model, frozen
from taut.model.remembered import kept
from taut.scenario.io.source import split_path
from taut.scenario.scenario import Scenario

# keys of bodies whose numbers affect no position, name or signal of another part
BODY_KEYS = ("mass", "inertia", "density", "com")
CABLE_KEYS = ("radius", "mass_per_length", "density", "youngs_modulus", "damping", "axial_stiffness",
              "bending_stiffness", "axial_damping", "bending_damping", "element", "length")  # fmt: skip
CABLE_KINDS = ("mrfe", "spring")
LISTS = (
    "nodes",
    "closures",
    "wrenches",
    "contacts",
    "tethers",
    "crossings",
    "switches",
    "signals",
    "curves",
    "ritz",
    "capstans",
)
GROWING = ("nodes", "closures", "tethers")  # lists of the builder to which a single part may add
NODE_REALS, COLUMN_REALS = ([c.name for c in columns if c.type == t.REAL] for columns in (t.NODES, t.COLUMNS))
NODE_INTS, COLUMN_INTS = ([c.name for c in columns if c.type == t.INT] for columns in (t.NODES, t.COLUMNS))


class Uncovered(Exception):
    """More than these parts depends on a number: the machine must be built as a whole."""


class Parts:
    """The parts of one machine that depend on numbers at some addresses."""

    def __init__(self, model: Model, addresses: list[str]) -> None:
        """Find the parts, and their rows."""
        self.base, self.is_checked = model, False
        self.names = list(dict.fromkeys(part_at(model.scenario, split_path(address)) for address in addresses))
        if model.plan.believed or model.plan.equipment:
            raise Uncovered  # controllers that compute with numbers of the machine would need them exchanged as well
        self.context = context_of(model)
        self.index = {spec.name: i for i, spec in enumerate(ordered(self.context.tree, model))}
        kinds = set(model.tables.events["kind"].tolist())
        self.has_levels = bool(kinds & {EventKind.SLACK, EventKind.FADING})
        self.holds = np.flatnonzero(model.tables.events["kind"] == EventKind.UNILATERAL)
        self.before = whole_numbers(self._rows(self._specs(model.scenario)))

    def model(self, scenario: Scenario) -> Model:
        """The model of a scenario in which nothing but these parts differs."""
        built = self._specs(scenario)
        rows = self._rows(built)
        if whole_numbers(rows) != self.before:
            raise Uncovered
        tables = {"nodes": rows_in(self.base.tables.nodes, rows.nodes, NODE_REALS),
                  "columns": rows_in(self.base.tables.columns, rows.columns, COLUMN_REALS)}  # fmt: skip
        tables |= self._tethers(built) | self._levels(built, tables["columns"])
        q, v = self.base.start_coordinates.copy(), self.base.start_velocities.copy()
        for i, spec in built.nodes.items():
            node = self.base.tables.nodes[i]
            q[int(node.coordinate) : int(node.coordinate) + len(spec.position)] = spec.position
            v[int(node.column) : int(node.column) + len(spec.velocity)] = spec.velocity
        changed = self.base.tables._replace(**{name: frozen(table) for name, table in tables.items()})
        # cached workspaces depend on whole numbers (counts and indices) only, so the changed model can share them
        changed.__dict__["_workspaces"] = self.base.tables.__dict__.setdefault("_workspaces", {})
        plan = replace(self.base.plan, said=scenario)
        return replace(self.base, tables=changed, start_coordinates=frozen(q), start_velocities=frozen(v), plan=plan,
                       scenario=scenario)  # fmt: skip

    def _specs(self, scenario: Scenario) -> "Built":
        """The scenario's records of the parts."""
        found = Built({}, {}, self.context.tree)
        for kind, name in self.names:
            fresh = replace(self.context, scenario=scenario, tree=copied_tree(self.context.tree),
                            signal_handles=dict(self.context.signal_handles))  # fmt: skip
            if kind == "body":
                add_body(fresh, name, scenario.all_bodies()[name])
            else:
                add_cable(fresh, name)
            found.take(self.context.tree, fresh.tree, self.index)
        return found

    def _rows(self, built: "Built") -> "Rows":
        nodes, columns = blank_rows(t.NODES, len(built.nodes)), {}
        for row, (i, spec) in zip(nodes, built.nodes.items(), strict=True):
            fill_node(row, spec)
            first = int(self.base.tables.nodes["column"][i])
            for k, place in enumerate(places_of(spec)):
                if LAWS[spec.columns[k].spring.kind].has_state:
                    # a law with an internal state starts relaxed, at its elongation, which the changed number may alter
                    raise Uncovered
                columns[first + k] = blank_rows(t.COLUMNS, 1)[0]
                fill_column(columns[first + k], spec, k, place, [])
        return Rows(dict(zip(built.nodes, nodes, strict=True)), columns)

    def _tethers(self, built: "Built") -> dict[str, Any]:
        """The table of cables without mass, if they are among the parts."""
        if not built.tethers:
            return {}
        table = self.base.tables.tethers.copy()
        for j, spec in built.tethers.items():
            table[j].length, table[j].stiffness, table[j].damping = spec.length, spec.stiffness, spec.damping
        return {"tethers": table}

    def _levels(self, built: "Built", columns: Any) -> dict[str, Any]:
        """The table of events, if levels of it depend on the weight; those that depend on laws are not covered."""
        old = self.base.tables.columns
        if self.has_levels and not (
            slack_ends(columns) == slack_ends(old)
            and np.array_equal(columns["stribeck_velocity"], old["stribeck_velocity"])
        ):
            raise Uncovered
        if not len(self.holds):
            return {}
        events, tree = self.base.tables.events.copy(), copied_tree(self.context.tree)
        handles = {spec.name: handle for handle, spec in enumerate(tree.nodes)}
        for spec in built.nodes.values():
            tree.nodes[handles[spec.name]] = spec
        events["level"][self.holds] = LEAST_PULL * weight_of(tree)
        return {"events": events}


class Rows:
    """Rows of nodes and columns, by their numbers."""

    def __init__(self, nodes: dict[int, Row], columns: dict[int, Row]) -> None:
        """Keep the rows of nodes and columns."""
        self.nodes, self.columns = nodes, columns


class Built:
    """Nodes and tethers of parts, by their numbers in the tables."""

    def __init__(self, nodes: dict[int, NodeSpec], tethers: dict[int, Any], tree: TreeBuilder) -> None:
        """Begin with given nodes and tethers of the machine."""
        self.nodes, self.tethers = nodes, tethers
        self.numbers = {spec.name: j for j, spec in enumerate(tree.tethers)}

    def take(self, before: TreeBuilder, after: TreeBuilder, index: dict[str, int]) -> None:
        """Take what a builder has added to the machine beside the parts of equal names."""
        grown = [name for name in LISTS if len(getattr(after, name)) != len(getattr(before, name))]
        if set(grown) - set(GROWING) or after.breakpoints != before.breakpoints:
            raise Uncovered
        first, names = len(before.nodes), [spec.name for spec in after.nodes]
        handles = {name: handle for handle, name in enumerate(names[:first])}
        # nodes built again get new handles: map them to the old ones of the same name
        same = {handle: handles.get(names[handle], -1) for handle in range(first, len(names))}
        for spec in after.nodes[first:]:
            old = before.nodes[handles[spec.name]] if spec.name in handles else None
            if old is None or old.parent != same.get(spec.parent, spec.parent) or old.turns != spec.turns:
                raise Uncovered
            self.nodes[index[spec.name]] = spec
        self._take_others(before, after, same)

    def _take_others(self, before: TreeBuilder, after: TreeBuilder, same: dict[int, int]) -> None:
        closures = {spec.name: spec for spec in before.closures}
        for spec in after.closures[len(before.closures) :]:
            a, b = (same.get(node, node) for node in spec.nodes)
            if spec.name not in closures or not is_equal(replace(spec, nodes=(a, b)), closures[spec.name]):
                raise Uncovered
        for spec in after.tethers[len(before.tethers) :]:
            old = before.tethers[self.numbers[spec.name]]
            if not is_equal(replace(spec, length=old.length, stiffness=old.stiffness, damping=old.damping), old):
                raise Uncovered
            self.tethers[self.numbers[spec.name]] = spec


def part_at(scenario: Scenario, steps: tuple[str | int, ...]) -> tuple[str, str]:
    """Kind and name of the part of the machine that a number belongs to."""
    group, name, key = (*steps, "", "", "")[:3]
    if group == "platform" and name in BODY_KEYS:
        return "body", "platform"
    if group == "bodies" and key in BODY_KEYS:
        return "body", str(name)
    if group == "cables" and key in CABLE_KEYS:
        cables = {cable.name: cable for cable in scenario.cables}
        cable = cables.get(str(name)) or scenario.cables[int(name)]
        is_plain = cable.winch is None and cable.pulley is None and not getattr(cable, "via", ())
        if cable.kind in CABLE_KINDS and is_plain:
            return "cable", cable.name
    raise Uncovered


def context_of(model: Model) -> Context:
    """The machine in plain numbers, as it was before it was frozen; kept with the model."""
    from taut.build.build import collect

    known = kept(model)
    if "context" not in known:
        known["context"] = collect(model.scenario, {})
    return known["context"]


def ordered(tree: TreeBuilder, model: Model) -> list[NodeSpec]:
    """Nodes in the order of the tables; refuses names that stand for two."""
    by_name = {spec.name: spec for spec in tree.nodes}
    if len(by_name) != len(tree.nodes) or set(by_name) != set(model.names.nodes):
        raise Uncovered
    return [by_name[name] for name in model.names.nodes]


def copied_tree(tree: TreeBuilder) -> TreeBuilder:
    """A builder to which more can be added without changing the first."""
    found = copy(tree)
    for name in LISTS:
        setattr(found, name, list(getattr(tree, name)))
    found.breakpoints, found.bodies, found.cables = set(tree.breakpoints), dict(tree.bodies), dict(tree.cables)
    found.pieces = {name: list(pieces) for name, pieces in tree.pieces.items()}
    return found


def add_cable(context: Context, name: str) -> None:
    """Build one cable, from the exit that it had."""
    number = next(i for i, cable in enumerate(context.scenario.cables) if cable.name == name)
    cable, path = context.scenario.cables[number], f"cables[{number}]"
    add: Any = BUILDERS[cable.kind]
    add(context, cable, path, begin_of(context, cable, path, context.exits[number]))


def whole_numbers(rows: Rows) -> tuple[Any, ...]:
    """Kinds, indices and flags of rows."""
    tables = (rows.nodes, NODE_INTS), (rows.columns, COLUMN_INTS)
    return tuple((number, [whole(getattr(row, name)) for name in names])
                 for table, names in tables for number, row in table.items())  # fmt: skip


def whole(value: Any) -> Any:
    """A whole number as it is, or an array of them as a list."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def rows_in(table: Any, rows: dict[int, Row], names: Iterable[str]) -> Any:
    """A copy of a table with some rows' real numbers exchanged."""
    found = table.copy()
    plain, numbers = found.view(np.ndarray), list(rows)
    for name in names if rows else ():
        plain[name][numbers] = [getattr(row, name) for row in rows.values()]
    return found


def is_equal(a: Any, b: Any) -> bool:
    """Whether two records are equal, arrays in them too."""
    if is_dataclass(a):
        return type(a) is type(b) and all(is_equal(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(is_equal(x, y) for x, y in zip(a, b, strict=True))
    return bool(np.array_equal(a, b)) if isinstance(a, np.ndarray) or isinstance(b, np.ndarray) else a == b
