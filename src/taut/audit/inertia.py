"""Inertia forces of all bodies by d'Alembert, without angular velocities.

A particle at rho in a body is at r = x + R rho, and slides along the body's z axis with the speed u of material that is
fed. Summed over the body with mass m, first moment m c and second moment S = int rho rho^T dm,
    F = int r'' dm     = m x'' + R'' m c + 2 m u R' e_z + m u' R e_z                                          (1)
    M = int r x r'' dm = x x F + R m c x (F / m)' part + axial(R S R''^T) + ...                               (2)
about the world's origin, with axial(A)_i = sum e_ijk A_jk. Inertia about the centre gives S = tr(I)/2 1 - I + m c c^T.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.audit.frames import Frames
from taut.audit.points import Points
from taut.model import Model
from taut.model.enums import FeedKind, JointKind


@dataclass(frozen=True)
class Wrenches:
    """Force and moment about the world's origin on every node [point, node, 3]."""

    F: np.ndarray
    M: np.ndarray

    def __add__(self, other: "Wrenches") -> "Wrenches":
        """Both together."""
        return Wrenches(self.F + other.F, self.M + other.M)


def no_wrenches(count: int, nodes: int) -> Wrenches:
    """None on any node."""
    return Wrenches(np.zeros((count, nodes, 3)), np.zeros((count, nodes, 3)))


def axial(A: np.ndarray) -> np.ndarray:
    """sum e_ijk A_jk."""
    return np.stack([A[..., 1, 2] - A[..., 2, 1], A[..., 2, 0] - A[..., 0, 2], A[..., 0, 1] - A[..., 1, 0]], axis=-1)


@dataclass(frozen=True)
class Matter:
    """Mass, first and second moments of all bodies at all moments, in body axes."""

    mass: np.ndarray  # [point, node]
    first: np.ndarray  # m c [point, node, 3]
    second: np.ndarray  # [point, node, 3, 3]
    ratio: np.ndarray  # length of a rod against that of the tables [point, node]


def matter(model: Model, points: Points, signals: np.ndarray) -> Matter:
    """What every body is made of; rods that are fed change their length."""
    nodes, count = model.tables.nodes, len(points)
    ratio = np.ones((count, len(nodes)))
    for i in np.flatnonzero(nodes["is_fed"]):
        node = nodes[i]
        ratio[:, i] = signals[:, node.feed, 0] if node.feed >= 0 else points.q[:, node.coordinate] / node.length
    inertia = np.zeros((len(nodes), 3, 3))
    inertia[:, *np.triu_indices(3)] = nodes["inertia"]
    inertia = inertia + np.swapaxes(np.triu(inertia, 1), -1, -2)
    own = 0.5 * np.trace(inertia, axis1=1, axis2=2)[:, None, None] * np.eye(3) - inertia
    # a rod's cross-section keeps its size: only what lies along it grows, with the cube of the length
    grown = np.ones((count, len(nodes), 3, 3)) * ratio[..., None, None]
    grown[..., 2, 2] = ratio**3
    mass = nodes["mass"] * ratio
    com = nodes["com"] * ratio[..., None]
    second = own * grown + mass[..., None, None] * com[..., :, None] * com[..., None, :]
    return Matter(mass, mass[..., None] * com, second, ratio)


def inertia_wrenches(model: Model, frames: Frames, stuff: Matter) -> Wrenches:
    """Eqs. (1), (2) without flow."""
    (R0, _, R2), (x0, _, x2) = frames.R, frames.x
    turned = np.einsum("pnij,pnj->pni", R0, stuff.first)
    curved = np.einsum("pnij,pnj->pni", R2, stuff.first)
    F = stuff.mass[..., None] * x2 + curved
    M = np.cross(x0, F) + np.cross(turned, x2)
    M += axial(R0 @ stuff.second @ np.swapaxes(R2, -1, -2))
    small = model.tables.nodes["kind"] == JointKind.SMALL
    if small.any():
        # small rotations: I t'' as published, with the centre of mass at the origin
        alpha = vector(frames.R[2])[:, small]
        inertia = np.trace(stuff.second, axis1=-2, axis2=-1)[:, small, None, None] * np.eye(3) - stuff.second[:, small]
        F[:, small] = stuff.mass[:, small, None] * x2[:, small]
        M[:, small] = np.cross(x0[:, small], F[:, small]) + np.einsum("pnij,pnj->pni", inertia, alpha)
    return Wrenches(F, M)


def vector(R: np.ndarray) -> np.ndarray:
    """Second rates of small rotations, from the rows without sines: t_x, t_y, t_z."""
    return np.stack([-R[..., 1, 2], R[..., 0, 2], R[..., 1, 0]], axis=-1)


def weights(model: Model, frames: Frames, stuff: Matter) -> Wrenches:
    """Weight of all bodies."""
    g = model.tables.settings[0].gravity
    F = stuff.mass[..., None] * g
    centre = stuff.mass[..., None] * frames.x[0]
    centre = centre + np.einsum("pnij,pnj->pni", frames.R[0], stuff.first)
    return Wrenches(F, np.cross(centre, g))


def flow_wrenches(model: Model, frames: Frames, signals: np.ndarray, stuff: Matter, points: Points) -> Wrenches:
    """Inertia forces of material that flows along cables which are paid out."""
    nodes = model.tables.nodes
    total = no_wrenches(len(points), len(nodes))
    for i in np.flatnonzero(nodes["feed"] >= 0):
        node = nodes[i]
        s = signals[:, node.feed]
        t, t_rate = frames.R[0, :, i, :, 2], frames.R[1, :, i, :, 2]
        if node.feed_kind == FeedKind.PAPER:
            _paper(node, frames, i, stuff, (s, t, t_rate), total)
            continue
        # Eq. (1): sideways and along
        along = stuff.mass[:, i, None] * node.flow * (2.0 * s[:, 1:2] * t_rate + s[:, 2:] * t)
        centre = frames.x[0, :, i] + node.com[2] * s[:, :1] * t
        _push(total, i, along, centre)
        parent = int(node.parent)
        if node.kind == JointKind.STRETCH:
            # material jumps the gap between the halves of a stretched element: half of its force on either side
            jump = points.q[:, node.coordinate] - s[:, 0] * node.length
            rate = points.v[:, node.column] - s[:, 1] * node.length
            mean = 0.5 * (node.flow + nodes["flow"][parent]) * s[:, 1]
            force = (0.5 * node.line_density * mean)[:, None] * (rate[:, None] * t + jump[:, None] * t_rate)
            lever = (0.5 * s[:, 0] * node.length)[:, None] * t
            _push(total, i, force, frames.x[0, :, i] - lever)
            _push(total, parent, force, frames.x[0, :, parent] + lever)
        elif not node.is_exit:
            # the flow turns at a joint
            u = node.flow * s[:, 1:2]
            _push(total, i, node.line_density * u**2 * (t - frames.R[0, :, parent, :, 2]), frames.x[0, :, i])
    return total


def _push(total: Wrenches, node: int, F: np.ndarray, at: np.ndarray) -> None:
    total.F[:, node] += F
    total.M[:, node] += np.cross(at, F)


def _paper(node: Any, frames: Frames, i: int, stuff: Matter, motion: tuple[Any, Any, Any], total: Wrenches) -> None:
    """The published form: the rate of the mass matrix times the velocities [Mamidi 2024, as in its code]."""
    s, t, t_rate = motion
    ratio, rate = s[:, :1], s[:, 1:2]
    mass, com = node.mass * ratio, node.com[2] * ratio
    w = np.cross(t, t_rate) + t * spin_about(frames, i)
    v = frames.x[1, :, i] + com * t_rate
    half = 0.5 * node.inertia[5]
    across = (half + 3.0 * (node.inertia[0] - half) * ratio**2) * rate
    F = node.mass * rate * v + mass * node.com[2] * rate * t_rate
    N = com * np.cross(t, F) + node.com[2] * rate * mass * np.cross(t, v)
    N += across * w + (node.inertia[5] * rate - across) * np.sum(t * w, axis=1, keepdims=True) * t
    total.F[:, i] += F
    total.M[:, i] += N + np.cross(frames.x[0, :, i], F)


def spin_about(frames: Frames, i: int) -> np.ndarray:
    """Rate of turn of a node about its own z axis [point, 1]."""
    return np.sum(frames.R[1, :, i, :, 0] * frames.R[0, :, i, :, 1], axis=1, keepdims=True)
