"""The served machine live in the browser: the page of ``taut.views.player``, which is told how the plant stands.

The page is for this computer only, whatever the address of the server is. While no browser watches, nothing is computed
for it.
"""

import numpy as np

from taut.build.again import machine_texts
from taut.integrate.run.texts import result_names
from taut.loop.plant import Plant
from taut.loop.serve.session import Session
from taut.results.channels import COORDINATES, variables_of
from taut.results.result import Result
from taut.results.variables import Content
from taut.views.player.strips import Strip

MOST_CURVES, MOST_STRIPS = 6, 4  # largest number of curves in a chart, and of charts


class Watch:
    """The page in the browser that shows a session."""

    def __init__(self, session: Session, *, port: int = 0) -> None:
        """Open the page on a port of this computer; 0 takes a free one.

        Raises:
            ResultError: viser is not installed, or the port is taken.
        """
        from taut.views.player.live import Live
        from taut.views.player.server import new_server, stop_server

        self.session, plant = session, session.plant
        self.strips, self._order = strips_of(plant)
        server = new_server("taut", port)
        try:
            self.page = Live(server, standing(plant), self.strips)
        except BaseException:
            stop_server(server)
            raise
        self._shown, self._was_watched, self._changes_shown = -1, False, dict(plant.changes)

    @property
    def address(self) -> str:
        """Address of the page."""
        return self.page.address

    def open(self) -> None:
        """Open the page in the user's browser."""
        from taut.views.player.server import open_browser

        open_browser(self.page.server)

    def look(self) -> None:
        """Show the plant's state in the page if a browser watches and it has changed; from the plant's thread."""
        session, plant, is_watched = self.session, self.session.plant, self.page.is_watched
        is_news = session.moves != self._shown or not self._was_watched
        self._was_watched = is_watched
        if not is_watched or not is_news:
            return
        self._shown = session.moves
        if plant.changes != self._changes_shown:
            self._changes_shown = dict(plant.changes)
            self.page.begin(standing(plant))
        channels = {name: array[0] for name, array in plant.stepper.channels().items()}
        asked = plant.stepper._moving.controls.asked
        values = np.concatenate([session.seen, [asked[name] for name in plant.commands]])
        self.page.tell(plant.time, channels, values[self._order], words_of(session))

    def close(self) -> None:
        """Close the page."""
        self.page.close()


def standing(plant: Plant) -> Result:
    """The present state of a plant as a result with one sample."""
    model = plant.stepper.model
    variables = variables_of(plant.stepper.channels(), {"time": np.array([plant.time]), **result_names(model)})
    scenario, structure = machine_texts(model)
    attrs = {"title": model.plan.name, "scenario": scenario, "structure": structure}
    return Result(Content(variables, tuple(dim for dim in COORDINATES if dim in variables), attrs))


def strips_of(plant: Plant) -> tuple[list[Strip], np.ndarray]:
    """Charts of observations and commands, one for each unit, and which of all numbers are in them."""
    specs = [("measured", spec) for spec in plant.observation_specs] + [("command", s) for s in plant.command_specs]
    groups: dict[tuple[str, str], list[int]] = {}
    for k, (kind, spec) in enumerate(specs):
        groups.setdefault((kind, spec.unit), []).append(k)
    # reserve the last chart for commands
    chosen = [*[key for key in groups if key[0] == "measured"][: MOST_STRIPS - 1],
              *[key for key in groups if key[0] == "command"][:1]]  # fmt: skip
    strips, order = [], []
    for key in chosen:
        rows = groups[key][:MOST_CURVES]
        strips.append(Strip(label_of(*key), tuple(specs[k][1].name for k in rows)))
        order += rows
    return strips, np.array(order, int)


def label_of(kind: str, unit: str) -> str:
    """Label of a chart: channel and unit."""
    return f"{kind} [{unit}]" if unit else kind


def words_of(session: Session) -> str:
    """State of the session in words."""
    if session.failed:
        return f"cannot go on: {session.failed}"
    parts = ["paused" if session.is_paused else "lock-step" if session.lock_step else "real time"]
    parts += [f"{session.overruns} overruns"] if session.overruns else []
    parts += ["no commands come: watchdog"] if session.is_held else []
    return ", ".join(parts)
