"""M x - J^T lam at the placed state, in O(n): inverse dynamics of accelerations alone, without weight and speeds.

It tells how far a jump x of the velocities is from what impulses lam cause, without the rounding of two residuals whose
elastic forces cancel.
"""

from taut.dynamics.constraints.closures import add_closure_wrenches
from taut.dynamics.forces.feed import length_ratio
from taut.dynamics.forces.feed_coordinate import feed_product
from taut.dynamics.inverse import body_wrench, collect_forces, rod_wrench, with_columns
from taut.dynamics.modal.nodes import modal_product
from taut.dynamics.tree.joints import SMALL
from taut.kernels.inertia import has_matter
from taut.kernels.jit import block, part
from taut.kernels.mat3 import load6, sym_vec
from taut.kernels.vec3 import add3, cross3, load3, scale3, store3


@block
def mass_product(model, data, x, lam, result):
    """Needs kinematics and closures; the nodes' accelerations and wrenches, and data.own, are scratch.

    ``result`` is neither x nor one of data's own arrays.
    """
    # the root at rest: unlike in inverse dynamics, no weight
    for k in range(3):
        data.nodes[0].alpha[k] = 0.0
        data.nodes[0].a[k] = 0.0
    for i in range(1, len(model.nodes)):
        jump_node(model, data, i, x)
        inertia_wrench(model, data, i)
    if model.settings[0].has_modal:
        for i in range(1, len(model.nodes)):
            if model.nodes[i].band >= 0:
                modal_product(model, data, i, x, result)
    feed_product(model, data, x)
    add_closure_wrenches(model, data, lam)
    collect_forces(model, data, result)
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        # armatures act on single columns; modal nodes have none
        if node.band < 0:
            for c in range(node.column, node.column + node.column_count):
                result[c] += model.columns[c].armature * x[c]


@part
def jump_node(model, data, i, x):
    """Acceleration of one node by its parent's acceleration and those of its own joint alone."""
    node, here = model.nodes[i], data.nodes[i]
    parent = data.nodes[node.parent]
    alpha = load3(parent.alpha)
    a = add3(load3(parent.a), cross3(alpha, load3(here.r)))
    alpha, a = with_columns(model, data, node, x, alpha, a)
    store3(here.alpha, alpha)
    store3(here.a, a)


@part
def inertia_wrench(model, data, i):
    """Inertia wrench of one body at accelerations without velocity products."""
    node, here = model.nodes[i], data.nodes[i]
    still = scale3(0.0, load3(here.a))
    N, F = still, still
    if has_matter(node):
        if node.kind == SMALL:
            N, F = sym_vec(load6(node.inertia), load3(here.alpha)), scale3(node.mass, load3(here.a))
        elif node.is_rod:
            N, F = rod_wrench(node, here, still, length_ratio(node, data.signals))
        else:
            N, F = body_wrench(node, here, still)
    store3(here.N, N)
    store3(here.F, F)
