"""Every algorithm of ``taut.dynamics`` as one call on (model, data, factor, scratch), for the house tests."""

from typing import Any, NamedTuple

import numpy as np

from taut.analyses.spaces.space import new_reduced
from taut.dynamics.constraints.closures import add_closure_wrenches, closures
from taut.dynamics.constraints.interface import factor_interface, solve_interface
from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.constraints.projection import add_multipliers, project_forces, project_rows
from taut.dynamics.energy import dissipated_power, elastic_energy, gravity_energy, input_power, kinetic_energy
from taut.dynamics.events import event_value
from taut.dynamics.forces.acting import external_wrenches, feed_laws, joint_forces
from taut.dynamics.forces.capstans import add_rub_answer, invert_rubs, rub_columns, rub_loss
from taut.dynamics.forces.contact import add_contacts, contact_energy, contact_loss, contact_wrenches
from taut.dynamics.forces.coupling import add_tensions, couple_forces, couple_tethers
from taut.dynamics.forces.drag import add_drag_answer, add_drags, invert_drags
from taut.dynamics.forces.feed import feed_wrenches
from taut.dynamics.forces.feed_coordinate import feed_inertia, feed_product
from taut.dynamics.forces.feed_power import feed_power
from taut.dynamics.forces.lengths import is_used_up
from taut.dynamics.forces.routes import is_off_sheave, trace_routes
from taut.dynamics.forces.tethers import (
    add_distances,
    add_tethers,
    tether_energy,
    tether_loss,
    tether_power,
    tether_wrenches,
)
from taut.dynamics.forward import constrained_accelerations, forward
from taut.dynamics.inverse import (
    accelerations,
    bias_accelerations,
    body_wrenches,
    collect_forces,
    inverse,
    needed_wrenches,
)
from taut.dynamics.modal.nodes import modal_energy, modal_loss, modal_wrenches
from taut.dynamics.modal.ritz_energy import ritz_elastic, ritz_gravity, ritz_kinetic, ritz_loss, ritz_power
from taut.dynamics.newton import add_diagonals, add_geometric
from taut.dynamics.residual import consistent_accelerations, factor_plain, least_mass_step, place, place_state
from taut.dynamics.signals import evaluate_signals
from taut.dynamics.spaces.elimination import eliminate_columns, expand_velocities, fill_gamma, solve_rows
from taut.dynamics.spaces.equations import (
    close_loops,
    coordinate_rates,
    rate_in_space,
    reduce_forces,
    reduce_mass,
    solve_reduced,
    unit_quaternions,
)
from taut.dynamics.spaces.leg_kinematics import place_legs
from taut.dynamics.statics import factor_motion, motion_residual, rest_step, solve_motion
from taut.dynamics.tree.displacement import largest_displacement
from taut.dynamics.tree.factor import factor_mass
from taut.dynamics.tree.kinematics import kinematics
from taut.dynamics.tree.mass_matrix import mass_matrix
from taut.dynamics.tree.mass_product import mass_product
from taut.dynamics.tree.positions import move
from taut.dynamics.tree.solve import clear_loads, expand_outwards, reduce_inwards
from taut.integrate.coordinates import choice_of
from taut.model import new_data, new_factor


class Desk(NamedTuple):
    """A model's tables and everything an algorithm may read or write."""

    model: Any
    data: Any
    factor: Any
    b: np.ndarray
    x: np.ndarray
    q: np.ndarray
    moved: np.ndarray
    lam: np.ndarray
    psi: np.ndarray
    M: np.ndarray
    J: np.ndarray
    space: Any
    e: Any
    legs: Any
    u: np.ndarray
    y: np.ndarray
    dy: np.ndarray
    radius: np.ndarray
    c: float = 0.1
    first: int = 0
    row_count: int = 0


def new_desk(model):
    """Everything an algorithm may read or write, at a model's start state."""
    n, data = model.column_count, new_data(model)
    data.time[0] = 0.3
    b, x, psi = np.ones(n), np.zeros(n), np.zeros(model.row_count)
    M, J = np.zeros((n, n)), np.zeros((model.row_count, n))
    space = some_space(model)
    u, y = np.zeros(len(space.f_r)), np.concatenate([data.q, np.zeros(len(space.f_r))])
    return Desk(model.tables, data, new_factor(model), b, x, data.q, np.zeros_like(data.q), data.lam, psi, M, J,
                space, space.elimination, space.legs, u, y, np.zeros_like(y), np.ones(len(model.tables.nodes)),
                row_count=model.row_count)  # fmt: skip


def some_space(model):
    """A space that eliminates as many columns as there are independent rows."""
    data, J = new_data(model), np.zeros((model.row_count, model.column_count))
    place(model.tables, data)
    closure_jacobian(model.tables, data, J)
    return new_reduced(model, choice_of("any", J, [list(range(model.column_count))], []), data)


# each with what it is called on, in an order in which it finds what it needs
ALL_ALGORITHMS = {
    evaluate_signals: "model data",
    kinematics: "model data",
    joint_forces: "model data",
    external_wrenches: "model data",
    bias_accelerations: "model data",
    accelerations: "model data b",
    body_wrenches: "model data",
    needed_wrenches: "model data b",
    closures: "model data",
    closure_jacobian: "model data J",
    add_closure_wrenches: "model data lam",
    add_drags: "model data lam",
    rub_columns: "model data lam b",
    rub_loss: "model data",
    collect_forces: "model data x",
    inverse: "model data b x",
    mass_matrix: "model data factor M",
    mass_product: "model data b lam x",
    add_diagonals: "model data factor c c",
    add_geometric: "model data factor c",
    factor_mass: "model data factor",
    clear_loads: "factor",
    reduce_inwards: "model data factor b",
    project_rows: "model data factor",
    project_forces: "model factor psi",
    factor_interface: "factor row_count",
    solve_interface: "factor psi",
    add_multipliers: "model factor lam",
    expand_outwards: "model data factor x",
    invert_drags: "model factor",
    add_drag_answer: "model factor x lam",
    invert_rubs: "factor",
    add_rub_answer: "model factor x lam",
    constrained_accelerations: "model data factor b",
    forward: "model data factor",
    is_used_up: "model data",
    kinetic_energy: "model data",
    gravity_energy: "model data",
    elastic_energy: "model data",
    dissipated_power: "model data",
    input_power: "model data",
    contact_wrenches: "model data",
    add_contacts: "model data factor c c",
    contact_energy: "model data",
    contact_loss: "model data",
    modal_wrenches: "model data b",
    modal_energy: "model data",
    modal_loss: "model data",
    ritz_kinetic: "model data",
    ritz_gravity: "model data",
    ritz_elastic: "model data",
    ritz_loss: "model data",
    ritz_power: "model data",
    trace_routes: "model data",
    is_off_sheave: "model data",
    tether_wrenches: "model data",
    add_tethers: "model data factor c c",
    add_distances: "model data factor c",
    tether_energy: "model data",
    tether_loss: "model data",
    tether_power: "model data",
    couple_tethers: "model data factor c c",
    couple_forces: "model factor psi",
    add_tensions: "model factor lam",
    event_value: "model data first",
    place: "model data",
    place_state: "model data x",
    factor_plain: "model data factor",
    least_mass_step: "model data factor first x",
    consistent_accelerations: "model data factor",
    feed_wrenches: "model data",
    feed_power: "model data",
    feed_laws: "model data",
    feed_inertia: "model data",
    feed_product: "model data b",
    motion_residual: "model data b lam x",
    factor_motion: "model data factor c c",
    solve_motion: "model data factor b lam x psi",
    rest_step: "model data factor c b x b psi",
    move: "model q x moved",
    largest_displacement: "model data x radius b",
    place_legs: "model data legs",
    close_loops: "model data space",
    eliminate_columns: "e",
    fill_gamma: "e",
    solve_rows: "e",
    expand_velocities: "e u x",
    reduce_mass: "model data factor space",
    reduce_forces: "model data space",
    solve_reduced: "space u",
    unit_quaternions: "model q",
    coordinate_rates: "model q x moved",
    rate_in_space: "model data factor space c y dy",
}


def arguments(desk, algorithm):
    """What an algorithm is called on."""
    return [getattr(desk, name) for name in ALL_ALGORITHMS[algorithm].split()]
