"""Boundaries of workspaces: corners on the true boundary, with the margin there; surfaces of equal margin inside."""

import numpy as np
import pytest

from robot_machines import eight_cables, hall
from taut.robots.workspaces.fields import Demand, field_of
from taut.robots.workspaces.surface import boundary_surface, shells

BOX = np.array([[-1.2, -1.0, -1.1], [1.1, 1.3, 1.4]])


def ball(points):
    return 0.9 - np.linalg.norm(points, axis=1)


def at_region(vertices, found):
    """Which vertices lie at an end of the region."""
    box = np.array([[axis[0], axis[-1]] for axis in found.axes.values()]).T
    return np.any(np.abs(vertices[:, None] - box[None]) < 1e-5, axis=(1, 2))


def test_corners_lie_between_a_cell_inside_and_one_outside():
    found = hall()
    steps = np.array([np.ptp(axis) / len(axis) for axis in found.axes.values()])
    field = field_of(eight_cables(), Demand(kind="static"))
    places = found.surface.vertices[~at_region(found.surface.vertices, found)]
    a, b, c = (found.surface.vertices[found.surface.triangles[:, k]] for k in range(3))
    normals = np.zeros_like(found.surface.vertices)
    for k in range(3):
        np.add.at(normals, found.surface.triangles[:, k], np.cross(b - a, c - a))
    out = normals[~at_region(found.surface.vertices, found)]
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    poses = lambda x: np.hstack([x, np.zeros((len(x), 3))])  # noqa: E731
    assert len(places) > 100
    inner, outer = field(poses(places - 0.2 * steps * out)), field(poses(places + 0.2 * steps * out))
    assert np.mean(inner > 0.0) > 0.97 and np.mean(outer < 0.0) > 0.97


def test_colours_are_the_margin_of_the_field():
    found = hall()
    vertices, cut = found.surface.vertices, at_region(found.surface.vertices, found)
    exact = field_of(eight_cables(), Demand(kind="static"))(np.hstack([vertices, np.zeros((len(vertices), 3))]))
    np.testing.assert_array_equal(found.surface.values, exact)
    # zero at the true boundary, and positive where only the region ends
    assert np.abs(exact[~cut]).max() < 1e-3 and exact[cut].max() > 50.0


def edge_counts(found):
    sides = np.sort(found.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    return np.unique(sides, axis=0, return_counts=True)[1]


def test_edges_of_a_workspace_are_refined():
    turned = np.array([[0.8, 0.5, 0.33166248], [-0.6, 0.75, 0.27], [0.1, -0.4, 0.9]])
    turned = np.linalg.qr(turned)[0]
    cube = lambda points: 0.6 - np.abs(points @ turned).max(axis=1)  # noqa: E731
    coarse, fine = (boundary_surface(cube, BOX, [9] * 3, "static", is_fine=is_fine) for is_fine in (False, True))
    # closed, on the boundary, and much nearer to the edges and the volume than tetrahedra alone
    assert np.all(edge_counts(fine) == 2) and np.abs(cube(fine.vertices)).max() < 1e-6
    far = [1.2**3 - found.volume for found in (coarse, fine)]
    assert far[0] > 0.05 and abs(far[1]) < 0.05 * far[0] and len(fine.triangles) < 2 * len(coarse.triangles)
    a, b, c = (fine.vertices[fine.triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    area, is_folded = np.linalg.norm(normals, axis=1), np.sum(normals * (a + b + c), axis=1) < 0.0
    assert area[is_folded].sum() < 0.005 * area.sum()
    corners = 0.6 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) @ turned.T
    away = [np.linalg.norm(one.vertices[:, None] - corners, axis=2).min(axis=0).max() for one in (coarse, fine)]
    assert away[1] < 0.7 * away[0]


def test_shells_have_one_value_and_no_lid():
    levels = [0.2, 0.5]
    found = shells(ball, BOX, [12] * 3, levels)
    for level, shell in zip(levels, found, strict=True):
        assert np.all(shell.values == level)
        assert np.linalg.norm(shell.vertices, axis=1) == pytest.approx(0.9 - level, abs=1e-3)
    half = np.array([[-1.2, -1.2, 0.0], [1.2, 1.2, 1.2]])
    dome = shells(ball, half, [12] * 3, [0.2])[0]
    lids = boundary_surface(lambda x: ball(x) - 0.2, half, [12] * 3, "static")
    is_flat = np.all(dome.vertices[dome.triangles][..., 2] < 1e-3, axis=1)
    assert not is_flat.any() and len(dome.triangles) < len(lids.triangles)


def test_levels_are_two_of_the_bands():
    levels = [float(np.median(shell.values)) for shell in hall().shells]
    top = hall().values[hall().inside].max()
    assert len(levels) == 2 and levels == pytest.approx([top / 3, 2 * top / 3], abs=0.12 * top)
