import numpy as np
import pytest

from engine import STEP, derivative
from machines import ALL_LAWS, random_spring
from taut.build.tree import ColumnSpec, RigidBody, Spring, TreeBuilder
from taut.dynamics.forces.laws import (
    damping_coefficient,
    friction_force,
    friction_limit,
    friction_slope,
    motor_slope,
    spring_energy,
    spring_force,
    state_goal,
    state_rate,
    tangent_stiffness,
)
from taut.model.enums import JointKind, LawKind, SlipMode
from taut.model.laws import motor_force

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


@pytest.mark.parametrize(("x", "v"), [(0.1, 0.2), (0.4, -0.3), (-5.0, 0.1), (0.3, 9.0)])
def test_motor_gives_what_the_definition_says_and_its_slopes(x, v):
    """Below its limits, at the largest force, and at the largest power."""
    spring = Spring(LawKind.MOTOR, 3.0, parameters=(1.0, 1.0, 2.0, 8.0, 30.0, 0.5, 0.0))
    law, signals = column_with(spring=spring, signal=0), np.array([[0.2, 0.1, 0.0]])
    assert state_goal(law, x, v, signals) == pytest.approx(motor_force(law, x, v, (0.2, 0.1)), rel=1e-14)
    by_x = -derivative(state_goal(law, x + 1j * STEP, v + 0j, signals))
    by_v = -derivative(state_goal(law, x + 0j, v + 1j * STEP, signals))
    is_free = abs(motor_force(law, x, v, (0.2, 0.1))) < min(8.0, 30.0 / abs(v))
    if is_free:
        assert motor_slope(law, x, v, signals, 0.7, 0.3) == pytest.approx(0.7 * by_v + 0.3 * by_x, rel=1e-14)
    assert by_x == pytest.approx(3.0 if is_free else 0.0)
