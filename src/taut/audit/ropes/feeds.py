"""Cables whose length outside is a coordinate: their lengths in place of signals, and the balance of each length.

The power of a virtual rate of the length at fixed joints of the cable slides the material of every half-link by W along
its axis, W = flow / length. With the material's acceleration from the second rates of the frames,
    sum W m t.(x'' + R'' c - g + W L'' t) = -dU/dL + sum N_damper l / L + what else acts on it                      (1)
"""

import numpy as np

from taut.audit.twin import forces
from taut.audit.twin.frames import Frames
from taut.audit.twin.inertia import Matter
from taut.audit.twin.points import Points
from taut.model import Model


def length_ratios(model: Model, points: Points) -> np.ndarray:
    """Length against that of the tables, and two derivatives, of every feed [point, feed, 3]."""
    feeds = model.tables.feeds
    parts = points.q[:, feeds["coordinate"]], points.v[:, feeds["column"]], points.a[:, feeds["column"]]
    return np.stack([part / feeds["length"] for part in parts], axis=2)


def sliding_inertia(model: Model, frames: Frames, stuff: Matter, points: Points) -> np.ndarray:
    """Left-hand side of Eq. (1), on the columns of the lengths [point, column]."""
    found = np.zeros((len(points), model.column_count))
    g = model.tables.settings[0].gravity
    for feed in model.tables.feeds:
        links = np.arange(feed.node + 1, feed.last_node + 1)
        share = model.tables.nodes["flow"][links] / feed.length
        t = frames.R[0][:, links][..., 2]
        moved = np.einsum("pnij,pnj->pni", frames.R[2][:, links], stuff.first[:, links])
        mass = stuff.mass[:, links]
        along = np.sum(t * (mass[..., None] * (frames.x[2][:, links] - g) + moved), axis=-1)
        found[:, feed.column] = np.sum(share * (along + share * mass * points.a[:, [feed.column]]), axis=1)
    return found


def pulling_laws(model: Model, points: Points, ratios: np.ndarray) -> np.ndarray:
    """Springs and dampers of Eq. (1), on the columns of the lengths [point, column]."""
    found = np.zeros((len(points), model.column_count))
    x = forces.column_positions(model, points)
    for k, feed in enumerate(model.tables.feeds):
        at = np.arange(feed.column + 1, feed.last_column + 1)
        columns, s, rate = model.tables.columns[at], ratios[:, k, :1], ratios[:, k, 1:2]
        turns = columns["is_rotation"] != 0
        e = np.where(turns, (x[:, at] - columns["free"]) / s, x[:, at] / s - columns["free"])
        # slope of the elastic energy s U0(e) by the ratio s at fixed coordinates
        energy = forces.by_law(columns, e, points.z, lambda law: law.energy)
        pull = -forces.by_law(columns, e, points.z, lambda law: law.force)
        slope = energy - pull * np.where(turns, e, e + columns["free"])
        acts = forces.damper_acts(columns, e, points.side[:, at])
        damper = columns["damping"] * acts * (points.v[:, at] - columns["free"] * rate) / s
        total = np.sum(-slope + np.where(turns, 0.0, columns["free"] * damper), axis=1)
        found[:, feed.column] = total / feed.length
    return found
