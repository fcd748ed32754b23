"""The length of a cable as one more column of its articulated factor.

L couples to every column c of its cable: by the inertia of the material that slides, by the laws. Its node is the root
of the cable, so it is eliminated after all of them, and what is left goes on to what carries the cable. With P the
wrench, at the node reached so far, that a unit acceleration of L needs, and d the entry of L with itself, from the tip
inwards over the columns that ``factor`` has eliminated,
    b = b_law + s.P,    P <- P - U b / D,    d <- d - b^2 / D                                             (1)
and at the node of L itself: U = P, D = d, I <- I - P P^T / d. Solves and projected rows have
    inwards    u_L = r_L - sum b u / D                                                                   (2)
    outwards   x = (u - U.A - b x_L) / D                                                                 (3)
"""

from taut.dynamics.forces.feed_coordinate import law_border, slide_force
from taut.dynamics.forces.laws import is_stuck
from taut.kernels.inertia import mat_less_outer, sym_less_outer
from taut.kernels.jit import block, only_with, part
from taut.kernels.vec3 import add3, axpy3, cross3, dot3, load3, store3
from taut.model.enums import JointKind

FEED = int(JointKind.FEED)


@part
def feed_of(model, i):
    """Number of the feed whose node is i."""
    k = 0
    while model.feeds[k].node != i:
        k += 1
    return k


@only_with("feeds", otherwise=lambda model, data, factor, i, inertia, c_D, c_K: inertia)
@part
def less_feed(model, data, factor, i, inertia, c_D, c_K):
    """The inertia that a node of L hands on to its parent; that of other nodes as it is."""
    if model.nodes[i].kind != FEED:
        return inertia
    eliminate_feed(model, data, factor, feed_of(model, i), c_D, c_K)
    pivot = factor.columns[model.nodes[i].column]
    N, F, f = load3(pivot.U_N), load3(pivot.U_F), pivot.inverse_D
    a, b, c = inertia
    return sym_less_outer(a, N, f), mat_less_outer(b, N, F, f), sym_less_outer(c, F, f)


@block
def eliminate_feed(model, data, factor, k, c_D, c_K):
    """Eliminate the length L of a feed by Eq. (1): fill factor.border and the pivot of L."""
    feed = model.feeds[k]
    s = data.signals[len(model.signals) + k, 0]
    per = 1.0 / feed.length
    pivot = factor.columns[feed.column]
    d = model.columns[feed.column].armature + pivot.added
    zero = 0.0 * d * s
    N, F = (zero, zero, zero), (zero, zero, zero)
    for i in range(feed.last_node, feed.node, -1):
        node, here = model.nodes[i], data.nodes[i]
        force, mass = slide_force(node, here, s)
        F = axpy3(per, force, F)
        d = d + per * per * mass
        for c in range(node.column + node.column_count - 1, node.column - 1, -1):
            at = factor.columns[c]
            axis = load3(data.columns[c].s)
            with_s, own = law_border(model, data, c, s, c_D, c_K)
            b = per * with_s + (dot3(axis, N) if model.columns[c].is_rotation else dot3(axis, F))
            f = b * at.inverse_D
            factor.border[c] = b
            d = d + per * per * own - b * f
            N, F = axpy3(-f, load3(at.U_N), N), axpy3(-f, load3(at.U_F), F)
        N = add3(N, cross3(load3(here.r), F))
    store3(pivot.U_N, N)
    store3(pivot.U_F, F)
    pivot.inverse_D = 0.0 * d if is_stuck(model.columns[feed.column], data.modes) else 1.0 / d


@only_with("feeds", otherwise=lambda model, factor, i: 0.0)
@part
def feed_load(model, factor, i):
    """What the node of L takes off its force in a solve, Eq. (2); zero at other nodes."""
    total = 0.0 * factor.columns[0].u
    if model.nodes[i].kind == FEED:
        feed = model.feeds[feed_of(model, i)]
        total += factor.load[feed.column]
        for c in range(feed.column + 1, feed.last_column + 1):
            total += factor.border[c] * factor.columns[c].inverse_D * factor.columns[c].u
    return total


@only_with("feeds", otherwise=lambda model, factor, c, x: 0.0)
@part
def feed_pull(model, factor, c, x):
    """What the motion of L takes off a column's force, Eq. (3)."""
    k = model.columns[c].feed - len(model.signals)
    return factor.border[c] * x[model.feeds[k].column] if k >= 0 else 0.0 * factor.columns[c].u


@only_with("feeds", otherwise=lambda model, factor, i, at, stride: 0.0)
@part
def feed_row(model, factor, i, at, stride):
    """What L takes off a projected row, Eq. (2); ``at``: its entry at the column of L, ``stride``: between columns."""
    total = 0.0 * factor.columns[0].u
    if model.nodes[i].kind == FEED:
        feed = model.feeds[feed_of(model, i)]
        for c in range(feed.column + 1, feed.last_column + 1):
            entry = factor.projection[at + (c - feed.column) * stride]
            total += factor.border[c] * factor.columns[c].inverse_D * entry
    return total


@only_with("feeds", otherwise=lambda model, node: False)
@part
def is_feed(model, node):
    """Whether a node's coordinate is the length of a cable."""
    return model.nodes[node].kind == FEED
