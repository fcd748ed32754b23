"""A number for every cable: bars at one pose, curves along many."""

from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from taut.results.errors import ResultError, from_os_error
from taut.views.plots.style import COLOURS, DASHES, LIMIT_COLOUR, SETTINGS

PICTURES = (".png", ".svg", ".pdf")
MOST_BARS = 12  # most bars of a figure; of more cables, those with the smallest values are shown


def draw_cables(data: xr.Dataset, variable: str, path: Path, *, over: str = "cable") -> None:
    """Write a figure of a variable by pose and cable (or pair); the suffix of the path says the format."""
    import matplotlib
    from matplotlib.figure import Figure

    values, names = data[variable], [str(name) for name in data[over].values]
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(6.8, 3.4), layout="constrained")
        axis = figure.subplots()
        if values.sizes["pose"] == 1:
            shown = np.argsort(values.values[0])[:MOST_BARS] if len(names) > MOST_BARS else np.arange(len(names))
            axis.bar([names[i] for i in shown], values.values[0][shown], color=COLOURS[0], width=0.6)
            axis.grid(axis="x", visible=False)
            axis.margins(x=0.05)
        else:
            _curves(axis, data, values, names)
        _limits(axis, data, variable)
        axis.set_ylabel(f"{values.attrs['long_name']} [{values.attrs['units']}]")
        figure.suptitle(str(data.attrs["title"]))
        _save(figure, path)


def _curves(axis: Any, data: xr.Dataset, values: xr.DataArray, names: list[str]) -> None:
    """One curve per cable; of many pairs only those with the smallest distances."""
    x = data["time"].values if "time" in data else np.arange(values.sizes["pose"])
    shown = np.arange(len(names))
    if len(names) > MOST_BARS:
        shown = np.sort(np.argsort(values.values.min(axis=0))[:8])
    for k, i in enumerate(shown):
        axis.plot(x, values.values[:, i], color=COLOURS[k % len(COLOURS)], linestyle=DASHES[k // len(COLOURS) % 4],
                  label=names[i])  # fmt: skip
    axis.set_xlabel("time [s]" if "time" in data else "pose")
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def _limits(axis: Any, data: xr.Dataset, variable: str) -> None:
    if variable != "cable_tension" or "tension_limit" not in data:
        return
    for value in np.unique(data["tension_limit"].values):
        # leave out limits far above the curves, which would press these flat
        if np.isfinite(value) and value <= 1.5 * np.nanmax(np.append(data[variable].values, 0.0)) or value == 0.0:
            axis.axhline(value, color=LIMIT_COLOUR, linewidth=1.0, linestyle="--")


def draw_bars(names: list[str], values: np.ndarray, labels: tuple[str, str], path: Path) -> None:
    """Bars with a title and an axis label."""
    import matplotlib
    from matplotlib.figure import Figure

    title, label = labels
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(6.0, 3.2), layout="constrained")
        axis = figure.subplots()
        axis.bar(names, values, color=COLOURS[0], width=0.6)
        axis.grid(axis="x", visible=False)
        axis.margins(x=0.05)
        if not np.any(values):
            # without a height matplotlib would centre the axis around zero
            axis.set_ylim(0.0, 1.0)
        axis.set_ylabel(label)
        figure.suptitle(title)
        _save(figure, path)


def draw_pairs(values: dict[str, np.ndarray], labels: tuple[str, str], path: Path, *, names: Any = None) -> None:
    """Bars side by side, by name or by the number of the mode, with a legend."""
    import matplotlib
    from matplotlib.figure import Figure

    title, label = labels
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(6.8, 3.4), layout="constrained")
        axis = figure.subplots()
        width = 0.8 / len(values)
        for k, (name, numbers) in enumerate(values.items()):
            places = np.arange(1, len(numbers) + 1) + (k - 0.5 * (len(values) - 1)) * width
            axis.bar(places, numbers, width=0.9 * width, color=COLOURS[k], label=name)
        axis.set_xticks(np.arange(1, 1 + max(len(numbers) for numbers in values.values())), names)
        axis.grid(axis="x", visible=False)
        axis.set_xlabel("mode" if names is None else "")
        axis.margins(x=0.03)
        axis.set_ylabel(label)
        axis.legend(loc="best")
        figure.suptitle(title)
        _save(figure, path)


def _save(figure: Any, path: Path) -> None:
    if path.suffix.lower() not in PICTURES:
        raise ResultError(path, "has an ending that is not known", f"use {', '.join(PICTURES)}")
    try:
        figure.savefig(path)
    except OSError as error:
        raise from_os_error(path, error, "cannot be written") from error
