"""Event functions: what is watched for a change of sign at the placed state."""

import numpy as np

from taut.dynamics.constraints.closures import clear_rows, unilateral_gap
from taut.dynamics.forces.acting import column_position, column_stretch, length_scale
from taut.dynamics.forces.capstans import route_tension
from taut.dynamics.forces.contact import contact_value, grip_value
from taut.dynamics.forces.laws import BACKWARD, FORWARD, STICKS, friction_limit
from taut.dynamics.forces.rope_events import rope_rounding, rope_value
from taut.dynamics.forces.tethers import tether_length, tether_value
from taut.kernels.jit import entry, kernel, only_with, part
from taut.kernels.mat3 import load9, mat_vec
from taut.kernels.vec3 import add3, cross3, dot3, load3
from taut.model.enums import EventKind

CONTACT = int(EventKind.CONTACT)
SLACK = int(EventKind.SLACK)
TETHER = int(EventKind.TETHER)
SWITCH = int(EventKind.SWITCH)
UNILATERAL = int(EventKind.UNILATERAL)
FRICTION = int(EventKind.FRICTION)
FADING = int(EventKind.FADING)
GRIP = int(EventKind.GRIP)
TENSION = int(EventKind.TENSION)
TIMER = int(EventKind.TIMER)
COORDINATE = int(EventKind.COORDINATE)
CROSSING = int(EventKind.CROSSING)
ROUNDING = 1e-14  # relative rounding of positions and velocities
BEYOND = 1e-8  # friction may exceed its limit by this share before it slips: no switching back and forth
BEYOND_CONE = 1e-10  # share by which friction at guides may exceed its limit, which follows tensions, before it slips
OVERLAP = 2e-11  # overlap at which a one-sided closure closes [m]: more than the closing error of a step


@kernel
def event_value(model, data, j):  # noqa: C901 (one branch a kind)
    """Value of one event function; its sign is the side in data.modes until it passes."""
    event = model.events[j]
    if event.kind == CONTACT:
        contact = model.contacts[event.index]
        return contact_value(contact, data.nodes[contact.node], data.modes[j])
    if event.kind == SLACK:
        column = model.columns[event.index]
        e = column_stretch(column, column_position(column, data.q), length_scale(column, data.signals))
        return event.direction[0] * e - event.level
    if event.kind == TETHER:
        return tether_value(model, model.tethers[event.index], data, data.modes[j])
    if event.kind == SWITCH:
        # irreversible: after the switch the value never changes sign again
        return abs(data.time[0] - event.level) if data.modes[j] > 0 else data.time[0] - event.level
    if event.kind == UNILATERAL:
        return hold_value(model, model.closures[event.index], data, event.level)
    if event.kind == FRICTION:
        return friction_value(model.columns[event.index], data.v[event.index], data.columns[event.index], data.modes)
    if event.kind == GRIP:
        contact = model.contacts[event.index]
        return grip_value(contact, data.nodes[contact.node], data.modes, data.anchors, event.index)
    if event.kind == TENSION:
        return watched_tension(model, data, event.index, event.count) - event.level
    if event.kind == TIMER:
        due = data.due[event.index]
        return abs(data.time[0] - due) if data.modes[j] > 0 else data.time[0] - due
    if event.kind == COORDINATE:
        return event.scale * (data.v[event.index] if event.is_speed else data.q[event.index]) - event.level
    if event.kind == FADING:
        # v^2 - level^2 is smooth, also where the rate changes its sign
        return data.v[event.index] * data.v[event.index] - event.level * event.level
    if event.kind == CROSSING:
        return crossing_value(event, data.nodes[event.index])
    return rope_value(model, data, event) - event.level


@kernel
def event_rounding(model, data, j):  # noqa: C901 (one branch a kind)
    """Size below which a value of event function j is rounding of positions and velocities."""
    # each branch bounds the rounding of the terms of its event function, in the unit of that function
    event = model.events[j]
    if event.kind == CONTACT:
        contact = model.contacts[event.index]
        reach = distance_to(data.nodes[contact.node].x, contact.point)
        return ROUNDING * contact.stiffness * (reach + abs(contact.height))
    if event.kind == SLACK:
        return ROUNDING * (abs(column_position(model.columns[event.index], data.q)) + abs(event.level))
    if event.kind == TETHER:
        return tether_rounding(model, model.tethers[event.index], data)
    if event.kind == SWITCH or event.kind == TIMER:
        return ROUNDING * abs(data.time[0])
    # these functions have a margin beyond zero; a hundredth of it counts as rounding
    if event.kind == UNILATERAL:
        return 1e-2 * (event.level if data.modes[j] > 0 else OVERLAP)
    if event.kind == FRICTION:
        limit = friction_limit(model.columns[event.index], data.modes) + data.columns[event.index].limit
        margin = BEYOND if model.columns[event.index].capstan < 0 else BEYOND_CONE
        return 1e-2 * margin * limit if data.modes[j] > 0 else 10.0 * ROUNDING
    if event.kind == GRIP:
        return 1e-2 * BEYOND if data.modes[j] > 0 else 10.0 * ROUNDING
    if event.kind == TENSION:
        return ROUNDING * (abs(event.level) + watched_stiffness(model, event.index))
    if event.kind == FADING:
        return ROUNDING * event.level * event.level
    if event.kind != CROSSING:
        return measure_rounding(model, data, j)
    here = data.nodes[event.index]
    if event.is_speed:
        return ROUNDING * (distance_to(here.v, here.w) + abs(event.level))
    return ROUNDING * (distance_to(here.x, event.point) + abs(event.level))


@part
def measure_rounding(model, data, j):
    """Rounding of a measured coordinate or quantity of a rope: a few times that of its value."""
    event = model.events[j]
    if event.kind == COORDINATE:
        x = data.v[event.index] if event.is_speed else data.q[event.index]
        return ROUNDING * (abs(event.scale * x) + abs(event.level))
    return ROUNDING * (abs(event.level) + rope_rounding(model, data, event))


@part
def distance_to(x, d):
    """|x| + |d|."""
    return np.sqrt(dot3(load3(x), load3(x))) + np.sqrt(dot3(load3(d), load3(d)))


@only_with("routes", otherwise=lambda model, tether, data: 0.0)
@part
def tether_rounding(model, tether, data):
    """Rounding of a tether's tension, by the positions of all guides."""
    route = model.routes[tether.route]
    L, _ = tether_length(tether, data)
    size = 0.0
    for k in range(route.guide, route.guide + route.count):
        size += distance_to(data.nodes[model.guides[k].node].x, model.guides[k].point)
    return ROUNDING * tether.stiffness * (1.0 + size / L)


@only_with("routes", otherwise=lambda model, data, first, count: 0.0 * data.nodes[0].x[0])
@part
def watched_tension(model, data, first, count):
    """Largest tension of the pieces of a rope."""
    most = route_tension(model, data, data.lam, first)
    for j in range(first + 1, first + count):
        T = route_tension(model, data, data.lam, j)
        most = T if T.real > most.real else most
    return most


@only_with("routes", otherwise=lambda model, j: 0.0)
@part
def watched_stiffness(model, j):
    """EA of route j; zero if it does not stretch."""
    return model.tethers[j].stiffness if model.routes[j].closure < 0 else 0.0


@entry
def event_values(model, data, values):
    """All event functions at the placed state."""
    for j in range(len(model.events)):
        values[j] = event_value(model, data, j)


@part
def hold_value(model, closure, data, level):
    """Positive when a one-sided closure should hold: open, its gap is gone; holding, its multiplier pushes.

    A margin beyond zero, larger than rounding, prevents switching back and forth. A failed closure keeps its side.
    """
    if closure.switch >= 0 and data.modes[closure.switch] > 0:
        return 0.0 * data.lam[closure.row] + data.modes[closure.hold]
    if data.modes[closure.hold] > 0:
        return data.lam[closure.row] + level
    gap = unilateral_gap(model, closure, data)
    clear_rows(model, closure, data)
    return -gap - OVERLAP


@part
def friction_value(column, v, here, modes):
    """Event function of friction, times its mode: margin to the limit while it sticks, or speed while it slips.

    Constant where no event can follow: without a limit, as of an open brake, or while other joints hold it.
    """
    limit, mode = friction_limit(column, modes) + here.limit, modes[column.stick]
    if mode == STICKS:
        margin = BEYOND if column.capstan < 0 else BEYOND_CONE
        is_watched = limit > 0.0 or (column.capstan >= 0 and abs(here.friction) > 0.0)
        return (1.0 + margin) * limit - abs(here.friction) if is_watched else 0.0 * v + mode
    # friction that follows tensions has limit zero while the rope is slack, but may stick later
    if (limit == 0.0 and column.capstan < 0) or (mode != FORWARD and mode != BACKWARD):
        return 0.0 * v + mode
    return -v if mode == FORWARD else 0.5 * v


@part
def crossing_value(event, here):
    """Position or speed of a point along a direction, less the level."""
    d = mat_vec(load9(here.R), load3(event.point))
    n = load3(event.direction)
    if event.is_speed:
        return dot3(n, add3(load3(here.v), cross3(load3(here.w), d))) - event.level
    return dot3(n, add3(load3(here.x), d)) - event.level
