"""Reduced cables as modal nodes: what ``modal.nodes`` asks of every kind, from the fields of ``reduced``.

The frame R of the node turns the cable's axes into those of the world; node.modal is the cable's number.
"""

from taut.dynamics.modal.reduced import end_and_columns, inertia_forces, own_needs, place_fields, velocity_products
from taut.dynamics.modal.reduced_matrices import (
    elastic_of,
    geometric_of,
    lost_power,
    mass_of,
    motion_energies,
    stretching_energy,
)
from taut.kernels.jit import block, only_with
from taut.kernels.lanes import WIDTH, eight, put
from taut.kernels.mat3 import mat_t_vec, mat_vec
from taut.kernels.vec3 import add3, load3, store3
from taut.model.enums import JointKind

REDUCED = int(JointKind.REDUCED)


@only_with("counts", otherwise=lambda tables, work, node, axes, q, R, x: x)
@block
def place_reduced(tables, work, node, axes, q, R, x):
    """Columns' axes in the world, and the end point."""
    i = node.modal
    place_fields(tables, work, i, q, node.coordinate)
    end = end_and_columns(tables, work, i)
    columns, turned, directions = work.columns, work.turned, tables.counts[i, 1]
    for b in range(0, tables.counts[i, 5], WIDTH):
        s = mat_vec(R, (eight(columns[0], b), eight(columns[1], b), eight(columns[2], b)))
        put(turned[0], b, s[0])
        put(turned[1], b, s[1])
        put(turned[2], b, s[2])
    skipped = tables.counts[i, 4] - directions
    for a in range(node.column_count):
        b = a if a < directions else a + skipped
        store3(axes[node.column + a].s, (turned[0, b], turned[1, b], turned[2, b]))
    return add3(x, mat_vec(R, end))


@only_with("counts", otherwise=lambda tables, work, node, v, R: (0.0 * v[0], 0.0 * v[0], 0.0 * v[0]))
@block
def reduced_drive(tables, work, node, v, R):
    """Acceleration of the end that the velocities alone give."""
    return mat_vec(R, velocity_products(tables, work, node.modal, v, node.column))


@only_with("counts", otherwise=lambda tables, work, node, data, acceleration, R, base: base)
@block
def reduced_needs(tables, work, node, data, acceleration, R, base):
    """Write the forces that the columns need into ``own``; returns the force on the accelerated base, less gravity."""
    i = node.modal
    inertia_forces(tables, work, i, acceleration, node.column, mat_t_vec(R, base))
    own_needs(tables, work, i, data.q, data.v, acceleration, node.coordinate, node.column, data.own)
    return mat_vec(R, load3(work.load[i]))


@only_with("counts", otherwise=lambda tables, work, node, factor, R, end, c_D, c_K: 0.0)
@block
def fill_reduced(tables, work, node, factor, R, end, c_D, c_K):
    """Fill the factor with S = M + c_D D + c_K K and U; the force ``end`` adds to K by its tension; returns m."""
    i = node.modal
    if not work.is_filled[i]:
        # a method may factor a real and a complex matrix at the same state: M and its geometric part are the same
        mass_of(tables, work, i)
        geometric_of(tables, work, i, mat_t_vec(R, end))
        work.is_filled[i] = 1
    mass, geometric, coupling = work.mass[i], work.geometric[i], work.coupling[i]
    directions, wide = tables.counts[i, 1], tables.counts[i, 4]
    for a in range(node.column_count):
        at = node.band + a * (node.half_band + 1)
        for b in range(0, min(a + 1, directions), WIDTH):
            put(factor.band, at + b, eight(mass[a], b) + c_K * eight(geometric[a], b))
        for b in range(directions, a + 1):
            k = b - directions + wide
            factor.band[at + b] = mass[a, k] + c_K * geometric[a, k]
        factor.band[at + a] += c_D * tables.damping[i, a] + c_K * tables.stiffness[i, a]
        k = a if a < directions else a - directions + wide
        store3(factor.columns[node.column + a].U_F, mat_vec(R, (coupling[0, k], coupling[1, k], coupling[2, k])))
    return tables.mass_total[i]


@only_with("counts", otherwise=lambda tables, work, node, data, R, place, gravity: place[1])
@block
def reduced_energies(tables, work, node, data, R, place, gravity):
    """Kinetic, gravity and elastic energy; ``place``: position and velocity of the base, world axes."""
    i = node.modal
    x, v, g = mat_t_vec(R, place[0]), mat_t_vec(R, place[1]), mat_t_vec(R, gravity)
    kinetic, weight = motion_energies(tables, work, i, x, v, g)
    kinetic += stretching_energy(tables, i, data.v, node.column)
    return kinetic, weight, elastic_of(tables, i, data.q, node.coordinate)


@only_with("counts", otherwise=lambda tables, node, v: 0.0 * v[0])
@block
def reduced_loss(tables, node, v):
    """Power lost in the cable's dampers."""
    return lost_power(tables, node.modal, v, node.column)
