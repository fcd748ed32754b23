import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine import placed
from taut.build.tree import ColumnSpec, RigidBody, Spring, TreeBuilder
from taut.model.enums import JointKind, LawKind
from taut.scenario.signals.pieces import constant_pieces

pytestmark = pytest.mark.nojit

BODY = RigidBody(1.0, (0.0, 0.0, 0.0), np.eye(3))


def test_spring_damper_friction_and_actuator_add_up():
    builder = TreeBuilder()
    column = ColumnSpec(
        Spring(LawKind.LINEAR, 10.0, 2.0, free=0.1), viscous=0.5, signal=builder.add_signal([constant_pieces(7)])
    )
    builder.add_node("slider", JointKind.PRISMATIC, body=BODY, columns=[column], position=[0.3], velocity=[4.0])
    assert placed(builder.finish()).force == pytest.approx([7.0 - 10.0 * 0.2 - 2.0 * 4.0 - 0.5 * 4.0])


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_spring_of_a_free_turn_pulls_back_the_short_way(sign):
    turn = np.array([0.4, -0.2, 0.7])
    x, y, z, w = sign * Rotation.from_rotvec(turn).as_quat()
    builder = TreeBuilder()
    columns = [ColumnSpec(Spring(LawKind.LINEAR, 3.0))] * 3
    builder.add_node("ball", JointKind.SPHERICAL, body=BODY, columns=columns, position=[w, x, y, z])
    assert placed(builder.finish()).force == pytest.approx(-3.0 * turn)


def test_solid_starts_relaxed_whatever_the_sign_of_the_quaternion():
    x, y, z, w = -Rotation.from_rotvec([0.4, -0.2, 0.7]).as_quat()
    builder = TreeBuilder()
    columns = [ColumnSpec(Spring(LawKind.STANDARD_LINEAR_SOLID, 3.0, parameters=(1.0, 1.0)))] * 3
    builder.add_node("ball", JointKind.SPHERICAL, body=BODY, columns=columns, position=[w, x, y, z])
    assert placed(builder.finish()).z_rate == pytest.approx(np.zeros(3), abs=1e-15)


@pytest.mark.parametrize("is_follower", [False, True])
def test_wrench_acts_at_its_point(is_follower):
    R, point = Rotation.from_rotvec([0.4, -0.2, 0.7]), np.array([0.1, 0.2, 0.3])
    x, y, z, w = R.as_quat()
    builder = TreeBuilder()
    node = builder.add_node("body", JointKind.FREE, body=BODY, position=[1, 2, 3, w, x, y, z])
    signals = [builder.add_signal([constant_pieces(value)]) for value in (1.0, 2.0, 3.0, 4.0, 5.0)] + [-1]
    builder.add_wrench(node, point, signals, is_follower=is_follower)
    here = placed(builder.finish()).nodes[1]
    F, N = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 0.0])
    F, N = (R.apply(F), R.apply(N)) if is_follower else (F, N)
    assert here.external_F == pytest.approx(F)
    assert here.external_N == pytest.approx(N + np.cross(R.apply(point), F))
