"""Solves with the articulated factor: (M + additions) x = b in O(n) per right-hand side.

Inwards, with p the wrench reduced so far (as a load on the tree):
    u = b - s.p,    p <- p + U u / D                      (1)
outwards, with A the spatial acceleration of the solution:
    x = (u - U.A) / D,    A <- A + s x                    (2)
"""

from taut.dynamics.modal.bands import expand_band, reduce_band
from taut.dynamics.tree.feed_factor import feed_load, feed_pull
from taut.kernels.arrays import fill
from taut.kernels.jit import kernel, part
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3, store3


@kernel
def reduce_inwards(model, data, factor, b):
    """Eq. (1); the wrenches in factor.nodes are the load on entry (zero for a plain solve).

    What a node hands to its parent stays in registers when that is the node before it, as in ``eliminate``.
    """
    zero = 0.0 * factor.nodes[0].N[0]
    nothing = ((zero, zero, zero), (zero, zero, zero))
    carried = nothing
    for i in range(len(model.nodes) - 1, 0, -1):
        node = model.nodes[i]
        N = add3(load3(factor.nodes[i].N), carried[0])
        F = add3(load3(factor.nodes[i].F), carried[1])
        # the base of a modal node does not turn: only forces reach it
        if node.band >= 0:
            on_base = reduce_band(model, data, factor, node, b, N, F)
            carried = hand_inwards(node, i, factor.nodes, (nothing[0], add3(F, on_base)), nothing)
            continue
        for c in range(node.column + node.column_count - 1, node.column - 1, -1):
            here = factor.columns[c]
            s = load3(data.columns[c].s)
            # Eq. (1)
            u = b[c] - (dot3(s, N) if model.columns[c].is_rotation else dot3(s, F)) - feed_load(model, factor, i)
            here.u = u
            f = u * here.inverse_D
            N = axpy3(f, load3(here.U_N), N)
            F = axpy3(f, load3(here.U_F), F)
        N = add3(N, cross3(load3(data.nodes[i].r), F))
        carried = hand_inwards(node, i, factor.nodes, (N, F), nothing)


@part
def hand_inwards(node, i, here, wrench, nothing):
    """Give a wrench to the parent: returned if that is the node before it, else added to its entry in memory."""
    if node.parent == i - 1:
        return wrench
    if node.parent > 0:
        parent = here[node.parent]
        store3(parent.N, add3(load3(parent.N), wrench[0]))
        store3(parent.F, add3(load3(parent.F), wrench[1]))
    return nothing


@kernel
def expand_outwards(model, data, factor, x):
    """Solution outwards from the reduced forces u, Eq. (2); factor.nodes N, F hold accelerations of branches."""
    expand_nodes(model, data, factor, x, 1, len(model.nodes))


@kernel
def expand_nodes(model, data, factor, x, first, last):
    """Solution outwards, Eq. (2), for nodes from ``first`` to before ``last``, which are whole trees."""
    zero = 0.0 * factor.nodes[0].N[0]
    alpha, a = (zero, zero, zero), (zero, zero, zero)
    store3(factor.nodes[0].N, alpha)
    store3(factor.nodes[0].F, a)
    for i in range(first, last):
        node = model.nodes[i]
        if node.parent != i - 1:
            parent = factor.nodes[node.parent]
            alpha, a = load3(parent.N), load3(parent.F)
        # tip of its tree: no child needs the acceleration of its end
        if node.band >= 0:
            expand_band(model, factor, node, a, x)
            continue
        a = add3(a, cross3(alpha, load3(data.nodes[i].r)))
        for c in range(node.column, node.column + node.column_count):
            here = factor.columns[c]
            s = load3(data.columns[c].s)
            # Eq. (2)
            u = here.u - feed_pull(model, factor, c, x)
            y = (u - dot3(load3(here.U_N), alpha) - dot3(load3(here.U_F), a)) * here.inverse_D
            x[c] = y
            if model.columns[c].is_rotation:
                alpha = axpy3(y, s, alpha)
            else:
                a = axpy3(y, s, a)
        if node.has_branch:
            store3(factor.nodes[i].N, alpha)
            store3(factor.nodes[i].F, a)


@kernel
def clear_loads(factor):
    """Set the loads on all nodes and modal coordinates to zero."""
    fill(factor.load, 0.0)
    for i in range(len(factor.nodes)):
        for k in range(3):
            factor.nodes[i].N[k] = 0.0
            factor.nodes[i].F[k] = 0.0
