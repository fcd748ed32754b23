"""Channels of the cables, from the raw samples of a run: one reader for every kind of cable."""

from typing import Any, NamedTuple

import numpy as np

from taut.integrate.samples.cuts import cut_samples, gap_of, switch_of, with_gap
from taut.integrate.samples.reduced import expand_cable
from taut.integrate.samples.ritz import ritz_samples
from taut.integrate.samples.routes import rope_samples
from taut.integrate.samples.sums import sums
from taut.model import Model
from taut.model.enums import JointKind
from taut.results.channels import pad_cables


class CableSamples(NamedTuple):
    """One cable at every sample."""

    nodes: np.ndarray  # positions of the nodes [m], shape [time, node, 3]
    tension: np.ndarray  # tensions of the elements [N], shape [time, element]
    length: np.ndarray  # unstrained length [m], shape [time]
    exit_force: np.ndarray  # force on the body at which the cable starts, world axes [N], shape [time, 3]
    anchor_force: np.ndarray  # force on the body at which the cable ends, world axes [N], shape [time, 3]
    at_exit: np.ndarray  # tension at the exit, and (at_anchor) at the anchor [N], shape [time]
    at_anchor: np.ndarray
    torque: np.ndarray | None = None  # torque at the nodes [N m], shape [time, node]; None for cables that do not twist


def cable_channels(model: Model, samples: Any, raw: Any) -> dict[str, np.ndarray]:
    """Shapes, tensions and end forces of the cables."""
    if not model.names.cables:
        return {}
    cables = [cable_samples(model, samples, raw, name) for name in model.names.cables]
    tensions = pad_cables([cable.tension for cable in cables])
    slack = tensions <= 0.0
    for k, cable in enumerate(cables):
        # tension may vary along the last element: it also counts as slack if the anchor does not pull
        slack[:, k, cable.tension.shape[1] - 1] |= cable.at_anchor <= 0.0
    is_cut = np.stack([cut_samples(model, raw.modes, name) for name in model.names.cables], axis=1)
    return {
        **({"cable_cut": is_cut} if any(switch_of(model, name) >= 0 for name in model.names.cables) else {}),
        **torque_channel(cables),
        **utilisation_channel(model, tensions),
        "cable_nodes": pad_cables([cable.nodes for cable in cables]),
        "cable_tension": tensions,
        "cable_slack": slack & ~is_cut[:, :, None],
        "cable_tension_exit": np.stack([cable.at_exit for cable in cables], axis=1),
        "cable_tension_anchor": np.stack([cable.at_anchor for cable in cables], axis=1),
        "cable_length": np.stack([cable.length for cable in cables], axis=1),
        "anchor_force": np.stack([cable.anchor_force for cable in cables], axis=1),
        "exit_force": np.stack([cable.exit_force for cable in cables], axis=1),
    }


def torque_channel(cables: list[CableSamples]) -> dict[str, np.ndarray]:
    """Torques of the cables that twist; padding for the others."""
    if all(cable.torque is None for cable in cables):
        return {}
    none = np.full(cables[0].nodes.shape[:1] + (1,), np.nan)
    return {"cable_torque": pad_cables([none if cable.torque is None else cable.torque for cable in cables])}


def utilisation_channel(model: Model, tensions: np.ndarray) -> dict[str, np.ndarray]:
    """Largest tension over the breaking load of the cables whose breaking load is known."""
    strengths = model.plan.strengths if model.plan is not None else {}
    if not strengths:
        return {}
    loads = np.array([strengths.get(name, (np.inf, 0.0))[0] for name in model.names.cables])
    return {"cable_utilisation": np.nanmax(tensions, axis=2, initial=0.0) / loads}


def cable_samples(model: Model, samples: Any, raw: Any, cable: str) -> CableSamples:
    """Read a cable according to its kind."""
    if cable in model.names.routes:
        found, is_cut = rope_samples(model, raw, cable), cut_samples(model, raw.modes, cable)
        return CableSamples(**with_gap(model, cable, found, is_cut))
    kind = model.tables.nodes[model.names.cables[cable][0]].kind
    if kind == JointKind.REDUCED:
        return reduced_samples(model, samples, raw, cable)
    if kind == JointKind.RITZ:
        return CableSamples(**ritz_samples(model, samples, raw, cable)._asdict())
    return chain_samples(model, samples, raw, cable)


def chain_samples(model: Model, samples: Any, raw: Any, cable: str) -> CableSamples:
    """A chain of elements; forces follow from accelerations and multipliers, not from the law of the stretch."""
    tables, chain = model.tables, list(model.names.cables[cable])
    first = int(tables.nodes[chain[0]].parent)
    columns = tables.nodes["column"][chain]
    at_exit = raw.nodes[:, first, 15:18]
    at_anchor = anchor_forces(model, samples, cable)
    pull, tension = -np.sum(at_exit * raw.nodes[:, first, 18:21], axis=1), -raw.force[:, columns]
    behind = model.names.tethers.get(f"{cable}.rope")
    more = raw.routes[:, tables.tethers[behind].route, 1] if behind is not None else 0.0
    nodes, gap = [first, *chain], gap_of(model, cable)
    if gap is not None:
        # where the cable may be cut are two nodes: the element between them has no length, and after the cut it is no
        # part of the cable
        nodes.insert(gap[0] + 1, gap[1])
        tension = np.insert(tension, gap[0], tension[:, gap[0] - 1], axis=1)
    return CableSamples(
        nodes=raw.nodes[:, nodes, 0:3],
        tension=tension,
        length=sums(raw.free[:, columns]) + more,
        exit_force=at_exit,
        anchor_force=at_anchor,
        at_exit=pull,
        at_anchor=np.sum(at_anchor * raw.nodes[:, chain[-1], 18:21], axis=1),
    )


def reduced_samples(model: Model, samples: Any, raw: Any, cable: str) -> CableSamples:
    """A sum of shapes, expanded to all elements of the cable; tensions are those of the stretch."""
    reduced, number = model.reduced[cable], model.names.cables[cable][0]
    node, shapes = model.tables.nodes[number], reduced.shapes
    z = samples.q[:, node.coordinate : node.coordinate + node.column_count]
    rates = samples.v[:, node.column : node.column + node.column_count]
    # the base of a reduced cable does not turn: its axes are constant
    R = raw.turns[:1, node.parent].reshape(-1, 3, 3).sum(axis=0)
    count, n = len(z), shapes.elements
    nodes, tensions, ends = np.zeros((count, n + 1, 3)), np.zeros((count, n)), np.zeros((count, 2, 3))
    law = np.array([reduced.stiffness, reduced.damping, reduced.free])
    begins = raw.nodes[:, node.parent, 0:3] + R @ node.offset
    expand_cable(shapes.mean, shapes.shapes, shapes.directions, R @ shapes.frame, begins, z.copy(), rates.copy(), law,
                 nodes, tensions, ends, np.zeros((4, n)))  # fmt: skip
    at_exit, at_anchor = raw.nodes[:, number, 15:18], anchor_forces(model, samples, cable)
    return CableSamples(
        nodes=nodes,
        tension=tensions,
        length=np.full(count, n * reduced.free),
        exit_force=at_exit,
        anchor_force=at_anchor,
        at_exit=-np.sum(at_exit * ends[:, 0], axis=1),
        at_anchor=np.sum(at_anchor * ends[:, 1], axis=1),
    )


def anchor_forces(model: Model, samples: Any, cable: str) -> np.ndarray:
    """Force of the anchor on the cable's end, world axes [time, 3]: its multipliers."""
    closure = model.tables.closures[model.names.closures.index(f"{cable}.anchor")]
    force = np.zeros((len(samples.times), 3))
    held = np.flatnonzero(closure.point_rows)
    force[:, held] = samples.lam[:, closure.row : closure.row + len(held)]
    return force
