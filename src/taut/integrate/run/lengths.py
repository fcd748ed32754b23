"""Which cable has the least of its length left, in the user's words."""

import numpy as np

from taut.dynamics.forces.lengths import hoist_length
from taut.model import Data, Model
from taut.model.enums import JointKind


def shortest_cable(model: Model, data: Data) -> str:
    """Name of the cable, or of the piece of one, whose unstrained length is the smallest against that of the tables."""
    left = {
        **hoist_lengths(model, data),
        **node_ratios(model, data),
        **tether_ratios(model, data),
        **distance_ratios(model, data),
    }
    return min(left, key=lambda name: left[name])


def node_ratios(model: Model, data: Data) -> dict[str, float]:
    """Length ratios of fed chains, Ritz cables and straight pieces, by the name of the cable."""
    nodes, found = model.tables.nodes, {}
    for i in np.flatnonzero((nodes["is_fed"] != 0) | (nodes["kind"] == JointKind.RITZ)):
        node, name = nodes[i], model.names.nodes[i].split(".")[0]
        feed = model.tables.ritz[int(node.modal)].feed if node.kind == JointKind.RITZ else node.feed
        ratio = (
            data.signals[feed, 0] if feed >= 0 else 1.0 if not node.is_fed else data.q[node.coordinate] / node.length
        )
        found[name] = min(float(ratio), found.get(name, np.inf))
    return found


def hoist_lengths(model: Model, data: Data) -> dict[str, float]:
    """Lengths of crane ropes [m]."""
    nodes = model.tables.nodes
    return {model.names.nodes[i]: float(hoist_length(nodes[i], data)) for i in np.flatnonzero(nodes["is_hoist"])}


def tether_ratios(model: Model, data: Data) -> dict[str, float]:
    """Length ratios of tethers."""
    found = {}
    for name, j in model.names.tethers.items():
        tether = model.tables.tethers[j]
        signal = data.signals[tether.signal, 0] if tether.signal >= 0 else 1.0
        drum = model.tables.nodes["coordinate"][tether.drum]
        found[name] = float(data.q[drum] / tether.length if tether.drum > 0 else signal)
    return found


def distance_ratios(model: Model, data: Data) -> dict[str, float]:
    """Length ratios of inextensible cables without mass."""
    closures = {name: model.tables.closures[j] for name, j in model.names.distances.items()}
    return {name: 1.0 + float(data.signals[closure.signal[0], 0] / closure.start) if closure.signal[0] >= 0 else 1.0
            for name, closure in closures.items()}  # fmt: skip
