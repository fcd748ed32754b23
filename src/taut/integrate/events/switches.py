"""Events of a run: which side every watched function is on, what follows when one passes, and what has happened.

All workspaces of a run share one array of sides (``data.modes``), so that a contact that closes is closed for all.
"""

from collections import deque
from typing import Any

import numpy as np

from taut.dynamics.energy import elastic_energy
from taut.dynamics.events import event_values
from taut.dynamics.residual import consistent_accelerations, place
from taut.dynamics.tree.positions import move
from taut.integrate.events.friction import Frictions
from taut.integrate.events.grips import Grips
from taut.integrate.events.holds import IMPACT_SIZE, Holds, Impact
from taut.integrate.events.ropes import Ropes
from taut.integrate.start.redundancy import find_rank
from taut.model import Data, Model, new_factor
from taut.model.enums import EventKind

SLACK_OR_TAUT = ("goes slack", "goes taut")
WORDS = {
    EventKind.CONTACT: ("opens", "closes"),
    EventKind.UNILATERAL: ("opens", "closes"),
    EventKind.SLACK: SLACK_OR_TAUT,
    EventKind.TETHER: SLACK_OR_TAUT,
    EventKind.FRICTION: ("slips", "sticks"),
    EventKind.GRIP: ("slips", "sticks"),
}
ROUNDING = 1e-12  # smaller values of event functions count as zero at the start
LOOK = 1e-4  # how far ahead the side of a zero function is looked for [s]
STRIKES = "strikes"  # outcome of an impact with rebound: the closure is on the same side after it
CROSSING = ("passes downwards", "passes upwards")
LASTED = "has lasted {:g} s"
MOST_STARTS = 5  # iterations between sticking friction and holding closures at the start
MOST_REPEATS = 40  # events without progress in time before the run is given up as chattering
CROWD, CROWDED = 1000, 1e-5  # more than CROWD events within CROWDED seconds: at such a rate a run never ends


class Switches:
    """The sides of a run's events and their history."""

    def __init__(self, model: Model, data: Data, known: dict[str, np.ndarray] | None = None) -> None:
        """Find the sides at the start state, or take known ones; ``data.modes`` is the array that all share."""
        self.model, self.data, self.holds, self.frictions = model, data, Holds(model), Frictions(model)
        self.grips, self.ropes = Grips(model), Ropes(model)
        events = model.tables.events
        timers = np.flatnonzero(events["kind"] == EventKind.TIMER)
        # timers of events that must last, by the number of the event that starts them
        self.timers = {int(events[j].route): int(j) for j in timers}
        self.history: list[tuple[float, int, int]] = []  # events so far: time [s], number of the event, new side
        # number of events without progress in time, and the time of the last one [s]
        self.repeats, self.last = 0, -np.inf
        self.crowd: deque[float] = deque(maxlen=CROWD)  # times of the last events [s]
        self.is_behind = False  # whether the last one was a jump of a swivel angle, which is no event
        if known is not None:
            self.restore(known)
        elif len(data.modes):
            self._find_sides()
        self.sides = self.frictions.rests(data)  # which friction coordinates were at rest before an event

    def _find_sides(self) -> None:
        """Find the sides of all events at the start state."""
        model, data = self.model, self.data
        values, held = np.zeros(len(data.modes)), data.modes.copy()
        data.modes[:] = -1
        self.frictions.free(data)
        place(model.tables, data)
        event_values(model.tables, data, values)
        sides = np.where(values >= 0.0, 1, -1)
        # the start state has decided which one-sided closures and ground contacts hold
        found = [*self.holds.events, *self.grips.events]
        data.modes[:] = np.where(np.isin(np.arange(len(sides)), found), held, sides)
        self._grip()
        if self.frictions.is_any:
            self.frictions.settle(data)
        self._settle(np.flatnonzero(np.abs(values) <= ROUNDING))
        for timer in self.timers.values():
            self._count(timer, float(data.time[0]), data)

    def _grip(self) -> None:
        """Decide which contacts stick at the start, and which one-sided closures hold with them."""
        data, grips = self.data, self.grips
        modes, anchors = data.modes[grips.events].copy(), data.anchors.copy()
        for _ in range(MOST_STARTS):
            data.modes[grips.events], data.anchors[:] = modes, anchors
            grips.begin(data)
            self.frictions.free(data)
            if self.holds.is_any:
                self.holds.settle(data)
            if (grips.sees_closed(data) == grips.closed).all():
                break

    def _settle(self, undecided: np.ndarray) -> None:
        """A crossing that starts at zero gets the side to which the machine moves; this is no event."""
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

    def switch(self, event: int, time: float, state: Data) -> Impact:
        """Let one event pass at a state, whose velocities may jump; returns the energies lost and given with it."""
        place(self.model.tables, state)
        before = float(elastic_energy(self.model.tables, state))
        is_repeat = time - self.last <= 1e-12 * max(time, 1.0)
        self.last = time
        self.repeats = self.repeats + 1 if is_repeat else 0
        self.crowd.append(time)
        self.is_behind = self._is_behind(event, state)
        if self.is_behind:
            state.modes[event] *= -1
            return Impact(0.0, 0.0)
        if event not in self.frictions.events and event not in self.grips.events:
            state.modes[event] *= -1
            if self.model.tables.events[event].kind != EventKind.FADING:
                self.history.append((time, event, int(state.modes[event])))
            if event in self.timers:
                self._count(self.timers[event], time, state)
            self.history += [(time, *changed) for changed in self.ropes.follow(state, event)]
        for failure in self._follows(event):
            state.modes[failure] = 1
            self.history.append((time, failure, 1))
        lost = before - float(elastic_energy(self.model.tables, state))
        self.history += [(time, *changed) for changed in self.grips.change(state, event)]
        if self.model.names.switches:
            # a closure may have opened, so that the rank has changed
            find_rank(self.model, state, new_factor(self.model))
        impact = self._hold(event, time, state) if self.holds.is_any else Impact(0.0, 0.0)
        lost += self._rub(time, state) if self.frictions.is_any else 0.0
        return Impact(lost + impact.lost, impact.given)

    def _is_behind(self, event: int, state: Data) -> bool:
        """Whether a sheave has swivelled past the opposite of the angle that is watched, where the value jumps."""
        if self.model.tables.events[event].kind != EventKind.SWIVEL:
            return False
        values = np.zeros(len(self.model.tables.events))
        event_values(self.model.tables, state, values)
        return abs(values[event]) > 0.5

    def _count(self, timer: int, time: float, state: Data) -> None:
        """Start a timer where its event is on the side that must last, or reset the timer."""
        row = self.model.tables.events[timer]
        is_beyond = state.modes[int(row.route)] == int(row.scale)
        state.due[int(row.index)] = time + float(row.level) if is_beyond else np.inf
        state.modes[timer] = -1

    def _rub(self, time: float, state: Data) -> float:
        """Let coordinates stick or slip after an event; returns the energy lost [J]."""
        events, before = self.frictions.events, self.sides.copy()
        lost = self.frictions.settle(state)
        self.sides = self.frictions.rests(state)
        # record changes of sticking only where there is friction: an open brake has none
        changed = (self.sides != before) & (self.frictions.limits(state) > 0.0)
        for event, is_still in zip(events[changed], self.sides[changed], strict=True):
            self.history.append((time, int(event), 1 if is_still else -1))
        return lost

    def _hold(self, event: int, time: float, state: Data) -> Impact:
        """What one-sided closures do when an event has passed: strike if one closes, then hold or open."""
        is_own, sides = event in self.holds.events, state.modes.copy()
        is_closing = is_own and sides[event] > 0
        if is_closing:
            self.frictions.free(state)
        impact = self.holds.strike(state) if is_closing else Impact(0.0, 0.0)
        if is_closing and self.grips.is_rigid:
            place(self.model.tables, state)
            self.grips.arrive(state)
        settled = self.holds.settle(state, without=event if is_own and not is_closing else -1)
        if is_closing and self.grips.is_rigid:
            self.grips.settle(state)
        for other in self.holds.events[state.modes[self.holds.events] != sides[self.holds.events]]:
            self.history.append((time, int(other), int(state.modes[other])))
        return Impact(impact.lost + settled.lost, impact.given)

    @property
    def is_chattering(self) -> bool:
        """Whether events follow each other with no progress in time, or with next to none."""
        is_crowded = len(self.crowd) == CROWD and self.crowd[-1] - self.crowd[0] < CROWDED
        return self.repeats > MOST_REPEATS or is_crowded

    def is_stop(self, event: int) -> bool:
        """Whether the user asked to stop at this event, in this direction."""
        spec = None if self.is_behind else self._passed(event)
        return spec is not None and spec.action == "stop"

    def _follows(self, event: int) -> list[int]:
        """Failures that wait for this event and have not happened yet."""
        spec = self._passed(event)
        if spec is None:
            return []
        waiting = self.model.plan.waiting.get(spec.name, ())
        return [j for j in self.model.names.switches
                if self.model.names.events[j] in waiting and self.data.modes[j] < 0]  # fmt: skip

    def _passed(self, event: int) -> Any:
        """What the user asked for, if it has happened: passed in its direction, and lasted as long as asked."""
        is_timer = self.model.tables.events[event].kind == EventKind.TIMER
        if event in self.timers:
            return None
        spec = self._asked(int(self.model.tables.events[event].route) if is_timer else event)
        is_wanted = spec is not None and (is_timer or self._is_wanted(spec, int(self.data.modes[event])))
        return spec if is_wanted else None

    def _asked(self, event: int) -> Any:
        asked = self.model.plan.events
        first = len(self.data.modes) - len(asked)
        return asked[event - first] if event >= first else None

    def _is_wanted(self, spec: Any, side: int) -> bool:
        return spec.crossing == "both" or (spec.crossing == "up") == (side > 0)

    def record(self, since: int = 0) -> list[dict[str, Any]]:
        """What happened, for the result; ``since`` are entries of the history that are known already."""
        found = []
        for time, event, side in self.history[since:]:
            spec = self._asked(event)
            if spec is None or spec.lasts is not None or self._is_wanted(spec, side):
                kind = EventKind(int(self.model.tables.events[event].kind))
                is_cable = kind == EventKind.UNILATERAL and self.model.names.events[event] in self.model.names.cables
                words = SLACK_OR_TAUT if is_cable else WORDS.get(kind, CROSSING)
                word = self.model.names.switches.get(event) or words[side > 0]
                word = STRIKES if side == 0 else word
                if kind == EventKind.TIMER:
                    word = LASTED.format(float(self.model.tables.events[event].level))
                found.append({"time": time, "name": self.model.names.events[event], "what": word})
        return found

    def forget(self) -> None:
        """Forget what has happened; the sides stay."""
        self.history, self.holds.struck = [], []

    def checkpoint(self) -> dict[str, np.ndarray]:
        """Sides and history as arrays."""
        return {"modes": self.data.modes.copy(), "most_rank": self.data.most_rank.copy(),
                "anchors": self.data.anchors.copy(), "due": self.data.due.copy(),
                "history": np.array(self.history, float).reshape(-1, 3),
                "struck": np.array(self.holds.struck, float).reshape(-1, IMPACT_SIZE),
                "repeats": np.array(self.repeats), "crowd": np.array(self.crowd, float)}  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Carry on from a checkpoint of sides and history."""
        self.data.modes[:] = state["modes"]
        self.data.most_rank[:], self.data.anchors[:] = state["most_rank"], state["anchors"]
        self.data.due[:] = state["due"]
        self.grips.closed = self.grips.sees_closed(self.data)
        self.sides = self.frictions.rests(self.data)
        # times left from another motion would look like events at a growing rate
        self.crowd = deque(state["crowd"].tolist(), maxlen=CROWD)
        self.repeats, self.last = int(state["repeats"]), self.crowd[-1] if self.crowd else -np.inf
        self.holds.struck = [tuple(map(float, row)) for row in state["struck"]]
        self.history = [(float(t), int(j), int(s)) for t, j, s in state["history"]]
