import numpy as np
import pytest

from engine import dense_mass, placed
from machines import random_tree
from reference.dynamics import centre_velocities, inertia_matrix
from reference.frames import walk
from taut.build.tree import ColumnSpec, RigidBody, Spring, TreeBuilder
from taut.dynamics.energy import dissipated_power, elastic_energy, gravity_energy, kinetic_energy
from taut.model.enums import JointKind, LawKind

pytestmark = pytest.mark.nojit


def test_kinetic_energy(machine):
    m, frames = machine.model.tables, walk(*machine.position())[0]
    bodies = zip(m.nodes, frames, centre_velocities(*machine.state()), strict=True)
    expected = sum(0.5 * v @ inertia_matrix(node, T[:3, :3]) @ v for node, T, v in bodies)
    assert kinetic_energy(m, machine.data) == pytest.approx(expected, rel=1e-13)


def test_kinetic_energy_is_the_mass_matrix_between_velocities():
    model = random_tree(np.random.default_rng(0), 12)
    data = placed(model)
    expected = 0.5 * data.v @ dense_mass(model, data) @ data.v
    assert kinetic_energy(model.tables, data) == pytest.approx(expected, rel=1e-13)


def test_gravity_energy(machine):
    m, frames = machine.model.tables, walk(*machine.position())[0]
    heights = [(T[:3, :3] @ node.com + T[:3, 3])[2] for node, T in zip(m.nodes, frames, strict=True)]
    assert gravity_energy(m, machine.data) == pytest.approx(9.81 * m.nodes.mass @ heights, rel=1e-13)


def test_nothing_is_lost_at_rest(machine):
    """At the start nothing is lost: branches of solids start relaxed."""
    data = machine.data
    assert dissipated_power(machine.model.tables, data) > 0.0
    data.v[:] = 0.0
    assert dissipated_power(machine.model.tables, data) == pytest.approx(0.0, abs=1e-14)


def test_elastic_energy_of_a_spring():
    builder, spring = TreeBuilder(), Spring(LawKind.LINEAR, 10.0, free=0.1)
    body = RigidBody(1.0)
    builder.add_node("slider", JointKind.PRISMATIC, body=body, columns=[ColumnSpec(spring)], position=[0.4])
    model = builder.finish()
    assert elastic_energy(model.tables, placed(model)) == pytest.approx(0.5 * 10.0 * 0.3**2)
