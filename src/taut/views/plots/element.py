"""Tension along the cables, element by element, and how many elements of each carry none."""

import numpy as np
import xarray as xr

from taut.results.result import Result
from taut.views.plots.sheet import Curve, Panel, Sheet

SMALLEST = 1e-6  # smallest span of a vertical axis [N]
MOST_CABLES = 6  # largest number of cables on a sheet
MOST_CURVES = 8  # largest number of curves in a panel


def element_sheets(result: Result) -> list[Sheet]:
    """Tensions of the elements, a panel for each cable; from exit to anchor, at most a few of them."""
    if "cable_tension" not in result:
        return []
    tension = result["cable_tension"].transpose("time", "cable", "element")
    names = [str(cable) for cable in tension["cable"].values]
    sheets = []
    for number, first in enumerate(range(0, len(names), MOST_CABLES), 1):
        panels = [_panel(tension, k, names[k]) for k in range(first, min(first + MOST_CABLES, len(names)))]
        name = "element-tension" if number == 1 else f"element-tension-{number}"
        sheets.append(Sheet(name, "Tension along the cables", panels))
    return sheets


def slack_sheets(result: Result) -> list[Sheet]:
    """Number of slack elements of each cable, if there ever is one."""
    if "cable_slack" not in result:
        return []
    slack = result["cable_slack"].transpose("time", "cable", "element")
    counts = slack.values.sum(axis=2)
    if not counts.any():
        return []
    names = [str(cable) for cable in slack["cable"].values]
    curves = [Curve(name, slack["time"].values, counts[:, k].astype(float)) for k, name in enumerate(names)]
    return [Sheet("slack", "Slack elements", [Panel("slack elements", curves, is_integer=True, smallest_span=1.0)])]


def _panel(tension: xr.DataArray, k: int, name: str) -> Panel:
    values, time = tension.isel(cable=k).values, tension["time"].values
    count = int(np.sum(~np.all(np.isnan(values), axis=0)))
    shown = np.unique(np.linspace(0, count - 1, min(count, MOST_CURVES)).round().astype(int))
    return Panel(f"{name} [N]", [Curve(f"element {j + 1}", time, values[:, j]) for j in shown], smallest_span=SMALLEST)
