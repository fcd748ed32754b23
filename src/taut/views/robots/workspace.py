"""The figure of a workspace: its boundary around the machine, and three slices."""

import json
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np
import xarray as xr

from taut.results.errors import from_os_error
from taut.views.plots.style import COLOURS, SETTINGS
from taut.views.robots.bands import band_colours, band_levels, largest_margin
from taut.views.robots.picture import still_machine, workspace_picture
from taut.views.robots.shape import has_surface, read_shape
from taut.views.robots.slices import levelled, slices

BOUNDARY = "#20242a"
PLAIN = {**SETTINGS, "axes.grid": False}  # settings of matplotlib for these figures
WIDTH, TALL = 10.0, 4.6  # width of a figure of three slices, and height of the picture above them [inches]
PICTURE_DPI = 200
MARGINS = {"wrench-feasible": "capacity margin", "static": "capacity margin", "wrench-closure": "closure",
           "interference-free": "distance to spare", "speed": "speed to spare",
           "stiffness": "stiffness to spare"}  # fmt: skip


def draw_workspace(data: xr.Dataset, path: Path) -> None:
    """Write the figure of a workspace; the suffix of the path says the format."""
    import matplotlib

    with matplotlib.rc_context(PLAIN):
        figure = workspace_figure(data)
        try:
            figure.savefig(path)
        except OSError as error:
            raise from_os_error(path, error, "cannot be written") from error


def workspace_figure(data: xr.Dataset, *, has_title: bool = True, has_picture: bool = True) -> Any:
    """Slices with the margin as colour; in space also the boundary around the machine."""
    levels = band_levels(largest_margin(data["margin"].values, data["inside"].values))
    count, parts = data["margin"].ndim, slices(data)
    is_drawn = has_picture and count == 3 and has_surface(data)
    figure, axes = _sheet(data, has_picture=is_drawn) if count == 3 else _single(count)
    kind = str(data.attrs["kind"])
    images = [_slice(axis, part, levels, kind) for axis, part in zip(axes, parts, strict=False)]
    if count == 3:
        _mark_slices(axes, parts)
    if is_drawn:
        _picture(axes[3], data)
    image = next((image for image in images if image is not None), None)
    if image is not None:
        label = f"{margin_name(data)} [{data['margin'].attrs['units']}]"
        figure.colorbar(image, ax=axes[:3], label=label, location="bottom", shrink=0.6, aspect=45, ticks=levels)
    if has_title:
        figure.suptitle(title_of(data))
        figure.supxlabel("\n".join(wrap(asked(data), 105)), fontsize=7.5, color="#5d6672")
    return figure


def margin_name(data: xr.Dataset) -> str:
    """Name of the field of a kind of workspace."""
    return MARGINS.get(str(data.attrs["kind"]), "margin")


def title_of(data: xr.Dataset) -> str:
    """Title of a workspace: robot, kind and size."""
    return f"{data.attrs.get('robot', data.attrs['title'])}: {data.attrs['kind']} workspace\n{size_text(data)}"


def size_text(data: xr.Dataset) -> str:
    """A workspace's volume with its uncertainty, or else the number of grid points inside."""
    if "volume" not in data.attrs:
        return f"{int(data['inside'].sum())} of {data['inside'].size} grid points inside"
    value, spread = float(data.attrs["volume"]), float(data.attrs["uncertainty"])
    unit = {1: "m", 2: "m²", 3: "m³"}[data["margin"].ndim]
    # round to as many decimals as the uncertainty has when written with two digits
    decimals = max(0, 1 - int(np.floor(np.log10(spread)))) if spread > 0.0 else 6
    return f"{value:.{min(decimals, 9)}f} ± {spread:.2g} {unit}"


def question_of(data: xr.Dataset) -> dict[str, str]:
    """The question that a workspace answers, part by part."""
    try:
        said = json.loads(data.attrs.get("question", "{}"))
    except ValueError:
        said = {}
    return {str(key): str(text) for key, text in said.items()} if isinstance(said, dict) else {}


def asked(data: xr.Dataset) -> str:
    """The question that a workspace answers, in one line."""
    said = question_of(data)
    first = said.pop("kind", "").partition(": ")[2]
    parts = [
        f"{key}: {said[key]}" for key in ("tension limits", "platform", "obstacles", "orientations") if key in said
    ]
    return "; ".join([first[:1].upper() + first[1:], *parts]) + "." if first else ""


def _sheet(data: xr.Dataset, *, has_picture: bool) -> tuple[Any, list[Any]]:
    """Three slices to one scale in a row, and above them the picture; axes in this order."""
    from matplotlib.figure import Figure

    x, y, z = (float(np.ptp(data[name].values)) for name in ("x", "y", "z"))
    widths = [x, y, x]
    # limit the height of the slices, so that a tower's rows and a hall's columns both stay readable
    low = float(np.clip(WIDTH * max(y, z) / sum(widths), 2.2, 6.0)) + 0.6
    heights = [TALL, low] if has_picture else [low]
    figure = Figure(figsize=(WIDTH, sum(heights) + (1.5 if has_picture else 0.6)), layout="constrained")
    grid = figure.add_gridspec(len(heights), 3, width_ratios=widths, height_ratios=heights)
    row = [figure.add_subplot(grid[len(heights) - 1, k]) for k in range(3)]
    return figure, [*row, figure.add_subplot(grid[0, :])] if has_picture else row


def _single(dimensions: int) -> tuple[Any, list[Any]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 5.2 if dimensions == 2 else 3.6), layout="constrained")
    return figure, [figure.subplots()]


def _slice(axis: Any, part: xr.DataArray, levels: np.ndarray, kind: str) -> Any:
    names = [str(name) for name in part.dims]
    fixed = [str(name) for name in part.coords if name in ("x", "y", "z") and name not in names]
    axis.set_title(", ".join(f"{name} = {float(part[name]):.3g} m" for name in fixed))
    axis.set_xlabel(f"{names[0]} [m]")
    if len(names) == 1:
        axis.plot(part[names[0]].values, part.values, color=COLOURS[0])
        axis.axhline(0.0, color="black", linewidth=0.6)
        axis.set_ylabel(f"margin [{part.attrs['units']}]")
        return None
    x, y = part[names[0]].values, part[names[1]].values
    axis.set_ylabel(f"{names[1]} [m]")
    axis.set_aspect("equal")
    axis.set_xlim(x[0], x[-1])
    axis.set_ylim(y[0], y[-1])
    smooth, edge = levelled(part.values, kind)
    if not (edge >= 0.0).any():
        axis.text(0.5, 0.5, "nothing inside", transform=axis.transAxes, ha="center", va="center", color=BOUNDARY)
        return None
    # a finer slice may find a little more than the grid that the levels come from
    image = axis.contourf(x, y, np.minimum(smooth, levels[-1]).T, levels=levels, colors=list(band_colours(levels)))
    if (edge < 0.0).any():
        axis.contourf(x, y, edge.T, levels=[2.0 * edge.min(), 0.0], colors=["white"])
        axis.contour(x, y, edge.T, levels=[0.0], colors=[BOUNDARY], linewidths=1.2)
    return image


def _mark_slices(axes: list[Any], parts: list[xr.DataArray]) -> None:
    """Thin lines in every slice where the others cut it."""
    at = {name: float(part[name]) for part in parts for name in "xyz" if name not in part.dims}
    style = {"color": "white", "linewidth": 0.7, "linestyle": (0, (5, 4)), "alpha": 0.8}
    for axis, part in zip(axes, parts, strict=False):
        across, up = (str(name) for name in part.dims)
        axis.axvline(at[across], **style)
        axis.axhline(at[up], **style)


def _picture(axis: Any, data: xr.Dataset) -> None:
    """The boundary around the machine."""
    figure = axis.figure
    box = axis.get_subplotspec().get_position(figure)
    wide, tall = (int(PICTURE_DPI * inches) for inches in figure.get_size_inches() * [box.width, box.height])
    shape = read_shape(data)
    axis.imshow(workspace_picture(still_machine(data), shape, (wide, tall)))
    axis.set_axis_off()
    axis.set_title(shape.words)
