"""How many of a known number are done, on a terminal."""

import sys
from typing import Any


class CountProgress:
    """Told how many are done of how many, it shows a bar on stderr."""

    def __init__(self, what: str) -> None:
        """Show nothing yet."""
        self._what, self._bar, self._task = what, None, None
        self._is_wanted = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        """Show how far it is."""
        if not self._is_wanted:
            return
        if self._bar is None:
            self._bar, self._task = _start(self._what, total)
        self._bar.update(self._task, completed=done)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _start(what: str, total: int) -> tuple[Any, Any]:
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.start()
    return bar, bar.add_task(what, total=total)
