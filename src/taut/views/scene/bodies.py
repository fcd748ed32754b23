"""The mesh of a body in its own frame: its shape, or what its attachments suggest, and rods to what lies outside."""

from typing import Any

import numpy as np

from taut.views.scene.meshes import Mesh, box, cylinder, hull, joined, nothing, rod, sphere
from taut.views.scene.said import is_vector, part

ROD = 0.006  # radius of parts without thickness, relative to the machine's size
SMALL = 0.035  # side of a body without a shape, relative to the machine's size
OUTSIDE = 0.02  # points farther than this from a shape do not touch it, relative to the machine's size


def body_mesh(body: dict[str, Any], points: list[np.ndarray], size: float, thin: float = ROD) -> Mesh:
    """Draw a body.

    Args:
        body: What the scenario says of it.
        points: Where it is held, in its frame [m].
        size: Of the whole machine [m]; what has no thickness gets one in proportion.
        thin: Radius of a rod between two points, of the size.
    """
    com = body.get("com")
    centre = np.asarray(com, float) if is_vector(com) else np.zeros(3)
    shape = _shape(body, size)
    if shape is not None:
        shape = shape.moved(centre)
        return joined([shape, *rods_to(shape, centre, points, size)])
    return _without_shape(
        centre, _distinct(points, 1e-6 * size), size, thin * size, is_light=bool(body.get("massless"))
    )


def _shape(body: dict[str, Any], size: float) -> Mesh | None:
    """The shape that the scenario gives, about its centre."""
    if is_vector(body.get("box")):
        return box(body["box"])
    for key in ("cylinder", "tube", "sphere", "rod"):
        said = part(body, key)
        axis = said.get("axis", (0.0, 0.0, 1.0))
        if key == "sphere" and "radius" in said:
            return sphere(said["radius"])
        if key == "cylinder" and {"radius", "length"} <= set(said):
            return cylinder(max(said["radius"], ROD * size), said["length"], axis)
        if key == "tube" and {"inner", "outer", "length"} <= set(said):
            outer = max(said["outer"], 1.35 * ROD * size)
            return cylinder(outer, said["length"], axis, inner=said["inner"] / said["outer"] * outer)
        if key == "rod" and "length" in said:
            return cylinder(ROD * size, said["length"], axis)
    return None


def rods_to(shape: Mesh, centre: np.ndarray, points: list[np.ndarray], size: float) -> list[Mesh]:
    """A thin rod to each point of attachment that the shape does not reach."""
    low, high = shape.vertices.min(axis=0), shape.vertices.max(axis=0)
    found = []
    for point in points:
        beyond = np.linalg.norm(np.maximum(0.0, np.maximum(low - point, point - high)))
        if beyond > OUTSIDE * size:
            found.append(rod(point, centre, 0.5 * ROD * size))
    return found


def _without_shape(centre: np.ndarray, apart: np.ndarray, size: float, thin: float, *, is_light: bool) -> Mesh:
    """A plate through three or more points, a rod through two, else a small box at the centre of mass."""
    if len(apart) >= 3 and np.linalg.matrix_rank(apart - apart.mean(axis=0), tol=1e-3 * size) >= 2:
        return hull(apart, 2.0 * ROD * size)
    if len(apart) == 2 and _distance(centre, apart) < 0.1 * np.linalg.norm(apart[1] - apart[0]):
        return rod(apart[0], apart[1], thin)
    ends = [point for point in apart if np.linalg.norm(point - centre) > 0.5 * SMALL * size]
    rods = [rod(point, centre, thin) for point in ends]
    if is_light:
        return joined(rods) if rods else nothing()
    return joined([box([SMALL * size] * 3).moved(centre), *rods])


def _distance(point: np.ndarray, ends: np.ndarray) -> float:
    """How far a point is from the line between two others [m]."""
    along = ends[1] - ends[0]
    share = np.clip((point - ends[0]) @ along / (along @ along), 0.0, 1.0)
    return float(np.linalg.norm(point - ends[0] - share * along))


def _distinct(points: list[np.ndarray], distance: float) -> np.ndarray:
    kept: list[np.ndarray] = []
    for point in points:
        if all(np.linalg.norm(point - other) > distance for other in kept):
            kept.append(point)
    return np.array(kept).reshape(-1, 3)
