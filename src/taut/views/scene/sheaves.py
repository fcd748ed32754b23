"""Wheels over which ropes run: on their bodies, or standing still in the world; those that swivel are small balls."""

from typing import Any

import numpy as np

from taut.views.scene.meshes import Mesh, cylinder, frame_along, joined, revolved, sphere
from taut.views.scene.said import is_vector, said_cables

HUB = 0.35  # radius of the hub that is drawn for a swivelling wheel, relative to the wheel's


def read_sheaves(said: dict[str, Any]) -> dict[str, Mesh]:
    """Meshes of the sheaves on every body, in its frame; those of the world under its name."""
    found: dict[str, list[Mesh]] = {}
    for cable in said_cables(said).values():
        via = cable.get("via")
        for guide in via if isinstance(via, list) else []:
            if isinstance(guide, dict) and isinstance(guide.get("radius"), int | float):
                found.setdefault(str(guide.get("body", "world")), []).append(_wheel(guide))
    return {body: joined(meshes) for body, meshes in found.items()}


def _wheel(guide: dict[str, Any]) -> Mesh:
    """A grooved wheel with its axle."""
    r, point, axis = float(guide["radius"]), guide.get("point"), guide.get("axis")
    place = np.asarray(point if is_vector(point) else (0.0, 0.0, 0.0), float)
    if not is_vector(axis) or axis is None:
        return sphere(HUB * r).moved(place)
    rings = [(0.0, -0.5), (1.12 * r, -0.5), (0.95 * r, 0.0), (1.12 * r, 0.5), (0.0, 0.5)]
    wheel = revolved(rings, 0.3 * r).turned(frame_along(np.asarray(axis, float)))
    return joined([wheel, cylinder(0.12 * r, 0.7 * r, tuple(float(a) for a in axis))]).moved(place)
