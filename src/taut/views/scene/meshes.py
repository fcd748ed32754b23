"""Meshes of simple shapes: vertices [m], shape [n, 3], and triangles as rows of three vertex numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

SIDES = 24  # sides of the polygons that stand for circles


@dataclass(frozen=True)
class Mesh:
    """A closed surface; triangles turn counter-clockwise seen from outside."""

    vertices: np.ndarray
    faces: np.ndarray

    def moved(self, offset: Sequence[float] | np.ndarray) -> "Mesh":
        """The mesh shifted by an offset [m]."""
        return Mesh(self.vertices + np.asarray(offset, float), self.faces)

    def turned(self, matrix: np.ndarray) -> "Mesh":
        """The mesh turned by a rotation matrix."""
        return Mesh(self.vertices @ matrix.T, self.faces)


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """One mesh of several."""
    counts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    faces = [mesh.faces + count for mesh, count in zip(meshes, counts, strict=False)]
    return Mesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(faces))


def box(size: Sequence[float]) -> Mesh:
    """A box about the origin, with sides along x, y and z."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.5 * np.asarray(size, float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [triangle for a, b, c, d in quads for triangle in ((a, b, c), (a, c, d))]
    return Mesh(corners, np.array(faces))


def cylinder(
    radius: float,
    length: float,
    axis: Sequence[float] | np.ndarray = (0.0, 0.0, 1.0),
    *,
    inner: float = 0.0,
    sides: int = SIDES,
) -> Mesh:
    """A cylinder about the origin; with an inner radius a tube."""
    rings = [(inner, -0.5), (radius, -0.5), (radius, 0.5), (inner, 0.5)]
    turned = revolved([*rings, rings[0]] if inner > 0.0 else rings, length, sides)
    return Mesh(turned.vertices @ frame_along(axis).T, turned.faces)


def revolved(rings: Sequence[tuple[float, float]], length: float, sides: int = SIDES) -> Mesh:
    """The surface through rings about z, each given by its radius [m] and its height as a share of the length."""
    angles = np.arange(sides) * 2.0 * np.pi / sides
    circle = np.stack([np.cos(angles), np.sin(angles), np.zeros(sides)], axis=1)
    vertices = np.concatenate([r * circle + [0.0, 0.0, h * length] for r, h in rings])
    here, there = np.arange(sides), np.roll(np.arange(sides), -1)
    faces = []
    for k, ((low_radius, _), (high_radius, _)) in enumerate(zip(rings, rings[1:], strict=False)):
        low, high = k * sides, (k + 1) * sides
        # a ring of radius zero is a point: leave out the triangle that has no area there
        if low_radius > 0.0:
            faces.append(np.stack([low + here, low + there, high + there], 1))
        if high_radius > 0.0:
            faces.append(np.stack([low + here, high + there, high + here], 1))
    return Mesh(vertices, np.concatenate(faces))


def sphere(radius: float, sides: int = SIDES) -> Mesh:
    """A sphere about the origin."""
    rows = sides // 2
    polar = np.linspace(0.0, np.pi, rows + 1)
    around = np.arange(sides) * 2.0 * np.pi / sides
    grid = np.stack(
        [np.outer(np.sin(polar), np.cos(around)), np.outer(np.sin(polar), np.sin(around)),
         np.outer(np.cos(polar), np.ones(sides))], axis=-1)  # fmt: skip
    here, there = np.arange(sides), np.roll(np.arange(sides), -1)
    faces = []
    for k in range(rows):
        low, high = k * sides, (k + 1) * sides
        faces += [
            np.stack([low + here, high + here, high + there], 1),
            np.stack([low + here, high + there, low + there], 1),
        ]
    return Mesh(radius * grid.reshape(-1, 3), np.concatenate(faces))


def torus(radius: float, thickness: float, sides: int = SIDES) -> Mesh:
    """A ring about z, of a thin tube with six sides."""
    angles = np.arange(7) * np.pi / 3
    rings = [(radius + thickness * np.cos(a), thickness * np.sin(a)) for a in angles]
    return revolved(rings, 1.0, sides)


def rod(start: np.ndarray, end: np.ndarray, radius: float, sides: int = 12) -> Mesh:
    """A cylinder from one point to another."""
    along = np.asarray(end, float) - np.asarray(start, float)
    length = float(np.linalg.norm(along))
    return cylinder(radius, length, along, sides=sides).moved(0.5 * (np.asarray(start) + np.asarray(end)))


def hull(points: np.ndarray, thickness: float) -> Mesh:
    """The convex hull of points; flat ones become a plate of the given thickness."""
    from scipy.spatial import ConvexHull

    centre = points.mean(axis=0)
    _, spread, axes = np.linalg.svd(points - centre)
    if len(spread) < 3 or spread[2] < 0.05 * spread[0]:
        shift = 0.5 * thickness * axes[2]
        points = np.concatenate([points - shift, points + shift])
    shell = ConvexHull(points)
    faces = shell.simplices.copy()
    # scipy does not orient the triangles of a hull: turn those that face inwards
    a, b, c = (points[faces[:, k]] for k in range(3))
    is_inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), shell.equations[:, :3]) < 0.0
    faces[is_inward] = faces[is_inward][:, ::-1]
    return Mesh(points, faces)


def nothing() -> Mesh:
    """A mesh that is not seen, for a body without extent."""
    return Mesh(np.zeros((3, 3)), np.array([[0, 1, 2]]))


def frames_along(axes: np.ndarray) -> np.ndarray:
    """Rotation matrices whose third columns point along the axes, shape [n, 3, 3]; a zero axis counts as z."""
    norm = np.linalg.norm(axes, axis=1, keepdims=True)
    z = np.where(norm > 0.0, axes / np.where(norm > 0.0, norm, 1.0), [0.0, 0.0, 1.0])
    # any direction that is not along the axis will do for the first one across
    x = np.cross(np.eye(3)[np.argmin(np.abs(z), axis=1)], z)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    return np.stack([x, np.cross(z, x), z], axis=2)


def frame_along(axis: Sequence[float] | np.ndarray) -> np.ndarray:
    """A rotation matrix whose third column points along the axis."""
    return frames_along(np.asarray(axis, float)[None])[0]


def quaternions(turns: np.ndarray) -> np.ndarray:
    """Quaternions (w, x, y, z) of rotation matrices, shape [n, 4]."""
    from scipy.spatial.transform import Rotation

    return np.roll(Rotation.from_matrix(turns).as_quat(), 1, axis=-1)


def rotation_matrix(quaternion: np.ndarray) -> np.ndarray:
    """Rotation matrices of quaternions (w, x, y, z), shape [..., 3, 3]."""
    w, x, y, z = np.moveaxis(quaternion / np.linalg.norm(quaternion, axis=-1, keepdims=True), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]  # fmt: skip
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))
