"""Compiled code for what runs call now and then: at events, for measurements and controllers, at singular poses.

A short run compiles the stepping loop of a method, but comes to no event and measures nothing. What it would call there
is called here once, at the machine's start, for the code alone.
"""

import numpy as np

from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.energy import elastic_energy, kinetic_energy
from taut.dynamics.events import event_values
from taut.dynamics.forces.tethers import tether_pull
from taut.dynamics.residual import gap_motion, place, place_state
from taut.dynamics.statics import factor_motion, motion_residual, solve_motion
from taut.dynamics.tree.mass_matrix import mass_matrix
from taut.dynamics.tree.positions import move
from taut.integrate.singularities import jacobians_at, rates_at
from taut.kernels.bounded_qp import bounded_qp
from taut.kernels.cache import is_compiled
from taut.model import Model, new_data, new_factor


def are_compiled(model: Model) -> bool:
    """Whether the code for such a machine lies on the disk."""
    return is_compiled(gap_motion, model.tables)  # the last function of ``call_seldom_called``


def call_seldom_called(model: Model) -> None:
    """Call each function once, so that its code is compiled."""
    data, factor, tables = new_data(model), new_factor(model), model.tables
    columns, rows = model.column_count, model.row_count
    forces, square = np.zeros(columns), np.zeros((columns, columns))
    J, multipliers = np.zeros((rows, columns)), np.zeros(rows)
    many = np.array([data.q]), np.array([data.v])

    place(tables, data)
    place_state(tables, data, forces)
    motion_residual(tables, data, forces, multipliers, forces)
    factor_motion(tables, data, factor, 0.0, 0.0)
    solve_motion(tables, data, factor, forces, multipliers, np.zeros(columns), np.zeros(rows))
    mass_matrix(tables, data, factor, square)
    closure_jacobian(tables, data, J)
    jacobians_at(tables, data, many[0], J[None])
    rates_at(tables, *many, np.zeros_like(many[0]))
    move(tables, data.q.copy(), np.zeros(columns), data.q)
    kinetic_energy(tables, data)
    elastic_energy(tables, data)
    event_values(tables, data, np.zeros(len(tables.events)))
    bounded_qp(np.eye(1), np.ones(1), 0.0)  # used for impacts, and for tensions at rest
    if len(tables.tethers):
        tether_pull(tables, data, 0)
    gap_motion(tables, data, np.zeros((len(tables.closures), 3)))
