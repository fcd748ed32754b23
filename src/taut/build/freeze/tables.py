"""From collected specifications to the frozen tables of a Model: order, indices, names."""

from typing import TYPE_CHECKING, Any

import numpy as np

from taut.build.cables.ritz_tables import ritz_tables
from taut.build.cables.route_tables import capstan_table, closures_of, route_tables
from taut.build.freeze.measured import watch_measurements
from taut.build.freeze.names import names_of
from taut.build.freeze.paces import pace_table
from taut.build.freeze.rows import blank_rows, table_of
from taut.build.freeze.signal_tables import signal_tables
from taut.build.freeze.watched import (
    contact_table,
    dry_columns,
    event_table,
    first_events,
    mark_dry,
    one_sided,
    tether_table,
)
from taut.build.plan import plan_of
from taut.build.reduction.reduced import stack_tables
from taut.model import tables as t
from taut.model.enums import ClosureKind, JointKind
from taut.model.inputs import force_signals
from taut.model.joints import JOINTS, JointDefinition, Place, column_places
from taut.model.laws import LAWS, LawKind
from taut.model.model import Model, Tables, frozen
from taut.model.piecewise import piecewise_tables

if TYPE_CHECKING:
    from taut.build.tree import ColumnSpec, NodeSpec, TreeBuilder

SLIDING = (JointKind.DRIVEN, JointKind.DRIVEN_SLIDE)  # kinds of joints that have no columns, but whose origin moves
ROW_LABELS = ("x", "y", "z")
UNTURNED, UPPER = np.eye(3).ravel(), np.triu_indices(3)
AXIS_ROW_COUNT = {ClosureKind.POINT: 0, ClosureKind.UNIVERSAL: 1, ClosureKind.REVOLUTE: 2, ClosureKind.FIXED: 3,
                  ClosureKind.COORDINATE: 0, ClosureKind.DISTANCE: 0, ClosureKind.TURN: 1}  # fmt: skip


def freeze(builder: "TreeBuilder", scenario: Any, *, is_draft: bool = False) -> Model:
    """Order the nodes, number everything, fill the tables and close them."""
    order, roots = depth_first(builder.nodes)
    index = {handle: i for i, handle in enumerate(order)}
    specs = [builder.nodes[handle] for handle in order]
    nodes, columns, starts, column_names = node_tables(specs, index, roots)
    feeds = feed_table(specs, index, (nodes, columns), len(builder.signals))
    closures, row_names = closure_table(builder, index, nodes)
    # every row that an event changes gets the event's number; events are numbered family by family (``first_events``)
    mark_dry(columns, closures)
    first = first_events(builder, columns)
    shift_switches(columns[["brake_switch", "law_switch"]], first.switch)
    columns["stick"][dry_columns(columns)] = np.arange(first.friction, first.fading)
    for event, j in enumerate(one_sided(builder), first.hold):
        closures[j].hold = event
    ways = route_tables(builder, index, nodes)
    closures["route"] = -1
    closures["route"][closures_of(builder)] = np.arange(len(builder.tethers), len(ways["routes"]))
    subsystems, ends, row_lists = subsystem_tables(nodes, closures, ways)
    wrenches = wrench_table(builder, index)
    tethers = tether_table(builder, ways, nodes, first.tether)
    for table in (closures, wrenches, tethers):
        shift_switches(table["switch"], first.switch)
    modal, reduced = modal_numbers(specs, nodes), reduced_tables(specs, nodes)
    settings = settings_table(builder.gravity, nodes, starts, len(row_names))
    settings[0].has_holds = closures["is_unilateral"].any()
    settings[0].has_friction = (columns["stick"] >= 0).any()
    settings[0].has_lengths = has_lengths(nodes, closures, tethers, ways)
    tables = {
        "nodes": nodes,
        "columns": columns,
        "subsystems": subsystems,
        "closures": closures,
        "ends": ends,
        "row_lists": row_lists,
        "wrenches": wrenches,
        "contacts": contact_table(builder, index, nodes, closures, first.grip),
        "tethers": tethers,
        **ways,
        "feeds": feeds,
        "events": event_table(builder, index, columns),
        **dict(zip(("signals", "terms", "pieces"), signal_tables(builder.signals), strict=True)),
        "settings": settings,
        "modal": modal,
        **ritz_tables([(index[handle], spec) for handle, spec in builder.ritz], nodes),
    }
    tables["capstans"] = capstan_table(builder, index, tables)
    watch_measurements(builder, index, tables, starts[0])
    tables["paces"] = pace_table([] if is_draft else builder.signals, force_signals(tables))
    return Model(
        tables=Tables(
            **{name: frozen(table) for name, table in tables.items()}, reduced=reduced, piecewise=piecewise_tables()
        ),  # fmt: skip
        names=names_of(builder, index, tables, (column_names, row_names)),
        start_coordinates=frozen(np.array(starts[0])),
        start_velocities=frozen(np.array(starts[1])),
        start_states=frozen(np.array(starts[2])),
        breakpoints=tuple(sorted(builder.breakpoints)),
        curves=tuple(builder.curves),
        plan=plan_of(scenario, builder.own_lengths, builder.spools),
        scenario=scenario,
    )


def settings_table(gravity: Any, nodes: Any, starts: Any, row_count: int) -> Any:
    """Counts of the model's rows, and flags of what the machine has."""
    settings = t.new_table(t.SETTINGS, 1)
    settings[0].gravity[:] = gravity
    settings[0].coordinate_count, settings[0].column_count, settings[0].state_count = (len(start) for start in starts)
    settings[0].row_count = row_count
    settings[0].has_feed = nodes["is_fed"].any()
    settings[0].has_modal = (nodes["band"] >= 0).any()
    return settings


def has_lengths(nodes: Any, closures: Any, tethers: Any, ways: dict[str, Any]) -> bool:
    """Whether the length of any cable changes in the run."""
    is_distance = closures["kind"] == ClosureKind.DISTANCE
    is_hauled = np.concatenate([tethers["signal"] >= 0, ways["guides"]["column"] >= 0])
    is_ritz = nodes["kind"] == JointKind.RITZ
    is_moved = closures["signal"][is_distance] >= 0
    own = (nodes["is_fed"] != 0, nodes["is_hoist"] != 0, is_ritz)
    return any(bool(found.any()) for found in (*own, is_moved, is_hauled))


def depth_first(specs: "list[NodeSpec]") -> tuple[list[int], list[int]]:
    """Handles parents first, tree by tree, and the sub-system number of each."""
    children: dict[int, list[int]] = {}
    for handle, spec in enumerate(specs):
        if spec.parent >= 0:
            children.setdefault(spec.parent, []).append(handle)
    order, roots = [0], [-1]
    for number, root in enumerate(children.get(0, [])):
        stack = [root]
        while stack:
            handle = stack.pop()
            order.append(handle)
            roots.append(number)
            stack.extend(reversed(children.get(handle, [])))
    return order, roots


def node_tables(specs: "list[NodeSpec]", index: dict[int, int], roots: list[int]) -> Any:
    """Node and column tables, start vectors (q, v, z) and column names."""
    nodes = blank_rows(t.NODES, len(specs))
    columns = blank_rows(t.COLUMNS, sum(len(spec.turns) for spec in specs))
    starts: tuple[list[float], list[float], list[float]] = ([], [], [])
    column_names: list[str] = []
    for i, spec in enumerate(specs):
        node = nodes[i]
        fill_node(node, spec)
        node.parent = index[spec.parent] if spec.parent >= 0 else 0
        node.subsystem = roots[i]
        if node.parent not in (0, i - 1):
            nodes[node.parent].has_branch = 1
        node.coordinate = len(starts[0])
        node.column = len(starts[1])
        node.column_count = len(spec.turns)
        labels = spec.modal.labels if spec.modal is not None else JOINTS.get(spec.kind, JointDefinition()).labels
        for k, place in enumerate(places_of(spec)):
            fill_column(columns[node.column + k], spec, k, place, starts[2])
            columns[node.column + k].coordinate = node.coordinate + place.coordinate
            columns[node.column + k].node = i
            column_names.append(f"{spec.name}.{labels[k]}" if labels[k] else spec.name)
        starts[0].extend(spec.position)
        starts[1].extend(spec.velocity)
    return table_of(t.NODES, nodes), table_of(t.COLUMNS, columns), starts, column_names


def fill_node(node: Any, spec: "NodeSpec") -> None:
    """Geometry and body of one node."""
    inertia = np.asarray(spec.body.inertia, float)
    node.kind = spec.kind
    node.offset[:] = spec.offset
    node.rotation[:] = np.asarray(spec.rotation, float).ravel()
    node.is_offset = bool(node.offset.any())
    node.has_arm = node.is_offset or spec.kind in SLIDING or not all(spec.turns) or spec.modal is not None
    node.is_turned = bool((node.rotation != UNTURNED).any())
    node.axis_1[:] = spec.axes[0]
    node.axis_2[:] = spec.axes[1]
    node.mass = spec.body.mass
    node.com[:] = spec.body.com
    node.inertia[:] = inertia[UPPER]
    node.is_rod = spec.body.is_rod
    node.signal[:] = spec.signals
    node.start[:] = spec.start
    node.band = -1
    node.feed = -1
    node.is_hoist = spec.is_hoist
    if spec.feed is not None:
        node.is_fed = 1
        node.feed = spec.feed.signal
        node.feed_kind = spec.feed.kind
        node.flow = spec.feed.flow
        node.line_density = spec.feed.line_density
        node.length = spec.feed.length
        node.is_exit = spec.feed.is_exit


def feed_table(specs: "list[NodeSpec]", index: dict[int, int], tables: tuple[Any, Any], signals: int) -> Any:
    """Feeds by coordinates; marks the nodes and columns of their cables by rows after the signals."""
    nodes, columns = tables
    feeds = np.flatnonzero(nodes["kind"] == JointKind.FEED)
    table = t.new_table(t.FEEDS, len(feeds))
    number = {int(i): k for k, i in enumerate(feeds)}
    for row, i in zip(table, feeds, strict=True):
        row.node, row.column, row.coordinate = i, nodes[i].column, nodes[i].coordinate
        row.length = specs[i].position[0]
    for i, spec in enumerate(specs):
        first = int(nodes[i].column)
        if spec.feed is not None and spec.feed.node:
            k = number[index[spec.feed.node]]
            nodes[i].feed = signals + k
            table[k].last_node, table[k].last_column = i, first + int(nodes[i].column_count) - 1
        for c, column in enumerate(spec.columns, first):
            if column.feed_node:
                columns[c].feed = signals + number[index[column.feed_node]]
    return table


def modal_numbers(specs: "list[NodeSpec]", nodes: Any) -> np.ndarray:
    """Numbers of the modal nodes one after the other; marks where each begins, and its matrix in a factor."""
    numbers: list[np.ndarray] = [np.zeros(0)]
    band = 0
    for node, spec in zip(nodes, specs, strict=True):
        if spec.modal is not None:
            node.modal = sum(len(part) for part in numbers)
            node.band, node.half_band = band, spec.modal.half_band
            band += int(node.column_count) * (spec.modal.half_band + 1)
            numbers.append(np.asarray(spec.modal.numbers, float))
    return np.concatenate(numbers)


def reduced_tables(specs: "list[NodeSpec]", nodes: Any) -> Any:
    """Tables of the reduced cables; each node gets the number of its cable."""
    found = []
    for node, spec in zip(nodes, specs, strict=True):
        if spec.modal is not None and spec.modal.reduced is not None:
            node.modal = len(found)
            found.append(spec.modal.reduced)
    return stack_tables(found)


def places_of(spec: "NodeSpec") -> tuple[Place, ...]:
    """Kind and coordinate of every column of a node; columns of a modal node are plain coordinates."""
    if spec.modal is None:
        return column_places(spec.kind)
    return tuple(Place(is_turn, False, k, -1) for k, is_turn in enumerate(spec.modal.turns))


def fill_column(column: Any, spec: "NodeSpec", k: int, place: Place, states: list[float]) -> None:
    """Column k of a node: type, law, friction, actuator; grows the list of internal states."""
    column.is_rotation = place.is_rotation
    column.is_parent_axis = place.is_parent_axis
    column.component = place.component
    acting: ColumnSpec = spec.columns[k]
    law = acting.spring
    column.law = law.kind
    column.stiffness = law.stiffness
    column.damping = law.damping
    column.free = law.free
    column.parameter[: len(law.parameters)] = law.parameters
    column.coulomb = acting.coulomb
    column.viscous = acting.viscous
    column.velocity_scale = acting.velocity_scale
    column.stiction = acting.stiction
    column.stribeck_velocity = acting.stribeck_velocity
    column.signal = acting.signal
    column.is_actuated = acting.is_actuated
    column.feed = acting.feed
    column.armature = acting.armature
    column.brake = acting.brake
    column.is_braked = acting.is_braked
    column.brake_switch = acting.brake_switch
    column.law_switch = acting.law_switch
    column.capstan = 0 if acting.is_capstan else -1
    column.is_slip = acting.is_slip
    column.state = -1
    if LAWS[law.kind].has_state:
        # the internal state of a spring starts relaxed, z = e; that of a motor with a lag is its force
        column.state = len(states)
        states.append(acting.force if law.kind == LawKind.LAGGED_MOTOR else start_position(spec, place) - law.free)


def start_position(spec: "NodeSpec", place: Place) -> float:
    """The coordinate a law sees at the start."""
    first = place.coordinate
    if place.component < 0:
        return float(spec.position[first])
    # choose the sign of the quaternion that means the smaller turn, as in column_position
    w, *vector = np.array(spec.position[first : first + 4]) * (-1.0 if spec.position[first] < 0.0 else 1.0)
    length = float(np.linalg.norm(vector))
    return 0.0 if length == 0.0 else 2.0 * np.arctan2(length, w) / length * vector[place.component]


def closure_table(builder: "TreeBuilder", index: dict[int, int], nodes: Any) -> tuple[Any, list[str]]:
    """Closures with their rows numbered, and the rows' names."""
    table = t.new_table(t.CLOSURES, len(builder.closures))
    names: list[str] = []
    for closure, spec in zip(table, builder.closures, strict=True):
        closure.kind = spec.kind
        closure.node_a, closure.node_b = (index[handle] for handle in spec.nodes)
        closure.point_a[:], closure.point_b[:] = spec.points
        closure.is_linear_a, closure.is_linear_b = (
            nodes[node].kind == JointKind.SMALL for node in (closure.node_a, closure.node_b)
        )
        closure.axis_a[:] = np.asarray(spec.axes[0], float).ravel()
        closure.axis_b[:] = np.asarray(spec.axes[1], float).ravel()
        closure.signal[:] = spec.signals
        closure.point_rows[:] = spec.directions
        closure.switch = spec.switch
        closure.row = len(names)
        closure.row_count = spec.row_count()
        if spec.kind == ClosureKind.COORDINATE:
            closure.column = nodes[closure.node_a].column + spec.column
            closure.groove, closure.start = spec.groove, spec.start
            if spec.groove > 0.0:
                closure.column, closure.partner = nodes[index[spec.climb]].column, closure.column
            names.append(f"{spec.name}.motion")
        closure.is_unilateral, closure.restitution, closure.hold = spec.is_unilateral, spec.restitution, -1
        if spec.kind == ClosureKind.DISTANCE:
            closure.start = spec.start
            names.append(f"{spec.name}.length")
        names += [f"{spec.name}.{label}" for label, held in zip(ROW_LABELS, spec.directions, strict=True) if held]
        names += [f"{spec.name}.axis{k + 1}" for k in range(AXIS_ROW_COUNT[spec.kind])]
    return table, names


def closure_ends(closures: Any, ways: dict[str, Any]) -> list[tuple[int, int, int, int]]:
    """Closure, node, whether it is end b, and guide, of all ends; a distance has one at every guide."""
    found = []
    for j, closure in enumerate(closures):
        if closure.route < 0:
            found += [(j, int(closure.node_a), 0, -1), (j, int(closure.node_b), 1, -1)]
        else:
            route = ways["routes"][closure.route]
            rows = range(route.guide, route.guide + route.count + route.feeds)
            found += [(j, int(ways["guides"][k].node), 0, k) for k in rows]
    return found


def subsystem_tables(nodes: Any, closures: Any, ways: dict[str, Any]) -> tuple[Any, Any, np.ndarray]:
    """Trees with their columns, closure ends and row lists."""
    count = int(nodes["subsystem"].max(initial=-1)) + 1
    table = t.new_table(t.SUBSYSTEMS, count)
    everywhere = closure_ends(closures, ways)
    ends: list[tuple[int, int, int, int, int]] = []
    lists: list[int] = []
    projection = 0
    for s, subsystem in enumerate(table):
        members = np.flatnonzero(nodes["subsystem"] == s)
        touching = [end for end in everywhere if nodes[end[1]].subsystem == s]
        rows = sorted({int(closures[j].row) + k for j, *_ in touching for k in range(int(closures[j].row_count))})
        subsystem.node, subsystem.node_count = members[0], len(members)
        subsystem.column = nodes[members[0]].column
        subsystem.column_count = nodes["column_count"][members].sum()
        subsystem.row_list, subsystem.row_count = len(lists), len(rows)
        subsystem.end_list, subsystem.end_count = len(ends), len(touching)
        subsystem.projection = projection
        projection += int(subsystem.column_count) * len(rows)
        ends += [(j, node, is_b, rows.index(int(closures[j].row)), guide) for j, node, is_b, guide in touching]
        lists += rows
    end_table = t.new_table(t.ENDS, len(ends))
    for end, values in zip(end_table, ends, strict=True):
        end.closure, end.node, end.is_b, end.local_row, end.guide = values
    return table, end_table, np.array(lists, np.int64)


def wrench_table(builder: "TreeBuilder", index: dict[int, int]) -> Any:
    """The table of applied wrenches."""
    table = t.new_table(t.WRENCHES, len(builder.wrenches))
    for wrench, spec in zip(table, builder.wrenches, strict=True):
        wrench.node = index[spec.node]
        wrench.point[:] = spec.point
        wrench.signal[:] = spec.signals
        wrench.is_follower = spec.is_follower
        wrench.switch = spec.switch
    return table


def shift_switches(handles: np.ndarray, first: int) -> None:
    """Handles of switches become numbers of events, of one key or of several; -1 stays."""
    for own in (handles[key] for key in handles.dtype.names) if handles.dtype.names else (handles,):
        own[own >= 0] += first
