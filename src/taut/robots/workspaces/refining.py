"""Triangles of a boundary divided where they are away from it: along its edges and corners, and where it is curved.

The middle of every side of a triangle is compared with the boundary. Where the boundary is farther away than a share of
a cell, a point of it becomes a new corner, and both triangles beside the side are divided: so the mesh stays closed. A
side from p to q, where the boundary has the normals n and m, crosses an edge of the workspace in the middle s about at
    s + d,   n . (s + d - p) = 0,   m . (s + d - q) = 0,   d = a n + b m:                                          (1)
the smallest step to both tangent planes, across the edge, so that corners along an edge keep their order. Marching
tetrahedra alone cut off all edges, and need a finer grid everywhere to cut off less.
"""

from collections.abc import Callable

import numpy as np

ROUNDS = 4  # times that sides of triangles are divided
NEAR = 0.02  # allowed distance of the middle of a side from the boundary, relative to the smallest side of a cell
FOLDED = -0.5  # least cosine of the angle between the normals of a triangle and of its parts
ALIKE = 0.999  # two normals with a larger product count as one
Test = Callable[[np.ndarray], np.ndarray]  # which points belong to the workspace
Slope = Callable[[np.ndarray], np.ndarray]  # unit normals of the boundary at points of it, zero where it has none


def refine(is_in: Test, slope: Slope, mesh: tuple[np.ndarray, np.ndarray], cell: float,
           halvings: int) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Corners and triangles of a closed mesh, divided until the middles of their sides are near the boundary."""
    vertices, triangles = mesh
    slopes = slope(vertices)
    for _ in range(ROUNDS):
        sides = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        pairs, which = np.unique(sides, axis=0, return_inverse=True)
        middle, length = vertices[pairs].mean(axis=1), np.linalg.norm(np.ptp(vertices[pairs], axis=1), axis=1)
        out = directions(vertices[pairs], slopes[pairs])
        step = NEAR * cell * out
        away = np.flatnonzero((length > 4.0 * NEAR * cell) & (is_in(middle + step) | ~is_in(middle - step)))
        # from the middle out of the workspace, or back into it, at most half the length of the side
        inner = is_in(middle[away])[:, None]
        far = middle[away] + np.where(inner, 0.5, -0.5) * length[away, None] * out[away]
        crosses = is_in(far) != inner[:, 0]
        away, inner, far = away[crosses], inner[crosses], far[crosses]
        if not len(away):
            break
        found = halve(is_in, np.where(inner, middle[away], far), np.where(inner, far, middle[away]), halvings)
        numbers = np.full(len(pairs), -1)
        numbers[away] = len(vertices) + np.arange(len(away))
        vertices, slopes = np.concatenate([vertices, found]), np.concatenate([slopes, slope(found)])
        triangles = divided_flat(vertices, triangles, numbers, which.reshape(-1, 3))
    # new corners that would have folded a triangle belong to none
    used, places = np.unique(triangles, return_inverse=True)
    return vertices[used], places.reshape(-1, 3)


def directions(ends: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Unit directions of d of Eq. (1) at the middles of sides with ends [n, 2, 3] and normals there, outwards."""
    n, m = slopes[:, 0], slopes[:, 1]
    both, half = np.sum(n * m, axis=1), 0.5 * (ends[:, 1] - ends[:, 0])
    # n.d = -n.half, m.d = m.half
    first, second = -np.sum(n * half, axis=1), np.sum(m * half, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = 1.0 / (1.0 - both**2)
        d = ((first - both * second) * share)[:, None] * n + ((second - both * first) * share)[:, None] * m
    d = np.where((np.abs(both) < ALIKE)[:, None] & np.isfinite(d).all(axis=1)[:, None], d, n + m)
    d = np.where((np.sum(d * (n + m), axis=1) < 0.0)[:, None], -d, d)
    size = np.linalg.norm(d, axis=1, keepdims=True)
    return d / np.where(size > 0.0, size, 1.0)


def divided_flat(vertices: np.ndarray, triangles: np.ndarray, numbers: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Triangles divided at the new corners of their sides, but for those that would fold over."""
    numbers = numbers.copy()
    while True:
        found, parents = divided(triangles, numbers[which])
        own, before = normals(vertices, found), normals(vertices, triangles)[parents]
        size = np.linalg.norm(own, axis=1) * np.linalg.norm(before, axis=1)
        folded = np.unique(parents[np.sum(own * before, axis=1) < FOLDED * size])
        folded = folded[np.any(numbers[which[folded]] >= 0, axis=1)]
        if not len(folded):
            return found
        numbers[which[folded]] = -1


def normals(vertices: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Normals of triangles, twice as long as their areas."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def halve(is_in: Test, within: np.ndarray, without: np.ndarray, times: int) -> np.ndarray:
    """Points of the boundary between points inside and outside."""
    for _ in range(times):
        middle = 0.5 * (within + without)
        inner = is_in(middle)[:, None]
        within, without = np.where(inner, middle, within), np.where(inner, without, middle)
    return within


def divided(triangles: np.ndarray, new: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Triangles with new corners on their sides ab, bc, ca (-1: none), in the same sense, and what each is part of."""
    count = (new >= 0).sum(axis=1)
    found, parents = [triangles[count == 0]], [np.flatnonzero(count == 0)]
    for many in (1, 2, 3):
        chosen = np.flatnonzero(count == many)
        own, mid = triangles[chosen], new[chosen]
        # rotate: with one new corner it lies on the first side, with two the last side is the one without
        first = np.argmax(mid >= 0, axis=1) if many == 1 else (np.argmax(mid < 0, axis=1) + 1) % 3
        order = (first[:, None] + np.arange(3)) % 3
        a, b, c = np.take_along_axis(own, order, axis=1).T
        ab, bc, ca = np.take_along_axis(mid, order, axis=1).T
        parts = {1: [(a, ab, c), (ab, b, c)], 2: [(ab, b, bc), (a, ab, bc), (a, bc, c)],
                 3: [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]}[many]  # fmt: skip
        found += [np.stack(part, axis=1) for part in parts]
        parents += [chosen] * len(parts)
    return np.concatenate(found), np.concatenate(parents)
