"""Definitions of laws against the compiled ones."""

import numpy as np
import pytest

from machines import ALL_LAWS, random_spring
from taut.build.tree import ColumnSpec, RigidBody, TreeBuilder
from taut.dynamics.forces.laws import damping_coefficient, spring_energy, spring_force
from taut.model.enums import JointKind
from taut.model.laws import LAWS

pytestmark = pytest.mark.nojit


@pytest.mark.parametrize("kind", ALL_LAWS, ids=lambda kind: kind.name.lower())
@pytest.mark.parametrize("e", [-0.7, 0.0, 0.05, 0.9])
def test_definition_and_kernel_agree(kind, e):
    builder, spring = TreeBuilder(), random_spring(np.random.default_rng(0), kind)
    builder.add_node("slider", JointKind.PRISMATIC, body=RigidBody(1.0), columns=[ColumnSpec(spring)])
    row, law = builder.finish().tables.columns[0], LAWS[kind]
    assert (row.state >= 0) == law.has_state
    given = (row.stiffness, row.parameter, e, 0.2)
    assert law.force(*given) == pytest.approx(spring_force(row, e, 0.2), rel=1e-13)
    assert law.energy(*given) == pytest.approx(spring_energy(row, e, 0.2), rel=1e-13)
    ends = law.ends(row.parameter)
    is_tight = not ends or any(sign * e >= level for sign, level in ends)
    assert (damping_coefficient(row, e, 0.0) > 0.0) == is_tight


def test_every_law_is_defined():
    assert set(ALL_LAWS) < set(LAWS)
