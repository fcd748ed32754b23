import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from compare import relative_error
from engine import STEP, derivative
from taut.kernels.rotations import (
    quaternion_matrix,
    quaternion_of_rotation_vector,
    quaternion_product,
    rotated_about,
    rotated_about_x,
    rotated_about_y,
    rotation_vector_of_quaternion,
)

pytestmark = pytest.mark.nojit

IDENTITY = tuple(np.eye(3).ravel())
ANGLES = [0.0, 1e-200, 1e-12, 9.9e-5, 1.01e-4, 2e-4, 0.1, 1.0, 2.0, 3.0, np.pi - 1e-3, np.pi - 1e-9]
DIRECTION = np.array([2.0, -3.0, 6.0]) / 7.0

directions = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda d: np.linalg.norm(d) > 1e-3)


def matrix(m):
    return np.reshape(m, (3, 3))


@pytest.mark.parametrize("angle", ANGLES)
def test_exponential_and_logarithm(angle):
    d = angle * DIRECTION
    q = quaternion_of_rotation_vector(tuple(d))
    assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-15)
    assert np.allclose(rotation_vector_of_quaternion(q), d, rtol=1e-14, atol=0.0)
    assert np.allclose(matrix(quaternion_matrix(q)), Rotation.from_rotvec(d).as_matrix(), atol=1e-15)


@pytest.mark.parametrize("angle", [np.pi, np.pi + 1e-9, 4.0, 6.0])
def test_logarithm_takes_the_short_way(angle):
    d = rotation_vector_of_quaternion(quaternion_of_rotation_vector(tuple(angle * DIRECTION)))
    assert np.linalg.norm(d) <= np.pi * (1 + 1e-15)
    turned = Rotation.from_rotvec(angle * DIRECTION).as_matrix()
    assert np.allclose(Rotation.from_rotvec(d).as_matrix(), turned, atol=1e-14)


@pytest.mark.parametrize("angle", ANGLES)
def test_logarithm_is_the_same_for_both_signs_and_lengths(angle):
    q = np.array(quaternion_of_rotation_vector(tuple(angle * DIRECTION)))
    d = np.array(rotation_vector_of_quaternion(tuple(-3.0 * q)))
    assert np.allclose(d, angle * DIRECTION, rtol=1e-14, atol=0.0)


@pytest.mark.parametrize("angle", ANGLES[3:])
def test_complex_steps_pass_through_the_logarithm(angle):
    d, step = angle * DIRECTION, np.array([0.3, 0.5, -0.2])
    q = quaternion_of_rotation_vector(tuple(d + 1j * STEP * step))
    assert relative_error(derivative(rotation_vector_of_quaternion(q)), step) < 1e-11


@given(directions, directions)
def test_product_turns_one_after_the_other(a, b):
    p, q = quaternion_of_rotation_vector(a), quaternion_of_rotation_vector(b)
    product = matrix(quaternion_matrix(quaternion_product(p, q)))
    assert np.allclose(product, matrix(quaternion_matrix(p)) @ matrix(quaternion_matrix(q)), atol=1e-14)


@given(directions, st.floats(-10, 10))
def test_turn_about_an_axis(axis, angle):
    axis = np.array(axis) / np.linalg.norm(axis)
    start = tuple(Rotation.from_rotvec([0.3, 0.2, 0.1]).as_matrix().ravel())
    turned = matrix(start) @ Rotation.from_rotvec(angle * axis).as_matrix()
    assert np.allclose(matrix(rotated_about(start, tuple(axis), angle)), turned, atol=1e-14)


@pytest.mark.parametrize(("turn", "axis"), [(rotated_about_x, (1.0, 0.0, 0.0)), (rotated_about_y, (0.0, 1.0, 0.0))])
def test_turns_about_frame_axes(turn, axis):
    start = rotated_about(IDENTITY, tuple(DIRECTION), 0.7)
    assert np.allclose(turn(start, -1.3), rotated_about(start, axis, -1.3), atol=1e-15)
