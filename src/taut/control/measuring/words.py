"""Measurements as sums of products of numbers in the workspace, for compiled code.

A number is  sum_k c_k a_k b_k d_k  with constants c and up to three factors each, which are numbers at addresses: the
place of a point of a body, for example, is x_i + sum_j p_j R_ij. Any other measurement needs Python.
"""

from itertools import product
from typing import Any

import numpy as np

from taut.control.measuring.rope_measures import OF_DRUMS
from taut.model import Data, Model
from taut.model.enums import JointKind
from taut.model.laws import LawKind

Product = tuple[float, tuple[int, ...]]  # a product: its constant factor, and the addresses of its other factors
Words = list[list[Product]]  # for every number of a measurement, the products whose sum it is
CYCLIC = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def words_of(model: Model, spec: Any, data: Data, forces: np.ndarray) -> Words | None:
    """The products of a measurement, all of its components; None if it is more than that."""
    owner, what = spec.owner(), spec.quantity()
    if owner == "machine":
        return single(data.q if what == "position" else data.v)
    if owner == "body":
        return words_of_body(data, model.names.bodies[spec.body], what, np.array(spec.point, float))
    if owner == "joint":
        return words_of_joint(model, model.names.bodies[spec.joint], what, data, forces)
    if what in OF_DRUMS:
        return words_of_drum(model, spec.drum_key(), what, data)
    return words_of_tension(model, spec.cable, what, data)


def addresses(array: np.ndarray) -> list[int]:
    """Addresses of all entries of a vector of numbers."""
    return [array.ctypes.data + array.strides[0] * k for k in range(len(array))]


def single(array: np.ndarray) -> Words:
    """The entries of a vector as they are."""
    return [[(1.0, (at,))] for at in addresses(array)]


def words_of_body(data: Data, node: int, what: str, p: np.ndarray) -> Words | None:
    """A body's motion at one of its points, world axes; accelerations and orientations are more."""
    x, R, v, w = (addresses(data.nodes[name][node].reshape(-1)) for name in ("x", "R", "v", "w"))
    if what == "angular_velocity":
        return single(data.nodes["w"][node])
    if what == "position":
        return [[(1.0, (x[i],)), *((p[j], (R[3 * i + j],)) for j in range(3) if p[j])] for i in range(3)]
    if what != "velocity":
        return None
    # velocity of the point p of a body: v + w x (R p)
    found: Words = []
    for i, j, k in CYCLIC:
        turning = [(sign * p[m], (w[a], R[3 * b + m]))
                   for (a, b, sign), m in product(((j, k, 1.0), (k, j, -1.0)), range(3)) if p[m]]  # fmt: skip
        found.append([(1.0, (v[i],)), *turning])
    return found


def words_of_joint(model: Model, node: int, what: str, data: Data, forces: np.ndarray) -> Words | None:
    """A joint's coordinates, their rates and accelerations, or the forces it transmits."""
    row = model.tables.nodes[node]
    if node in model.names.drives.values():
        if what == "force":
            wrench = "N" if row.kind == JointKind.DRIVEN_TURN else "F"
            R, load = addresses(data.nodes["R"][node].reshape(-1)), addresses(data.nodes[wrench][node])
            axis = np.array(row.axis_1)
            return [[(axis[j], (R[3 * i + j], load[i])) for i in range(3) for j in range(3) if axis[j]]]
        order = {"position": 0, "velocity": 1, "acceleration": 2}[what]
        return single(data.signals[int(row.signal[0]), order : order + 1])
    columns = slice(int(row.column), int(row.column + row.column_count))
    if what == "position":
        every = single(data.q)
        return [every[k] for k in np.arange(len(data.q))[model.coordinates_of(node)]]
    return single({"velocity": data.v, "acceleration": data.acceleration, "force": forces}[what][columns])


def words_of_drum(model: Model, key: str, what: str, data: Data) -> Words | None:
    """Angle and speed of a drum, positive when it pays out, and the torque of its drive if that is a command."""
    plan = model.plan
    node: Any = model.tables.nodes[model.names.nodes.index(plan.spools.get(key, f"{key}.length"))]
    column, at, radius = int(node.column), int(node.coordinate), plan.drums[key]
    if what in ("drum_angle", "encoder_angle", "encoder_length"):
        scale = 1.0 if what == "encoder_length" else 1.0 / radius
        return [[(scale, (addresses(data.q)[at],)), (-scale * float(model.start_coordinates[at]), ())]]
    if what == "drum_speed":
        return [[(1.0 / radius, (addresses(data.v)[column],))]]
    row: Any = model.tables.columns[column]
    if row.law in (LawKind.MOTOR, LawKind.LAGGED_MOTOR) or row.signal < 0:
        return None
    arm = radius / (plan.gears[key] if what == "motor_torque" else 1.0)
    return [[(arm, (addresses(data.signals[int(row.signal)])[0],))]]


def words_of_tension(model: Model, cable: str, what: str, data: Data) -> Words | None:
    """A cable's pull at one of its ends, where it is a multiplier or what a joint transmits."""
    if what not in ("tension_exit", "tension_anchor"):
        return None
    if cable in model.names.routes:
        route = model.names.routes[cable][0 if what == "tension_exit" else -1]
        closure = int(model.tables.routes[route].closure)
        return [single(data.lam)[int(model.tables.closures[closure].row)]] if closure >= 0 else None
    chain = model.names.cables[cable]
    if model.tables.nodes[chain[0]].kind == JointKind.RITZ:
        return None
    if what == "tension_exit":
        first = int(model.tables.nodes[chain[0]].parent)
        R, F = addresses(data.nodes["R"][first].reshape(-1)), addresses(data.nodes["F"][first])
        return [[(-1.0, (F[i], R[3 * i + 2])) for i in range(3)]]
    closure = model.tables.closures[model.names.closures.index(f"{cable}.anchor")]
    held, R = np.flatnonzero(closure.point_rows), addresses(data.nodes["R"][chain[-1]].reshape(-1))
    lam = addresses(data.lam)
    return [[(1.0, (lam[int(closure.row) + k], R[3 * int(i) + 2])) for k, i in enumerate(held)]]
