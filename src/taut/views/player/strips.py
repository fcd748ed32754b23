"""Strip charts: what was told over the last seconds."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.views.plots.style import COLOURS

SPAN = 20.0  # time that the charts of a live machine cover [s]
MOST_SAMPLES = 1000  # most samples of a chart; when there are more, every other one is dropped
HEIGHT = 170  # height of a chart [pixels]


@dataclass(frozen=True)
class Strip:
    """One chart: its label, and the names of its curves."""

    label: str
    names: tuple[str, ...]


class Strips:
    """Charts one below the other; ``add`` takes the values of all curves, chart after chart."""

    def __init__(self, gui: Any, folder: Any, strips: Sequence[Strip]) -> None:
        """Make empty charts."""
        self.strips = tuple(strips)
        self.rows: deque[tuple[float, np.ndarray]] = deque()
        self.is_drawn = True
        self.handles: list[Any] = []
        with folder:
            for strip in self.strips:
                self.handles.append(_chart(gui, strip))

    def add(self, time: float, values: np.ndarray) -> None:
        """Remember the values at a time [s]; a time that lies behind the last one begins anew."""
        if self.rows and time < self.rows[-1][0]:
            self.rows.clear()
        self.rows.append((time, np.array(values, float)))
        self.is_drawn = False
        while time - self.rows[0][0] > SPAN:
            self.rows.popleft()
        if len(self.rows) > MOST_SAMPLES:
            self.rows = deque(list(self.rows)[::2])

    def draw(self) -> None:
        """Bring the charts up to date."""
        if self.is_drawn:
            return
        self.is_drawn = True
        times = np.array([time for time, _ in self.rows])
        values, first = np.array([row for _, row in self.rows]), 0
        for strip, handle in zip(self.strips, self.handles, strict=True):
            last = first + len(strip.names)
            handle.data = (times, *values[:, first:last].T.copy())
            first = last


def _chart(gui: Any, strip: Strip) -> Any:
    curves = [{"label": name, "stroke": COLOURS[k % len(COLOURS)], "width": 1.5, "points": {"show": False}}
              for k, name in enumerate(strip.names)]  # fmt: skip
    nothing = np.zeros(1)
    return gui.add_uplot(
        (nothing, *(nothing for _ in curves)), ({"label": "t"}, *curves), title=strip.label,
        scales={"x": {"time": False}}, axes=({"size": 34}, {"size": 58}), legend={"show": True, "live": False},
        height=HEIGHT, padding=(4, 12, 0, 0),
    )  # fmt: skip
