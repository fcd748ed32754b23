"""Event functions: what is watched for a change of sign at the placed state."""

from taut.dynamics.closures import clear_rows, unilateral_gap
from taut.dynamics.contact import contact_value
from taut.dynamics.forces import column_position, column_stretch, length_scale
from taut.kernels.jit import kernel, part
from taut.kernels.mat3 import load9, mat_vec
from taut.kernels.vec3 import add3, cross3, dot3, load3
from taut.model.enums import EventKind

CONTACT = int(EventKind.CONTACT)
SLACK = int(EventKind.SLACK)
SWITCH = int(EventKind.SWITCH)
UNILATERAL = int(EventKind.UNILATERAL)


@kernel
def event_value(model, data, j):
    """Value of one event function; its sign is the side in data.modes until it passes."""
    event = model.events[j]
    if event.kind == CONTACT:
        contact = model.contacts[event.index]
        return contact_value(contact, data.nodes[contact.node], data.modes[j])
    if event.kind == SLACK:
        column = model.columns[event.index]
        e = column_stretch(column, column_position(column, data.q), length_scale(column, data.signals))
        return event.direction[0] * e - event.level
    if event.kind == SWITCH:
        # once and for all: whatever has failed stays so
        return abs(data.time[0] - event.level) if data.modes[j] > 0 else data.time[0] - event.level
    if event.kind == UNILATERAL:
        return hold_value(model.closures[event.index], data)
    return crossing_value(event, data.nodes[event.index])


@part
def hold_value(closure, data):
    """Positive when a one-sided closure should hold: open, its gap is gone; holding, its multiplier pushes."""
    if closure.switch >= 0 and data.modes[closure.switch] > 0:
        return -1.0
    if data.modes[closure.hold] > 0:
        return data.lam[closure.row]
    gap = unilateral_gap(closure, data)
    clear_rows(closure, data)
    return -gap


@part
def crossing_value(event, here):
    """Position or speed of a point along a direction, less the level."""
    d = mat_vec(load9(here.R), load3(event.point))
    n = load3(event.direction)
    if event.is_speed:
        return dot3(n, add3(load3(here.v), cross3(load3(here.w), d))) - event.level
    return dot3(n, add3(load3(here.x), d)) - event.level
