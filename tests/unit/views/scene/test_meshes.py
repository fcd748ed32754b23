import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from taut.views.scene.meshes import SIDES, box, cylinder, frames_along, hull, joined, rod, rotation_matrix, sphere


def volume(mesh):
    """Volume inside a closed surface; negative if its triangles turn the wrong way."""
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0


POLYGON = 0.5 * SIDES * np.sin(2.0 * np.pi / SIDES)  # area inside the unit circle
SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.0]])


@pytest.mark.parametrize(
    ("mesh", "expected"),
    [
        (box([1, 2, 3]), 6.0),
        (cylinder(0.5, 2.0), POLYGON * 0.25 * 2.0),
        (cylinder(0.5, 2.0, (1, 1, 0), inner=0.3), POLYGON * (0.25 - 0.09) * 2.0),
        (rod(np.zeros(3), np.array([0, 3.0, 4.0]), 0.1, sides=SIDES), POLYGON * 0.01 * 5.0),
        (hull(SQUARE, 0.1), 0.1),
        (joined([box([1, 1, 1]), box([1, 1, 1]).moved(np.array([5, 0, 0]))]), 2.0),
    ],
)
def test_surfaces_are_closed_and_turn_outward(mesh, expected):
    assert volume(mesh) == pytest.approx(expected, rel=1e-9)


def test_sphere_is_nearly_one():
    assert volume(sphere(0.5)) == pytest.approx(4 / 3 * np.pi * 0.125, rel=0.05)


def test_frames_along_are_rotations_to_the_axis():
    axes = np.array([[0, 0, 2.0], [1, 2, 3], [-1, 0, 0], [0, 0, -1], [0, 0, 0]])
    turns = frames_along(axes)
    np.testing.assert_allclose(turns @ turns.transpose(0, 2, 1), np.tile(np.eye(3), (5, 1, 1)), atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(turns), 1.0)
    np.testing.assert_allclose(turns[:4, :, 2], axes[:4] / np.linalg.norm(axes[:4], axis=1, keepdims=True), atol=1e-12)


def test_rotation_matrix_agrees_with_scipy():
    rotations = Rotation.random(20, random_state=np.random.default_rng(0))
    quaternions = rotations.as_quat()[:, [3, 0, 1, 2]]
    np.testing.assert_allclose(rotation_matrix(3.0 * quaternions), rotations.as_matrix(), atol=1e-12)
