"""Surfaces one can see through, over a picture that is drawn: layer by layer, each with its own depth."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from taut.views.film.camera import Camera
from taut.views.film.triangles import Triangles, light_on


@dataclass(frozen=True)
class Glass:
    """Triangles of one opacity, counter-clockwise seen from outside."""

    triangles: Triangles
    opacity: float


def layers(panes: Sequence[Glass], eye: np.ndarray) -> list[Glass]:
    """Far sides from the outermost pane to the innermost, then near sides from the innermost to the outermost."""
    sides = [sides_of(pane, eye) for pane in panes]
    return [far for far, _ in sides] + [near for _, near in reversed(sides)]


def sides_of(pane: Glass, eye: np.ndarray) -> tuple[Glass, Glass]:
    """Triangles that turn their backs to the eye, and those that face it."""
    corners = pane.triangles.corners
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    is_near = np.sum(normal * (eye - corners[:, 0]), axis=1) > 0.0
    parts = [Triangles(corners[which], pane.triangles.colours[which]) for which in (~is_near, is_near)]
    return Glass(parts[0], pane.opacity), Glass(parts[1], pane.opacity)


def lit(corners: np.ndarray, colours: np.ndarray) -> Triangles:
    """Triangles in a soft light: their colours must stay those of the legend."""
    bright = 0.7 + 0.3 * light_on(corners)
    return Triangles(corners, colours * bright[:, None])


def blend(layer: Glass, camera: Camera, image: np.ndarray, nearness: np.ndarray) -> None:
    """Lay a layer over a picture in bytes, where nothing opaque is nearer."""
    from taut.views.film.picture import in_bytes
    from taut.views.film.raster import fill

    corners = camera.project(layer.triangles.corners)
    is_seen = np.isfinite(corners).all(axis=(1, 2))
    own, own_nearness = image.copy(), nearness.copy()
    fill(corners[is_seen], in_bytes(layer.triangles.colours[is_seen]), own, own_nearness)
    covered = own_nearness > nearness
    mixed = (1.0 - layer.opacity) * image[covered] + layer.opacity * own[covered]
    image[covered] = (mixed + 0.5).astype(np.uint8)
