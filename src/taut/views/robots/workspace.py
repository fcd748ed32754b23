"""A workspace: slices through its middle with the margin as colour, and its surface between the exits."""

from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from taut.results.errors import from_os_error
from taut.views.plots.style import COLOURS, SETTINGS

SHADES = "viridis"
LEVELS = 13


def draw_workspace(data: xr.Dataset, path: Path) -> None:
    """Write the figure of a workspace; the suffix of the path says the format."""
    import matplotlib
    from matplotlib.figure import Figure

    names = [str(name) for name in data["margin"].dims]
    has_surface = "surface_triangle" in data and data.sizes.get("triangle", 0) > 0
    slices = _slices(data, names)
    count = len(slices) + has_surface
    with matplotlib.rc_context({**SETTINGS, "axes.grid": False}):
        columns = min(count, 2)
        rows = -(-count // columns)
        figure = Figure(figsize=(4.4 * columns + 0.6, 3.5 * rows + 0.3), layout="constrained")
        top = float(np.nanmax(np.where(data["inside"].values, data["margin"].values, np.nan), initial=0.0)) or 1.0
        image, flat = None, []
        for k, (title, part) in enumerate(slices):
            axis = figure.add_subplot(rows, columns, k + 1)
            image = _slice(axis, part, title, top)
            flat.append(axis)
        if has_surface:
            _surface(figure.add_subplot(rows, columns, count, projection="3d"), data)
        if image is not None:
            unit = data["margin"].attrs["units"]
            label = f"{data.attrs['kind']} margin [{unit}]"
            figure.colorbar(image, ax=flat, label=label, location="bottom", shrink=0.6, aspect=40)
        figure.suptitle(_title(data))
        try:
            figure.savefig(path)
        except OSError as error:
            raise from_os_error(path, error, "cannot be written") from error


def _title(data: xr.Dataset) -> str:
    share = f"{int(data['inside'].sum())} of {data['inside'].size} grid points inside"
    if "volume" in data.attrs:
        unit = {1: "m", 2: "m²", 3: "m³"}[data["margin"].ndim]
        share = f"{data.attrs['volume']:.5g} ± {data.attrs['uncertainty']:.1g} {unit}"
    return f"{data.attrs['title']}\n{share}"


def _slices(data: xr.Dataset, names: list[str]) -> list[tuple[str, xr.Dataset]]:
    """The whole field in a plane; in space three planes through the middle of what is inside."""
    field = data[["margin", "inside"]]
    if len(names) < 3:
        return [("", field)]
    inside = field["inside"].values
    found = []
    for axis in (2, 1, 0):
        others = tuple(k for k in range(3) if k != axis)
        counts = inside.sum(axis=others)
        k = int(np.round(np.average(np.arange(len(counts)), weights=counts))) if counts.any() else len(counts) // 2
        name = names[axis]
        found.append((f"{name} = {float(data[name].values[k]):.3g} m", field.isel({name: k})))
    return found


def _slice(axis: Any, part: xr.Dataset, title: str, top: float) -> Any:
    names = [str(name) for name in part["margin"].dims]
    axis.set_title(title)
    axis.set_xlabel(f"{names[0]} [m]")
    if len(names) == 1:
        axis.plot(part[names[0]].values, part["margin"].values, color=COLOURS[0])
        axis.axhline(0.0, color="black", linewidth=0.6)
        return None
    x, y = part[names[0]].values, part[names[1]].values
    smooth = np.nan_to_num(part["margin"].values, nan=-top, neginf=-top)
    image = axis.contourf(x, y, smooth.T, levels=np.linspace(0.0, top, LEVELS), cmap=SHADES)
    if (smooth < 0.0).any() and (smooth > 0.0).any():
        axis.contour(x, y, smooth.T, levels=[0.0], colors=[COLOURS[1]], linewidths=1.2)
    axis.set_ylabel(f"{names[1]} [m]")
    axis.set_aspect("equal")
    return image


def _surface(axis: Any, data: xr.Dataset) -> None:
    vertices, triangles, exits = (data[name].values for name in ("surface_vertex", "surface_triangle", "exit_point"))
    axis.plot_trisurf(*vertices.T, triangles=triangles, color=COLOURS[0], alpha=0.55, linewidth=0.0, shade=True)
    axis.scatter(*exits.T, color=COLOURS[1], s=14, depthshade=False)
    both = np.vstack([vertices, exits])
    axis.set_box_aspect(np.maximum(np.ptp(both, axis=0), 1e-9), zoom=0.9)
    for name in "xyz":
        axis.locator_params(axis=name, nbins=5 if name != "z" else 3)
    axis.set_xlabel("x [m]")
    axis.set_ylabel("y [m]")
    axis.set_zlabel("z [m]")
    axis.tick_params(labelsize=6)
    axis.set_title("boundary, and the exits")
