"""One simulation in the background: it tells how far it is, and can be stopped."""

import threading
import traceback
from collections.abc import Callable
from typing import Any

from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.errors import ResultError
from taut.results.result import Result
from taut.scenario.errors import ScenarioError


class Cancelled(Exception):
    """The user does not want the run any more."""


class Job:
    """A run in its own thread; ``on_end`` is given the result, or a text that says why there is none."""

    def __init__(
        self, scenario: Any, on_progress: Callable[[float, float], None], on_end: Callable[[Result | None, str], None]
    ) -> None:
        """Begin the run at once, in a thread."""
        self._scenario, self._on_progress, self._on_end = scenario, on_progress, on_end
        self._is_cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run, name="taut-studio-run", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether the run goes on."""
        return self._thread.is_alive()

    def cancel(self) -> None:
        """Ask the run to end at its next report."""
        self._is_cancelled.set()

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the end of the run."""
        self._thread.join(seconds)

    def _run(self) -> None:
        self._on_end(*self._outcome())

    def _outcome(self) -> tuple[Result | None, str]:
        try:
            return simulate(build(self._scenario), progress=self._report), ""
        except Cancelled:
            return None, "the run was cancelled"
        except (ScenarioError, ResultError) as error:
            return None, str(error)
        except Exception as error:
            traceback.print_exc()
            return (
                None,
                f"internal error: {type(error).__name__}: {error}\nthis is a defect of taut, not of your scenario",
            )

    def _report(self, time: float, end: float) -> None:
        if self._is_cancelled.is_set():
            raise Cancelled
        self._on_progress(time, end)
