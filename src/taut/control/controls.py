"""All controllers of a run: when they are sampled, when their commands act, and what was measured and commanded.

At an instant, commands that were on their way arrive first; then the controllers that are due are told the measurements
and answer; answers without delay act at once. A controller's answers depend on times and measurements only, so that an
interrupted run is resumed by calling the controllers again with those of its journal (``replay``). This also restores
the memory of functions written by users, which nobody else can see. The state of a stepper has no such log: it holds
the memory of the built-in controllers (``memory``), and none of users' functions.

Where all of this is known to compiled code, an instant is one call of it (``control/acting.py``, ``control/ahead.py``);
what is asked for, on its way and noted then lies in its arrays, until Python asks for it.
"""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.control.ahead import Ahead, ahead_of
from taut.control.courses import limited, set_course
from taut.control.kinds import Control, make_controllers
from taut.control.measuring.measure import Measurements
from taut.control.python_function import UserFunction
from taut.model import Data, Model

LOOK, JUMP = 1, 2  # what happens at an instant: samples whose commands arrive later; forces may jump
CLOSE = 1e-9  # merge sampling instants closer than this times the shortest period


@dataclass
class Loop:
    """One controller and its clock."""

    controller: Control
    spec: Any
    count: int = 0  # number of samples taken so far

    def next_sample(self) -> float:
        """Time of the next sample [s]."""
        return self.spec.start + self.count * self.spec.period


@dataclass(frozen=True)
class Answer:
    """Commands that act after a delay."""

    time: float
    commands: dict[str, float]
    period: float


class Controls:
    """The controllers of one run."""

    def __init__(self, model: Model, data: Data, functions: Mapping[str, UserFunction]) -> None:
        """Make the controllers; ``data`` is a workspace of the run, which all others share their commands with."""
        self.specs: dict[str, Any] = dict(model.plan.commands)
        self.rows = {name: data.commands[k] for k, name in enumerate(self.specs)}
        specs = model.plan.controllers
        self.loops = [Loop(controller, specs[name]) for name, controller in make_controllers(model, functions).items()]
        self.measurements = Measurements(model, data) if self.loops else None
        # last command of each actuator as its controller gave it, within the limits; delay and lag are applied after it
        self._asked = {
            name: spec.initial if spec.acts in ("value", "ramp") else 0.0 for name, spec in self.specs.items()
        }
        self._waiting: list[Answer] = []
        self._samples = 0
        self.slack = CLOSE * min((loop.spec.period for loop in self.loops), default=0.0)
        # times, measured numbers and commands of samples, several at a time
        self._log: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self.ahead: Ahead | None = ahead_of(self, data) if self.loops else None

    @property
    def is_any(self) -> bool:
        """Whether the run has controllers."""
        return bool(self.loops)

    def instants(self, start: float, end: float) -> list[tuple[float, int]]:
        """Times between two others at which samples are taken (LOOK) or commands arrive (JUMP) [s]."""
        found: list[tuple[float, int]] = []
        for spec in (loop.spec for loop in self.loops):
            first = max(int((start - spec.delay - spec.start) / spec.period) - 1, 0)
            last = max(int((end - spec.start) / spec.period) + 2, first)
            samples = spec.start + spec.period * np.arange(first, last)
            marks = [(samples + spec.delay, JUMP)] + ([(samples, LOOK)] if spec.delay else [])
            for times, what in marks:
                found += [(time, what) for time in times[(times > start) & (times < end)].tolist()]
        return found

    @property
    def must_look(self) -> bool:
        """Whether sensors follow the machine between samples, with lags, delays or samples of their own."""
        sensors = self.measurements.sensors if self.measurements is not None else None
        return sensors is not None and sensors.must_look

    def looks(self, start: float, end: float) -> np.ndarray:
        """Times between two others at which sensors are read without a sample [s]."""
        if not self.must_look:
            return np.zeros(0)
        return self.measurements.sensors.looks(start, end, [loop.spec for loop in self.loops])  # type: ignore[union-attr]

    @property
    def asked(self) -> dict[str, float]:
        """The last command of each actuator as its controller gave it."""
        self._settle()
        return self._asked

    @asked.setter
    def asked(self, asked: dict[str, float]) -> None:
        self._settle()
        self._asked = asked

    def _settle(self) -> None:
        """Take over what compiled code has done since the last call, so that Python's objects are up to date."""
        ahead = self.ahead
        if ahead is None or not ahead.is_ahead:
            return
        ahead.is_ahead = False
        self._samples, self._asked = ahead.samples, dict(zip(self.specs, ahead.acting.asked.tolist(), strict=True))
        for loop, count in zip(self.loops, ahead.acting.counts.tolist(), strict=True):
            loop.count = count
        self._waiting = [Answer(*answer) for answer in ahead.waiting()]
        self._log += ahead.take_log()

    def due(self, time: float) -> int:
        """What is to happen at a time that has been reached [s]: nothing (0), LOOK or JUMP."""
        if self.ahead is not None and self.ahead.is_ahead:
            sampled, arrives = self.ahead.due(time)
        else:
            sampled = [loop.next_sample() <= time + self.slack for loop in self.loops]
            arrives = any(answer.time <= time + self.slack for answer in self._waiting)
        at_once = any(is_due and not loop.spec.delay for is_due, loop in zip(sampled, self.loops, strict=True))
        return JUMP if arrives or at_once else LOOK if any(sampled) else 0

    def act(self, time: float, state: Data) -> None:
        """Let delayed commands arrive and controllers that are due answer, with the machine at ``state``."""
        if self.measurements is None:
            return
        ahead = self.prepared()
        if ahead is not None:
            self.measurements.put(state)
            ahead.act(time)
        else:
            self._act(time, lambda: self.measurements.take(state, self._samples, self.slack))  # type: ignore[union-attr]

    def prepared(self) -> Ahead | None:
        """Compiled code that stands where the run stands; None where Python acts."""
        ahead = self.ahead
        if ahead is not None and not ahead.is_ahead:
            waiting = [(answer.time, answer.commands, answer.period) for answer in self._waiting]
            ahead.begin([loop.count for loop in self.loops], self._asked, waiting, self._samples)
        return ahead

    def replay(self, marks: list[float], logged: Mapping[str, np.ndarray]) -> bool:
        """Go through instants again with the measurements of the log; returns whether all answers are as they were."""
        ahead, told = self.prepared(), iter(logged["measurement_value"])
        for mark in marks:
            if ahead is not None:
                ahead.act(mark, given=lambda: next(told))
            else:
                self._act(mark, lambda: next(told))
        return np.array_equal(self.take_log()["command_value"], logged["command_value"])

    def _act(self, time: float, take: Callable[[], np.ndarray]) -> None:
        self._arrive(time)
        due = [loop for loop in self.loops if loop.next_sample() <= time + self.slack]
        if not due:
            return
        values = take()
        told = self.measurements.named(values)  # type: ignore[union-attr]
        for loop in due:
            loop.count += 1
            self._answer(loop, time, loop.controller(time, told))
        self._samples += 1
        self._log.append((np.array([time]), values[None], np.array([list(self._asked.values())])))
        self._arrive(time)

    def _answer(self, loop: Loop, time: float, commands: dict[str, float]) -> None:
        period = loop.spec.period
        commands = self._held(loop) | commands
        kept = {name: limited(self.specs[name], value, self._asked[name], period) for name, value in commands.items()}
        self._asked |= kept
        self._waiting.append(Answer(time + loop.spec.delay, kept, period))

    def _held(self, loop: Loop) -> dict[str, float]:
        """Ramps of a controller as they were commanded last: one that it leaves out this time must not go on rising."""
        own = loop.spec.outputs()
        if own is None:
            own = self.specs if len(self.loops) == 1 else ()
        return {name: self._asked[name] for name in own if self.specs[name].acts == "ramp"}

    def _arrive(self, time: float) -> None:
        """Let the commands act whose time has come."""
        for answer in [answer for answer in self._waiting if answer.time <= time + self.slack]:
            self._waiting.remove(answer)
            for name, command in answer.commands.items():
                set_course(self.rows[name], self.specs[name], command, time, answer.period)

    def memory(self) -> dict[str, Any]:
        """Memory of the built-in controllers, as a value: the attributes that each lists in ``remembered``."""
        self._settle()
        remembered = [
            {name: getattr(loop.controller, name) for name in getattr(loop.controller, "remembered", ())}
            for loop in self.loops
        ]
        found = {"counts": [loop.count for loop in self.loops], "laws": remembered, "asked": self._asked,
                 "waiting": self._waiting, "samples": self._samples}  # fmt: skip
        return copy.deepcopy(found)

    def recall(self, memory: dict[str, Any]) -> None:
        """Restore the memory of the built-in controllers."""
        self._settle()
        memory = copy.deepcopy(memory)
        self._asked, self._waiting, self._samples = memory["asked"], memory["waiting"], memory["samples"]
        for loop, count, kept in zip(self.loops, memory["counts"], memory["laws"], strict=True):
            loop.count = count
            for name, value in kept.items():
                setattr(loop.controller, name, value)

    def checkpoint(self) -> dict[str, np.ndarray]:
        """State of the sensors that remember, as arrays for a checkpoint."""
        sensors = self.measurements.sensors if self.measurements is not None else None
        return {} if sensors is None else {f"sensors_{name}": array for name, array in sensors.checkpoint().items()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Restore the state of the sensors from a checkpoint."""
        sensors = self.measurements.sensors if self.measurements is not None else None
        if sensors is not None:
            mark = "sensors_"
            sensors.restore({name.removeprefix(mark): array for name, array in state.items() if name.startswith(mark)})

    def forget_log(self) -> None:
        """Forget what was measured and commanded so far."""
        self._log.clear()
        if self.ahead is not None:
            self.ahead.forget_log()

    def take_log(self) -> dict[str, np.ndarray]:
        """What was measured and commanded since the last call, as channels."""
        if self.measurements is None:
            return {}
        if self.ahead is not None:
            self._log += self.ahead.take_log()
        nothing = (np.zeros(0), np.zeros((0, len(self.measurements.names))), np.zeros((0, len(self.specs))))
        log, self._log = [nothing, *self._log], []
        times, values, asked = (np.concatenate(part) for part in zip(*log, strict=True))
        return {"control_time": times, "measurement_value": values, "command_value": asked}

    def names(self) -> dict[str, list[str]]:
        """Names along the dimensions of the controllers' channels."""
        if self.measurements is None:
            return {}
        return {"measurement": self.measurements.names, "command": list(self.specs)}
