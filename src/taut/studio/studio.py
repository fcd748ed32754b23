"""The studio: change a scenario's numbers, run it, look at it, compare, save."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.audit_text import audit_lines
from taut.results.errors import ResultError
from taut.results.result import Result
from taut.scenario.errors import ScenarioError
from taut.scenario.scenario import Scenario
from taut.studio.fields import find_fields
from taut.studio.job import Job
from taut.studio.panel import Panel
from taut.studio.saving import save_result, save_scenario
from taut.views.player import Player, view_results

Loader = Callable[[list[str]], Scenario]  # loads the scenario with changes such as `run.duration=2`
PREVIEW = 1e-3  # duration of the preview run, relative to that of the scenario


def open_studio(load: Loader, stem: str, **page: Any) -> "Studio":
    """Show a scenario at its start, with its numbers beside it; nothing else is run before the user asks.

    Args:
        load: Reads the scenario with changes such as `run.duration=2` applied.
        stem: What its file is called, for the names of files to save.
        page: How it is shown, see ``taut.views.player.view_results``: port, is_opened, is_dark, workspace.
    """
    scenario = load([])
    start = preview(scenario)
    return Studio(load, stem, view_results(start, **page))


def preview(scenario: Scenario) -> Result:
    """The machine at its start, as a very short run."""
    span = PREVIEW * scenario.run.duration
    return simulate(build(scenario), duration=span, save_every=span)


def warning_lines(scenario: Any) -> list[str]:
    """Warnings about a scenario, as on the command line."""
    return [f"warning: {text}" for text in scenario.warnings()]


class Studio:
    """A player with the scenario's fields beside it."""

    def __init__(self, load: Loader, stem: str, player: Player) -> None:
        """Add the fields to the page of a player."""
        self.load, self.stem, self.player = load, stem, player
        self.folder = Path.cwd()
        self.scenario: Scenario = load([])
        self.result: Result | None = None
        self.before: Result | None = None
        self.job: Job | None = None
        self._lock = threading.RLock()
        self.panel = Panel(self, find_fields(self.scenario))
        self.panel.say("the machine at its start; press Run")

    def run(self) -> None:
        """Run the scenario with the changes of the fields."""
        with self._lock:
            if self.job is not None and self.job.is_running:
                return
            scenario = self._try(lambda: self.load(self.panel.settings()))
            if scenario is None:
                return
            self.scenario = scenario
            self.panel.say("\n".join(["running ...", *warning_lines(scenario)]))
            self.panel.set_running(True)
            self.job = Job(scenario, self._progress, self._finish)

    def cancel(self) -> None:
        """End the run; what was shown stays."""
        if self.job is not None:
            self.job.cancel()

    def compare(self, is_wanted: bool) -> None:
        """Overlay the run before, or take it away."""
        if self.result is not None:
            both = is_wanted and self.before is not None
            self.player.load([self.result, self.before] if both and self.before is not None else [self.result])

    def save_scenario(self, name: str) -> None:
        """Write the scenario with the changes of the fields."""
        path = self._try(lambda: save_scenario(self.load(self.panel.settings()), name, self.folder))
        if path is not None:
            self.panel.say(f"wrote {path}")

    def save_result(self, name: str) -> None:
        """Write the result of the last run."""
        result = self.result
        if result is None:
            self.panel.say("there is no result yet: press Run first", is_bad=True)
            return
        path = self._try(lambda: save_result(result, name, self.folder))
        if path is not None:
            self.panel.say(f"wrote {path}")

    def _try(self, action: Callable[[], Any]) -> Any:
        """Carry out an action of the user; if it cannot be done, show the message of the command line."""
        try:
            return action()
        except (ScenarioError, ResultError) as error:
            self.panel.say(str(error), is_bad=True)
            return None

    def _progress(self, time: float, end: float) -> None:
        self.panel.progress.value = min(100.0, 100.0 * time / end)

    def _finish(self, result: Result | None, reason: str) -> None:
        """Show the result, or say why there is none."""
        with self._lock:
            self.panel.set_running(False)
            if result is None:
                self.panel.say(reason, is_bad=True)
                return
            self.before, self.result = self.result, result
            self.compare(self.panel.is_compared.value)
            self.player.seek(float(result.time[0]))
            is_good = result.audit.get("verdict") == "pass"
            end = float(result.time[-1])
            said = f"{result.status}, {end:g} s simulated. {result.status_text}".strip()
            self.panel.say("\n".join([said, *warning_lines(self.scenario)]), is_bad=not is_good)
            self.panel.show_audit(audit_lines(result.audit))

    def close(self) -> None:
        """End the run, the player and the server."""
        self.cancel()
        self.player.close()
