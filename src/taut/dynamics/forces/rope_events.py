"""What events watch of ropes beside their largest tension: lengths, wraps, loads of guides, torques of drums.

All are functions of the placed state: with the unstrained length L of a route, its tension T, the force f of a unit
tension on a guide, and rows lambda of a cable's anchor, whose last element points along z,
    length  scale s + sum L,     wrap  sum theta,     load  |sum T f|,     anchor  lambda . z                 (1)
and the torque is the force of a drum's drive times its radius: the motor's law, or its signal. The turn psi of a
sheave's plane about the vertical is known but for full turns: with its level psi_0 the value is
    psi_0 + sin(psi - psi_0) within a quarter turn of the level, psi_0 +- 1 beyond                            (2)
which jumps half a turn away; such a change of sign is told by its size (``integrate.events.switches``).
"""

import numpy as np

from taut.dynamics.forces.acting import column_position, column_stretch, length_scale
from taut.dynamics.forces.capstans import route_tension
from taut.dynamics.forces.laws import is_motor, spring_force, state_goal
from taut.dynamics.forces.tethers import tether_length
from taut.kernels.jit import only_with, part
from taut.kernels.vec3 import ZERO3, add3, load3, norm3, scale3
from taut.model.enums import EventKind

LENGTH = int(EventKind.LENGTH)
WRAP = int(EventKind.WRAP)
LOAD = int(EventKind.LOAD)
TORQUE = int(EventKind.TORQUE)
SWIVEL = int(EventKind.SWIVEL)
UPRIGHT = 1e-9  # a sheave's axis is vertical, and turns nothing about the vertical, below this


@part
def rope_value(model, data, event):
    """Watched value of a rope: one of Eq. (1), or a torque."""
    if event.kind == LENGTH:
        outside = event.scale * data.signals[event.index, 0] if event.index >= 0 else 0.0 * data.nodes[0].x[0]
        return outside + routes_length(model, data, event.route, event.count)
    if event.kind == WRAP:
        return routes_wrap(model, data, event.index, event.count)
    if event.kind == LOAD:
        return guide_load(model, data, event)
    if event.kind == TORQUE:
        return event.scale * drive_force(model, data, event.index)
    if event.kind == SWIVEL:
        return event.level + swivel_value(data, event.index, event.level)
    return anchor_tension(data, event)


@part
def rope_rounding(model, data, event):
    """Size of the terms whose difference is the watched value of a rope."""
    if event.kind == SWIVEL:
        return 10.0
    size = abs(rope_value(model, data, event))
    return size + routes_stiffness(model, event.route) if event.kind == LOAD else 10.0 * size


@only_with("routes", otherwise=lambda model, j: 0.0)
@part
def routes_stiffness(model, j):
    """EA of route j; zero if it does not stretch."""
    return model.tethers[j].stiffness if model.routes[j].closure < 0 else 0.0


@only_with("routes", otherwise=lambda model, data, first, count: 0.0 * data.nodes[0].x[0])
@part
def routes_length(model, data, first, count):
    """Unstrained length of some routes, one after the other."""
    total = 0.0 * data.nodes[0].x[0]
    for j in range(first, first + count):
        closure = model.routes[j].closure
        if closure < 0:
            L, _ = tether_length(model.tethers[j], data)
            total += L
        else:
            row = model.closures[closure]
            total += row.start + data.routes[j].paid
            if row.signal[0] >= 0:
                total += data.signals[row.signal[0], 0]
    return total


@only_with("routes", otherwise=lambda model, data, first, count: 0.0 * data.nodes[0].x[0])
@part
def routes_wrap(model, data, first, count):
    """Wrap of a guide; where two pieces of a rope meet, of both."""
    total = 0.0 * data.nodes[0].x[0]
    for k in range(first, first + count):
        total += data.guides[k].wrap
    return total


@only_with("routes", otherwise=lambda data, guide, level: 0.0 * data.nodes[0].x[0])
@part
def swivel_value(data, guide, level):
    """Value of Eq. (2) for a sheave that swivels, less the level."""
    x, y = -data.guides[guide].axis[0], data.guides[guide].axis[1]
    size = np.sqrt(x * x + y * y)
    if size.real < UPRIGHT:
        return 1.0 + 0.0 * size
    ahead = (x * np.cos(level) - y * np.sin(level)) / size
    if (y * np.cos(level) + x * np.sin(level)).real > 0.0:
        return ahead
    return 0.0 * ahead + (1.0 if ahead.real >= 0.0 else -1.0)


@only_with("routes", otherwise=lambda model, data, event: 0.0 * data.nodes[0].x[0])
@part
def guide_load(model, data, event):
    """Size of the force of a rope on a guide."""
    F = ZERO3
    for i in range(event.count):
        T = route_tension(model, data, data.lam, event.route + i)
        F = add3(F, scale3(T, load3(data.guides[event.index + i].f)))
    return norm3(F)


@part
def drive_force(model, data, c):
    """Force of the drive of column c."""
    column = model.columns[c]
    if not is_motor(column):
        return data.signals[column.signal, 0] if column.signal >= 0 else 0.0 * data.v[c]
    e = column_stretch(column, column_position(column, data.q), length_scale(column, data.signals))
    state = data.z[column.state] if column.state >= 0 else state_goal(column, e, data.v[c], data.signals)
    return spring_force(column, e, state)


@part
def anchor_tension(data, event):
    """Multipliers of the anchor along the last element; rows exist for the axes that ``direction`` has."""
    R, k, total = data.nodes[event.route].R, event.index, 0.0 * data.nodes[0].x[0]
    for i in range(3):
        if event.direction[i] > 0.0:
            total += data.lam[k] * R[3 * i + 2]
            k += 1
    return total
