"""Forces the machine's parts exert: joint laws, friction, actuators, applied wrenches.

The laws of a cable whose length changes by the factor s are those of its strain: with the element's own law f0 of the
stretch e,
    f = f0(e/s),   e = x - s free (stretch)  or  x - free (bend),   energy = s U0(e/s)                     (1)
"""

from taut.dynamics.forces.laws import (
    NONE,
    damping_coefficient,
    friction_force,
    has_law,
    is_motor,
    spring_energy,
    spring_force,
    state_goal,
    state_rate,
)
from taut.kernels.jit import block, kernel, only_with, part
from taut.kernels.mat3 import load9, mat_vec
from taut.kernels.rotations import rotation_vector_of_quaternion
from taut.kernels.vec3 import add3, cross3, load3, store3


@part
def column_position(column, q):
    """The coordinate a column's law sees: q itself, or a component of a quaternion's rotation vector."""
    k = column.coordinate
    if column.component < 0:
        return q[k]
    d = rotation_vector_of_quaternion((q[k], q[k + 1], q[k + 2], q[k + 3]))
    if column.component == 0:
        return d[0]
    if column.component == 1:
        return d[1]
    return d[2]


@part
def length_scale(column, signals):
    """Present length of the column's cable, relative to that in the tables."""
    return signals[column.feed, 0] if column.feed >= 0 else 1.0


@part
def free_rate(column, signals):
    """Rate of the relaxed position of a cable that is fed."""
    return column.free * signals[column.feed, 1] if column.feed >= 0 and not column.is_rotation else 0.0


@part
def column_stretch(column, x, scale):
    """Stretch or bend of the law by Eq. (1), scaled to the tables' length."""
    return (x - column.free) / scale if column.is_rotation else x / scale - column.free


@kernel
def joint_forces(model, data):
    """Fill data.force (laws, friction, actuator signals) and data.z_rate."""
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        if node.band >= 0:
            # a modal node computes the forces on its columns itself
            for c in range(node.column, node.column + node.column_count):
                data.force[c] = 0.0
        else:
            node_forces(model, data, node)
    feed_laws(model, data)


@part
def node_forces(model, data, node):
    """The forces of one joint's columns."""
    columns, q, v, z, signals = model.columns, data.q, data.v, data.z, data.signals
    forces, rates = data.force, data.z_rate
    for c in range(node.column, node.column + node.column_count):
        column = columns[c]
        force = friction_force(column, v[c], data.modes)
        if column.law != NONE:
            scale = length_scale(column, signals)
            e = column_stretch(column, column_position(column, q), scale)
            goal = state_goal(column, e, v[c], signals)
            state = goal  # without an internal state the law is relaxed
            if column.state >= 0:
                state = z[column.state]
                rates[column.state] = state_rate(column, goal, state)
            if has_law(column, data.modes):
                rate = v[c] - free_rate(column, signals)
                force += spring_force(column, e, state)
                force -= damping_coefficient(column, e, data.columns[c].side) * rate / scale
        if column.signal >= 0 and not is_motor(column):
            force += signals[column.signal, 0]
        forces[c] = force


@only_with("feeds", otherwise=lambda model, data: None)
@block
def feed_laws(model, data):
    """Add the pull of a cable's laws to the force on its length, Eqs. (2), (3) of ``feed_coordinate``."""
    for k in range(len(model.feeds)):
        feed = model.feeds[k]
        s = data.signals[len(model.signals) + k, 0]
        total = 0.0 * s
        for c in range(feed.column + 1, feed.last_column + 1):
            law = model.columns[c]
            if law.law == NONE:
                continue
            x = column_position(law, data.q)
            e = column_stretch(law, x, s)
            y = e if law.is_rotation else x / s
            total -= spring_energy(law, e, e) + spring_force(law, e, e) * y
            if not law.is_rotation:
                rate = data.v[c] - free_rate(law, data.signals)
                total += law.free * damping_coefficient(law, e, data.columns[c].side) * rate / s
        data.force[feed.column] += total / feed.length


@kernel
def external_wrenches(model, data):
    """Fill the applied wrenches of every node from their signals; needs kinematics."""
    if len(model.wrenches) == 0:
        return
    for i in range(len(model.nodes)):
        for k in range(3):
            data.nodes[i].external_N[k] = 0.0
            data.nodes[i].external_F[k] = 0.0
    for j in range(len(model.wrenches)):
        wrench = model.wrenches[j]
        # an event has ended this wrench
        if wrench.switch >= 0 and data.modes[wrench.switch] > 0:
            continue
        here = data.nodes[wrench.node]
        R = load9(here.R)
        F = signal_vector(data.signals, wrench.signal, 0)
        N = signal_vector(data.signals, wrench.signal, 3)
        if wrench.is_follower:
            F = mat_vec(R, F)
            N = mat_vec(R, N)
        # signals are real numbers; the sum must have the type of R, which is complex in complex-step derivatives
        zero = 0.0 * R[0]
        F = (F[0] + zero, F[1] + zero, F[2] + zero)
        N = add3(N, cross3(mat_vec(R, load3(wrench.point)), F))
        store3(here.external_F, add3(load3(here.external_F), F))
        store3(here.external_N, add3(load3(here.external_N), N))


@part
def signal_value(signals, index):
    """Value of a signal, zero if there is none."""
    return signals[index, 0] if index >= 0 else 0.0


@part
def signal_vector(signals, index, k):
    """Three signals from entry k of an index list."""
    return (signal_value(signals, index[k]), signal_value(signals, index[k + 1]), signal_value(signals, index[k + 2]))
