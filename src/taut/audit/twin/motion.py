"""The equations of motion of the whole machine, recomputed: the residual of every column.

Wrenches of inertia, weight, flow, applied forces, ground, tethers and multipliers are summed over everything a column
carries, about the world's origin, and projected on its axis: s.F of a translation, s.(M - x cross F) of a rotation.
With the forces of its joint they must balance.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.audit.ritz.forces import rope_forces, rope_gross
from taut.audit.ritz.ropes import ropes
from taut.audit.ropes import capstans, feeds, routes
from taut.audit.twin import closures, forces, inertia
from taut.audit.twin.frames import Frames, place
from taut.audit.twin.inertia import Matter, Wrenches
from taut.audit.twin.points import Points
from taut.audit.twin.signals import evaluate
from taut.audit.vectors import cross
from taut.model import Model
from taut.model.enums import MODAL_JOINTS, ClosureKind, JointKind
from taut.model.remembered import remembered

# closures whose forces have constant world directions
FIXED_DIRECTIONS = (ClosureKind.POINT, ClosureKind.TURN)


@dataclass(frozen=True)
class Motion:
    """Motion, forces and closure rows of a machine at some moments."""

    signals: np.ndarray  # value, rate and second rate of the signals [point, signal, 3]
    frames: Frames
    stuff: Matter
    rows: closures.Rows
    joint: dict[str, np.ndarray]  # forces of the joints, by cause [point, column]
    # wrenches on all bodies that a column carries, projected on it, by cause [point, column]
    carried: dict[str, np.ndarray]
    # sums of absolute forces and moments carried, the scale for rounding of those that cancel [point, column]
    gross: np.ndarray
    transmitted: Wrenches  # wrench each joint must transmit: inertia forces less applied forces on all it carries
    contacts: np.ndarray  # positive where a contact should be closed [point, contact]
    tethers: np.ndarray  # tension of every tether, negative or zero where it should be slack [point, tether]

    @property
    def transmitted_force(self) -> np.ndarray:
        """Generalised force that every joint must transmit [point, column]."""
        return sum(self.carried.values(), np.zeros(()))

    @property
    def residual(self) -> np.ndarray:
        """Residual of every column's balance [N or N m]."""
        return self.transmitted_force - sum(self.joint.values(), np.zeros(()))

    @property
    def parts(self) -> np.ndarray:
        """Sum of the absolute terms of every balance [N or N m]."""
        found = (*self.carried.values(), *self.joint.values())
        return sum((np.abs(part) for part in found), np.zeros(()))


def evaluate_motion(model: Model, points: Points) -> Motion:
    """Poses, velocities and accelerations of all bodies at given moments."""
    ratios = feeds.length_ratios(model, points)
    signals = np.concatenate([evaluate(model, points), ratios], axis=1)
    cables = ropes(model, points, signals)
    frames = place(model, points, signals, cables)
    stuff = inertia.matter(model, points, signals)
    rows = closures.closure_rows(model, frames, points, signals)
    ground, should = forces.contact_wrenches(model, frames, points)
    pulls, tensions, paying = routes.tether_wrenches(model, frames, points, signals)
    acting = {
        "inertia": inertia.inertia_wrenches(model, frames, stuff),
        "weight": minus(inertia.weights(model, frames, stuff)),
        "multipliers": minus(rows.wrenches),
    }
    optional = {"ground": (ground, len(model.tables.contacts)), "tethers": (pulls, len(model.tables.tethers))}
    acting |= {name: minus(wrenches) for name, (wrenches, number) in optional.items() if number}
    if len(model.tables.wrenches):
        acting["applied"] = minus(forces.applied_wrenches(model, frames, points, signals))
    if np.any(model.tables.nodes["feed"] >= 0):
        acting["flow"] = inertia.flow_wrenches(model, frames, signals, stuff, points)
    summed = subtree_sums(model, acting)
    every = Wrenches(np.stack([w.F for w in summed.values()]), np.stack([w.M for w in summed.values()]))
    carried = dict(zip(summed, projected(model, frames, every), strict=True))
    joint = forces.joint_forces(model, points, signals) | rope_forces(points, cables) | {"paying": paying}
    if len(model.tables.feeds):
        carried["sliding"] = feeds.sliding_inertia(model, frames, stuff, points)
        joint["pulling"] = feeds.pulling_laws(model, points, ratios)
    limits = np.zeros_like(points.v)
    if len(model.tables.capstans):
        limits = capstans.limits(model, frames, points, signals)
        joint["guides"] = capstans.sliding_forces(model, points, limits)
    if np.any(model.tables.columns["stick"] >= 0):
        lack = sum(carried.values(), np.zeros(())) - sum(joint.values(), np.zeros(()))
        joint["holding"] = forces.holding_forces(model.tables.columns, points, lack, limits)
    total = Wrenches(sum(w.F for w in summed.values()), sum(w.M for w in summed.values()))  # type: ignore[arg-type]
    gross = gross_parts(model, frames, acting) + rope_gross(points, cables)
    return Motion(signals, frames, stuff, rows, joint, carried, gross, total, should, tensions)


def minus(wrenches: Wrenches) -> Wrenches:
    """Wrenches with the opposite sign."""
    return Wrenches(-wrenches.F, -wrenches.M)


def subtree_sums(model: Model, acting: dict[str, Wrenches]) -> dict[str, Wrenches]:
    """Wrenches on all that hangs on a node, itself included."""
    both = np.stack([np.stack([w.F, w.M]) for w in acting.values()])
    parents = model.tables.nodes["parent"].tolist()
    for i in range(len(parents) - 1, 0, -1):
        parent = parents[i]
        if parent > 0:
            both[:, :, :, parent] += both[:, :, :, i]
    return {name: Wrenches(part[0], part[1]) for name, part in zip(acting, both, strict=True)}


def gross_parts(model: Model, frames: Frames, acting: dict[str, Wrenches]) -> np.ndarray:
    """Absolute forces and moments on all that every column carries [point, column]."""
    F = sum(np.linalg.norm(wrenches.F, axis=-1) for wrenches in acting.values())
    M = sum(np.linalg.norm(wrenches.M, axis=-1) for wrenches in acting.values())
    sizes = Wrenches(F[..., None], M[..., None])  # type: ignore[index]
    summed = subtree_sums(model, {"all": sizes})["all"]
    node, turns = model.tables.columns["node"], model.tables.columns["is_rotation"] != 0
    force, moment = summed.F[:, node, 0], summed.M[:, node, 0]
    return np.where(turns, moment + np.linalg.norm(frames.x[0][:, node], axis=-1) * force, force)


def projected(model: Model, frames: Frames, wrenches: Wrenches) -> np.ndarray:
    """Share of every column [..., point, column]."""
    columns = model.tables.columns
    node, turns = columns["node"], columns["is_rotation"] != 0
    F, M = wrenches.F[..., node, :], wrenches.M[..., node, :]
    about = M - cross(frames.x[0][:, node], F)
    return np.sum(frames.axis * np.where(turns[:, None], about, F), axis=-1)


def covered(model: Model) -> np.ndarray:
    """Columns whose balance can be judged here."""
    return remembered(model, "covered", found_covered)


def found_covered(model: Model) -> np.ndarray:
    """Determine which columns' balances can be judged.

    Columns of modal nodes other than Ritz cables cannot be judged, nor those of nodes that carry them, nor those that a
    closure or a tether joins to them along a direction that depends on their positions.
    """
    nodes, tables = model.tables.nodes, model.tables
    modal = np.isin(nodes["kind"], [int(kind) for kind in MODAL_JOINTS - {JointKind.RITZ}])
    unknown = modal.copy()
    leaning = tables.closures[~np.isin(tables.closures["kind"], (*FIXED_DIRECTIONS, ClosureKind.DISTANCE))]
    for a, b in ((leaning["node_a"], leaning["node_b"]), (leaning["node_b"], leaning["node_a"])):
        unknown[b[modal[a]]] = True
    for route in tables.routes:
        loaded = tables.guides["node"][int(route.guide) : int(route.guide + route.count + route.feeds)]
        unknown[loaded] |= bool(modal[loaded].any())
    for i in range(len(nodes) - 1, 0, -1):
        if unknown[i]:
            unknown[nodes["parent"][i]] = True
    return ~unknown[model.tables.columns["node"]]


def uncovered_names(model: Model, is_covered: np.ndarray) -> list[str]:
    """Names of the cables or bodies that are not judged."""
    nodes: Any = model.tables.columns["node"][~is_covered]
    return sorted({model.names.nodes[int(i)].split(".")[0] for i in nodes})
