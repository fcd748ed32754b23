"""Ctrl-C asks a run to end where it can be resumed; a second one ends it at once."""

import signal
import threading
from types import FrameType
from typing import Any


class Interrupt:
    """A `with` block in which the first Ctrl-C only sets ``is_asked``; no effect outside the main thread."""

    def __init__(self) -> None:
        """Begin without a request to stop."""
        self.is_asked = False
        self._before: Any = None

    def __enter__(self) -> "Interrupt":
        """Take over Ctrl-C; only the main thread may."""
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(self, *_: object) -> None:
        """Restore the former handling of Ctrl-C."""
        self._give_back()

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.is_asked = True
        self._give_back()

    def _give_back(self) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None
