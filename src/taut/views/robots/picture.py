"""A workspace around its machine as a picture, by the renderer of films."""

import numpy as np
import xarray as xr

from taut.results.result import Result
from taut.views.film.camera import camera_for
from taut.views.film.glass import Glass, lit
from taut.views.film.picture import Painter
from taut.views.film.triangles import Triangles, together
from taut.views.robots.shape import Shape, around
from taut.views.scene.machine import Machine, read_machine

SIZE = (900, 620)  # size of the picture [pixels]


def still_machine(data: xr.Dataset) -> Machine:
    """The robot of a workspace, at its start."""
    return read_machine(Result(data))


def workspace_picture(machine: Machine, shape: Shape, size: tuple[int, int] = SIZE, preset: str = "iso") -> np.ndarray:
    """The machine at its first moment inside its workspace, as bytes, shape [height, width, 3]."""
    wide = around(machine, shape)
    painter = Painter(wide, camera_for(wide, *size, preset))
    return painter.draw(wide.frames.sample(0), glass=panes(shape))


def panes(shape: Shape) -> list[Glass]:
    """The boundary with all its bands as one pane, then every surface of equal margin."""
    found: dict[str, list[Triangles]] = {}
    opacity = {}
    for sheet in shape.sheets:
        key = sheet.surface
        colours = np.broadcast_to(sheet.colour, (len(sheet.corners), 3))
        found.setdefault(key, []).append(lit(sheet.corners, colours))
        opacity[key] = sheet.opacity
    return [Glass(together(parts), opacity[key]) for key, parts in found.items()]
