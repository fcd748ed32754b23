"""The kernels as functions that return new arrays, for the tests."""

import numpy as np

from taut.dynamics.constraints.closures import add_closure_wrenches, closures
from taut.dynamics.constraints.jacobian import closure_jacobian
from taut.dynamics.forces.acting import external_wrenches, joint_forces
from taut.dynamics.forward import load_wrenches
from taut.dynamics.inverse import accelerations, bias_accelerations, body_wrenches, collect_forces, inverse
from taut.dynamics.tree.factor import factor_mass
from taut.dynamics.tree.kinematics import kinematics
from taut.dynamics.tree.mass_matrix import mass_matrix
from taut.dynamics.tree.mass_product import mass_product
from taut.dynamics.tree.positions import move
from taut.dynamics.tree.solve import clear_loads, expand_outwards, reduce_inwards
from taut.model import new_data, new_factor, set_moment

STEP = 1e-30  # size of a complex step, which has no cancellation and may be as small as one likes


def placed(model, dtype=np.float64, time=0.3):
    """Data at the model's start state with everything that depends on position and velocity filled."""
    data = new_data(model, dtype)
    data.time[0] = time
    place(model, data)
    return data


def place(model, data):
    """Refresh everything that depends on position and velocity alone."""
    kinematics(model.tables, data)
    joint_forces(model.tables, data)
    external_wrenches(model.tables, data)
    bias_accelerations(model.tables, data)
    closures(model.tables, data)


def varied(model, data, dq=None, dv=None, dz=None):
    """Complex data displaced by i STEP along the given directions."""
    moved = new_data(model, np.complex128)
    set_moment(moved, data)
    moved.v[:], moved.z[:], moved.lam[:] = data.v, data.z, data.lam
    step = np.zeros(len(data.v), complex) if dq is None else 1j * STEP * dq
    move(model.tables, data.q.astype(complex), step, moved.q)
    if dv is not None:
        moved.v[:] += 1j * STEP * dv
    if dz is not None:
        moved.z[:] += 1j * STEP * dz
    place(model, moved)
    return moved


def derivative(value):
    """What a complex step left in the imaginary part."""
    return np.imag(value) / STEP


def columns_of(function, n):
    """A matrix from a function of unit directions."""
    return np.array([function(direction) for direction in np.eye(n)]).T.reshape(-1, n)


def generalised_forces(model, data, acceleration):
    """Generalised forces by inverse dynamics."""
    force = np.zeros_like(data.v)
    inverse(model.tables, data, acceleration, force)
    return force


def dense_mass(model, data):
    """The dense mass matrix."""
    n = model.column_count
    M = np.zeros((n, n), data.v.dtype)
    mass_matrix(model.tables, data, new_factor(model, data.v.dtype.type), M)
    return M


def jump_defect(model, data, x, lam):
    """M x - J^T lam at a placed state; overwrites the nodes' accelerations and wrenches."""
    result = np.zeros_like(data.v)
    mass_product(model.tables, data, x, lam, result)
    return result


def tree_accelerations(model, data, force):
    """Forward dynamics for given forces at a placed state, closures left open."""
    factor = new_factor(model, data.v.dtype.type)
    bias_accelerations(model.tables, data)
    body_wrenches(model.tables, data)
    factor_mass(model.tables, data, factor)
    load_wrenches(data, factor)
    reduce_inwards(model.tables, data, factor, force)
    expand_outwards(model.tables, data, factor, data.acceleration)
    return data.acceleration


def solve_mass(model, data, factor, b):
    """Solution of (M + additions) x = b with a factored state."""
    x = np.zeros_like(b)
    clear_loads(factor)
    reduce_inwards(model.tables, data, factor, b)
    expand_outwards(model.tables, data, factor, x)
    return x


def dense_jacobian(model, data):
    """J [rows, columns] of the closures."""
    J = np.zeros((model.row_count, model.column_count), data.v.dtype)
    closure_jacobian(model.tables, data, J)
    return J


def residual(model, data, acceleration):
    """inverse(a) - forces - J^T lam at a placed state; the nodes then hold the wrenches their joints transmit."""
    force = np.zeros_like(data.v)
    accelerations(model.tables, data, acceleration)
    body_wrenches(model.tables, data)
    add_closure_wrenches(model.tables, data, data.lam)
    collect_forces(model.tables, data, force)
    return force - data.force
