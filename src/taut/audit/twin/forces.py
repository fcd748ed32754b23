"""Forces that act in the machine: laws of joints and cables, friction, actuators, applied forces, ground."""

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.audit.rows import rows_of
from taut.audit.twin.frames import Frames
from taut.audit.twin.inertia import Wrenches, no_wrenches
from taut.audit.twin.points import Points
from taut.audit.vectors import cross
from taut.model import Model
from taut.model.enums import ContactLaw, SlipMode
from taut.model.laws import LAWS, LawDefinition, LawKind, motor_force

TINY = 1e-12
STILL = 1e-9  # columns slower than this may stick [m/s or rad/s]
BEYOND = 1e-7  # share by which friction that holds may exceed its limit


def column_positions(model: Model, points: Points) -> np.ndarray:
    """What the law of every column sees [point, column]; of quaternions the rotation vector."""
    columns = model.tables.columns
    found = points.q[:, columns["coordinate"]]
    for c in np.flatnonzero((columns["component"] >= 0) & (columns["law"] != LawKind.NONE)):
        k = columns["coordinate"][c]
        # q and -q are the same rotation: take the smaller angle
        sign = np.where(points.q[:, k] < 0.0, -1.0, 1.0)
        w, u = sign * points.q[:, k], sign[:, None] * points.q[:, k + 1 : k + 4]
        size = np.linalg.norm(u, axis=1)
        angle = 2.0 * np.arctan2(size, w)
        found[:, c] = np.where(size > TINY, angle / np.maximum(size, TINY), 2.0) * u[:, columns["component"][c]]
    return found


def joint_forces(model: Model, points: Points, signals: np.ndarray) -> dict[str, np.ndarray]:
    """Generalised forces on all columns, by cause [point, column]."""
    columns, v = model.tables.columns, points.v
    fed = columns["feed"] >= 0
    scale = np.where(fed, signals[:, columns["feed"], 0], 1.0) if fed.any() else np.ones((1, len(columns)))
    growth = np.where(fed, signals[:, columns["feed"], 1], 0.0) if fed.any() else np.zeros((1, len(columns)))
    turns = columns["is_rotation"] != 0
    x = column_positions(model, points)
    e = np.where(turns, (x - columns["free"]) / scale, x / scale - columns["free"])
    rate = (v - np.where(turns, 0.0, columns["free"] * growth)) / scale
    is_motor = np.isin(columns["law"], (LawKind.MOTOR, LawKind.LAGGED_MOTOR))
    used = (columns["signal"] >= 0) & ~is_motor
    given = np.where(used, signals[:, columns["signal"], 0], 0.0) if used.any() else np.zeros_like(v)
    for c in np.flatnonzero(columns["law"] == LawKind.MOTOR):
        k = columns["signal"][c]
        signal = (signals[:, k, 0], signals[:, k, 1]) if k >= 0 else (0.0, 0.0)
        given[:, c] = motor_force(columns[c], e[:, c], v[:, c], signal)
    return {
        "spring": spring_forces(columns, e, points.z) * law_acts(columns, points.modes),
        "damper": -columns["damping"] * damper_acts(columns, e, points.side) * law_acts(columns, points.modes) * rate,
        "friction": friction_forces(columns, v, points.modes),
        "actuator": given,
        "armature": -columns["armature"] * points.a,
    }


def law_acts(columns: Any, modes: np.ndarray) -> np.ndarray:
    """1 where the law of a column acts, 0 where it has ended because a cable is cut there [point, column]."""
    ends = columns["law_switch"]
    return np.where(ends >= 0, modes[:, np.maximum(ends, 0)] <= 0, True) if (ends >= 0).any() else np.ones((1, 1))


def spring_forces(columns: Any, e: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Elastic forces of all laws."""
    return by_law(columns, e, z, lambda law: law.force)


def by_law(columns: Any, e: np.ndarray, z: np.ndarray, what: Callable[[LawDefinition], Any]) -> np.ndarray:
    """A function of each column's law at its stretch."""
    found = np.zeros_like(e)
    for kind in np.unique(columns["law"]):
        c, law = np.flatnonzero(columns["law"] == kind), LAWS[LawKind(kind)]
        state = z[:, columns["state"][c]] if law.has_state else np.zeros(1)
        found[:, c] = what(law)(columns["stiffness"][c], columns["parameter"][c].T, e[:, c], state)
    return found


def damper_acts(columns: Any, e: np.ndarray, side: np.ndarray) -> np.ndarray:
    """1 where the damper beside a spring acts: not where a bilinear spring is slack, nor inside a gap."""
    acts = (columns["law"] != LawKind.NONE) * np.ones_like(e)
    for kind in np.unique(columns["law"]):
        c = np.flatnonzero(columns["law"] == kind)
        ends = LAWS[LawKind(kind)].ends(columns["parameter"][c].T)
        if ends:
            beyond = np.max([sign * e[:, c] - level for sign, level in ends], axis=0)
            acts[:, c] = np.where(side[:, c] == 0.0, beyond, side[:, c]) >= 0.0
    return acts


def friction_forces(columns: Any, v: np.ndarray, modes: np.ndarray) -> np.ndarray:
    """Viscous friction, and dry friction and brakes of slipping columns, by the sign of the rate."""
    force = -columns["viscous"] * v
    for c in np.flatnonzero((columns["coulomb"] != 0.0) | (columns["stiction"] != 0.0) | (columns["brake"] != 0.0)):
        column = columns[c]
        sign = np.where(np.abs(v[:, c]) > STILL, np.sign(v[:, c]), 0.0)
        if column.stick >= 0:
            is_smoothed = modes[:, column.stick] == SlipMode.SMOOTHED
        else:
            is_smoothed = np.ones(len(v), bool)
        sign = np.where(is_smoothed, np.tanh(v[:, c] / column.velocity_scale), sign)
        force[:, c] -= friction_size(column, v[:, c], modes) * sign
    return force


def friction_size(column: Any, v: np.ndarray, modes: np.ndarray) -> np.ndarray:
    """Dry friction and brake of a column at its rates; at rest their limit [point]."""
    size = np.full(len(v), float(column.coulomb))
    if column.stiction != 0.0:
        size += column.stiction * np.exp(-((v / column.stribeck_velocity) ** 2))
    if column.brake != 0.0:
        switched = modes[:, column.brake_switch] > 0 if column.brake_switch >= 0 else np.zeros(len(v), bool)
        size += column.brake * (switched != bool(column.is_braked))
    return size


def holding_forces(columns: Any, points: Points, lack: np.ndarray, more: np.ndarray) -> np.ndarray:
    """Friction of columns at rest: the residual of their balance, clipped to the limit [point, column].

    ``more`` is the part of the limits that follows tensions.
    """
    force = np.zeros_like(points.v)
    for c in np.flatnonzero(columns["stick"] >= 0):
        v = points.v[:, c]
        rests = (np.abs(v) <= STILL) & (points.modes[:, columns["stick"][c]] != SlipMode.SMOOTHED)
        limit = (1.0 + BEYOND) * (friction_size(columns[c], 0.0 * v, points.modes) + more[:, c])
        force[:, c] = np.where(rests, np.clip(lack[:, c], -limit, limit), 0.0)
    return force


def applied_wrenches(model: Model, frames: Frames, points: Points, signals: np.ndarray) -> Wrenches:
    """Forces and torques of the scenario."""
    total = no_wrenches(len(points), len(model.tables.nodes))
    for wrench in rows_of(model.tables.wrenches):
        i = int(wrench.node)
        parts = [signals[:, j, 0] if j >= 0 else np.zeros(len(points)) for j in wrench.signal]
        F, N = np.stack(parts[:3], axis=1), np.stack(parts[3:], axis=1)
        if wrench.is_follower:
            F, N = (np.einsum("pij,pj->pi", frames.R[0, :, i], part) for part in (F, N))
        if wrench.switch >= 0:
            acts = (points.modes[:, wrench.switch] <= 0)[:, None]
            F, N = F * acts, N * acts
        at = frames.x[0, :, i] + frames.R[0, :, i] @ wrench.point
        total.F[:, i] += F
        total.M[:, i] += N + cross(at, F)
    return total


def contact_wrenches(model: Model, frames: Frames, points: Points) -> tuple[Wrenches, np.ndarray]:
    """Forces of the ground, and whether each contact is closed, judged by the state alone [point, contact]."""
    contacts = np.asarray(model.tables.contacts)
    total = no_wrenches(len(points), len(model.tables.nodes))
    node = contacts["node"]
    at, u = contact_motion(contacts, frames)
    depth = contacts["height"] - at[..., 2]
    is_rigid = contacts["law"] == ContactLaw.RIGID
    springs = contacts["stiffness"] * depth - contacts["damping"] * u[..., 2]
    normal = np.where(is_rigid, points.lam[:, contacts["row"]], springs) if is_rigid.any() else springs
    pressed = np.minimum(depth, normal / np.maximum(contacts["stiffness"], TINY))
    should = np.where(contacts["law"] == ContactLaw.UNILATERAL, pressed, depth)
    # rigid ground is a closure, and is judged with the closures
    should = np.where(is_rigid, 0.0, should)
    drag = -contacts["friction"] * normal
    n = friction_directions(contacts, at, u, points)
    # the normal force of rigid ground is a multiplier, counted with the closures: add only friction here
    F = np.stack([drag * n[..., 0], drag * n[..., 1], np.where(is_rigid, 0.0, normal)], axis=-1)
    F *= (points.modes[:, contacts["side"]] > 0)[..., None]
    M = cross(at, F)
    for j, i in enumerate(node):
        total.F[:, i] += F[:, j]
        total.M[:, i] += M[:, j]
    return total, should


def contact_motion(contacts: np.ndarray, frames: Frames) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities of contact points [point, contact, 3]; of a sphere, of its lowest point."""
    x, R = frames.x[:, :, contacts["node"]], frames.R[:, :, contacts["node"]]
    at, u = (x[order] + np.einsum("pnij,nj->pni", R[order], contacts["point"]) for order in (0, 1))
    at[..., 2] -= contacts["radius"]
    turning = np.einsum("pnij,pnkj->pnik", R[1], R[0])
    return at, u - contacts["radius"][:, None] * turning[..., 2]


def friction_directions(contacts: np.ndarray, at: np.ndarray, u: np.ndarray, points: Points) -> np.ndarray:
    """Friction of the ground relative to its limit, at most 1 in size [point, contact, 2]."""
    if not len(contacts):
        return np.zeros_like(at[..., :2])
    v, y, grip = u[..., :2], points.anchors, contacts["grip"]
    speed = np.linalg.norm(v, axis=-1)[..., None]
    mode = np.where(grip >= 0, points.modes[:, grip], 0)[..., None]
    presliding, time = contacts["presliding"][:, None], contacts["presliding_time"][:, None]
    spring = (at[..., :2] - y + time * v) / presliding
    sticking = spring / np.maximum(np.linalg.norm(spring, axis=-1)[..., None] / (1.0 + BEYOND), 1.0)
    slow = presliding / time
    sliding = v + slow * y / (1.0 + (speed / slow) ** 2)
    sliding = sliding / np.maximum(np.linalg.norm(sliding, axis=-1), 1e-300)[..., None]
    given = contacts["velocity_scale"][:, None]
    scale = np.where(given != 0.0, given, 1.0)
    smoothed = np.where(speed > TINY, np.tanh(speed / scale) / np.maximum(speed, TINY), 1.0 / scale) * v
    return np.where(mode > 0, sticking, np.where(mode < 0, sliding, smoothed))
