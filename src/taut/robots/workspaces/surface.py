"""The boundary of a workspace in space as triangles: marching tetrahedra, with corners found by halving.

Grid points are the middles of cells and one layer of them around the region, which is outside. Each cell between eight
of them is cut into six tetrahedra along one diagonal; where a tetrahedron has corners inside and outside its edges are
cut, at points that halving finds on the true boundary (of the workspace or of the region). The surface is closed; its
triangles are divided where they are away from the boundary (``refining.py``).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from pathlib import Path

import numpy as np

from taut.robots.problems import refusal
from taut.robots.workspaces.fields import Field, is_inside
from taut.robots.workspaces.refining import halve, refine

HALVINGS = 24
SLOPE = 1e-4  # step of differences of the field, relative to the smallest side of a cell
COARSE = 12  # halvings towards the boundary for surfaces that are only drawn
# six tetrahedra of a cell around its diagonal; bits 0, 1, 2 of a corner's number are its x, y, z
TETRAHEDRA = np.array([[0, 1 << a, (1 << a) | (1 << b), 7] for a, b, _ in permutations(range(3))])


@dataclass(frozen=True)
class Surface:
    """Triangles that bound a workspace, corners counter-clockwise seen from outside."""

    vertices: np.ndarray  # corners of the triangles [m], shape [n_vertices, 3]
    triangles: np.ndarray  # indices of the vertices of each triangle, shape [n_triangles, 3]
    values: np.ndarray = field(default_factory=lambda: np.zeros(0))  # values of the field at the vertices [n_vertices]

    @property
    def volume(self) -> float:
        """Volume inside [m^3]."""
        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        return float(np.sum(a * np.cross(b, c)) / 6.0)

    def save(self, path: str | Path) -> None:
        """Write it as STL (binary), OBJ or PLY, by the suffix.

        Raises:
            ScenarioError: another suffix.
        """
        path = Path(path)
        writers = {".stl": stl_bytes, ".obj": obj_bytes, ".ply": ply_bytes}
        if path.suffix.lower() not in writers:
            raise refusal("is no format of meshes", at=str(path), remedy="use .stl, .obj or .ply")
        path.write_bytes(writers[path.suffix.lower()](self))


def boundary_surface(field_at: Field, box: np.ndarray, counts: list[int], kind: str, *,  # noqa: PLR0913
                     halvings: int = HALVINGS, is_fine: bool = True) -> Surface:  # fmt: skip
    """The boundary of a workspace within a box [2, 3], on as many cells along every axis, divided further if fine."""
    if box.shape[1] != 3:
        raise refusal("a surface needs a region of three coordinates", at="region", remedy="leave the slice out")
    sides = [low + (np.arange(-1, n + 1) + 0.5) / n * (high - low)
             for n, low, high in zip(counts, box[0], box[1], strict=True)]  # fmt: skip
    nodes = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1)
    shape = nodes.shape[:3]
    nodes = nodes.reshape(-1, 3)

    def is_in(points: np.ndarray) -> np.ndarray:
        within = np.all((points >= box[0]) & (points <= box[1]), axis=1)
        within[within] = is_inside(field_at(points[within]), kind)
        return within

    corners = cell_corners(shape)
    inside = is_in(nodes)
    edges = cut_edges(corners, inside)
    if not len(edges):
        return Surface(np.zeros((0, 3)), np.zeros((0, 3), int))
    pairs, triangles = np.unique(edges.reshape(-1, 2), axis=0, return_inverse=True)
    vertices = halve(is_in, nodes[pairs[:, 0]], nodes[pairs[:, 1]], halvings)
    found = oriented(vertices, triangles.reshape(-1, 3), nodes[pairs[:, 0]], nodes[pairs[:, 1]])
    if is_fine:
        cell = float(np.min(np.ptp(box, axis=0) / np.array(counts)))
        slope: Field = lambda points: boundary_normals(field_at, points, box, SLOPE * cell)  # noqa: E731
        found = Surface(*refine(is_in, slope, (found.vertices, found.triangles), cell, halvings))
    return replace(found, values=field_at(found.vertices))


def boundary_normals(field_at: Field, points: np.ndarray, box: np.ndarray, step: float) -> np.ndarray:
    """Unit normals of a boundary at points of it, outwards: of the region's faces, or by differences of the field."""
    offsets = step * np.concatenate([np.eye(3), -np.eye(3)])
    around = field_at((points[:, None] + offsets).reshape(-1, 3)).reshape(-1, 2, 3)
    with np.errstate(invalid="ignore"):
        found = around[:, 1] - around[:, 0]
    found[~np.isfinite(found).all(axis=1)] = 0.0
    faces = (box[1] - points < step).astype(float) - (points - box[0] < step)
    found = np.where(np.any(faces, axis=1, keepdims=True), faces, found)
    size = np.linalg.norm(found, axis=1, keepdims=True)
    return found / np.where(size > 0.0, size, 1.0)


def shells(field_at: Field, box: np.ndarray, counts: list[int], levels: Sequence[float]) -> list[Surface]:
    """Surfaces inside a workspace on which the field has these values; where the region ends they are open."""
    found = []
    for level in levels:
        above: Field = lambda points, level=level: field_at(points) - level  # noqa: E731
        closed = boundary_surface(above, box, counts, "static", halvings=COARSE, is_fine=False)
        # distance within which halving ends at the faces of the region [m]
        near = np.ptp(box, axis=0) / np.array(counts) * 2.0 ** (1 - COARSE)
        at_face = (np.abs(closed.vertices[:, None] - box[None]) <= near).reshape(-1, 6)
        # remove triangles on the region's faces: they close the surface, but the field has another value there
        is_lid = at_face[closed.triangles].any(axis=(1, 2))
        found.append(Surface(closed.vertices, closed.triangles[~is_lid], np.full(len(closed.vertices), level)))
    return found


def cell_corners(shape: tuple[int, ...]) -> np.ndarray:
    """Grid points of all tetrahedra, shape [n_tetrahedra, 4]."""
    first = np.arange(np.prod(shape)).reshape(shape)[:-1, :-1, :-1].reshape(-1)
    steps = np.array([shape[1] * shape[2], shape[2], 1])
    offsets = np.array([[(corner >> axis) & 1 for axis in range(3)] for corner in range(8)]) @ steps
    return (first[:, None, None] + offsets[TETRAHEDRA][None]).reshape(-1, 4)


def cut_edges(corners: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Triangles as triples of cut edges (grid point inside, grid point outside), shape [n_triangles, 3, 2]."""
    is_in = inside[corners]
    count, found = is_in.sum(axis=1), []
    for many in (1, 2, 3):
        chosen = corners[count == many]
        # sort the corners of each tetrahedron, those inside first
        order = np.argsort(~inside[chosen], axis=1, kind="stable")
        t = np.take_along_axis(chosen, order, axis=1)
        a, b, c, d = t.T
        if many == 1:
            found.append(np.stack([np.stack([a, x], -1) for x in (b, c, d)], 1))
        elif many == 3:
            found.append(np.stack([np.stack([x, d], -1) for x in (a, b, c)], 1))
        else:
            ac, ad, bc, bd = (np.stack(pair, -1) for pair in ((a, c), (a, d), (b, c), (b, d)))
            found += [np.stack([ac, ad, bd], 1), np.stack([ac, bd, bc], 1)]
    return np.concatenate(found)


def oriented(vertices: np.ndarray, triangles: np.ndarray, within: np.ndarray, without: np.ndarray) -> Surface:
    """Turn triangles so that their normals point out, along the cut edges; those without an area go."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    out = (without - within)[triangles].sum(axis=1)
    turned = np.where((np.sum(normal * out, axis=1) < 0.0)[:, None], triangles[:, ::-1], triangles)
    return Surface(vertices, turned)


def stl_bytes(surface: Surface) -> bytes:
    """The surface as binary STL."""
    corners = surface.vertices[surface.triangles].astype("<f4")
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    record = np.zeros(len(corners), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    record["normal"], record["corners"] = normals / np.where(length > 0.0, length, 1.0), corners
    return b"workspace boundary, made by taut".ljust(80) + np.uint32(len(corners)).tobytes() + record.tobytes()


def obj_bytes(surface: Surface) -> bytes:
    """The surface as Wavefront OBJ."""
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in surface.vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in surface.triangles + 1]
    return ("\n".join(lines) + "\n").encode()


def ply_bytes(surface: Surface) -> bytes:
    """The surface as PLY in text."""
    head = ["ply", "format ascii 1.0", f"element vertex {len(surface.vertices)}", "property double x",
            "property double y", "property double z", f"element face {len(surface.triangles)}",
            "property list uchar int vertex_indices", "end_header"]  # fmt: skip
    lines = [f"{x:.9g} {y:.9g} {z:.9g}" for x, y, z in surface.vertices]
    lines += [f"3 {a} {b} {c}" for a, b, c in surface.triangles]
    return ("\n".join([*head, *lines]) + "\n").encode()
