"""A moment of a machine as a picture: floor, shadow, machine, path."""

from collections.abc import Sequence

import numpy as np

from taut.views.film.camera import Camera
from taut.views.film.glass import Glass, blend, layers
from taut.views.film.triangles import Triangles, frame_triangles, shadow_triangles, together, trace_triangles
from taut.views.scene.colours import LIGHT, Theme
from taut.views.scene.frames import Frame
from taut.views.scene.machine import Machine

FINER = 2  # pixels drawn per pixel shown, in each direction
# height of shadow over lines, and of lines over floor, relative to the machine's size, so that none hides the next
LIFT = 4e-4


class Painter:
    """Draws moments of one machine from one place; floor and path are found once."""

    def __init__(
        self, machine: Machine, camera: Camera, theme: Theme = LIGHT, *, has_forces: bool = False, finer: int = FINER
    ) -> None:
        """Draw the floor.

        Args:
            machine: What to draw.
            camera: From where.
            theme: Colours of the background.
            has_forces: Whether to draw the cables' forces.
            finer: How much finer than the picture to draw.
        """
        self.machine, self.theme, self.has_forces = machine, theme, has_forces
        self.camera = Camera(camera.eye, camera.target, camera.angle, finer * camera.width, finer * camera.height)
        self.finer = finer
        shape = (finer * camera.height, finer * camera.width)
        self._image = np.zeros((*shape, 3), np.uint8)
        self._nearness = np.zeros(shape, np.float32)
        self._out = np.zeros((camera.height, camera.width, 3), np.uint8)
        self._begin()
        self._draw(floor_triangles(machine, theme))
        self._floor = self._image.copy(), self._nearness.copy()

    def draw(self, frame: Frame, path: np.ndarray | None = None, glass: Sequence[Glass] = ()) -> np.ndarray:
        """The picture of a moment as bytes, shape [height, width, 3].

        Args:
            frame: The moment.
            path: Points [m] of a line to draw.
            glass: Surfaces to see through, the outermost first.
        """
        np.copyto(self._image, self._floor[0])
        np.copyto(self._nearness, self._floor[1])
        triangles = frame_triangles(self.machine, frame, has_forces=self.has_forces)
        size = self.machine.size
        is_above = np.all(triangles.corners[..., 2] >= self.machine.ground - 0.02 * size, axis=1)
        standing = Triangles(triangles.corners[is_above], triangles.colours[is_above])
        parts = [shadow_triangles(standing, self.machine.ground + 2 * LIFT * size, self.theme), triangles]
        if path is not None:
            parts.append(trace_triangles(path, 0.0018 * size))
        self._draw(together(parts))
        for layer in layers(glass, self.camera.eye):
            blend(layer, self.camera, self._image, self._nearness)
        # imported here because it compiles code, which cameras alone do not need
        from taut.views.film.raster import shrink

        shrink(self._image, self.finer, self._out)
        return self._out.copy()

    def _begin(self) -> None:
        self._image[:] = in_bytes(np.array(self.theme.background))
        self._nearness[:] = 0.0

    def _draw(self, triangles: Triangles) -> None:
        from taut.views.film.raster import fill

        corners = self.camera.project(triangles.corners)
        is_seen = np.isfinite(corners).all(axis=(1, 2))
        fill(corners[is_seen], in_bytes(triangles.colours[is_seen]), self._image, self._nearness)


def in_bytes(colours: np.ndarray) -> np.ndarray:
    """Colours from 0 to 1 as bytes."""
    return (255.0 * np.clip(colours, 0.0, 1.0) + 0.5).astype(np.uint8)


def floor_triangles(machine: Machine, theme: Theme) -> Triangles:
    """A square floor with lines at round distances."""
    step = round_step(machine.size / 6.0)
    reach = 0.5 * np.max(machine.high[:2] - machine.low[:2]) + 0.35 * machine.size
    first = np.floor((machine.centre[:2] - reach) / step).astype(int)
    last = np.ceil((machine.centre[:2] + reach) / step).astype(int)
    half, lift = 0.0012 * machine.size, machine.ground + LIFT * machine.size
    slabs, lines = [], []
    for i in range(first[0], last[0]):
        slabs += [_sheet(i * step, j * step, (i + 1) * step, (j + 1) * step, machine.ground)
                  for j in range(first[1], last[1])]  # fmt: skip
    for i in range(first[0], last[0] + 1):
        lines += [_sheet(i * step - half, j * step, i * step + half, (j + 1) * step, lift)
                  for j in range(first[1], last[1])]  # fmt: skip
    for j in range(first[1], last[1] + 1):
        lines += [_sheet(i * step, j * step - half, (i + 1) * step, j * step + half, lift)
                  for i in range(first[0], last[0])]  # fmt: skip
    corners = np.concatenate([*slabs, *lines])
    is_slab = np.arange(len(corners)) < 2 * len(slabs)
    return Triangles(corners, np.where(is_slab[:, None], theme.ground, theme.line))


def round_step(length: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not longer [m]."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(max(power * factor for factor in (1.0, 2.0, 5.0) if power * factor <= length * (1 + 1e-9)))


def _sheet(x0: float, y0: float, x1: float, y1: float, z: float) -> np.ndarray:
    a, b, c, d = [x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]
    return np.array([[a, b, c], [a, c, d]])
