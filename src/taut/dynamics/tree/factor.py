"""The articulated LDL^T factor of (mass matrix + additions), from the tips inwards, in O(n).

For every column s of a node with articulated inertia I:
    U = I s,   D = s.U + added                          (1)
    I <- I - U U^T / D                                  (2)
and the node's remaining inertia is shifted to its parent. With nothing added this is the reverse Gaussian elimination
of [Mamidi 2024, Eq. 14] and the articulated-body algorithm [Featherstone 2008, sec. 7.3]. With
    added = c_D d + c_K k on the columns and the tension-geometric term on the links' rotary block,
it is the Newton matrix of an implicit method. All of it in real or complex arithmetic.

A column that a closure prescribes may carry an unstable load, such as an inverted pendulum, and have a negative pivot.
Where the caller marks it by a nonzero ``held``, its pivot is raised by held = 2 |D|. The closure's multiplier is
corrected for that afterwards (``projection.release_held``); no other unknown changes.

A column that dry friction holds does not move: its 1/D is zero, as if an infinite term were added.
"""

from taut.dynamics.forces.feed import length_ratio, rod_properties
from taut.dynamics.forces.laws import is_stuck
from taut.dynamics.modal.bands import eliminate_band
from taut.dynamics.modal.nodes import fill_band
from taut.dynamics.tree.feed_factor import is_feed, less_feed
from taut.dynamics.tree.joints import SMALL
from taut.kernels.inertia import (
    accumulate_inertia,
    added_inertia,
    body_inertia,
    load_inertia,
    mat_less_outer,
    rod_inertia,
    shifted_inertia,
    sym_less_outer,
)
from taut.kernels.jit import kernel, part
from taut.kernels.mat3 import column, load6, load9, mat_t_vec, mat_vec, sym_add, sym_rotated, sym_vec
from taut.kernels.vec3 import dot3, load3, store3


@part
def node_inertia(node, here, ratio):
    """Inertia of one node's own body at its origin; a rod's length may have changed by a ratio."""
    if node.kind == SMALL:
        return body_inertia(node.mass, load3(node.com), load6(node.inertia))
    R = load9(here.R)
    if node.is_rod:
        mass, com, across, along = rod_properties(node, ratio)
        return rod_inertia(mass, com, across, along, column(R, 2))
    return body_inertia(node.mass, mat_vec(R, load3(node.com)), sym_rotated(R, load6(node.inertia)))


@kernel
def factor_mass(model, data, factor):
    """Factor the mass matrix with the additions on columns and rotary blocks, at the placed state."""
    for c in range(len(factor.columns)):
        factor.columns[c].held = 0.0
    clear_branches(model.nodes, factor.nodes)
    eliminate(model, data, factor, 0.0, 0.0)


@kernel
def eliminate(model, data, factor, c_D, c_K):
    """Eliminate all columns from the tips inwards; fills U and 1/D. Modal nodes add c_D D + c_K K themselves.

    What a node hands to its parent stays in registers when the parent is the node before it; only branches go through
    memory.
    """
    nodes, columns, places, axes = model.nodes, model.columns, data.nodes, data.columns
    here, pivots = factor.nodes, factor.columns
    nothing = load_inertia(here[0].inertia)
    carried = nothing
    for i in range(len(nodes) - 1, 0, -1):
        node = nodes[i]
        if node.band >= 0:
            mass = fill_band(model, data, factor, node, i, c_D, c_K)
            m = eliminate_band(model, factor, node, mass)
            carried = hand_over(node, i, here, (nothing[0], nothing[1], m), nothing)
            continue
        a, b, c = added_inertia(node_inertia(node, places[i], length_ratio(node, data.signals)), carried)
        a = sym_add(a, load6(here[i].rotary))
        if node.has_branch or node.has_contact:
            a, b, c = added_inertia((a, b, c), load_inertia(here[i].inertia))
        # eliminate the node's columns, last first
        for j in range(node.column + node.column_count - 1, node.column - 1, -1):
            # the column of a feed's length is eliminated by less_feed
            stuck = is_stuck(columns[j], data.modes) or is_feed(model, i)
            a, b, c = eliminate_column(a, b, c, load3(axes[j].s), columns[j], pivots[j], stuck)
        a, b, c = less_feed(model, data, factor, i, (a, b, c), c_D, c_K)
        if node.has_arm:
            a, b, c = shifted_inertia(a, b, c, load3(places[i].r))
        carried = hand_over(node, i, here, (a, b, c), nothing)


@part
def hand_over(node, i, here, inertia, nothing):
    """Give an inertia to the parent: returned if that is the node before it, else added to its entry in memory."""
    if node.parent == i - 1:
        return inertia
    if node.parent > 0:
        accumulate_inertia(here[node.parent].inertia, inertia[0], inertia[1], inertia[2])
    return nothing


@part
def clear_branches(nodes, here):
    """Clear the inertias that branches add to; the world's entry stays zero."""
    for i in range(len(nodes)):
        if nodes[i].has_branch or nodes[i].has_contact or i == 0:
            for k in range(21):
                here[i].inertia[k] = 0.0


@part
def eliminate_column(a, b, c, s, column, pivot, stuck):
    """Eliminate one column, Eqs. (1), (2); one that is stuck carries all of the inertia along."""
    added = column.armature + pivot.added
    # Eq. (1)
    if column.is_rotation:
        U_N = sym_vec(a, s)
        U_F = mat_t_vec(b, s)
        D = dot3(s, U_N) + added
    else:
        U_N = mat_vec(b, s)
        U_F = sym_vec(c, s)
        D = dot3(s, U_F) + added
    # a prescribed column may carry an unstable load: raise its pivot to keep the factor positive
    if pivot.held != 0.0:
        pivot.held = 2.0 * abs(D) + 0.0 * D
        D = D + pivot.held
    # 1/D = 0 holds a column that sticks: nothing is eliminated, Eq. (2) leaves I as it is
    f = 0.0 * D if stuck else 1.0 / D
    store3(pivot.U_N, U_N)
    store3(pivot.U_F, U_F)
    pivot.inverse_D = f
    return sym_less_outer(a, U_N, f), mat_less_outer(b, U_N, U_F, f), sym_less_outer(c, U_F, f)
