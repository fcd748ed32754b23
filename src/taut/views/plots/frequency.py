"""Natural frequencies along a motion (as [Wang2018, Fig. 9])."""

from pathlib import Path
from typing import Any

import numpy as np

from taut.views.plots.draw import draw_sheets, save_figure
from taut.views.plots.sheet import Curve, Panel, Sheet
from taut.views.plots.style import STYLES


def frequency_sheet(found: dict[str, Any]) -> Sheet:
    """A panel for every family of modes: angular frequencies of its members over time.

    Args:
        found: ``name``, ``times`` [s], ``frequencies`` [Hz] and ``families`` by time and mode.
    """
    times, families = np.array(found["times"]), found["families"]
    omega = 2 * np.pi * np.array(found["frequencies"])
    panels = []
    for family in dict.fromkeys(name for row in families for name in row):
        is_member = np.array([[name == family for name in row] for row in families])
        x = np.broadcast_to(times[:, None], omega.shape)[is_member]
        panels.append(Panel(f"{family} [rad/s]", [Curve(family, x, omega[is_member], "points")]))
    return Sheet("frequency", f"Natural frequencies: {found['name']}", panels)


def plot_frequencies(found: dict[str, Any], folder: str | Path, *, style: str = "screen") -> list[Path]:
    """Draw the frequencies into a folder and return the paths."""
    path = Path(folder) / "frequency.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    save_figure(draw_sheets([frequency_sheet(found)], [found["name"]], STYLES[style]), path, STYLES[style])
    return [path]
