"""How far a command is, on a terminal: simulated time, rate, time left; how many of a known number are done."""

import sys
import time
from typing import Any

AFTER = 2.0  # progress is shown after this time [s]


class RunProgress:
    """Shows a bar on stderr once a run takes more than two seconds; it is called with the simulated time."""

    def __init__(self) -> None:
        """Note the time at the start."""
        self._begin = time.monotonic()
        # wall time and simulated time of the first report, from which the rate is measured
        self._first: tuple[float, float] | None = None
        self._bar: Any = None
        self._task: Any = None
        self._is_wanted = sys.stderr.isatty()

    def __call__(self, simulated: float, end: float) -> None:
        """Show where the run is [s]."""
        now = time.monotonic()
        # the time before the first report is spent on preparation and does not count in the rate
        self._first = self._first or (now, simulated)
        if not self._is_wanted or now - self._begin < AFTER:
            return
        if self._bar is None:
            self._bar = new_bar()
            self._bar.start()
            self._task = self._bar.add_task("run", total=end, rate="", simulated="")
        rate = (simulated - self._first[1]) / max(now - self._first[0], 1e-9)
        shown = f"{rate:.3g} x real time" if rate > 0.0 else ""
        self._bar.update(self._task, completed=simulated, rate=shown, simulated=f"t = {simulated:.4g} of {end:g} s")

    def close(self) -> None:
        """Remove the progress bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def new_bar() -> Any:
    """A bar with simulated time, rate and time left; it goes when the run ends."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    texts = TextColumn("{task.fields[simulated]}"), BarColumn(), TextColumn("{task.fields[rate]}")
    return Progress(*texts, TextColumn("left"), TimeRemainingColumn(), console=Console(stderr=True), transient=True)


class CountProgress:
    """Shows a bar on stderr; it is called with the number of things done and of all."""

    def __init__(self, what: str) -> None:
        """Show nothing yet."""
        self._what, self._bar, self._task = what, None, None
        self._is_wanted = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        """Show how many are done."""
        if not self._is_wanted:
            return
        if self._bar is None:
            self._bar, self._task = _start(self._what, total)
        self._bar.update(self._task, completed=done)

    def close(self) -> None:
        """Remove the progress bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _start(what: str, total: int) -> tuple[Any, Any]:
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.start()
    return bar, bar.add_task(what, total=total)
