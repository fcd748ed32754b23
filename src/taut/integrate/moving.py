"""A machine in motion: a method, the machine's events and its controllers, from mark to mark.

Steps end at marks. At jumps of signals and where commands of controllers arrive the method restarts; other marks,
samples of controllers whose commands arrive later among them, only ask for a state there, and the method continues
without a restart. A ``Keeper`` decides what is recorded.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from taut.control.controls import JUMP, Controls
from taut.control.python_function import UserFunction
from taut.dynamics.residual import consistent_accelerations
from taut.integrate.events.switches import Switches
from taut.integrate.run.conduct import NEEDED, SEGMENTS, Conductor, Marks, conductor_of
from taut.integrate.samples.raw import Samples
from taut.integrate.settings import ALL_INTEGRATORS, RunSettings
from taut.integrate.start.start_state import Start, start_state
from taut.integrate.status import AT_EVENT, CHATTER, DONE, ENDED, LOG_FULL, MORE, SAMPLES_FULL, STOP
from taut.integrate.step.method import Method
from taut.integrate.step.scales import machine_size
from taut.model import Data, Model, new_factor
from taut.model.duplicate import duplicate
from taut.model.remembered import remembered
from taut.scenario.records.run import LEAST_TOLERANCE

SMOOTHED = ("dry friction and brakes creep: {} smooths them over velocity_scale (creep of a drum); "
            "with radau, generalized-alpha or explicit they hold")  # fmt: skip
RUBS = "{} knows no friction of rigid ground: its impulses act across the ground alone"
RUBS_REMEDY = "use radau, generalized-alpha or explicit; or law: unilateral; or friction: 0"
SAME = 1e-12  # marks closer than this are merged; relative to the time, or to 1 s

Arrays = dict[str, np.ndarray]
Mark = tuple[float, int]  # time [s], and what happens there: nothing (0), LOOK or JUMP
Segment = tuple[float, float, int]  # start and end [s], and what happens at the start


class Keeper(Protocol):
    """Recorder of a motion: provides sample buffers and receives them after every call of the method."""

    def buffer(self, end: float) -> tuple[Samples, int]:
        """Room for the samples up to the end of the segment [s], and how many steps the next call may take."""
        ...

    def stretch(self, ends: np.ndarray) -> int:
        """How many of the segments that end at these times [s] one call may pass: those up to the next sample."""
        ...

    def look(self, buffer: Samples, code: int, steps: int) -> int:
        """Take the samples of a call before an event is handled; may advance further. Returns the status code."""
        ...

    def passed(self, *, is_jump: bool) -> None:
        """Told that forces have jumped, at an event or at the start of a segment."""
        ...

    def is_ended(self) -> bool:
        """Whether the motion is to end here; asked after each call and the handling of its event."""
        ...


@dataclass(frozen=True)
class Begun:
    """A machine at its start, with what a motion begins with."""

    start: Start  # start state, with the workspace in which the sides of the events were found
    size: float  # size of the machine [m]
    sides: Arrays  # sides of the events, as ``Switches`` keeps them


def found_begun(model: Model) -> Begun:
    """A machine at its start, with its loops closed and the sides of its events."""
    start = start_state(model)
    size = machine_size(model, start.data)
    return Begun(start, size, Switches(model, start.data).checkpoint())


class Moving:
    """One machine in motion by a method, through events and with its controllers."""

    def __init__(
        self, model: Model, settings: RunSettings, controllers: Mapping[str, UserFunction] | None = None
    ) -> None:
        """Close the loops and find the first accelerations."""
        self.model, self.settings = model, settings
        begun = remembered(model, "begun", found_begun)
        self.data, self.size = duplicate(model, begun.start.data), begun.size
        self.start = replace(begun.start, data=self.data)
        self.switches = Switches(model, self.data, begun.sides)
        self.controls = Controls(model, self.data, controllers or {})
        self.segment, self.segment_end = np.nan, np.nan  # start and end of the segment that the method is in [s]
        self.conductor: Conductor | None = None
        self.stopped = ""  # the event at which the user asked to stop
        self.warnings: list[str] = []  # warnings about the method
        self.method: Method
        self.set_off()

    def set_off(self) -> None:
        """Make the method at the start state, with the accelerations by the forces that act there."""
        chosen = ALL_INTEGRATORS[self.settings.integrator]
        if chosen.passes_one_sided and self.switches.holds.rubs:
            raise self.model.plan.error("ground.friction", RUBS.format(chosen.name), remedy=RUBS_REMEDY)
        if chosen.passes_one_sided and self.switches.frictions.is_any:
            self.switches.frictions.let_go(self.data)
            self.warnings = [SMOOTHED.format(chosen.name)]
        consistent_accelerations(self.model.tables, self.data, new_factor(self.model))
        exactness = max(self.settings.tolerance / self.settings.error_growth, LEAST_TOLERANCE)
        self.method = chosen(self.model, self.data, exactness, **self.settings.method_options())
        self.method.run_end = self.settings.duration
        if self.method.passes_one_sided:
            self.switches.holds.let_go()
        self.method.settle(self.data)

    def begin(self) -> None:
        """Let the controllers act for the first time."""
        if self.controls.is_any:
            self.controls.act(0.0, self.data)
            # the commands have changed the forces at the start, so accelerations and the method's start values are
            # stale
            self.set_off()
            self._show_jump(self.data)

    def segments(self, start: float, end: float, stops: Sequence[float] = ()) -> list[Segment]:
        """Pieces between jumps of the signals, instants of the controllers, and stops."""
        jumps = self.model.breakpoints
        inside = jumps[bisect_right(jumps, start) : bisect_right(jumps, end)]
        stops = [*stops, *self.controls.looks(start, end).tolist()]
        if not inside and not len(stops) and not self.controls.is_any:
            return [(start, end, self._what_happens(start))]
        own = [(t, JUMP if t in inside else 0) for t in sorted({*inside, *stops})]
        marks = distinct([(start, self._what_happens(start)), *own, (end, 0)])
        marks = merged(marks, self.controls.instants(start, end), self.controls.slack)
        return [(a, b, what) for (a, what), (b, _) in zip(marks, marks[1:], strict=False)]

    def _what_happens(self, time: float) -> int:
        """What happens at a time at which a piece of the motion begins."""
        jumps = self.model.breakpoints
        k = bisect_right(jumps, time)
        is_jump = time == 0.0 or (k > 0 and jumps[k - 1] == time)
        return JUMP if is_jump else self.controls.due(time)

    def go(self, segments: Sequence[Segment], keeper: Keeper) -> int:
        """Advance through segments; returns DONE, or the code of why it ended before."""
        code, k, conductor = DONE, 0, self._conductor()
        marks = Marks(segments) if conductor is not None else None
        while k < len(segments) and code == DONE:
            start, end, what = segments[k]
            # passed before the run was resumed; a pending step still has samples to deliver
            if end <= self.method.time and not self.method.is_pending:
                k += 1
                continue
            is_new = self.segment != start
            # controllers see the left limit of the jump, before the method restarts at the right limit
            is_instant = is_new and what != 0 and start > 0.0
            if conductor is not None and marks is not None and is_new:
                k, code = self._conducted(conductor, marks, k, keeper)
            else:
                if is_instant and self.controls.is_any:
                    self.controls.act(start, self.method.state())
                self.method.begin_segment(start, end, is_restart=is_new and what == JUMP)
                self.segment, self.segment_end = start, end
                if is_instant and what == JUMP:
                    self._show_jump(self.method.state())
                    keeper.passed(is_jump=True)
                code = self.through(keeper)
            k += 1
        return code

    def _show_jump(self, state: Data) -> None:
        """Let sensors that follow the machine between samples see it after a jump of its forces or velocities."""
        if self.controls.must_look:
            self.controls.measurements.jump(state)  # type: ignore[union-attr]

    def _conductor(self) -> Conductor | None:
        """Compiled code that goes through segments with their controllers, if there is any for this motion."""
        ahead, known = self.controls.prepared() if self.controls.is_any else None, self.conductor
        if ahead is None or known is None or known.method is not self.method or known.model is not self.model:
            self.conductor = conductor_of(self.method, ahead)
        return self.conductor

    def _conducted(self, conductor: Conductor, marks: Marks, k: int, keeper: Keeper) -> tuple[int, int]:
        """Pass segments from number k on in compiled code; returns the last one, and why it ended."""
        last = k + max(keeper.stretch(marks.ends[k : k + SEGMENTS]), 1) - 1
        room = keeper.buffer(float(marks.ends[last]))
        at, code = conductor.go(marks, (k, last), room)
        while code == NEEDED:
            # tables are filled, or a controller answers, in Python
            self.controls.act(float(marks.starts[at]), self.method.state())
            at, code = conductor.go(marks, (at, last), room, is_acted=True)
        self.segment, self.segment_end = float(marks.starts[at]), float(marks.ends[at])
        return at, self.through(keeper, (*room, code))

    def through(self, keeper: Keeper, called: tuple[Samples, int, int] | None = None) -> int:
        """Advance to the end of the segment; ``called`` are the buffer, steps and code of a first call made before."""
        must_look = self.controls.must_look
        while True:
            if called is None:
                buffer, steps = keeper.buffer(self.segment_end)
                # sensors that follow the machine see the end of every step
                steps = 1 if must_look else steps
                code = self.method.advance(buffer, steps)
            else:
                (buffer, steps, code), called = called, None
            code = keeper.look(buffer, code, steps)
            if must_look and not self.method.is_pending:
                self.controls.measurements.look(self.method.state())  # type: ignore[union-attr]
            self.switches.history += self.method.take_passed()
            # impacts inside steps have no friction: zero impulse and rate along the ground
            smooth = (0.0, 0.0, 0.0, 0.0)
            self.switches.holds.struck += [(*hit, *smooth) for hit in self.method.take_struck()]
            if code == AT_EVENT:
                code = self._pass_event(keeper)
            if keeper.is_ended():
                return ENDED
            if code not in (MORE, SAMPLES_FULL, LOG_FULL):
                return code

    def _pass_event(self, keeper: Keeper) -> int:
        """Let the event pass that the method stopped at, and restart after it."""
        event, time = self.method.event, self.method.time
        state = self.method.state()
        impact = self.switches.switch(event, time, state)
        self.method.add_energies(impact.lost, impact.given)
        # velocities jump only at impacts, and where friction stops a coordinate
        if self.switches.holds.is_any or self.switches.frictions.is_any:
            self.method.take(state)
        self.method.restart()
        self._show_jump(self.method.state())
        keeper.passed(is_jump=False)
        if self.switches.is_chattering:
            return CHATTER
        if self.switches.is_stop(event):
            self.stopped = f"event {self.model.names.events[event]} at t = {time:.9g} s"
            return STOP
        return DONE if time >= self.segment_end else MORE

    def change_model(self, model: Model) -> None:
        """Go on with another model of the same machine, whose signals reach further."""
        parts = (self, self.method, self.switches, self.switches.holds, self.switches.frictions, self.switches.grips)
        for part in (*parts, *filter(None, [self.controls.measurements])):
            part.model = model
        if self.controls.ahead is not None:
            self.controls.ahead.find_machine()

    def checkpoint(self) -> Arrays:
        """Everything from which the motion goes on bit for bit, but for commands and the memory of controllers.

        A resumed run gets those by ``Controls.replay``, a ``State`` holds them itself.
        """
        parts = (self.method, self.switches, self.controls)
        memory = {name: array for part in parts for name, array in part.checkpoint().items()}
        return {**memory, "segment": np.array(self.segment),
                "stopped": np.frombuffer(self.stopped.encode(), np.uint8)}  # fmt: skip

    def restore(self, state: Arrays) -> None:
        """Go on from a checkpoint of the motion."""
        self.segment, self.stopped = float(state["segment"]), bytes(state["stopped"]).decode()
        self.method.restore(state)
        self.switches.restore(state)
        self.controls.restore(state)


def distinct(marks: list[Mark]) -> list[Mark]:
    """Merge marks closer than the time resolution; the last one keeps its time."""
    kept, (end, _) = marks[:1], marks[-1]
    for t, what in marks[1:]:
        gap = SAME * max(t, 1.0)
        if kept[-1][0] + gap < t < end - gap or t == end:
            kept.append((t, what))
        elif t < end - gap:
            kept[-1] = (kept[-1][0], max(kept[-1][1], what))
    return kept


def merged(marks: list[Mark], instants: list[Mark], slack: float) -> list[Mark]:
    """Insert the controllers' instants; one within ``slack`` of a mark is merged with it."""
    every = sorted([*((t, what, True) for t, what in marks), *((t, what, False) for t, what in instants)])
    kept: list[tuple[float, int, bool]] = []
    for t, what, is_given in every:
        if kept and t - kept[-1][0] <= slack:
            before, other, was_given = kept[-1]
            # a given mark keeps its exact time
            kept[-1] = (t if is_given else before, max(what, other), is_given or was_given)
        else:
            kept.append((t, what, is_given))
    return [(t, what) for t, what, _ in kept]
