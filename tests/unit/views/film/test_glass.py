"""Surfaces to see through: colours mix where nothing opaque is nearer."""

import numpy as np

from taut.views.film.camera import Camera
from taut.views.film.glass import Glass, blend, layers
from taut.views.film.triangles import Triangles, together

CAMERA = Camera(np.array([0.0, -4.0, 0.0]), np.zeros(3), np.radians(40.0), 40, 30)
SQUARE = np.array([[[-1, 0, -1], [1, 0, -1], [1, 0, 1]], [[-1, 0, -1], [1, 0, 1], [-1, 0, 1]]], float)


def pane(depth, colour, opacity):
    corners = SQUARE + [0.0, depth, 0.0]
    return Glass(Triangles(corners, np.tile(np.asarray(colour, float), (2, 1))), opacity)


def test_a_pane_mixes_with_what_is_behind():
    image, nearness = np.full((30, 40, 3), 200, np.uint8), np.zeros((30, 40), np.float32)
    blend(pane(0.0, (1, 0, 0), 0.25), CAMERA, image, nearness)
    assert image[15, 20].tolist() == [214, 150, 150] and image[0, 0].tolist() == [200] * 3
    assert not nearness.any()


def test_a_pane_behind_the_opaque_is_not_seen():
    image, nearness = np.full((30, 40, 3), 200, np.uint8), np.full((30, 40), 1 / 3.5, np.float32)
    blend(pane(0.0, (1, 0, 0), 0.25), CAMERA, image, nearness)
    assert np.all(image == 200)
    blend(pane(-1.0, (1, 0, 0), 0.25), CAMERA, image, nearness)
    assert image[15, 20].tolist() == [214, 150, 150]


def test_far_sides_come_first_and_the_outermost_near_side_last():
    facing, away = pane(-1.0, (1, 0, 0), 0.3), pane(1.0, (1, 0, 0), 0.3)
    away = Glass(Triangles(away.triangles.corners[:, ::-1], away.triangles.colours), 0.3)
    inner = pane(-0.5, (0, 1, 0), 0.4)
    outer = Glass(together([facing.triangles, away.triangles]), 0.3)
    found = layers([outer, inner], CAMERA.eye)
    assert [layer.opacity for layer in found] == [0.3, 0.4, 0.4, 0.3]
    np.testing.assert_array_equal(found[0].triangles.corners, away.triangles.corners)
    np.testing.assert_array_equal(found[-1].triangles.corners, facing.triangles.corners)
    assert len(found[1].triangles.corners) == 0 and len(found[2].triangles.corners) == 2
