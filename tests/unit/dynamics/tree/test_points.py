"""Bodies with small rotations: rows, rates and wrenches belong together, and forward dynamics inverts inverse."""

import numpy as np
import pytest

from engine import columns_of, dense_jacobian, derivative, generalised_forces, placed, tree_accelerations, varied
from taut.build.tree import RigidBody, TreeBuilder
from taut.model.enums import ClosureKind, JointKind


@pytest.fixture(scope="module")
def model():
    """A platform with small rotations, held to an ordinary free body by closures that know both."""
    rng, builder = np.random.default_rng(4), TreeBuilder()
    inertia = np.diag([3.0, 4.0, 5.0])
    small = [builder.add_node(f"small {k}", JointKind.SMALL, body=RigidBody(2.0, inertia=inertia),
                              position=rng.normal(size=6) * 0.3, velocity=rng.normal(size=6))
             for k in range(2)]  # fmt: skip
    free = builder.add_node("free", JointKind.FREE, body=RigidBody(1.0, inertia=inertia), velocity=rng.normal(size=6),
                            position=[1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0])  # fmt: skip
    points = rng.normal(size=(2, 3))
    builder.add_closure("point", ClosureKind.POINT, (small[0], free), tuple(points))
    builder.add_closure("turn", ClosureKind.TURN, (small[0], small[1]), tuple(points), directions=(True, False, True))
    builder.add_distance("rod", (free, small[1]), tuple(points), 1.0)
    return builder.finish()


def test_rates_and_wrenches_belong_to_the_errors(model):
    data = placed(model)
    J = dense_jacobian(model, data)
    slopes = columns_of(lambda d: derivative(varied(model, data, dq=d).rows["value"]), model.column_count)
    assert np.allclose(J, slopes, rtol=0, atol=1e-13)
    assert np.allclose(data.rows["rate"], J @ data.v, rtol=0, atol=1e-13)
    assert np.allclose(data.rows["bias"], derivative(varied(model, data, dq=data.v).rows["rate"]), rtol=0, atol=1e-12)


def test_forward_dynamics_inverts_inverse(model):
    data = placed(model)
    wanted = np.random.default_rng(5).normal(size=model.column_count)
    force = generalised_forces(model, data, wanted)
    assert np.allclose(tree_accelerations(model, data, force), wanted, rtol=0, atol=1e-12)


def test_points_follow_the_published_map(model):
    data = placed(model)
    x, t, r = data.q[:3], data.q[3:6], model.tables.closures[0].point_a
    moved = np.cross(t, r)
    moved[2] = np.sin(t[0]) * r[1] - np.sin(t[1]) * r[0]
    here = data.nodes[1]
    assert np.allclose(here.x + here.R.reshape(3, 3) @ r, x + r + moved, rtol=0, atol=1e-15)
