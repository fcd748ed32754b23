"""Forward dynamics with multipliers: the recursive sub-system-level scheme, in linear time.

    M a = f + J^T lam,     J a + bias = 0            [Mamidi 2024, Eqs. 1, 2, 13]
Each sub-system is condensed to its constraint points, the small interface system
    (J M^-1 J^T) lam = -(J M^-1 f + bias)            [Mamidi 2024, Eq. 15]
is solved, and its solution is expanded outwards again.
"""

from taut.dynamics.constraints.closures import closures
from taut.dynamics.constraints.interface import factor_interface, solve_interface
from taut.dynamics.constraints.projection import add_multipliers, project_forces, project_rows, release_held
from taut.dynamics.forces.acting import external_wrenches, joint_forces
from taut.dynamics.inverse import bias_accelerations, body_wrenches
from taut.dynamics.modal.nodes import modal_wrenches
from taut.dynamics.tree.factor import factor_mass
from taut.dynamics.tree.kinematics import kinematics
from taut.dynamics.tree.solve import expand_outwards, reduce_inwards
from taut.kernels.arrays import copy, fill
from taut.kernels.jit import kernel


@kernel
def forward(model, data, factor):
    """Accelerations and multipliers at data.time, q, v, z with the machine's own forces; returns the rank of W."""
    kinematics(model, data)
    joint_forces(model, data)
    external_wrenches(model, data)
    return constrained_accelerations(model, data, factor, data.force)


@kernel
def constrained_accelerations(model, data, factor, force):
    """Accelerations and multipliers for given generalised forces at the placed state; returns the rank of W."""
    bias_accelerations(model, data)
    body_wrenches(model, data)
    # the load on the factor is the inertia force at zero joint acceleration, of modal nodes too
    if model.settings[0].has_modal:
        fill(data.acceleration, 0.0)
        modal_wrenches(model, data, data.acceleration)
    factor_mass(model, data, factor)
    load_wrenches(data, factor)
    reduce_inwards(model, data, factor, force)
    rank = 0
    if len(data.lam) > 0:
        closures(model, data)
        project_rows(model, data, factor)
        rank = factor_interface(factor, data.most_rank[0])
        # [Mamidi 2024, Eq. 15]: right-hand side -(J M^-1 f + bias), in the place of the multipliers
        for i in range(len(data.lam)):
            data.lam[i] = data.rows[i].bias
        project_forces(model, factor, data.lam)
        for i in range(len(data.lam)):
            data.lam[i] = -data.lam[i]
        solve_interface(factor, data.lam)
        add_multipliers(model, factor, data.lam)
    # the reduced forces u now contain J^T lam, so one pass gives the constrained accelerations
    expand_outwards(model, data, factor, data.acceleration)
    release_held(model, factor, data.acceleration, data.lam)
    return rank


@kernel
def load_wrenches(data, factor):
    """The wrenches the bodies need at zero joint acceleration are the load on the factor."""
    for i in range(len(factor.nodes)):
        for k in range(3):
            factor.nodes[i].N[k] = data.nodes[i].N[k]
            factor.nodes[i].F[k] = data.nodes[i].F[k]
    copy(data.own, factor.load)
