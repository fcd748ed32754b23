"""Workspace of the search for events: values of all event functions at the five points of one panel of a step."""

import numpy as np

from taut.kernels.bundle import Bundle
from taut.model import Model
from taut.model.enums import EventKind

POINTS = 5


class EventWatch(Bundle):
    """Scratch of the search for events, valid within one step."""

    values: np.ndarray  # signed event functions [points, events]
    turns: np.ndarray  # largest angular speed of a node on which an event function depends [points], rad/s
    rounding: np.ndarray  # size of each event function that rounding may cause [events]
    nodes: np.ndarray  # nodes on which event functions depend, with their ancestors


def new_event_watch(model: Model) -> EventWatch:
    """A workspace for the events of a model."""
    count = len(model.tables.events)
    return EventWatch(
        values=np.zeros((POINTS, count)),
        turns=np.zeros(POINTS),
        rounding=np.zeros(count),
        nodes=np.array(sorted(watched_nodes(model)), np.int64),
    )


def watched_nodes(model: Model) -> set[int]:
    """Nodes whose places the event functions depend on; multipliers and friction that holds depend on all."""
    tables = model.tables
    settings = tables.settings[0]
    if len(tables.events) and (settings.has_holds or settings.has_loads or settings.has_friction):
        return set(range(1, len(tables.nodes)))
    found = {int(contact.node) for contact in tables.contacts}
    found |= {int(guide.node) for guide in tables.guides}
    found |= {int(event.index) for event in tables.events if event.kind == EventKind.CROSSING}
    return {ancestor for node in found for ancestor in line_of(tables.nodes, node)}


def line_of(nodes: np.recarray, node: int) -> list[int]:
    """A node and its ancestors, without the world."""
    line = []
    while node > 0:
        line.append(node)
        node = int(nodes[node].parent)
    return line
