"""Energies of the whole machine at some moments, from the frames' rates and the laws [J, by point]."""

import numpy as np

from taut.audit.ropes.routes import tether_energies
from taut.audit.rows import rows_of
from taut.audit.twin import forces
from taut.audit.twin.inertia import vector
from taut.audit.twin.motion import Motion
from taut.audit.twin.points import Points
from taut.model import Model
from taut.model.enums import FeedKind, JointKind


def kinetic(model: Model, points: Points, motion: Motion) -> np.ndarray:
    """1/2 int |r'|^2 dm with r' = x' + R' rho + u R e_z, and what turns with the columns."""
    nodes, stuff, frames = model.tables.nodes, motion.stuff, motion.frames
    x1, R0, R1 = frames.x[1], frames.R[0], frames.R[1]
    moved = np.einsum("pnij,pnj->pni", R1, stuff.first)
    own = 0.5 * stuff.mass * np.sum(x1 * x1, axis=-1) + np.sum(x1 * moved, axis=-1)
    own = own + 0.5 * np.einsum("pnij,pnjk,pnik->pn", R1, stuff.second, R1)
    fed = np.flatnonzero((nodes["feed"] >= 0) & (nodes["feed_kind"] != FeedKind.PAPER))
    for i in fed:
        u, t = nodes["flow"][i] * motion.signals[:, nodes["feed"][i], 1], R0[:, i, :, 2]
        carried = stuff.mass[:, i, None] * x1[:, i] + moved[:, i]
        own[:, i] += u * np.sum(t * carried, axis=1) + 0.5 * stuff.mass[:, i] * u**2
    for i in np.flatnonzero(nodes["kind"] == JointKind.SMALL):
        w, S = vector(R1[:, i]), stuff.second[:, i]
        inertia = np.trace(S, axis1=1, axis2=2)[:, None, None] * np.eye(3) - S
        own[:, i] = 0.5 * stuff.mass[:, i] * np.sum(x1[:, i] ** 2, axis=1) + 0.5 * np.einsum(
            "pi,pij,pj->p", w, inertia, w
        )
    return own.sum(axis=1) + 0.5 * np.sum(model.tables.columns["armature"] * points.v**2, axis=1)


def gravity(model: Model, motion: Motion) -> np.ndarray:
    """Potential energy of weight, - g.(m x + R m c)."""
    stuff, frames = motion.stuff, motion.frames
    centre = stuff.mass[..., None] * frames.x[0] + np.einsum("pnij,pnj->pni", frames.R[0], stuff.first)
    return -np.sum(centre @ model.tables.settings[0].gravity, axis=1)


def elastic(model: Model, points: Points, motion: Motion) -> np.ndarray:
    """Energy of joints, cables, closed contacts and taut tethers."""
    columns, signals = model.tables.columns, motion.signals
    fed = columns["feed"] >= 0
    scale = np.where(fed, signals[:, columns["feed"], 0], 1.0) if fed.any() else np.ones((1, len(columns)))
    x = forces.column_positions(model, points)
    e = np.where(columns["is_rotation"] != 0, (x - columns["free"]) / scale, x / scale - columns["free"])
    stored = scale * forces.by_law(columns, e, points.z, lambda law: law.energy)
    total = np.sum(stored * forces.law_acts(columns, points.modes), axis=1)
    for contact in rows_of(model.tables.contacts):
        place = motion.frames.x[0, :, contact.node] + motion.frames.R[0, :, contact.node] @ contact.point
        total += (
            0.5
            * contact.stiffness
            * (place[:, 2] - contact.radius - contact.height) ** 2
            * (points.modes[:, contact.side] > 0)
        )
    return total + tether_energies(model, motion.frames, points, signals)
