"""Time plots beside a film, drawn once; only the cursor moves."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from taut.results.result import Result
from taut.views.plots import ALL_GROUPS
from taut.views.plots.sheet import Curve, Panel
from taut.views.plots.style import SETTINGS, line_style
from taut.views.scene.colours import Theme
from taut.views.thinning import thin

MOST_POINTS = 1500
MOST_NAMED = 8  # most curves of a plot with a legend
MOST_BESIDE = 4  # most names in one row of a legend
BESIDE_LEGEND = 64  # width of the vertical axis with its label and numbers, left of a legend [pixels]
CURSOR = np.array([215, 40, 60], np.uint8)
DOTS = 100  # resolution of plots [dots per inch]


def film_panels(result: Result, most: int = 3) -> list[Panel]:
    """Panels to plot beside a film: motion, deviation, tension, as far as the result has them."""
    found: list[Panel] = []
    sheets = {group: ALL_GROUPS[group](result) for group in ("deviation", "motion", "tension", "velocity")}
    for group, number in (("motion", 0), ("deviation", 1), ("tension", 0), ("motion", 1), ("velocity", 0)):
        panels = sheets[group][0].panels if sheets[group] else []
        if len(panels) > number and len(found) < most:
            found.append(panels[number])
    return found


class Strip:
    """Panels below each other as a picture, with a line at the present time."""

    def __init__(self, panels: Sequence[Panel], width: int, height: int, theme: Theme) -> None:
        """Draw all but the cursor."""
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        with rc_context({**SETTINGS, **_colours(theme)}):
            figure = Figure(figsize=(width / DOTS, height / DOTS), dpi=DOTS, layout="constrained")
            canvas = FigureCanvasAgg(figure)
            axes = np.atleast_1d(figure.subplots(len(panels), 1, sharex=True))
            for axis, panel in zip(axes, panels, strict=True):
                _draw_panel(axis, panel, (width - BESIDE_LEGEND, 0.4 * height / len(panels)))
            axes[-1].set_xlabel("time [s]")
            figure.align_ylabels(axes)
            canvas.draw()
            _move_powers(axes)
            canvas.draw()
        self._base = np.asarray(canvas.buffer_rgba())[..., :3].copy()
        self.labels = [axis.get_ylabel() for axis in axes]
        self._boxes = [_box(axis, height) for axis in axes]
        self._span = axes[0].get_xlim()

    def draw(self, time: float) -> np.ndarray:
        """The picture with the cursor at a time [s], shape [height, width, 3]."""
        image = self._base.copy()
        share = float(np.clip((time - self._span[0]) / (self._span[1] - self._span[0]), 0.0, 1.0))
        for left, right, top, bottom in self._boxes:
            column = round(left + share * (right - left))
            image[top:bottom, max(column - 1, 0) : column + 1] = CURSOR
        return image


def _draw_panel(axis: Any, panel: Panel, room: tuple[float, float]) -> None:
    for number, curve in enumerate(panel.curves):
        x, y = thin(curve.x, curve.y, MOST_POINTS)
        many = {} if len(panel.curves) <= MOST_NAMED else {"linewidth": 0.7}
        axis.plot(x, y, label=curve.label, **{**line_style(number), **many})
    axis.set_ylabel(panel.label)
    low, high = axis.get_ylim()
    if high - low < panel.smallest_span:
        axis.set_ylim(0.5 * (low + high - panel.smallest_span), 0.5 * (low + high + panel.smallest_span))
    if 1 < len(panel.curves) <= MOST_NAMED:
        _add_legend(axis, len(panel.curves), room)


def _add_legend(axis: Any, count: int, room: tuple[float, float]) -> None:
    """A legend no wider and no taller than the room [pixels]; none where there is no room for all names."""
    for columns in range(min(count, MOST_BESIDE), 0, -1):
        legend = axis.legend(ncols=columns, loc="lower left", bbox_to_anchor=(0.0, 0.99), borderaxespad=0.1,
                             handlelength=1.6, columnspacing=0.9)  # fmt: skip
        box = legend.get_window_extent()
        if box.width <= room[0] and box.height <= room[1]:
            return
        legend.remove()


def _move_powers(axes: Any) -> None:
    """Move powers of ten beside the unit, where no legend covers them."""
    for axis in axes:
        power = axis.yaxis.get_offset_text()
        if power.get_text():
            axis.set_ylabel(f"{axis.get_ylabel()} {power.get_text()}")
            power.set_visible(False)


def _box(axis: Any, height: int) -> tuple[int, int, int, int]:
    """Left, right, top and bottom of the axes [pixels]."""
    box = axis.get_window_extent()
    return round(box.x0), round(box.x1), round(height - box.y1), round(height - box.y0)


def _colours(theme: Theme) -> dict[Any, Any]:
    text = theme.text
    names = ("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "axes.edgecolor")
    return {
        **dict.fromkeys(names, text),
        "figure.facecolor": theme.background,
        "axes.facecolor": theme.background,
        "grid.color": theme.line,
    }


__all__ = ["Curve", "Strip", "film_panels"]
