"""A super-element of constant matrices against equal bodies and springs as a tree."""

import numpy as np
import pytest

from compare import relative_error
from engine import derivative, jump_defect, placed, varied
from taut.build.tree import ColumnSpec, ModalSpec, RigidBody, Spring, TreeBuilder
from taut.dynamics.energy import dissipated_power, elastic_energy, gravity_energy, kinetic_energy
from taut.dynamics.forward import forward
from taut.dynamics.inverse import inverse
from taut.dynamics.residual import factor_newton, residual, solve_newton
from taut.dynamics.tree.mass_matrix import mass_matrix
from taut.model import new_factor
from taut.model.enums import ClosureKind, JointKind, LawKind

pytestmark = pytest.mark.uncompiled

MASSES = (0.7, 0.4)
STIFFNESS = (90.0, 40.0, 60.0, 30.0, 80.0, 20.0)
DAMPING = (0.3, 0.2, 0.5, 0.4, 0.1, 0.6)
OFFSET = (0.1, -0.2, 0.3)


def two_masses(builder, base):
    """Two bodies that slide on each other in three directions, as a tree."""
    columns = [ColumnSpec(Spring(LawKind.LINEAR, k, d)) for k, d in zip(STIFFNESS, DAMPING, strict=True)]
    first = builder.add_node("one", JointKind.POINT, base, RigidBody(MASSES[0]), offset=OFFSET, columns=columns[:3])
    return builder.add_node("two", JointKind.POINT, first, RigidBody(MASSES[1]), columns=columns[3:])


def super_element(builder, base):
    """The two masses of ``two_masses`` as a modal node."""
    one, (m1, m2) = np.eye(3), MASSES
    M = np.block([[(m1 + m2) * one, m2 * one], [m2 * one, m2 * one]])
    coupling = np.vstack([(m1 + m2) * one, m2 * one])
    modal = ModalSpec.super_element(
        M, np.diag(DAMPING), np.diag(STIFFNESS), coupling, np.vstack([one, one]), mass=m1 + m2
    )
    return builder.add_node("both", JointKind.MODAL, base, offset=OFFSET, modal=modal)


@pytest.fixture(params=["free base", "sliding base", "world"])
def pair(request):
    """The two models at one random state."""
    rng = np.random.default_rng(1)
    models = []
    for make in (two_masses, super_element):
        builder = TreeBuilder()
        base = 0
        if request.param == "free base":
            base = builder.add_node("base", JointKind.POINT, 0, RigidBody(0.9))
            # a second branch before the modal one
            builder.add_node("beside", JointKind.PRISMATIC, base, RigidBody(0.2))
        elif request.param == "sliding base":
            base = builder.add_node("base", JointKind.PRISMATIC, 0, RigidBody(0.9), axes=((1, 0, 0), (0, 1, 0)))
        tip = make(builder, base)
        load = builder.add_node("load", JointKind.FREE, 0, RigidBody(2.0, (0.1, 0, 0), np.diag([0.3, 0.2, 0.4])))
        builder.add_closure("tie", ClosureKind.POINT, (tip, load), ((0, 0, 0), (0.2, 0.1, -0.3)))
        models.append(builder.finish())
    model = models[0]
    q = model.start_coordinates + 0.3 * rng.normal(size=model.coordinate_count)
    q[-4:] /= np.linalg.norm(q[-4:])
    v = rng.normal(size=model.column_count)
    datas = []
    for m in models:
        data = placed(m)
        data.q[:], data.v[:] = q, v
        datas.append(data)
    return models, datas


def test_forward_and_inverse(pair):
    models, datas = pair
    for model, data in zip(models, datas, strict=True):
        assert forward(model.tables, data, new_factor(model)) == 3
    tree, modal = datas
    assert relative_error(modal.acceleration, tree.acceleration) < 1e-12
    assert relative_error(modal.lam, tree.lam) < 1e-12
    assert relative_error(modal.rows.bias, tree.rows.bias) < 1e-12
    forces = [np.zeros(model.column_count) for model in models]
    for model, data, force in zip(models, datas, forces, strict=True):
        inverse(model.tables, data, np.linspace(-1, 1, len(force)), force)
    # springs and dampers are part of the modal node's own needs, of the tree's joint forces
    assert relative_error(forces[1] - modal.force, forces[0] - tree.force) < 1e-12


def test_mass_matrix_and_energy(pair):
    models, datas = pair
    found = []
    for model, data in zip(models, datas, strict=True):
        forward(model.tables, data, new_factor(model))
        M = np.zeros((model.column_count,) * 2)
        mass_matrix(model.tables, data, new_factor(model), M)
        energies = [f(model.tables, data) for f in (kinetic_energy, elastic_energy, dissipated_power)]
        found.append((M, np.array(energies), gravity_energy(model.tables, data)))
    assert relative_error(found[1][0], found[0][0]) < 1e-13
    assert relative_error(found[1][1], found[0][1]) < 1e-13
    for model, data in zip(models, datas, strict=True):
        x, lam = np.linspace(-1, 1, model.column_count), np.zeros(model.row_count)
        assert relative_error(jump_defect(model, data, x, lam), found[0][0] @ x) < 1e-13
    M, v = found[0][0], datas[0].v
    assert found[0][1][0] == pytest.approx(0.5 * v @ M @ v, rel=1e-13)


@pytest.mark.parametrize("dtype", [float, complex])
def test_newton_matrix(pair, dtype):
    models, datas = pair
    c_D, c_K = (0.02, 3e-4) if dtype is float else (0.02 + 0.01j, 3e-4 - 1e-4j)
    steps = []
    for model, data in zip(models, datas, strict=True):
        n = model.column_count
        result = np.zeros(n)
        acceleration = np.linspace(1, 2, n)
        residual(model.tables, data, acceleration, np.zeros(3), result)
        factor = new_factor(model, dtype)
        assert factor_newton(model.tables, data, factor, c_D, c_K) == 3
        x, mu = np.zeros(n, dtype), np.zeros(3, dtype)
        solve_newton(model.tables, data, factor, result.astype(dtype), np.array([0.1, 0.2, -0.3], dtype), x, mu)
        steps.append((result, x, mu))
    for tree, modal in zip(*steps, strict=True):
        assert relative_error(modal, tree) < 1e-10


def test_power_is_the_rate_of_energy(pair):
    (_, model), (_, data) = pair
    forward(model.tables, data, new_factor(model))
    moved = varied(model, data, data.v, data.acceleration)
    total = sum(f(model.tables, moved) for f in (kinetic_energy, gravity_energy, elastic_energy))
    lost = dissipated_power(model.tables, data)
    closing = data.lam @ data.rows.rate  # the random state does not keep its closures: their forces work
    assert derivative(total) + lost == pytest.approx(closing, rel=1e-9)
