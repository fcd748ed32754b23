"""Tables of what changes at events: contacts, tethers, springs that go slack, switches, the user's crossings."""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from taut.model import tables as t
from taut.model.enums import CapstanKind, ClosureKind, ContactLaw, EventKind
from taut.model.laws import LAWS, no_ends

FADED = 4.0  # speed, in Stribeck velocities, at which stiction has decayed to 1e-7
STANDARD_GRAVITY = 9.81  # standard gravity, for machines without any [m/s^2]
PASSING = " passing"  # added to the name of an event that must last: its crossings, which start and reset its timer
LEAST_PULL = 1e-10  # a one-sided closure opens if its multiplier falls below minus this share of the weight

if TYPE_CHECKING:
    from taut.build.tree import TreeBuilder


def gripping(builder: "TreeBuilder") -> list[int]:
    """Contacts that stick or slip; spheres are excluded, because they roll while they stick."""
    return [j for j, spec in enumerate(builder.contacts) if spec.friction > 0.0 and spec.radius == 0.0]


def springy(builder: "TreeBuilder") -> list[int]:
    """Contacts with events of their own; rigid ones open and close with their closures."""
    return [j for j, spec in enumerate(builder.contacts) if spec.law != ContactLaw.RIGID]


def contact_table(builder: "TreeBuilder", index: dict[int, int], nodes: Any, closures: Any, first_event: int) -> Any:
    """Contacts with the ground."""
    strength = math.sqrt(sum(g * g for g in builder.gravity)) or STANDARD_GRAVITY
    table = t.new_table(t.CONTACTS, len(builder.contacts))
    for contact, spec in zip(table, builder.contacts, strict=True):
        contact.node = index[spec.node]
        nodes[contact.node].has_contact = 1
        contact.law = spec.law
        contact.point[:] = spec.point
        contact.height = spec.height
        contact.stiffness = spec.stiffness
        contact.damping = spec.damping
        contact.friction = spec.friction
        contact.velocity_scale = spec.velocity_scale
        contact.radius = spec.radius
        contact.presliding = spec.presliding
        # three times the critical damping of a body on such springs: a load put on suddenly overshoots by 3 %
        contact.presliding_time = 6.0 * math.sqrt(spec.presliding / (max(spec.friction, 1e-3) * strength))
        closure = closures[spec.closure] if spec.law == ContactLaw.RIGID else None
        contact.row, contact.side = (closure.row, closure.hold) if closure is not None else (-1, -1)
    is_rigid = table["law"] == ContactLaw.RIGID
    table["side"][springy(builder)] = np.arange(len(springy(builder)))
    table["drag"] = np.where(is_rigid, np.cumsum(is_rigid) - 1, -1)
    table["grip"] = -1
    for event, j in enumerate(gripping(builder), first_event):
        table[j].grip = event
    return table


def tether_table(builder: "TreeBuilder", ways: dict[str, Any], nodes: Any, first_event: int) -> Any:
    """Cables without mass that stretch."""
    table = t.new_table(t.TETHERS, len(builder.tethers))
    count = 0
    for j, (tether, spec) in enumerate(zip(table, builder.tethers, strict=True)):
        tether.route = j
        tether.length, tether.signal = spec.length, spec.signal
        tether.stiffness, tether.damping = spec.stiffness, spec.damping
        tether.event, tether.switch, tether.is_two_sided = first_event + j, spec.switch, spec.is_two_sided
        tether.first = tether.last = j
        route = ways["routes"][j]
        loaded = ways["guides"]["node"][route.guide : route.guide + route.count + route.feeds]
        is_coupled = sum(moves(nodes, int(node)) for node in loaded) > 1 or bool(route.has_sheaves) or route.count > 2
        tether.coupled = count if is_coupled else -1
        count += is_coupled
    join_slipping(builder, table)
    return table


def join_slipping(builder: "TreeBuilder", table: Any) -> None:
    """Pieces of a rope that slips over the guides between them; the pieces of a rope follow one another."""
    for spec in builder.capstans:
        (kind, before), (_, after) = spec.pieces
        if kind == "tether" and spec.kind == CapstanKind.SLIP:
            table["first"][after] = table["first"][before]
            table["last"][int(table["first"][before]) : after + 1] = after


def moves(nodes: Any, node: int) -> bool:
    """Whether a node moves by any coordinate."""
    while node > 0:
        if nodes[node].column_count:
            return True
        node = nodes[node].parent
    return False


def slack_ends(columns: Any) -> list[tuple[int, float, float]]:
    """Where springs go slack: column, sign and level; one is tight where sign * stretch > level."""
    found: list[tuple[int, float, float]] = []
    laws, parameters = columns["law"].tolist(), columns["parameter"]
    for c, law in enumerate(laws):
        if LAWS[law].ends is not no_ends:
            found += [(c, sign, float(level)) for sign, level in LAWS[law].ends(parameters[c])]
    return found


def mark_dry(columns: Any, closures: Any) -> None:
    """Say which columns dry friction or a brake may hold: those with one, unless their motion is prescribed."""
    is_motion = (closures["kind"] == ClosureKind.COORDINATE) & (closures["groove"] == 0.0)
    columns["is_held"][closures["column"][is_motion]] = 1
    is_dry = (columns["coulomb"] > 0.0) | (columns["stiction"] > 0.0) | (columns["brake"] > 0.0)
    is_dry |= columns["capstan"] >= 0
    columns["stick"] = np.where(is_dry & (columns["is_held"] == 0), 0, -1)


def dry_columns(columns: Any) -> list[int]:
    """Columns that stick or slip."""
    return [int(c) for c in np.flatnonzero(columns["stick"] >= 0)]


def sticky_columns(columns: Any) -> list[int]:
    """Columns with dry friction that is larger at standstill than in motion."""
    return [c for c in dry_columns(columns) if columns["stiction"][c] > 0.0]


def one_sided(builder: "TreeBuilder") -> list[int]:
    """Closures that open and close."""
    return [j for j, spec in enumerate(builder.closures) if spec.is_unilateral]


def lasting(builder: "TreeBuilder") -> list[int]:
    """Crossings of measurements that must last for a time before they count as events."""
    return [k for k, spec in enumerate(builder.crossings) if spec.lasts > 0.0]


def weight_of(builder: "TreeBuilder") -> float:
    """Weight of the machine [N]; without gravity, its mass times 1 m/s^2."""
    strength = math.sqrt(sum(g * g for g in builder.gravity)) or 1.0
    return strength * sum(spec.body.mass for spec in builder.nodes)


class FirstEvents(NamedTuple):
    """Where each family begins in the table of events; contacts begin it."""

    slack: int
    hold: int
    tether: int
    friction: int
    fading: int
    grip: int
    switch: int
    timer: int
    crossing: int


def first_events(builder: "TreeBuilder", columns: Any) -> FirstEvents:
    """Contacts, slack springs, one-sided closures, tethers, dry friction, grips, switches, timers, user's crossings."""
    counts = (len(springy(builder)), len(slack_ends(columns)), len(one_sided(builder)), len(builder.tethers),
              len(dry_columns(columns)), len(sticky_columns(columns)), len(gripping(builder)),
              len(builder.switches), len(lasting(builder)))  # fmt: skip
    return FirstEvents(*(sum(counts[: k + 1]) for k in range(len(counts))))


def event_table(builder: "TreeBuilder", index: dict[int, int], columns: Any) -> Any:  # noqa: C901 (one loop a family)
    """The table of watched events, in the order of ``first_events``."""
    first = first_events(builder, columns)
    table = t.new_table(t.EVENTS, first.crossing + len(builder.crossings))
    for event, j in zip(table[: first.slack], springy(builder), strict=True):
        event.kind, event.index = EventKind.CONTACT, j
    for event, (c, sign, level) in zip(table[first.slack : first.hold], slack_ends(columns), strict=True):
        event.kind, event.index, event.level = EventKind.SLACK, c, level
        event.direction[0] = sign
    for event, j in zip(table[first.hold : first.tether], one_sided(builder), strict=True):
        event.kind, event.index, event.level = EventKind.UNILATERAL, j, LEAST_PULL * weight_of(builder)
    for j, event in enumerate(table[first.tether : first.friction]):
        event.kind, event.index = EventKind.TETHER, j
    for event, c in zip(table[first.friction : first.fading], dry_columns(columns), strict=True):
        event.kind, event.index = EventKind.FRICTION, c
    for event, c in zip(table[first.fading : first.grip], sticky_columns(columns), strict=True):
        event.kind, event.index, event.level = EventKind.FADING, c, FADED * columns["stribeck_velocity"][c]
    for event, j in zip(table[first.grip : first.switch], gripping(builder), strict=True):
        event.kind, event.index = EventKind.GRIP, j
    for event, switch in zip(table[first.switch : first.timer], builder.switches, strict=True):
        event.kind, event.level = EventKind.SWITCH, switch.time
    for number, (event, k) in enumerate(zip(table[first.timer : first.crossing], lasting(builder), strict=True)):
        event.kind, event.index, event.route = EventKind.TIMER, number, first.crossing + k
        event.level, event.scale = builder.crossings[k].lasts, builder.crossings[k].side
    for event, spec in zip(table[first.crossing :], builder.crossings, strict=True):
        event.kind, event.index = EventKind.CROSSING, index[spec.node]
        event.point[:], event.direction[:] = spec.point, spec.direction
        event.level, event.is_speed = spec.level, spec.is_speed
        if spec.cable is not None:
            watch_tension(builder, event, spec.cable)
    return table


def watch_tension(builder: "TreeBuilder", event: Any, cable: str) -> None:
    """An event of the largest tension of a cable's pieces, one after the other; with mass, of the one behind it."""
    behind = [("tether", j) for j, spec in enumerate(builder.tethers) if spec.name == f"{cable}.rope"]
    pieces = builder.pieces.get(cable, behind)
    kind, number = pieces[0]
    routed = [j for j, spec in enumerate(builder.closures) if spec.kind == ClosureKind.DISTANCE]
    event.kind, event.count = EventKind.TENSION, len(pieces)
    event.index = number if kind == "tether" else len(builder.tethers) + routed.index(number)


def event_names(builder: "TreeBuilder", columns: Any, column_names: list[str]) -> tuple[str, ...]:
    """Names of the events, in the order of their table."""
    slack = [column_names[c] for c, _, _ in slack_ends(columns)]
    holds = [builder.closures[j].name for j in one_sided(builder)]
    # a drum is named after its cable
    dry = [f"{column_names[c].split('.')[0]} drum" if columns["brake"][c] > 0.0 else column_names[c]
           for c in dry_columns(columns)]  # fmt: skip
    dry += [column_names[c] for c in sticky_columns(columns)]
    tethers = [spec.name for spec in builder.tethers]
    users = [f"{spec.name}{PASSING}" if spec.lasts else spec.name for spec in builder.crossings]
    users = [*(builder.crossings[k].name for k in lasting(builder)), *users]
    contacts = [spec.name for spec in builder.contacts]
    grips = [contacts[j] for j in gripping(builder)]
    springs = [contacts[j] for j in springy(builder)]
    return tuple([*springs, *slack, *holds, *tethers, *dry, *grips, *(spec.name for spec in builder.switches), *users])
