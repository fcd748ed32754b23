"""What an implicit method adds to the mass matrix so that the articulated factor is its Newton matrix.

The residual is  inverse(q, v, a) - forces(q, v) - J^T lam. In the additions: on the columns
    added = c_D (damper + friction slope) + c_K (tangent stiffness)                       (1)
and on the rotary block of a body that carries a force F at r (transmitted through a joint, needed by its own mass,
or less the force of a closure), because the lever r turns with the body,
    rotary = c_K ( -(r.F) 1 + (r F^T + F r^T)/2 ).                                        (2)
For a cable element r = p t and F = -T t, so that (2) is the tension-geometric term T p (1 - t t^T). Left out are the
turn of the joint axes themselves and velocity products; they vanish for a straight cable at rest.
"""

from taut.dynamics.forces.acting import column_position, column_stretch, length_scale
from taut.dynamics.forces.feed import length_ratio
from taut.dynamics.forces.laws import (
    damping_coefficient,
    friction_slope,
    has_law,
    is_motor,
    motor_slope,
    tangent_stiffness,
)
from taut.dynamics.tree.points import lever
from taut.kernels.jit import kernel, part
from taut.kernels.mat3 import load9, mat_vec
from taut.kernels.vec3 import add3, cross3, dot3, load3, scale3


@kernel
def add_diagonals(model, data, factor, c_D, c_K):
    """Set the additions to the columns' diagonals, Eq. (1)."""
    for c in range(len(model.columns)):
        column = model.columns[c]
        added = c_D * friction_slope(column, data.v[c], data.modes)
        if has_law(column, data.modes):
            scale = length_scale(column, data.signals)
            e = column_stretch(column, column_position(column, data.q), scale)
            if is_motor(column):
                added += motor_slope(column, e, data.v[c], data.signals, c_D, c_K)
            else:
                damper = damping_coefficient(column, e, data.columns[c].side)
                z = data.z[column.state] if column.state >= 0 else e
                added += (c_D * damper + c_K * tangent_stiffness(column, e, z)) / scale
        factor.columns[c].added = added
        factor.columns[c].held = column.is_held


@part
def add_rotary(rotary, c_K, r, F):
    """Add the geometric term of one lever and force, Eq. (2), to a rotary block."""
    x, y, z = r
    d = dot3(r, F)
    rotary[0] += c_K * (x * F[0] - d)
    rotary[1] += c_K * 0.5 * (x * F[1] + y * F[0])
    rotary[2] += c_K * 0.5 * (x * F[2] + z * F[0])
    rotary[3] += c_K * (y * F[1] - d)
    rotary[4] += c_K * 0.5 * (y * F[2] + z * F[1])
    rotary[5] += c_K * (z * F[2] - d)


@part
def clear_rotary(factor):
    """Clear the additions to the bodies' rotary blocks."""
    for i in range(len(factor.nodes)):
        for k in range(6):
            factor.nodes[i].rotary[k] = 0.0


@kernel
def add_geometric(model, data, factor, c_K):
    """Set the nodes' rotary additions, Eq. (2); needs the transmitted wrenches of ``inverse`` and data.lam."""
    clear_rotary(factor)
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        here = data.nodes[i]
        if node.parent > 0:
            add_rotary(factor.nodes[node.parent].rotary, c_K, load3(here.r), load3(here.F))
        if node.mass != 0.0:
            # the body's own inertia force, without its velocity products
            ratio = length_ratio(node, data.signals)
            d = scale3(ratio, mat_vec(load9(here.R), load3(node.com)))
            F = scale3(ratio * node.mass, add3(load3(here.a), cross3(load3(here.alpha), d)))
            add_rotary(factor.nodes[i].rotary, c_K, d, F)
    for j in range(len(model.closures)):
        closure = model.closures[j]
        F = closure_force(closure, data)
        a, b = data.nodes[closure.node_a], data.nodes[closure.node_b]
        if closure.is_linear_a:
            add_sines(factor.nodes[closure.node_a].rotary, c_K * F[2], closure.point_a, a)
        else:
            add_rotary(factor.nodes[closure.node_a].rotary, -c_K, lever(a, closure.point_a), F)
        if closure.is_linear_b:
            add_sines(factor.nodes[closure.node_b].rotary, -c_K * F[2], closure.point_b, b)
        else:
            add_rotary(factor.nodes[closure.node_b].rotary, c_K, lever(b, closure.point_b), F)


@part
def add_sines(rotary, force, point, here):
    """Geometric term of a body with small rotations: of R only the sines in its vertical row curve."""
    rotary[0] += force * here.R[7] * point[1]
    rotary[3] += force * here.R[6] * point[0]


@part
def closure_force(closure, data):
    """Force of a closure's point rows on end a, world axes."""
    F = (0.0 * data.lam[0], 0.0 * data.lam[0], 0.0 * data.lam[0])
    for row in range(closure.row, closure.row + closure.row_count):
        here = data.rows[row]
        F = add3(F, scale3(data.lam[row], load3(here.F_a)))
    return F
