"""Joint coordinates and their rates, and the multipliers of the constraints; what belongs to cables is left out."""

from collections.abc import Sequence

import numpy as np
import xarray as xr

from taut.results.result import Result
from taut.views.plots.sheet import Curve, Panel, Sheet

SMALLEST = 1e-9  # smallest span of a vertical axis, in each unit
CURVES = 8  # most curves of a panel
PANELS = 4  # most panels of a sheet
MOST = 96  # most curves of all sheets; the states of a larger machine are better looked at body by body
JOINTS = {
    "joint_position": ("coordinate", "joint positions [m, rad]"),
    "joint_velocity": ("column", "joint velocities [m/s, rad/s]"),
    "joint_acceleration": ("column", "joint accelerations [m/s$^2$, rad/s$^2$]"),
}


def joint_sheets(result: Result) -> list[Sheet]:
    """Positions, velocities and accelerations of the joints of bodies."""
    return [
        sheet
        for name, (dim, label) in JOINTS.items()
        if name in result
        for sheet in _sheets(result, result[name], dim, (name.replace("_", "-"), label))
    ]


def multiplier_sheets(result: Result) -> list[Sheet]:
    """Forces and torques of the closures between bodies; the ends of cables are in the group `force`."""
    if "multiplier" not in result:
        return []
    return _sheets(result, result["multiplier"], "row", ("multiplier", "multipliers [N, N m]"))


def _sheets(result: Result, array: xr.DataArray, dim: str, texts: tuple[str, str]) -> list[Sheet]:
    name, label = texts
    chosen = _chosen(result, [str(entry) for entry in array[dim].values]) if dim in array.coords else []
    if not chosen or len(chosen) > MOST:
        return []
    values, time = array.transpose("time", dim).values, array["time"].values
    names = [str(entry) for entry in array[dim].values]
    curves = [Curve(names[k], time, values[:, k]) for k in chosen]
    what, unit = label.split(" [")
    parts = _parts(curves, CURVES)
    labels = [label] if len(parts) == 1 else [f"{what}, {n} [{unit}" for n in range(1, len(parts) + 1)]
    panels = [Panel(text, part, smallest_span=SMALLEST) for text, part in zip(labels, parts, strict=True)]
    pages = _parts(panels, PANELS)
    return [Sheet(name if n == 1 else f"{name}-{n}", what.capitalize(), page) for n, page in enumerate(pages, 1)]


def _chosen(result: Result, names: Sequence[str]) -> list[int]:
    """Which entries belong to no cable; where the names do not tell, none of a machine with cables."""
    cables = {str(cable) for cable in result.dataset["cable"].values} if "cable" in result.dataset.coords else set()
    if cables and not any("." in name for name in names):
        return []
    return [k for k, name in enumerate(names) if name.split(".")[0] not in cables]


def _parts(entries: Sequence, count: int) -> list[Sequence]:
    """The entries in parts of nearly equal length, none longer than asked."""
    number = -(-len(entries) // count)
    edges = np.linspace(0, len(entries), number + 1).round().astype(int)
    return [entries[a:b] for a, b in zip(edges, edges[1:], strict=False)]
