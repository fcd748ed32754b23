import numpy as np
from scipy.spatial.transform import Rotation

from taut.integrate.samples.quaternions import of_matrices, quaternions


def test_turns_by_any_angle_have_the_quaternions_that_scipy_finds():
    vectors = np.random.default_rng(1).normal(size=(400, 3))
    half = np.pi * np.vstack([np.eye(3), -np.eye(3), [[0.6, 0.8, 0.0]]])  # no real part
    turns = Rotation.from_rotvec(np.vstack([vectors, 3.0 * vectors, half, 1e-9 * half, np.zeros((1, 3))]))
    found = of_matrices(turns.as_matrix())
    expected = turns.as_quat()[:, [3, 0, 1, 2]]
    signs = np.sign(np.sum(found * expected, axis=1, keepdims=True))
    np.testing.assert_allclose(found, signs * expected, atol=1e-15)


def test_quaternions_do_not_jump_in_time():
    turns = Rotation.from_rotvec(np.linspace(0.0, 20.0, 500)[:, None] * [[0.0, 0.6, 0.8]]).as_matrix()
    found = quaternions(turns.reshape(500, 1, 9))
    assert np.abs(np.diff(found, axis=0)).max() < 0.03
    assert quaternions(np.zeros((0, 2, 9))).shape == (0, 2, 4)
