"""Power that a changing length brings into a cable: of the winch, and with the material that enters.

With T the kinetic energy of the material, V and U those of weight and springs, exit at b moving with b',
    d(T + V + U)/dt = rho L' (|v_0|^2/2 - g.b) - Q L' + F_0.b' - D + sum rho u_m (u_m d' - d g.t)                  (1)
where v_0 = b' + L' t_1 is the velocity of entering material, the last sum runs over the gaps of ``feed``, and
    Q = -dU/dL + sum N_damper l/L - sum W m t.(a - g)                                                       (2)
is the force of the winch, which tends to the tension at the exit. Here is everything but F_0.b', which belongs to
what carries the exit, and the loss D.
"""

from taut.dynamics.forces.acting import column_position, column_stretch, free_rate, length_scale
from taut.dynamics.forces.feed import PAPER, STRETCH, paper_wrench, rod_properties
from taut.dynamics.forces.laws import NONE, damping_coefficient, spring_energy, spring_force
from taut.kernels.jit import kernel, part
from taut.kernels.mat3 import column, load9
from taut.kernels.vec3 import axpy3, cross3, dot3, load3


@kernel
def feed_power(model, data):
    """Power of all feeds; needs the accelerations of the nodes."""
    total = 0.0 * data.nodes[0].x[0]
    g = load3(model.settings[0].gravity)
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        if not node.is_fed:
            continue
        here = data.nodes[i]
        j = node.feed
        if node.feed_kind == PAPER:
            total += paper_power(node, here, data.signals[j, 0], data.signals[j, 1], g)
        else:
            # power of the winch; a length that is a coordinate is driven inside the machine
            if j < len(model.signals):
                total += flow_power(node, here, data.signals[j, 0], data.signals[j, 1], data.signals[j, 2])
            if node.is_exit:
                total += entering_power(node, here, data.signals[j, 1], g)
            if node.kind == STRETCH:
                stretch = data.q[node.coordinate] - data.signals[j, 0] * node.length
                rate = data.v[node.column] - data.signals[j, 1] * node.length
                mean = 0.5 * (node.flow + model.nodes[node.parent].flow) * data.signals[j, 1]
                t = column(load9(here.R), 2)
                total += node.line_density * mean * (mean * rate - stretch * dot3(g, t))  # Eq. (1)
    for c in range(len(model.columns)):
        if 0 <= model.columns[c].feed < len(model.signals):
            total += law_power(model.columns[c], data, c)
    return total


@part
def flow_power(node, here, s, s_rate, s_second):
    """A half-link's share in Eq. (2)."""
    mass, com, _, _ = rod_properties(node, s)
    t = column(load9(here.R), 2)
    w = load3(here.w)
    arm = cross3(w, t)
    centre = axpy3(com, cross3(load3(here.alpha), t), axpy3(com, cross3(w, arm), load3(here.a)))
    flow = node.flow * s_rate
    # the sideways acceleration of the flow has no component along t
    return flow * mass * (dot3(t, centre) + node.flow * s_second)


@part
def entering_power(node, here, s_rate, g):
    """Power of the material that enters, Eq. (1)."""
    flow = node.flow * s_rate
    v = axpy3(flow, column(load9(here.R), 2), load3(here.v))
    return node.line_density * flow * (0.5 * dot3(v, v) - dot3(g, load3(here.x)))


@part
def paper_power(node, here, s, s_rate, g):
    """The published form has no balance of its own: the rates of mass and weight, less half the power of its force."""
    mass, com, _, _ = rod_properties(node, s)
    t = column(load9(here.R), 2)
    N, F = paper_wrench(node, here, s, s_rate)
    centre = axpy3(com, t, load3(here.x))
    weight = node.mass * s_rate * dot3(g, centre) + mass * node.com[2] * s_rate * dot3(g, t)
    return -0.5 * (dot3(F, load3(here.v)) + dot3(N, load3(here.w))) - weight


@part
def law_power(law, data, c):
    """Power of springs and dampers in Eq. (2)."""
    if law.law == NONE:
        return 0.0 * data.v[c]
    scale = length_scale(law, data.signals)
    x = column_position(law, data.q)
    e = column_stretch(law, x, scale)
    force = spring_force(law, e, e)
    # dU/ds at fixed coordinates: change of the elastic energy with the length ratio s
    slope = spring_energy(law, e, e) + force * (e if law.is_rotation else x / scale)
    rate = free_rate(law, data.signals)
    damper = damping_coefficient(law, e, data.columns[c].side) * (data.v[c] - rate) / scale
    return data.signals[law.feed, 1] * slope - rate * damper
