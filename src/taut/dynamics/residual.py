"""The equations of motion as a residual, and linear solves with their structured Newton matrix.

R(t, q, v, a, lam, z) = inverse(q, v, a) - forces(t, q, v, z, lam) - J^T lam                             (1)
G(t, q, v)            = J v + dg/dt                                                                      (2)
"""

from taut.dynamics.constraints.closures import add_closure_wrenches, closures, unilateral_gap
from taut.dynamics.constraints.interface import factor_interface, solve_interface
from taut.dynamics.constraints.projection import add_multipliers, project_forces, project_rows, release_held
from taut.dynamics.forces.acting import external_wrenches, joint_forces
from taut.dynamics.forces.capstans import BEARING, add_rub_answer, fill_slopes, invert_rubs, is_rubbing, rub_columns
from taut.dynamics.forces.contact import CLOSED, add_contacts
from taut.dynamics.forces.coupling import add_tensions, couple_forces, couple_tethers
from taut.dynamics.forces.drag import add_drag_answer, add_drags, invert_drags, load_drag
from taut.dynamics.forces.laws import is_stuck
from taut.dynamics.forces.tethers import add_distances, add_tethers
from taut.dynamics.inverse import accelerations, collect_forces, needed_wrenches
from taut.dynamics.modal.nodes import modal_wrenches
from taut.dynamics.modal.piecewise import inertial_wrenches, piecewise_forces
from taut.dynamics.newton import add_diagonals, add_geometric
from taut.dynamics.signals import evaluate_signals
from taut.dynamics.tree.factor import clear_branches, eliminate
from taut.dynamics.tree.kinematics import kinematics, moved_again
from taut.dynamics.tree.solve import clear_loads, expand_outwards, reduce_inwards
from taut.kernels.arrays import fill
from taut.kernels.jit import block, entry, kernel, only_with, part

MOST_REFINEMENTS = 4  # most Newton steps for accelerations with friction of bearings; the convergence is quadratic


@block
def place_closures(model, data):
    """Place the machine, and find the closures' errors and rates."""
    kinematics(model, data)
    closures(model, data)


@block
def place_gaps(model, data, is_new_time):
    """Kinematics and the closures' errors and rates, to close a state; velocity products stay as they were."""
    if is_new_time:
        evaluate_signals(model, data)
    moved_again(model, data)
    closures(model, data)


@block
def residual(model, data, acceleration, lam, result):
    """Residual by Eq. (1) at data.time, q, v, z; fills data.rows (rates by Eq. 2) and the transmitted wrenches."""
    kinematics(model, data)
    joint_forces(model, data)
    if len(model.piecewise.q) > 0:
        piecewise_forces(model.piecewise, data.piecewise, data.q, data.v, data.force)
    external_wrenches(model, data)
    if len(model.piecewise.q) > 0:
        accelerations(model, data, acceleration)
        inertial_wrenches(model, data, acceleration)
    else:
        needed_wrenches(model, data, acceleration)
    # done before ``result`` is written, which may be the same array as the accelerations
    for i in range(1, len(model.nodes)):
        node = model.nodes[i]
        if node.band < 0:
            for c in range(node.column, node.column + node.column_count):
                data.force[c] -= model.columns[c].armature * acceleration[c]
    if model.settings[0].has_modal:
        modal_wrenches(model, data, acceleration)
    closures(model, data)
    add_closure_wrenches(model, data, lam)
    add_drags(model, data, lam)
    rub_columns(model, data, lam, acceleration)
    collect_forces(model, data, result)
    for c in range(len(result)):
        result[c] -= data.force[c]
    if model.settings[0].has_friction:
        hold_stuck(model, data, result)


@kernel
def hold_stuck(model, data, result):
    """Where friction holds a coordinate still, set its force to the residual of the balance."""
    for c in range(len(result)):
        if is_stuck(model.columns[c], data.modes):
            data.columns[c].friction = result[c]
            data.force[c] += result[c]
            result[c] = 0.0


@block
def factor_newton(model, data, factor, c_D, c_K):
    """Factor M + c_D D + c_K K and condense the closures; needs residual at the same state. Returns the rank."""
    condense_newton(model, data, factor, c_D, c_K)
    return factor_interface(factor, data.most_rank[0])


@block
def condense_newton(model, data, factor, c_D, c_K):
    """The factor of M + c_D D + c_K K and the interface matrix W of all closure rows, which is not factored."""
    add_diagonals(model, data, factor, c_D, c_K)
    add_geometric(model, data, factor, c_K)
    clear_branches(model.nodes, factor.nodes)
    add_contacts(model, data, factor, c_D, c_K)
    add_tethers(model, data, factor, c_D, c_K)
    add_distances(model, data, factor, c_K)
    eliminate(model, data, factor, c_D, c_K)
    project_rows(model, data, factor)
    couple_tethers(model, data, factor, c_D, c_K)


@block
def solve_newton(model, data, factor, b, g, x, mu):
    """Solve S x - J^T mu = b, J x = g with the factored S at the state of ``data``."""
    reduce_newton(model, data, factor, b, mu)
    for i in range(len(g)):
        mu[i] = g[i] - mu[i]
    solve_interface(factor, mu)
    expand_newton(model, data, factor, mu, x)


@block
def reduce_newton(model, data, factor, b, psi):
    """First half of a solve: psi = J S^-1 b."""
    clear_loads(factor)
    reduce_loaded(model, data, factor, b, psi)


@kernel
def reduce_loaded(model, data, factor, b, psi):
    """psi = J S^-1 b, where b includes the loads on the factor's nodes."""
    reduce_inwards(model, data, factor, b)
    for i in range(len(psi)):
        psi[i] = 0.0
    project_forces(model, factor, psi)
    if factor.coupled[0] > 0:
        for i in range(len(psi)):
            psi[i] = -psi[i]
        couple_forces(model, factor, psi)
        for i in range(len(psi)):
            psi[i] = -psi[i]


@block
def expand_newton(model, data, factor, mu, x):
    """Second half: x = S^-1 (b + J^T mu) from the reduced b; takes from mu what holds prescribed coordinates."""
    add_multipliers(model, factor, mu)
    add_tensions(model, factor, mu)
    expand_outwards(model, data, factor, x)
    release_held(model, factor, x, mu)


@block
def factor_dragged(model, data, factor, c_D, c_K):
    """Factor as ``factor_newton`` does, and prepare friction of rigid ground and at guides for ``solve_dragged``."""
    rank = factor_newton(model, data, factor, c_D, c_K)
    factor_drags(model, data, factor)
    factor_rubs(model, data, factor, c_D, c_K)
    return rank


@block
def solve_dragged(model, data, factor, b, g, x, mu):
    """Solve as ``solve_newton`` does, with friction of rigid ground (``drag``) and at guides (``capstans``)."""
    solve_newton(model, data, factor, b, g, x, mu)
    add_drag_answer(model, factor, x, mu)
    add_rub_answer(model, factor, x, mu)


@only_with("contacts", otherwise=lambda model, data, factor: None)
@block
def factor_drags(model, data, factor):
    """Z and the small matrix of ``drag``, Eq. (2); after factor_newton at the same state."""
    for j in range(len(model.contacts)):
        contact = model.contacts[j]
        if contact.drag >= 0:
            x, mu = factor.drag_x[contact.drag], factor.drag_mu[contact.drag]
            # an open contact keeps zeros: its multiplier causes no friction
            fill(x, 0.0)
            fill(mu, 0.0)
            if data.modes[contact.side] == CLOSED:
                clear_loads(factor)
                load_drag(contact, data, factor, j)
                # a column of Z: the symmetric solve for the load B_r, with J x = 0
                reduce_loaded(model, data, factor, x, mu)
                for i in range(len(mu)):
                    mu[i] = -mu[i]
                solve_interface(factor, mu)
                expand_newton(model, data, factor, mu, x)
    invert_drags(model, factor)


@only_with("capstans", otherwise=lambda model, data, factor, c_D, c_K: None)
@block
def factor_rubs(model, data, factor, c_D, c_K):
    """Z and the small matrix of ``capstans``, Eq. (4); after factor_drags at the same state."""
    for j in range(len(model.capstans)):
        x, mu = factor.rub_x[j], factor.rub_mu[j]
        fill(x, 0.0)
        fill(mu, 0.0)
        fill_slopes(model, data, factor, j, c_D, c_K)
        if is_rubbing(model, data, model.capstans[j]):
            # a column of Z: the solution for a unit force on the coordinate that slips, with J x = 0
            clear_loads(factor)
            x[model.capstans[j].column] = 1.0
            reduce_loaded(model, data, factor, x, mu)
            for i in range(len(mu)):
                mu[i] = -mu[i]
            solve_interface(factor, mu)
            expand_newton(model, data, factor, mu, x)
            add_drag_answer(model, factor, x, mu)
    invert_rubs(factor)


@entry
def place(model, data):
    """Kinematics and closure errors at data.time, q, v; returns the largest error."""
    place_closures(model, data)
    worst = 0.0
    for i in range(len(data.rows)):
        size = abs(data.rows[i].value)
        if not size <= worst:  # "not <=" instead of ">": a NaN counts as too large
            worst = size
    return worst


@entry
def place_state(model, data, forces):
    """Place the machine at its state, accelerations and multipliers; fills the forces its joints transmit."""
    residual(model, data, data.acceleration, data.lam, forces)
    for c in range(len(forces)):
        forces[c] += data.force[c]


def factor_plain(model, data, factor):
    """Factor the mass matrix alone and condense the closures at the placed state; returns their rank."""
    return at_state(model, data, factor, FACTOR, data.force)


def least_mass_step(model, data, factor, is_velocity, step):
    """Entry of ``mass_step`` for Python."""
    at_state(model, data, factor, CLOSE_RATES if is_velocity else CLOSE, step)


def consistent_accelerations(model, data, factor):
    """Accelerations and multipliers at the state as by ``forward``, from the blocks that the methods use."""
    at_state(model, data, factor, ACCELERATE, data.force)


FACTOR, CLOSE, CLOSE_RATES, ACCELERATE = range(4)


@entry
def at_state(model, data, factor, task, step):
    """Tasks for Python at a state, in one entry: each entry is compiled with all it calls, which these share."""
    if task == FACTOR:
        return factor_newton(model, data, factor, 0.0, 0.0)
    if task == ACCELERATE:
        stabilised_accelerations(model, data, factor, 0.0, 0.0)
    else:
        mass_step(model, data, factor, task == CLOSE_RATES, step)
    return 0


@kernel
def mass_step(model, data, factor, is_velocity, step):
    """The smallest step, in the norm of the mass matrix, that closes the loops or corrects their rates."""
    factor_newton(model, data, factor, 0.0, 0.0)
    for i in range(len(data.lam)):
        factor.rhs[i] = -(data.rows[i].rate if is_velocity else data.rows[i].value)
    fill(data.force, 0.0)
    solve_newton(model, data, factor, data.force, factor.rhs, step, data.lam)


@block
def stabilised_accelerations(model, data, factor, damping, stiffness):
    """Accelerations and multipliers at data.time, q, v, z, and the rates of internal states.

    The closures obey J a + bias + 2 damping rate + stiffness^2 value = 0 [Baumgarte 1972]; with zeros, J a + bias = 0.
    """
    fill(data.lam, 0.0)
    solve_stabilised(model, data, factor, damping, stiffness, data.lam)
    refine_bearings(model, data, factor, damping, stiffness)


@part
def solve_stabilised(model, data, factor, damping, stiffness, change):
    """Accelerations, and the change of the multipliers in ``data`` by which they obey the closures."""
    fill(data.acceleration, 0.0)
    # the result may overwrite the accelerations, which are read before it is written; data.force must stay
    residual(model, data, data.acceleration, data.lam, data.acceleration)
    for c in range(len(data.force)):
        data.force[c] = -data.acceleration[c]
    # the factorisation of redundant rows uses the right-hand side as scratch
    factor_dragged(model, data, factor, 0.0, 0.0)
    for i in range(len(data.lam)):
        row = data.rows[i]
        factor.rhs[i] = -(row.bias + 2.0 * damping * row.rate + stiffness * stiffness * row.value)
    solve_dragged(model, data, factor, data.force, factor.rhs, data.acceleration, change)


@only_with("capstans", otherwise=lambda model, data, factor, damping, stiffness: None)
@block
def refine_bearings(model, data, factor, damping, stiffness):
    """Newton steps from the multipliers found with the friction of bearings linear in them, which it is not."""
    count = 0
    for j in range(len(model.capstans)):
        if model.capstans[j].kind == BEARING and is_rubbing(model, data, model.capstans[j]):
            count = MOST_REFINEMENTS
    for _ in range(count):
        solve_stabilised(model, data, factor, damping, stiffness, factor.more)
        for i in range(len(data.lam)):
            data.lam[i] += factor.more[i]


@block
def place_watched(model, data, factor):
    """Place all that event functions read: positions, and multipliers and friction forces where events need them."""
    is_sticking = model.settings[0].has_friction and sticks_somewhere(model, data)
    if model.settings[0].has_holds or model.settings[0].has_loads or is_sticking:
        stabilised_accelerations(model, data, factor, 0.0, 0.0)
    else:
        place_closures(model, data)
    if is_sticking:
        # evaluate the residual again for the friction forces at these accelerations; its value is not used
        residual(model, data, data.acceleration, data.lam, data.acceleration)


@kernel
def sticks_somewhere(model, data):
    """Whether friction holds any coordinate."""
    for c in range(len(model.columns)):
        if is_stuck(model.columns[c], data.modes):
            return True
    return False


@entry
def gap_motion(model, data, motion):
    """Gap of every one-sided closure, its rate and its acceleration at data.acceleration, also of open ones.

    ``motion`` has a row of three for each closure.
    """
    kinematics(model, data)
    accelerations(model, data, data.acceleration)
    for j in range(len(model.closures)):
        closure = model.closures[j]
        if closure.is_unilateral:
            unilateral_gap(model, closure, data)
            row = data.rows[closure.row]
            motion[j, 0], motion[j, 1], motion[j, 2] = row.value, row.rate, row.bias
    closures(model, data)
