"""The dense mass matrix by composite inertias, for analyses and tests (the engine itself never forms it).

The inertia of everything a column carries, times the column, is the wrench of a unit acceleration; its share in every
column further inwards is an entry of M [Featherstone 2008, sec. 6.2].
"""

from taut.dynamics.forces.feed import length_ratio
from taut.dynamics.forces.feed_coordinate import slide_force
from taut.dynamics.modal.bands import FULL
from taut.dynamics.modal.nodes import fill_band
from taut.dynamics.tree.factor import clear_branches, hand_over, node_inertia
from taut.kernels.arrays import clear
from taut.kernels.inertia import added_inertia, load_inertia, shifted_inertia
from taut.kernels.jit import kernel, only_with, part
from taut.kernels.mat3 import mat_t_vec, mat_vec, sym_vec
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3
from taut.model.tables import MODAL_TABLES


@kernel
def mass_matrix(model, data, factor, M):
    """Fill M [column_count, column_count] at the placed state; factor.nodes.inertia is scratch.

    What a node hands to its parent stays in registers when the parent is the node before it, as in ``eliminate``.
    """
    nodes, columns, places, axes, here = model.nodes, model.columns, data.nodes, data.columns, factor.nodes
    clear(M)
    clear_branches(nodes, here)
    nothing = load_inertia(here[0].inertia)
    carried = nothing
    for i in range(len(nodes) - 1, 0, -1):
        node = nodes[i]
        if node.band >= 0:
            carried = modal_share(model, data, factor, M, i, nothing)
            continue
        # inertia of everything the node carries, at its origin
        a, b, c = added_inertia(node_inertia(node, places[i], length_ratio(node, data.signals)), carried)
        if node.has_branch:
            a, b, c = added_inertia((a, b, c), load_inertia(here[i].inertia))
        for j in range(node.column, node.column + node.column_count):
            s = load3(axes[j].s)
            # wrench of a unit acceleration of column j; its share in each column inwards is an entry of M
            if columns[j].is_rotation:
                N, F = sym_vec(a, s), mat_t_vec(b, s)
            else:
                N, F = mat_vec(b, s), sym_vec(c, s)
            spread_wrench(model, data, M, i, j, N, F)
            M[j, j] += columns[j].armature
        if node.has_arm:
            a, b, c = shifted_inertia(a, b, c, load3(places[i].r))
        carried = hand_over(node, i, here, (a, b, c), nothing)
    feed_mass(model, data, M)


@only_with("feeds", otherwise=lambda model, data, M: None)
@part
def feed_mass(model, data, M):
    """Entries of lengths that are coordinates: Eq. (1) of ``feed_coordinate``, without eliminations."""
    for k in range(len(model.feeds)):
        feed = model.feeds[k]
        s, L = data.signals[len(model.signals) + k, 0], feed.column
        zero = 0.0 * s
        N, F = (zero, zero, zero), (zero, zero, zero)
        for i in range(feed.last_node, feed.node, -1):
            node, here = model.nodes[i], data.nodes[i]
            force, mass = slide_force(node, here, s)
            F = axpy3(1.0 / feed.length, force, F)
            M[L, L] += mass / (feed.length * feed.length)
            for c in range(node.column, node.column + node.column_count):
                axis = load3(data.columns[c].s)
                entry = dot3(axis, N) if model.columns[c].is_rotation else dot3(axis, F)
                M[L, c], M[c, L] = entry, entry
            N = add3(N, cross3(load3(here.r), F))
        N = add3(N, cross3(load3(data.nodes[feed.node].r), F))
        spread_wrench(model, data, M, model.nodes[feed.node].parent, L, N, F)


@only_with(*MODAL_TABLES, otherwise=lambda model, data, factor, M, i, nothing: nothing)
@part
def modal_share(model, data, factor, M, i, nothing):
    """Entries of M of a modal node with itself and its ancestors; returns the inertia handed to the node before."""
    node = model.nodes[i]
    mass = fill_band(model, data, factor, node, i, 0.0, 0.0)
    zero = 0.0 * nothing[2][0]
    for c in range(node.column_count):
        j = node.column + c
        for k in range(min(node.half_band, c) + 1):
            place = c - k if node.kind == FULL else k
            entry = factor.band[node.band + c * (node.half_band + 1) + place]
            M[j, j - k] = entry
            M[j - k, j] = entry
        if node.parent > 0:
            spread_wrench(model, data, M, node.parent, j, (zero, zero, zero), load3(factor.columns[j].U_F))
    shared = (nothing[0], nothing[1], (mass + zero, zero, zero, mass + zero, zero, mass + zero))
    return hand_over(node, i, factor.nodes, shared, nothing)


@part
def spread_wrench(model, data, M, i, j, N, F):
    """Entries of M of column j with every column between its node i and the root."""
    while i > 0:
        node = model.nodes[i]
        for k in range(node.column, node.column + node.column_count):
            s = load3(data.columns[k].s)
            entry = dot3(s, N) if model.columns[k].is_rotation else dot3(s, F)
            M[j, k] = entry
            M[k, j] = entry
        N = add3(N, cross3(load3(data.nodes[i].r), F))
        i = node.parent
