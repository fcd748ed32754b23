"""Time plots beside the scene, with a line at the present time."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from taut.results.result import Result
from taut.views.plots import ALL_GROUPS
from taut.views.plots.sheet import Curve, Panel, Sheet
from taut.views.plots.style import COLOURS

STRETCHES = 260  # intervals of time in a chart; each is drawn by its smallest and largest value
MOST_CURVES = 12  # most curves of a chart; more are replaced by their smallest, mean and largest value
MOST_PANELS = 3
CURSOR = "#d7283c"
SMALLEST_SPAN = 1e-3
HEIGHT = 190  # height of a chart [pixels]


class Chart:
    """One panel; curves of other results to compare are dashed."""

    def __init__(self, gui: Any, panels: Sequence[Panel]) -> None:
        """Draw a panel of the first result, and the corresponding panels of others."""
        curves = [(curve, number) for number, panel in enumerate(panels) for curve in summed_up(panel.curves)]
        self.x, self.ys = on_one_grid([curve for curve, _ in curves])
        finite = self.ys[np.isfinite(self.ys)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        # the page writes few digits at the axes, so a smaller span would show equal numbers
        span = max(high - low, SMALLEST_SPAN)
        self.low, self.high = 0.5 * (low + high - 1.08 * span), 0.5 * (low + high + 1.08 * span)
        count = max(sum(number == 0 for _, number in curves), 1)
        lines = [_series(curve, number, k % count) for k, (curve, number) in enumerate(curves)]
        self.handle = gui.add_uplot(
            self._data(float(self.x[0])),
            ({"label": "t"}, *lines, {"label": "now", "stroke": CURSOR, "width": 1.5, "points": {"show": False}}),
            title=plain(panels[0].label),
            scales={"x": {"time": False}, "y": {"range": (self.low, self.high)}},
            axes=({"size": 34}, {"size": 58}),
            legend={"show": True, "live": False},
            height=HEIGHT,
            padding=(4, 12, 0, 0),
        )

    def move(self, time: float) -> None:
        """Move the cursor."""
        self.handle.data = self._data(time)

    def remove(self) -> None:
        """Take the chart away."""
        self.handle.remove()

    def _data(self, time: float) -> tuple[np.ndarray, ...]:
        """All curves, and one that leaves the picture but for a needle at the time."""
        place = int(np.searchsorted(self.x, time))
        x = np.insert(self.x, place, [time] * 3)
        ys = [np.insert(y, place, [np.interp(time, self.x, y)] * 3) for y in self.ys]
        outside = 3.0 * (self.high - self.low)
        needle = np.full(len(x), self.low - outside)
        needle[place + 1] = self.high + outside
        return (x, *ys, needle)


class Charts:
    """The panels of one group of variables."""

    def __init__(self, gui: Any, folder: Any, results: Sequence[Result], body: str) -> None:
        """Remember where charts go, and which body is shown where each has its own sheet."""
        self.gui, self.folder, self.results, self.body = gui, folder, list(results), body
        self.charts: list[Chart] = []

    def choose(self, group: str, time: float) -> None:
        """Show the first panels of a group."""
        for chart in self.charts:
            chart.remove()
        self.charts = []
        by_result = [ALL_GROUPS[group](result) for result in self.results]
        sheets = [_sheet_of(found, self.body) for found in by_result if found]
        labels = [panel.label for panel in sheets[0].panels][:MOST_PANELS] if sheets else []
        with self.folder:
            for label in labels:
                panels = [panel for sheet in sheets for panel in sheet.panels if panel.label == label]
                self.charts.append(Chart(self.gui, panels))
        self.move(time)

    def move(self, time: float) -> None:
        """Move all cursors."""
        for chart in self.charts:
            chart.move(time)


def _sheet_of(sheets: Sequence[Sheet], body: str) -> Sheet:
    """The sheet of the body, or the first one."""
    return next((sheet for sheet in sheets if sheet.name.endswith(f"-{body}")), sheets[0])


def groups_of(result: Result) -> list[str]:
    """Groups that can be plotted against time, by whether the result has the channels; no channel is read from disk."""
    wanted = {"motion": "body_position", "velocity": "body_velocity", "acceleration": "body_acceleration",
              "tension": "cable_tension_exit", "element": "cable_tension", "length": "cable_length",
              "torque": "cable_torque",
              "force": "anchor_force", "deviation": "cable_nodes", "constraint": "constraint_error",
              "energy": "energy_balance", "joint": "joint_velocity",
              "drive": "drive_position", "control": "command_value"}  # fmt: skip
    return [group for group, channel in wanted.items() if channel in result and len(result.time) > 1]


def summed_up(curves: Sequence[Curve]) -> list[Curve]:
    """The curves themselves, or for many of them the smallest, the mean and the largest at every time."""
    if len(curves) <= MOST_CURVES:
        return list(curves)
    values = np.array([curve.y for curve in curves])
    parts = {
        "smallest": np.nanmin(values, axis=0),
        "mean": np.nanmean(values, axis=0),
        "largest": np.nanmax(values, axis=0),
    }
    return [Curve(f"{name} of {len(curves)}", curves[0].x, y) for name, y in parts.items()]


def on_one_grid(curves: Sequence[Curve]) -> tuple[np.ndarray, np.ndarray]:
    """Common times, shape [n], and all values there, shape [n_curves, n]; peaks stay."""
    if not curves:
        return np.array([0.0, 1.0]), np.zeros((0, 2))
    x = np.asarray(curves[0].x, float)
    same = [curve for curve in curves if len(curve.x) == len(x) and np.array_equal(curve.x, x)]
    rows = _rows(np.array([curve.y for curve in same], float))
    grid = x[rows]
    values = [np.asarray(c.y, float)[rows] if len(c.x) == len(x) and np.array_equal(c.x, x)
              else np.interp(grid, c.x, c.y, left=np.nan, right=np.nan) for c in curves]  # fmt: skip
    return grid, np.array(values)


def _rows(values: np.ndarray) -> np.ndarray:
    """Samples to draw: ends, and of every stretch those with the smallest and the largest value."""
    count = values.shape[1]
    if count <= 2 * STRETCHES:
        return np.arange(count)
    edges = np.linspace(0, count, STRETCHES + 1).astype(int)
    low, high = np.nan_to_num(values, nan=np.inf).min(axis=0), np.nan_to_num(values, nan=-np.inf).max(axis=0)
    picked = [(a + int(low[a:b].argmin()), a + int(high[a:b].argmax())) for a, b in zip(edges, edges[1:], strict=False)]
    return np.unique([0, count - 1, *np.ravel(picked)])


def _series(curve: Curve, number: int, k: int) -> dict[str, Any]:
    style: dict[str, Any] = {"label": curve.label if number == 0 else f"{curve.label} ({number + 1})",
                             "stroke": COLOURS[k % len(COLOURS)], "width": 1.5, "points": {"show": False}}  # fmt: skip
    return style | {"dash": (6, 4)} if number else style


def plain(label: str) -> str:
    """A label without the marks of formulas."""
    return label.replace("$^2$", "²").replace("e$_1$", "e1").replace("e$_2$", "e2").replace("$", "")
