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

from taut.audit.twin.frames import Frames
from taut.audit.twin.points import Points, given_start
from taut.audit.vectors import axial, cross
from taut.model import Model
from taut.model.enums import FeedKind, JointKind
from taut.model.remembered import remembered


@dataclass(frozen=True)
class Wrenches:
    """Force and moment about the world's origin on every node [point, node, 3]."""

    F: np.ndarray
    M: np.ndarray


def no_wrenches(count: int, nodes: int) -> Wrenches:
    """Zero wrenches on all nodes."""
    return Wrenches(np.zeros((count, nodes, 3)), np.zeros((count, nodes, 3)))


@dataclass(frozen=True)
class Matter:
    """Mass, first and second moments of all bodies at all moments, in body axes."""

    mass: np.ndarray  # masses [kg], shape [point, node]
    first: np.ndarray  # first moments m c [kg m], shape [point, node, 3]
    second: np.ndarray  # second moments [kg m^2], shape [point, node, 3, 3]


def matter(model: Model, points: Points, signals: np.ndarray) -> Matter:
    """What every body is made of; rods that are fed change their length."""
    if not model.tables.nodes["is_fed"].any():
        same = remembered(model, "matter", unfed_matter)
        return Matter(*(np.repeat(part, len(points), axis=0) for part in vars(same).values()))
    return found_matter(model, points, signals)


def unfed_matter(model: Model) -> Matter:
    """What every body is made of, for a machine without fed rods: one moment stands for all."""
    return found_matter(model, given_start(model), np.zeros((1, 0, 3)))


def found_matter(model: Model, points: Points, signals: np.ndarray) -> Matter:
    """Mass and moments of all bodies at each moment, from the tables and the length ratios of fed rods."""
    nodes, count = model.tables.nodes, len(points)
    ratio = np.ones((count, len(nodes)))
    for i in np.flatnonzero(nodes["is_fed"]):
        node = nodes[i]
        ratio[:, i] = signals[:, node.feed, 0]
    inertia = np.zeros((len(nodes), 3, 3))
    inertia[:, *np.triu_indices(3)] = nodes["inertia"]
    inertia = inertia + np.swapaxes(np.triu(inertia, 1), -1, -2)
    own = 0.5 * np.trace(inertia, axis1=1, axis2=2)[:, None, None] * np.eye(3) - inertia
    # fed rods grow in length only: the second moment along them grows with the cube of the length, others linearly
    grown = np.ones((count, len(nodes), 3, 3)) * ratio[..., None, None]
    grown[..., 2, 2] = ratio**3
    mass = nodes["mass"] * ratio
    com = nodes["com"] * ratio[..., None]
    second = own * grown + mass[..., None, None] * com[..., :, None] * com[..., None, :]
    return Matter(mass, mass[..., None] * com, second)


def inertia_wrenches(model: Model, frames: Frames, stuff: Matter) -> Wrenches:
    """Inertia wrenches of all bodies, Eqs. (1), (2), without those of flowing material."""
    (R0, _, R2), (x0, _, x2) = frames.R, frames.x
    turned = np.einsum("pnij,pnj->pni", R0, stuff.first)
    curved = np.einsum("pnij,pnj->pni", R2, stuff.first)
    F = stuff.mass[..., None] * x2 + curved
    M = cross(x0, F) + cross(turned, x2)
    M += axial(R0 @ stuff.second @ np.swapaxes(R2, -1, -2))
    small = model.tables.nodes["kind"] == JointKind.SMALL
    if small.any():
        # linearised rotations t have inertia torques I t'', with the centre of mass at the origin
        alpha = vector(frames.R[2])[:, small]
        inertia = np.trace(stuff.second, axis1=-2, axis2=-1)[:, small, None, None] * np.eye(3) - stuff.second[:, small]
        F[:, small] = stuff.mass[:, small, None] * x2[:, small]
        M[:, small] = cross(x0[:, small], F[:, small]) + np.einsum("pnij,pnj->pni", inertia, alpha)
    return Wrenches(F, M)


def vector(R: np.ndarray) -> np.ndarray:
    """Second rates of small rotations t_x, t_y, t_z, from the entries of R without sines."""
    return np.stack([-R[..., 1, 2], R[..., 0, 2], R[..., 1, 0]], axis=-1)


def weights(model: Model, frames: Frames, stuff: Matter) -> Wrenches:
    """Weight of all bodies."""
    g = model.tables.settings[0].gravity
    F = stuff.mass[..., None] * g
    centre = stuff.mass[..., None] * frames.x[0]
    centre = centre + np.einsum("pnij,pnj->pni", frames.R[0], stuff.first)
    return Wrenches(F, cross(centre, g))


def flow_wrenches(model: Model, frames: Frames, signals: np.ndarray, stuff: Matter, points: Points) -> Wrenches:
    """Inertia forces of material that flows along cables which are paid out."""
    nodes = np.asarray(model.tables.nodes)
    total = no_wrenches(len(points), len(nodes))
    published = (nodes["feed"] >= 0) & (nodes["feed_kind"] == FeedKind.PAPER)
    for i in np.flatnonzero(published):
        _paper(model.tables.nodes[i], frames, int(i), stuff, signals[:, nodes["feed"][i]], total)
    fed = np.flatnonzero((nodes["feed"] >= 0) & ~published)
    if len(fed):
        _flow(nodes, fed, frames, signals, points, total, stuff)
    return total


def _flow(  # noqa: PLR0913
    nodes: np.ndarray,
    fed: np.ndarray,
    frames: Frames,
    signals: np.ndarray,
    points: Points,
    total: Wrenches,
    stuff: Matter,
) -> None:
    """Add the forces of the flow: sideways and along the links, at gaps, and where it changes direction."""
    rows = nodes[fed]
    s, s_rate, s_second = (signals[:, rows["feed"], order, None] for order in range(3))
    t, t_rate = frames.R[0][:, fed][..., 2], frames.R[1][:, fed][..., 2]
    x, flow = frames.x[0][:, fed], rows["flow"][:, None]
    # Eq. (1)
    along = stuff.mass[:, fed, None] * flow * (2.0 * s_rate * t_rate + s_second * t)
    _push(total, fed, along, x + rows["com"][:, 2:] * s * t)
    # between the halves of a stretched element the flow jumps over a gap: half of that force on either side
    is_stretch = rows["kind"] == JointKind.STRETCH
    parent = rows["parent"]
    length = rows["length"][:, None]
    jump = points.q[:, np.where(is_stretch, rows["coordinate"], 0), None] - s * length
    rate = points.v[:, np.where(is_stretch, rows["column"], 0), None] - s_rate * length
    mean = 0.5 * (flow + nodes["flow"][parent][:, None]) * s_rate
    force = 0.5 * rows["line_density"][:, None] * mean * (rate * t + jump * t_rate) * is_stretch[:, None]
    lever = 0.5 * s * length * t
    _push(total, fed, force, x - lever)
    _push(total, parent, force, frames.x[0][:, parent] + lever)
    # momentum of the flow, which changes direction at a joint between two elements
    turns = (~is_stretch & (rows["is_exit"] == 0))[:, None]
    bend = t - frames.R[0][:, parent][..., 2]
    _push(total, fed, rows["line_density"][:, None] * (flow * s_rate) ** 2 * bend * turns, x)


def _push(total: Wrenches, node: np.ndarray, F: np.ndarray, at: np.ndarray) -> None:
    # adding by an index array is safe here, because no node appears twice
    total.F[:, node] += F
    total.M[:, node] += cross(at, F)


def _paper(node: Any, frames: Frames, i: int, stuff: Matter, s: np.ndarray, total: Wrenches) -> None:  # noqa: PLR0913
    """The published form: the rate of the mass matrix times the velocities [Mamidi 2024, as in its code]."""
    t, t_rate = frames.R[0, :, i, :, 2], frames.R[1, :, i, :, 2]
    ratio, rate = s[:, :1], s[:, 1:2]
    mass, com = node.mass * ratio, node.com[2] * ratio
    w = cross(t, t_rate) + t * spin_about(frames, i)
    v = frames.x[1, :, i] + com * t_rate
    half = 0.5 * node.inertia[5]
    across = (half + 3.0 * (node.inertia[0] - half) * ratio**2) * rate
    F = node.mass * rate * v + mass * node.com[2] * rate * t_rate
    N = com * cross(t, F) + node.com[2] * rate * mass * cross(t, v)
    N += across * w + (node.inertia[5] * rate - across) * np.sum(t * w, axis=1, keepdims=True) * t
    total.F[:, i] += F
    total.M[:, i] += N + cross(frames.x[0, :, i], F)


def spin_about(frames: Frames, i: int) -> np.ndarray:
    """Rate of turn of a node about its own z axis [point, 1]."""
    return np.sum(frames.R[1, :, i, :, 0] * frames.R[0, :, i, :, 1], axis=1, keepdims=True)
