"""Triangles of a boundary divided where they are away from it: along edges and corners, and where it is curved.

The middle of an edge of the mesh is compared with the boundary along the normal there. Where it is farther away than a
share of a cell, the boundary's point on this normal becomes a new corner, and the triangles on both sides of the edge
are divided; so the mesh stays closed. Repeated, this needs new points along edges of the workspace alone, where
marching tetrahedra, which cut all edges off, would need a finer grid everywhere.
"""

from collections.abc import Callable

import numpy as np

ROUNDS = 4  # times that edges of triangles are divided
NEAR = 0.02  # allowed distance of the middle of an edge from the boundary, relative to the smallest side of a cell
Test = Callable[[np.ndarray], np.ndarray]  # which points belong to the workspace


def refine(is_in: Test, vertices: np.ndarray, triangles: np.ndarray, cell: float,
           halvings: int) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Corners and triangles of a closed mesh, divided until the middles of its edges are near the boundary."""
    for _ in range(ROUNDS):
        sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        pairs, which = np.unique(sides, axis=0, return_inverse=True)
        middle, length = vertices[pairs].mean(axis=1), np.linalg.norm(np.ptp(vertices[pairs], axis=1), axis=1)
        out = edge_normals(vertices, triangles, which.ravel(), len(pairs))
        step = NEAR * cell * out
        away = np.flatnonzero((length > 4.0 * NEAR * cell) & (is_in(middle + step) | ~is_in(middle - step)))
        # from the middle out of the workspace, or back into it, at most half the length of the edge
        inner = is_in(middle[away])[:, None]
        far = middle[away] + np.where(inner, 0.5, -0.5) * length[away, None] * out[away]
        crosses = is_in(far) != inner[:, 0]
        away, inner, far = away[crosses], inner[crosses], far[crosses]
        if not len(away):
            break
        found = halve(is_in, np.where(inner, middle[away], far), np.where(inner, far, middle[away]), halvings)
        numbers = np.full(len(pairs), -1)
        numbers[away] = len(vertices) + np.arange(len(away))
        vertices = np.concatenate([vertices, found])
        triangles = divided(triangles, numbers[which.ravel()].reshape(-1, 3))
    return vertices, triangles


def halve(is_in: Test, within: np.ndarray, without: np.ndarray, times: int) -> np.ndarray:
    """Points of the boundary between points inside and outside."""
    for _ in range(times):
        middle = 0.5 * (within + without)
        inner = is_in(middle)[:, None]
        within, without = np.where(inner, middle, within), np.where(inner, without, middle)
    return within


def edge_normals(vertices: np.ndarray, triangles: np.ndarray, which: np.ndarray, count: int) -> np.ndarray:
    """Unit normals at edges: those of the triangles beside them, weighted with their areas; zero where there is none."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    found = np.zeros((count, 3))
    np.add.at(found, which, np.repeat(np.cross(b - a, c - a), 3, axis=0))
    size = np.linalg.norm(found, axis=1, keepdims=True)
    return found / np.where(size > 0.0, size, 1.0)


def divided(triangles: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Triangles with new corners on their sides ab, bc, ca; -1: none. The sense of rotation stays."""
    count = (new >= 0).sum(axis=1)
    found = [triangles[count == 0]]
    for many in (1, 2, 3):
        own, mid = triangles[count == many], new[count == many]
        # rotate: with one new corner it lies on the first side, with two the last side is the one without
        first = np.argmax(mid >= 0, axis=1) if many == 1 else (np.argmax(mid < 0, axis=1) + 1) % 3
        order = (first[:, None] + np.arange(3)) % 3
        a, b, c = np.take_along_axis(own, order, axis=1).T
        ab, bc, ca = np.take_along_axis(mid, order, axis=1).T
        parts = {1: [(a, ab, c), (ab, b, c)], 2: [(ab, b, bc), (a, ab, bc), (a, bc, c)],
                 3: [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]}  # fmt: skip
        found += [np.stack(part, axis=1) for part in parts[many]]
    return np.concatenate(found)
