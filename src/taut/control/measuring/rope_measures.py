"""Measurements of cables without mass: lengths, tensions by span, loads, wraps and slip at guides, drums."""

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.dynamics.forces.tethers import tether_pull
from taut.model import Data, Model
from taut.model.laws import LawKind, motor_force
from taut.model.routes import SheaveKind

OF_DRUMS = ("drum_angle", "drum_speed", "drum_torque", "motor_torque", "encoder_angle", "encoder_length")
ARRIVAL = -0.5 * np.pi  # turn of a pulley's wheel at which its arc begins (``build/cables/pulleys.py``) [rad]
# returns numbers from a placed state and the transmitted joint forces
Reader = Callable[[Data, np.ndarray], np.ndarray]


def rope_measure(model: Model, spec: Any, what: str) -> Reader:
    """Function that reads one measurement of a rope; checks of the scenario have found what it needs."""
    cable = spec.cable
    if cable not in model.names.routes:
        return element_measure(model, spec, what)
    pieces = model.names.routes[cable]
    if what == "length":
        lengths = [own_length(model, piece) for piece in pieces]
        return lambda data, _: np.array([sum(length(data) for length in lengths)])
    if what in OF_DRUMS:
        return drum_reader(model, spec.drum_key(), what)
    if what == "span_tension":
        return span_reader(model, cable, spec.span)
    rows = model.names.guides[f"{cable}.{spec.guide or 'exit'}"]
    if what == "guide_wrap":
        return lambda data, _: np.array([data.guides["wrap"][list(rows)].sum()])
    if what == "guide_swivel":
        return lambda data, _: np.array([swivel(data.guides["axis"][rows[0]])])
    if what == "guide_slip":
        at = int(model.tables.nodes["coordinate"][model.names.nodes.index(f"{cable}.guide{spec.guide}")])
        return lambda data, _: data.q[at : at + 1].copy()
    pulls = [rope_reader(model, owner_of(model, row)) for row in rows]

    def load(data: Data, forces: np.ndarray) -> np.ndarray:
        parts = [pull(data, forces)[0] * unit_load(model, data, row) for pull, row in zip(pulls, rows, strict=True)]
        return np.array([np.linalg.norm(np.sum(parts, axis=0))])

    return load


def unit_load(model: Model, data: Data, row: int) -> np.ndarray:
    """Force of a rope with unit tension on a guide; the rope before a pulley at the exit pulls back along its axis."""
    sheave = int(model.tables.guides["sheave"][row])
    is_castor = sheave >= 0 and model.tables.sheaves["kind"][sheave] == SheaveKind.CASTOR
    f = data.guides["f"][row]
    return f - np.cross(data.guides["axis"][row], data.guides["arrives"][row]) if is_castor else f


def element_measure(model: Model, spec: Any, what: str) -> Reader:
    """Function that reads one measurement of a cable of elements: whole length, drum, spans behind the last guide."""
    cable = spec.cable
    if what in OF_DRUMS:
        return drum_reader(model, spec.drum_key(), what)
    behind = model.names.tethers.get(f"{cable}.rope")
    route = int(model.tables.tethers[behind].route) if behind is not None else -1
    if what == "span_tension":
        return rope_reader(model, route)
    if what in ("guide_load", "guide_wrap", "guide_swivel"):
        return element_guide(model, spec, what, route)
    columns = model.tables.columns[model.tables.nodes["column"][list(model.names.cables[cable])]]
    own, feed = float(columns["free"].sum()), int(columns["feed"][0])
    more = own_length(model, route) if behind is not None else None

    def read(data: Data, _: np.ndarray) -> np.ndarray:
        outside = own * (data.signals[feed, 0] if feed >= 0 else 1.0)
        return np.array([outside + (more(data) if more is not None else 0.0)])

    return read


def element_guide(model: Model, spec: Any, what: str, route: int) -> Reader:
    """Load, wrap and swivel of a guide of a cable of elements, or of the pulley from which they leave."""
    first = int(model.tables.nodes["parent"][model.names.cables[spec.cable][0]])
    pull, row = rope_reader(model, route), model.tables.routes[route]
    if int(row.count) == 1:
        return pulley_reader(model, spec, what, pull)
    k = int(row.guide) + spec.guide
    if what == "guide_wrap":
        return lambda data, _: np.array([data.guides["wrap"][k]])
    if what == "guide_swivel":
        return lambda data, _: np.array([swivel(data.guides["axis"][k])])
    is_last = spec.guide == int(row.count) - 1

    def load(data: Data, forces: np.ndarray) -> np.ndarray:
        # the elements pull at the last guide by what it holds them with
        own = data.nodes["F"][first] if is_last else 0.0
        return np.array([np.linalg.norm(pull(data, forces)[0] * unit_load(model, data, k) - own)])

    return load


def pulley_reader(model: Model, spec: Any, what: str, pull: Reader) -> Reader:
    """The same of a pulley alone, whose wheel is a node: the cable leaves along its z axis, at -x."""
    wheel = model.names.nodes.index(f"{spec.cable}.wheel")
    first = int(model.tables.nodes["parent"][model.names.cables[spec.cable][0]])
    at = int(model.tables.nodes["coordinate"][wheel])
    if what == "guide_wrap":
        return lambda data, _: data.q[at : at + 1] - ARRIVAL
    if what == "guide_swivel":
        return lambda data, _: np.array([swivel(data.nodes["R"][wheel].reshape(3, 3)[:, 1])])

    def load(data: Data, forces: np.ndarray) -> np.ndarray:
        R, wrap = data.nodes["R"][wheel].reshape(3, 3), data.q[at] - ARRIVAL
        arrives = np.cos(wrap) * R[:, 2] - np.sin(wrap) * R[:, 0]
        return np.array([np.linalg.norm(pull(data, forces)[0] * arrives + data.nodes["F"][first])])

    return load


def swivel(axis: np.ndarray) -> float:
    """Turn of a sheave's plane about the vertical, from that of x and z [rad]."""
    return float(np.arctan2(-axis[0], axis[1]))


def owner_of(model: Model, row: int) -> int:
    """Number of the route that a guide belongs to."""
    routes = model.tables.routes
    return int(np.flatnonzero((routes["guide"] <= row) & (row < routes["guide"] + routes["count"]))[0])


def span_reader(model: Model, cable: str, span: int) -> Reader:
    """Tension of a span: that of its piece."""
    begins = [piece for piece in model.names.routes[cable] for _ in range(int(model.tables.routes[piece].count) - 1)]
    return rope_reader(model, begins[span - 1])


def own_length(model: Model, route: int) -> Callable[[Data], float]:
    """Unstrained length of a piece [m]."""
    tables = model.tables
    closure = int(tables.routes[route].closure)
    row: Any = tables.closures[closure] if closure >= 0 else tables.tethers[tables.tethers["route"] == route][0]
    signal = int(row.signal[0]) if closure >= 0 else int(row.signal)
    start = float(row.start) if closure >= 0 else float(row.length)

    def read(data: Data) -> float:
        change = data.signals[signal, 0] if signal >= 0 else (0.0 if closure >= 0 else 1.0)
        own = start + change if closure >= 0 else start * change
        return float(own + data.routes["paid"][route])

    return read


def drum_reader(model: Model, cable: str, what: str) -> Reader:
    """Angle and speed of a drum, positive when it pays out, and the torque of its drive, at the drum or the motor."""
    names = model.names.nodes
    # without a pulley, a cable of elements has no node for its drum: its length itself is the coordinate
    node: Any = model.tables.nodes[names.index(model.plan.spools.get(cable, f"{cable}.length"))]
    column, at, radius = int(node.column), int(node.coordinate), model.plan.drums[cable]
    start, signal = float(model.start_coordinates[at]), int(model.tables.columns[column].signal)
    if what in ("drum_angle", "encoder_angle", "encoder_length"):
        scale = 1.0 if what == "encoder_length" else 1.0 / radius
        return lambda data, _: np.array([(data.q[at] - start) * scale])
    if what == "drum_speed":
        return lambda data, _: np.array([data.v[column] / radius])
    arm = radius / (model.plan.gears[cable] if what == "motor_torque" else 1.0)
    if model.tables.columns[column].law in (LawKind.MOTOR, LawKind.LAGGED_MOTOR):
        return motor_reader(model, column, at, arm)
    return lambda data, _: np.array([data.signals[signal, 0] * arm if signal >= 0 else 0.0])


def sensor_step(model: Model, spec: Any) -> float:
    """Smallest step of a sensor: its resolution, or that of an encoder on the motor, at the drum [rad or m]."""
    if spec.counts is None:
        return spec.resolution
    key = spec.drum_key()
    step = 2.0 * np.pi / (spec.counts * model.plan.gears[key])
    return step * model.plan.drums[key] if spec.quantity() == "encoder_length" else step


def motor_reader(model: Model, column: int, at: int, arm: float) -> Reader:
    """Torque of a motor with a law of its own; ``arm`` is that for a unit force at the drum's radius [m]."""
    row: Any = model.tables.columns[column]

    def read(data: Data, _: np.ndarray) -> np.ndarray:
        if row.state >= 0:
            return data.z[row.state : row.state + 1] * arm
        signal = data.signals[row.signal, 0], data.signals[row.signal, 1]
        return np.array([motor_force(row, data.q[at] - row.free, data.v[column], signal) * arm])

    return read


def rope_reader(model: Model, route: int) -> Reader:
    """The pull of a cable without mass, or of a piece of one."""
    closure = int(model.tables.routes[route].closure)
    if closure >= 0:
        row = int(model.tables.closures[closure].row)
        return lambda data, _: np.array([data.lam[row]])
    tether = int(np.flatnonzero(model.tables.tethers["route"] == route)[0])
    return lambda data, _: np.array([tether_pull(model.tables, data, tether)])
