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
from taut.kernels.jit import kernel
from taut.kernels.mat3 import column, mat_vec, store9
from taut.kernels.rotations import rotated_about
from taut.kernels.vec3 import add3, axpy3, cross3, load3, scale3, store3, sub3


@kernel
def kinematics(model, data):
    """Place every node at data.time, data.q, data.v, with velocities and velocity-product accelerations, and ropes."""
    evaluate_signals(model, data)
    feed_ratios(model, data)
    place_driven(model, data)
    place_nodes(model, data)
    node_velocities(model, data)
    trace_routes(model, data)


@kernel
def place_nodes(model, data):  # noqa: C901 (one branch a joint kind)
    """Body frames and column axes, by joint kind."""
    nodes, places, cols, q, signals = model.nodes, data.nodes, data.columns, data.q, data.signals
    for i in range(1, len(nodes)):
        node = nodes[i]
        kind = node.kind
        # place_driven has placed it already
        if kind == joints.DRIVEN:
            continue
        parent = places[node.parent]
        R, x = joints.joint_frame(node, parent)
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
        store9(places[i].R, R)
        store3(places[i].x, x)
        # lever from the parent's origin, for all recursions
        store3(places[i].r, sub3(x, load3(parent.x)))


@kernel
def node_velocities(model, data):
    """Velocities and velocity-product accelerations, Eqs. (1)-(4)."""
    nodes, columns, places, cols, rates = model.nodes, model.columns, data.nodes, data.columns, data.v
    signals = data.signals
    for i in range(1, len(nodes)):
        node = nodes[i]
        if node.kind == joints.DRIVEN:
            continue
        parent = places[node.parent]
        here = places[i]
        w_p = load3(parent.w)
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
        if joints.is_driven_joint(node):
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
        store3(here.w, w)
        store3(here.v, add3(load3(parent.v), add3(turn, u)))  # Eq. (2)
        store3(here.bias_w, bias)
        store3(here.bias_v, add3(cross3(w_p, axpy3(2.0, u, turn)), second))  # Eq. (4)


@kernel
def place_driven(model, data):
    """Points that follow their signals: the rheonomic constraint eliminated [Mamidi 2024, Eq. 12]."""
    nodes, places, signals = model.nodes, data.nodes, data.signals
    for i in range(1, len(nodes)):
        node = nodes[i]
        if node.kind != joints.DRIVEN:
            continue
        here = places[i]
        for k in range(3):
            j = node.signal[k]
            here.x[k] = node.start[k] + (signals[j, 0] if j >= 0 else 0.0)
            here.v[k] = signals[j, 1] if j >= 0 else 0.0
            here.bias_v[k] = signals[j, 2] if j >= 0 else 0.0
            here.r[k] = here.x[k]
        for k in range(9):
            here.R[k] = places[0].R[k]
