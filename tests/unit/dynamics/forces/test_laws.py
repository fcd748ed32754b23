import numpy as np
import pytest

from engine import STEP, derivative
from machines import ALL_LAWS, random_spring
from taut.build.tree import ColumnSpec, RigidBody, TreeBuilder
from taut.dynamics.forces.laws import (
    damping_coefficient,
    friction_force,
    friction_limit,
    friction_slope,
    spring_energy,
    spring_force,
    state_rate,
    tangent_stiffness,
)
from taut.model.enums import JointKind, LawKind, SlipMode

pytestmark = pytest.mark.nojit

STRETCHES = [-0.7, -1e-9, 0.0, 0.4]
Z = 0.2


def column_with(**spec):
    """A row of the column table."""
    builder = TreeBuilder()
    builder.add_node("slider", JointKind.PRISMATIC, body=RigidBody(1.0), columns=[ColumnSpec(**spec)])
    return builder.finish().tables.columns[0]


@pytest.fixture(params=ALL_LAWS, ids=lambda kind: kind.name.lower())
def law(request):
    return column_with(spring=random_spring(np.random.default_rng(0), request.param))


@pytest.mark.parametrize("e", STRETCHES)
def test_force_is_the_slope_of_the_energy(law, e):
    slope = derivative(spring_energy(law, e + 1j * STEP, Z + 0j))
    assert spring_force(law, e, Z) == pytest.approx(-slope, rel=1e-14)


@pytest.mark.parametrize("e", STRETCHES)
def test_tangent_stiffness_is_the_slope_of_the_force(law, e):
    slope = derivative(spring_force(law, e + 1j * STEP, Z + 0j))
    assert tangent_stiffness(law, e, Z) == pytest.approx(-slope, rel=1e-14)


def test_polynomial_counts_its_powers():
    law = column_with(spring=random_spring(np.random.default_rng(0), LawKind.POLYNOMIAL))
    k = [law.stiffness, *law.parameter]
    assert spring_force(law, 0.5, 0.0) == pytest.approx(-sum(c * 0.5 ** (i + 1) for i, c in enumerate(k)), rel=1e-14)


def test_slack_bilinear_spring_has_no_damper():
    law = column_with(spring=random_spring(np.random.default_rng(0), LawKind.BILINEAR))
    assert damping_coefficient(law, -0.1, 0.0) == 0.0
    assert damping_coefficient(law, 0.1, 0.0) == law.damping


def test_branch_of_a_solid_relaxes():
    """The branch's spring and damper carry the same force, so its energy goes where its damper takes it."""
    law = column_with(spring=random_spring(np.random.default_rng(0), LawKind.STANDARD_LINEAR_SOLID))
    rate, slope = state_rate(law, 0.7, Z), derivative(spring_energy(law, 0.7 + 0j, Z + 1j * STEP))
    assert -slope == pytest.approx(law.parameter[1] * rate, rel=1e-14)


@pytest.mark.parametrize("mode", [SlipMode.SMOOTHED, SlipMode.STICKS, SlipMode.FORWARD, SlipMode.BACKWARD])
@pytest.mark.parametrize("v", [-2.0, 0.0, 1e-4, 3.0])
def test_friction_slope(v, mode):
    law, modes = column_with(coulomb=2.0, viscous=0.3, stiction=1.0, velocity_scale=0.5), np.array([mode, -1])
    slope = -derivative(friction_force(law, v + 1j * STEP, modes))
    assert friction_slope(law, v, modes) == pytest.approx(slope, rel=1e-14)


@pytest.mark.parametrize("v", [-2.0, 0.0, 1e-4, 3.0])
def test_smoothed_friction_takes_energy(v):
    law = column_with(coulomb=2.0, viscous=0.3, velocity_scale=0.5)
    assert friction_force(law, v, np.array([SlipMode.SMOOTHED, -1])) * v <= 0.0


@pytest.mark.parametrize(("v", "mode"), [(2.0, SlipMode.FORWARD), (-2.0, SlipMode.BACKWARD), (-2.0, SlipMode.SMOOTHED)])
def test_friction_is_against_the_rate(v, mode):
    law = column_with(coulomb=2.0, viscous=0.3, stiction=1.0)
    assert friction_force(law, v, np.array([mode, -1])) == pytest.approx(-np.sign(v) * 2.0 - 0.3 * v, rel=1e-9)


def test_what_sticks_is_held_by_a_force_that_the_law_does_not_know():
    law = column_with(coulomb=2.0, stiction=1.0)
    assert friction_force(law, 0.0, np.array([SlipMode.STICKS, -1])) == 0.0
    assert friction_limit(law, np.array([SlipMode.STICKS, -1])) == 3.0
