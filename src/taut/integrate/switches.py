"""Events of a run: which side every watched function is on, what follows when one passes, and what has happened.

All workspaces of a run share one array of sides (``data.modes``), so that a contact that closes is closed for all.
"""

from typing import Any

import numpy as np

from taut.dynamics.energy import elastic_energy
from taut.dynamics.events import event_value
from taut.dynamics.positions import move
from taut.dynamics.residual import consistent_accelerations, place
from taut.integrate.redundancy import find_rank
from taut.kernels.jit import entry
from taut.model import Data, Model, new_factor
from taut.model.enums import EventKind

WORDS = {EventKind.CONTACT: ("opens", "closes"), EventKind.SLACK: ("goes slack", "goes taut"),
         EventKind.UNILATERAL: ("opens", "closes")}  # fmt: skip
ROUNDING = 1e-12  # a value no larger is zero at the start
LOOK = 1e-4  # how far ahead to look for its side then [s]
CROSSING = ("passes downwards", "passes upwards")
MOST_REPEATS = 40  # events without progress in time before the run is given up as chattering


@entry
def event_values(model, data, values):
    """All event functions at the placed state."""
    for j in range(len(model.events)):
        values[j] = event_value(model, data, j)


class Switches:
    """The sides of a run's events and their history."""

    def __init__(self, model: Model, data: Data) -> None:
        """Find the sides at the start state; ``data.modes`` is the array that all share."""
        self.model, self.data = model, data
        self.history: list[tuple[float, int, int]] = []  # time [s], event, new side
        self.repeats = 0
        if len(data.modes):
            values = np.zeros(len(data.modes))
            data.modes[:] = -1
            place(model.tables, data)
            event_values(model.tables, data, values)
            data.modes[:] = np.where(values >= 0.0, 1, -1)
            self._settle(np.flatnonzero(np.abs(values) <= ROUNDING))

    def _settle(self, undecided: np.ndarray) -> None:
        """A crossing that starts at zero is on the side to which the machine moves: nothing has passed yet."""
        asked = [j for j in undecided if self._asked(int(j)) is not None]
        if not asked:
            return
        data, ahead = self.data, np.zeros(len(self.data.modes))
        q = data.q.copy()
        consistent_accelerations(self.model.tables, data, new_factor(self.model))
        move(self.model.tables, q, LOOK * data.v + 0.5 * LOOK**2 * data.acceleration, data.q)
        place(self.model.tables, data)
        event_values(self.model.tables, data, ahead)
        data.q[:] = q
        place(self.model.tables, data)
        data.modes[asked] = np.where(ahead[asked] >= 0.0, 1, -1)

    def switch(self, event: int, time: float, state: Data) -> float:
        """Let one event pass at a state; returns the elastic energy that is lost with it [J]."""
        place(self.model.tables, state)
        before = float(elastic_energy(self.model.tables, state))
        state.modes[event] *= -1
        is_repeat = bool(self.history) and time - self.history[-1][0] <= 1e-12 * max(time, 1.0)
        self.repeats = self.repeats + 1 if is_repeat else 0
        self.history.append((time, event, int(state.modes[event])))
        for failure in self._follows(event):
            state.modes[failure] = 1
            self.history.append((time, failure, 1))
        lost = before - float(elastic_energy(self.model.tables, state))
        if self.model.names.switches:
            # a closure may have opened
            find_rank(self.model, state, new_factor(self.model))
        return lost

    @property
    def is_chattering(self) -> bool:
        """Whether events follow each other without progress in time."""
        return self.repeats > MOST_REPEATS

    def is_stop(self, event: int) -> bool:
        """Whether the user asked to stop at this event, in this direction."""
        spec = self._asked(event)
        return spec is not None and spec.action == "stop" and self._is_wanted(spec, int(self.data.modes[event]))

    def _follows(self, event: int) -> list[int]:
        """Failures that wait for this event and have not happened yet."""
        spec = self._asked(event)
        if spec is None or not self._is_wanted(spec, int(self.data.modes[event])):
            return []
        waiting = {failure.name for failure in self.model.scenario.failures if failure.when == spec.name}
        return [j for j in self.model.names.switches
                if self.model.names.events[j] in waiting and self.data.modes[j] < 0]  # fmt: skip

    def _asked(self, event: int) -> Any:
        asked = list(self.model.scenario.events) if self.model.scenario is not None else []
        first = len(self.data.modes) - len(asked)
        return asked[event - first] if event >= first else None

    def _is_wanted(self, spec: Any, side: int) -> bool:
        return spec.crossing == "both" or (spec.crossing == "up") == (side > 0)

    def record(self) -> list[dict[str, Any]]:
        """What happened, for the result."""
        found = []
        for time, event, side in self.history:
            spec = self._asked(event)
            if spec is None or self._is_wanted(spec, side):
                kind = EventKind(int(self.model.tables.events[event].kind))
                word = self.model.names.switches.get(event) or WORDS.get(kind, CROSSING)[side > 0]
                found.append({"time": time, "name": self.model.names.events[event], "what": word})
        return found

    def checkpoint(self) -> dict[str, np.ndarray]:
        """Sides and history as arrays."""
        return {"modes": self.data.modes.copy(), "most_rank": self.data.most_rank.copy(),
                "history": np.array(self.history, float).reshape(-1, 3),
                "repeats": np.array(self.repeats)}  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Carry on from a checkpoint."""
        self.data.modes[:] = state["modes"]
        self.data.most_rank[:] = state["most_rank"]
        self.repeats = int(state["repeats"])
        self.history = [(float(t), int(j), int(s)) for t, j, s in state["history"]]
