"""A workspace in space as something to look at: its boundary and surfaces of equal margin, in bands of colour."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from taut.results.errors import ResultError
from taut.results.record import WORKSPACE_FORMAT
from taut.results.result import Result
from taut.results.store import open_dataset
from taut.views.robots.bands import band_colours, band_levels, cut_bands, largest_margin
from taut.views.scene.machine import Machine
from taut.views.scene.said import is_vector, read_said, said_cables

NEEDED = ("margin", "inside", "exit_point", "cable_nodes", "body_position", "body_quaternion")
SURFACE = ("surface_vertex", "surface_triangle", "surface_margin", "shell_vertex", "shell_triangle", "shell_margin")
OUTER, INNER = 0.26, 0.32  # opacities of the boundary, and of surfaces of equal margin inside it
SAME = 1e-6  # exits closer than this count as one, relative to the extent of all
MAKE = "taut workspace FILE ... -o FILE.nc makes one"


@dataclass(frozen=True)
class Sheet:
    """Triangles of one colour."""

    name: str
    surface: str  # name of the surface that the triangles are part of
    # positions [m], shape [n, 3, 3], counter-clockwise as seen from the side where the margin is less
    corners: np.ndarray
    colour: np.ndarray  # red, green, blue from 0 to 1
    opacity: float


@dataclass(frozen=True)
class Shape:
    """The sheets of a workspace, from the outermost to the innermost, and their legend."""

    sheets: list[Sheet]
    levels: np.ndarray  # edges of the bands of margin, in ``unit``
    unit: str
    kind: str
    low: np.ndarray  # lower corner of the box around all sheets [m]
    high: np.ndarray

    @property
    def colours(self) -> np.ndarray:
        """Colours of the bands between the levels, shape [n_bands, 3]."""
        return band_colours(self.levels)

    @property
    def words(self) -> str:
        """Which surfaces are there: the boundary, and where the margin has which values."""
        names = dict.fromkeys(sheet.surface for sheet in self.sheets if sheet.surface != "surface")
        shown = " and ".join(f"{self.levels[int(name.split()[1])]:g}" for name in names)
        return f"boundary, and where the margin is {shown} {self.unit}" if shown else "boundary"


def open_workspace(path: str | Path) -> xr.Dataset:
    """Read the file of a workspace.

    Raises:
        ResultError: it is no such file, is damaged, or lacks something.
    """
    with open_dataset(path, WORKSPACE_FORMAT) as opened:
        try:
            data = opened.load()
        except (OSError, RuntimeError, ValueError) as error:
            raise ResultError(path, "is a damaged or incomplete HDF5 file", MAKE) from error
    missing = [name for name in NEEDED if name not in data]
    if missing:
        raise ResultError(path, f"is damaged: it has no {', '.join(missing)}", MAKE)
    data.attrs["file"] = str(path)
    return data


def has_surface(data: xr.Dataset) -> bool:
    """Whether there is a boundary to draw."""
    return all(name in data for name in SURFACE) and data.sizes["triangle"] > 0


def read_shape(data: xr.Dataset) -> Shape:
    """The sheets of a workspace.

    Raises:
        ResultError: it is empty, or lies in a plane, or its boundary was not asked for.
    """
    where, inside = data.attrs.get("file", ""), data["inside"].values
    if data["margin"].ndim < 3:
        remedy = "`taut workspace ... -o FILE.png` draws a slice; give --region ranges of x, y and z for a surface"
        raise ResultError(where, "is a workspace in a plane: it has no surface", remedy)
    if not all(name in data for name in SURFACE):
        raise ResultError(where, "has no surface", "repeat `taut workspace` with --surface")
    if not has_surface(data):
        remedy = "widen --region, refine --grid, or ask for less (--wrench, --limits)"
        raise ResultError(where, "is an empty workspace: no point of its region is inside", remedy)
    levels = band_levels(largest_margin(data["margin"].values, inside))
    sheets = [
        *_sheets(data, "surface", levels, OUTER),
        *_sheets(data, "shell", levels, INNER),
    ]
    vertices = data["surface_vertex"].values
    unit, kind = data["margin"].attrs["units"], str(data.attrs["kind"])
    return Shape(sheets, levels, unit, kind, vertices.min(axis=0), vertices.max(axis=0))


def _sheets(data: xr.Dataset, name: str, levels: np.ndarray, opacity: float) -> list[Sheet]:
    """Triangles of a mesh by their band."""
    triangles = data[f"{name}_triangle"].values.astype(int)
    vertices, values = data[f"{name}_vertex"].values, data[f"{name}_margin"].values
    if triangles.size and not (
        0 <= triangles.min() and triangles.max() < len(vertices) and np.isfinite(vertices).all()
    ):
        raise ResultError(data.attrs.get("file", ""), "is damaged: triangles of corners that are not there", MAKE)
    corners, bands = cut_bands(vertices[triangles], np.nan_to_num(values)[triangles], levels)
    colours = band_colours(levels)
    # a surface of equal margin lies in one band; the boundary has several bands where it ends at the edge of the region
    return [Sheet(f"{name} {k}", name if name == "surface" else f"{name} {k}", corners[bands == k], colours[k], opacity)
            for k in np.unique(bands)]  # fmt: skip


def around(machine: Machine, shape: Shape) -> Machine:
    """The machine with an extent that has room for the workspace, and the floor below it."""
    low, high = np.minimum(machine.low, shape.low), np.maximum(machine.high, shape.high)
    return replace(machine, low=low, high=high, ground=min(machine.ground, float(shape.low[2])))


def check_belongs(data: xr.Dataset, result: Result) -> None:
    """Refuse a workspace whose cables are not those of the result's machine.

    Raises:
        ResultError: which cable differs, and how.
    """
    said, where = said_cables(read_said(result)), data.attrs.get("file", "")
    exits = data["exit_point"].values
    near = SAME * float(np.max(np.ptp(exits, axis=0), initial=1.0))
    remedy = f"its robot is {data.attrs.get('robot', 'unknown')}; {MAKE} of this machine"
    for name, exit in zip(data["cable"].values, exits, strict=True):
        cable = said.get(str(name))
        if cable is None:
            raise ResultError(where, f"is the workspace of another robot: {result.title} has no cable {name}", remedy)
        there = _exit(cable)
        if there is not None and np.linalg.norm(there - exit) > near:
            words = f"its cable {name} leaves from {_text(exit)}, that of {result.title} from {_text(there)}"
            raise ResultError(where, f"is the workspace of another robot: {words}", remedy)


def _exit(cable: dict[str, Any]) -> np.ndarray | None:
    """The exit in the world [m]; none where it is on a body or a driver."""
    point = cable.get("exit")
    is_fixed = not (cable.get("exit_body") or cable.get("driver"))
    return np.asarray(point, float) if is_fixed and is_vector(point) else None


def _text(place: np.ndarray) -> str:
    return f"({', '.join(f'{x:.6g}' for x in place)}) m"
