"""Unstrained lengths at an instant, against those of the tables: whether any cable, or piece of one, is used up.

Lengths that a signal prescribes or that are coordinates, ropes of cranes, and cables without mass. An element of zero
length has neither mass nor stiffness, and a negative length would reverse all signs: a run ends before.
"""

from taut.dynamics.constraints.closures import DISTANCE
from taut.dynamics.forces.feed_coordinate import feed_ratios
from taut.dynamics.forces.routes import paid_out
from taut.dynamics.signals import evaluate_signals
from taut.kernels.jit import block, only_with, part

USED_UP = 1e-3  # shortest length before a run ends, relative to the length in the tables
LEAST_HOIST = 1e-3  # shortest length of a crane's rope before a run ends [m]


@block
def is_used_up(model, data):
    """Whether any length is below its limit at data.time and data.q."""
    if not model.settings[0].has_lengths:
        return False
    evaluate_signals(model, data)
    feed_ratios(model, data)
    for i in range(1, len(model.nodes)):
        # written as "not above", so that NaN counts as used up
        if model.nodes[i].is_fed and not node_ratio(model.nodes[i], data) > USED_UP:
            return True
        if model.nodes[i].is_hoist and not hoist_length(model.nodes[i], data) > LEAST_HOIST:
            return True
    for j in range(len(model.closures)):
        if model.closures[j].kind == DISTANCE and not distance_ratio(model, model.closures[j], data) > USED_UP:
            return True
    for j in range(len(model.ritz)):
        # the length of a Ritz cable is prescribed by its feed; no node of it is fed
        feed = model.ritz[j].feed
        if feed >= 0 and not data.signals[feed, 0] > USED_UP:
            return True
    return is_tether_used_up(model, data)


@part
def node_ratio(node, data):
    """Length of a half-link or rod, relative to the tables."""
    return data.signals[node.feed, 0]


@part
def hoist_length(node, data):
    """Length of a crane's rope [m]."""
    return data.q[node.coordinate] if node.column_count > 0 else data.signals[node.signal[0], 0]


@only_with("routes", otherwise=lambda model, closure, data: 1.0)
@part
def distance_ratio(model, closure, data):
    """Ratio of the present to the first length, of a cable that does not stretch."""
    if not closure.start > 0.0:
        return 1.0
    paid = paid_out(model, model.routes[closure.route], data.q)
    j = closure.signal[0]
    return 1.0 + (paid + data.signals[j, 0] if j >= 0 else paid) / closure.start


@only_with("routes", otherwise=lambda model, data: False)
@part
def is_tether_used_up(model, data):
    """Whether the length of any tether is below its limit."""
    for j in range(len(model.tethers)):
        tether = model.tethers[j]
        ratio = data.signals[tether.signal, 0] if tether.signal >= 0 else 1.0
        if not ratio + paid_out(model, model.routes[tether.route], data.q) / tether.length > USED_UP:
            return True
    return False
