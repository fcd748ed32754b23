"""Kinematics: placements, velocities and velocity-product accelerations of every node, from the roots outwards.

For node i on parent p, with r from the parent's origin to its own:
    w_i = w_p + sum_rot s qd                                       (1)
    v_i = v_p + w_p x r + u,   u = sum_trans s qd                  (2)
and, differentiated at zero joint acceleration,
    bias_w = sum_rot w_before x s qd                               (3)
    bias_v = w_p x (w_p x r + 2 u)                                 (4)
where w_before is the angular velocity of the frame in which the column's axis is fixed; a driven joint, which has no
column, adds its prescribed second rate along the axis. In the words of
[Featherstone 2008, ch. 5] these are v_J and c_J, in world axes at each body's own origin.
"""

from taut.dynamics.forces.feed_coordinate import feed_ratios
from taut.dynamics.forces.routes import trace_routes
from taut.dynamics.modal.nodes import modal_drive, place_modal_node
from taut.dynamics.modal.ritz_ends import end_motion
from taut.dynamics.signals import evaluate_signals
from taut.dynamics.tree import joints
from taut.kernels.jit import kernel, part
from taut.kernels.mat3 import column, load9, mat_vec, store9
from taut.kernels.rotations import rotated_about
from taut.kernels.vec3 import add3, axpy3, cross3, load3, scale3, store3, sub3


@kernel
def kinematics(model, data):
    """Place every node at data.time, data.q, data.v, with velocities and velocity-product accelerations, and ropes."""
    evaluate_signals(model, data)
    feed_ratios(model, data)
    move_nodes(model, data, True)
    trace_routes(model, data)


@kernel
def moved_again(model, data):
    """Place all nodes and routes at other data.q and data.v; signals and velocity products stay as they were."""
    feed_ratios(model, data)
    move_nodes(model, data, False)
    trace_routes(model, data)


@kernel
def move_nodes(model, data, has_products):
    """Frames, axes, velocities and velocity products in one pass: each node is read and written once.

    What a node takes from its parent stays in registers when that is the node before it, as along a cable.
    """
    places = data.nodes
    frame, motion = load_frame(places[0]), load_motion(places[0])
    for i in range(1, len(model.nodes)):
        before = model.nodes[i].parent
        if before != i - 1:
            frame, motion = load_frame(places[before]), load_motion(places[before])
        frame = place_node(model, data, i, frame)
        motion = node_velocity(model, data, i, motion, has_products)


@kernel
def place_nodes(model, data):
    """Body frames and column axes alone."""
    for i in range(1, len(model.nodes)):
        place_node(model, data, i, load_frame(data.nodes[model.nodes[i].parent]))


@kernel
def node_velocities(model, data):
    """Velocities and velocity-product accelerations of placed nodes."""
    for i in range(1, len(model.nodes)):
        node_velocity(model, data, i, load_motion(data.nodes[model.nodes[i].parent]), True)


@part
def load_frame(here):
    """Axes and origin of a placed node."""
    return load9(here.R), load3(here.x)


@part
def load_motion(here):
    """Angular velocity and velocity of a node."""
    return load3(here.w), load3(here.v)


@part
def place_node(model, data, i, before):  # noqa: C901 (one branch a joint kind)
    """Body frame and column axes of one node on its parent's frame ``before``, by joint kind; returns the frame."""
    places, cols, q, signals = data.nodes, data.columns, data.q, data.signals
    node = model.nodes[i]
    kind = node.kind
    R, x = joints.frame_on(node, before)
    c = node.column
    k = node.coordinate
    # cable elements first: most nodes are of these kinds
    if kind == joints.BEND_XY:
        R = joints.bend_xy(R, q[k], q[k + 1], cols[c], cols[c + 1])
    elif kind == joints.BEND_YX:
        R = joints.bend_yx(R, q[k], q[k + 1], cols[c], cols[c + 1])
    elif kind == joints.STRETCH:
        s = column(R, 2)
        store3(cols[c].s, s)
        x = axpy3(q[k], s, x)
    elif kind == joints.DRIVEN:
        # prescribed position of a driven point: the rheonomic constraint is eliminated [Mamidi 2024, Eq. 12]
        x = add3(load3(node.start), joints.driven_vector(node, signals, 0, 0.0 * x[0]))
    elif kind == joints.REVOLUTE:
        R = joints.turn(R, load3(node.axis_1), q[k], cols[c])
    elif kind == joints.PRISMATIC:
        x = joints.slide(R, x, load3(node.axis_1), q[k], cols[c])
    elif kind == joints.UNIVERSAL:
        R = joints.turn(R, load3(node.axis_1), q[k], cols[c])
        R = joints.turn(R, load3(node.axis_2), q[k + 1], cols[c + 1])
    elif kind == joints.SPHERICAL:
        turn = (q[k], q[k + 1], q[k + 2], q[k + 3])
        R = joints.turn_by_quaternion(R, turn, cols[c], cols[c + 1], cols[c + 2])
    elif kind == joints.PLANAR:
        axis_1, axis_2 = load3(node.axis_1), load3(node.axis_2)
        x = joints.slide(R, x, axis_1, q[k], cols[c])
        x = joints.slide(R, x, axis_2, q[k + 1], cols[c + 1])
        R = joints.turn(R, cross3(axis_1, axis_2), q[k + 2], cols[c + 2])
    elif kind == joints.POINT:
        x = joints.translate(R, x, (q[k], q[k + 1], q[k + 2]), cols[c], cols[c + 1], cols[c + 2])
    elif kind == joints.FREE:
        turn = (q[k + 3], q[k + 4], q[k + 5], q[k + 6])
        x = joints.translate(R, x, (q[k], q[k + 1], q[k + 2]), cols[c], cols[c + 1], cols[c + 2])
        R = joints.turn_by_quaternion(R, turn, cols[c + 3], cols[c + 4], cols[c + 5])
    elif kind == joints.SMALL:
        x = joints.translate(R, x, (q[k], q[k + 1], q[k + 2]), cols[c], cols[c + 1], cols[c + 2])
        R = joints.turn_small((q[k + 3], q[k + 4], q[k + 5]), cols[c + 3], cols[c + 4], cols[c + 5])
    elif node.band >= 0:
        R, x = place_modal_node(model, data, node, R, x)
    elif kind == joints.DRIVEN_TURN:
        R = rotated_about(R, load3(node.axis_1), joints.driven_signal(node, signals, 0))
    elif kind == joints.DRIVEN_SLIDE:
        x = axpy3(joints.driven_signal(node, signals, 0), mat_vec(R, load3(node.axis_1)), x)
    here = places[i]
    store9(here.R, R)
    store3(here.x, x)
    # lever from the parent's origin, for all recursions
    store3(here.r, sub3(x, before[1]))
    return R, x


@part
def node_velocity(model, data, i, before, has_products):
    """Velocities of one placed node, Eqs. (1), (2), from those of its parent, and products, Eqs. (3), (4)."""
    columns, cols, rates, signals = model.columns, data.columns, data.v, data.signals
    node, here = model.nodes[i], data.nodes[i]
    w_p, v_p = before
    r = load3(here.r)
    zero = 0.0 * r[0]
    w = (w_p[0] + zero, w_p[1] + zero, w_p[2] + zero)
    u = (zero, zero, zero)
    bias = (zero, zero, zero)
    first, last = node.column, node.column + node.column_count
    if node.kind == joints.RITZ:
        turn, u = end_motion(model, model.ritz[node.modal], rates, zero)
        w = add3(w, turn)
        first = last
    for c in range(first, last):
        step = scale3(rates[c], load3(cols[c].s))
        if columns[c].is_rotation:
            # Eq. (3): a quaternion's axes are fixed in the parent, others in the frame turned so far
            bias = add3(bias, cross3(w_p, step) if columns[c].is_parent_axis else cross3(w, step))
            w = add3(w, step)  # Eq. (1)
        else:
            u = add3(u, step)
    second = (zero, zero, zero)
    if node.kind == joints.DRIVEN:
        u, second = joints.driven_vector(node, signals, 1, zero), joints.driven_vector(node, signals, 2, zero)
    elif joints.is_driven_joint(node):
        s = joints.driven_axis(node, here)
        step = scale3(joints.driven_signal(node, signals, 1), s)
        drive = scale3(joints.driven_signal(node, signals, 2), s)
        if node.kind == joints.DRIVEN_TURN:
            bias = add3(cross3(w, step), drive)  # Eq. (3) and the prescribed second rate
            w = add3(w, step)
        else:
            u = add3(u, step)
            second = add3(second, drive)
    if node.band >= 0:
        drive, beyond = modal_drive(model, data, node)
        u = add3(u, drive)
        second = add3(second, beyond)
    turn = cross3(w_p, r)
    v = add3(v_p, add3(turn, u))  # Eq. (2)
    store3(here.w, w)
    store3(here.v, v)
    if has_products:
        store3(here.bias_w, bias)
        store3(here.bias_v, add3(cross3(w_p, axpy3(2.0, u, turn)), second))  # Eq. (4)
    return w, v
