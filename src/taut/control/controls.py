"""All controllers of a run: when they are sampled, when their commands act, and what was measured and commanded.

At an instant, commands that were on their way arrive first; then the controllers that are due are told the measurements
and answer; answers without delay act at once. A controller's answers depend on times and measurements only, so that an
interrupted run is resumed by calling the controllers again with those of its journal (``replay``). This also restores
the memory of functions written by users, which nobody else can see. The state of a stepper has no such log: it holds
the memory of the built-in controllers (``memory``), and none of users' functions.
"""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.control.courses import limited, set_course
from taut.control.kinds import Control, make_controllers
from taut.control.measure import Measurements
from taut.control.python_function import UserFunction
from taut.model import Data, Model

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
        self.asked = {
            name: spec.initial if spec.acts in ("value", "ramp") else 0.0 for name, spec in self.specs.items()
        }
        self.waiting: list[Answer] = []
        self.samples = 0
        self.slack = CLOSE * min((loop.spec.period for loop in self.loops), default=0.0)
        self.log: list[tuple[float, np.ndarray, np.ndarray]] = []

    @property
    def is_any(self) -> bool:
        """Whether the run has controllers."""
        return bool(self.loops)

    def instants(self, start: float, end: float) -> np.ndarray:
        """Times between two others at which samples are taken or commands arrive [s]."""
        found = [np.zeros(0)]
        for spec in (loop.spec for loop in self.loops):
            first = max(int((start - spec.delay - spec.start) / spec.period) - 1, 0)
            last = max(int((end - spec.start) / spec.period) + 2, first)
            samples = spec.start + spec.period * np.arange(first, last)
            found += [samples, samples + spec.delay] if spec.delay else [samples]
        times = np.concatenate(found)
        return times[(times > start) & (times < end)]

    def is_due(self, time: float) -> bool:
        """Whether a sample is to be taken, or a command arrives, at a time that has been reached [s]."""
        due = [loop.next_sample() for loop in self.loops] + [answer.time for answer in self.waiting]
        return any(t <= time + self.slack for t in due)

    def act(self, time: float, state: Data) -> None:
        """Measure and command all that is due at an instant, with the machine at ``state``."""
        if self.measurements is not None:
            self._act(time, lambda: self.measurements.take(state, self.samples))  # type: ignore[union-attr]

    def replay(self, marks: list[float], logged: Mapping[str, np.ndarray]) -> bool:
        """Go through instants again with the measurements of the log; returns whether all answers are as they were."""
        told = iter(logged["measurement_value"])
        for mark in marks:
            self._act(mark, lambda: next(told))
        log, self.log = self.log, []
        return np.array_equal(np.array([row[2] for row in log]).reshape(-1, len(self.specs)), logged["command_value"])

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
        self.samples += 1
        self.log.append((time, values, np.array(list(self.asked.values()))))
        self._arrive(time)

    def _answer(self, loop: Loop, time: float, commands: dict[str, float]) -> None:
        period = loop.spec.period
        kept = {name: limited(self.specs[name], value, self.asked[name], period) for name, value in commands.items()}
        self.asked |= kept
        self.waiting.append(Answer(time + loop.spec.delay, kept, period))

    def _arrive(self, time: float) -> None:
        """Let the commands act whose time has come."""
        for answer in [answer for answer in self.waiting if answer.time <= time + self.slack]:
            self.waiting.remove(answer)
            for name, command in answer.commands.items():
                set_course(self.rows[name], self.specs[name], command, time, answer.period)

    def memory(self) -> dict[str, Any]:
        """Memory of the built-in controllers, as a value: the attributes that each lists in ``remembered``."""
        remembered = [
            {name: getattr(loop.controller, name) for name in getattr(loop.controller, "remembered", ())}
            for loop in self.loops
        ]
        found = {"counts": [loop.count for loop in self.loops], "laws": remembered, "asked": self.asked,
                 "waiting": self.waiting, "samples": self.samples}  # fmt: skip
        return copy.deepcopy(found)

    def recall(self, memory: dict[str, Any]) -> None:
        """Restore the controllers' memory from a saved state."""
        memory = copy.deepcopy(memory)
        self.asked, self.waiting, self.samples = memory["asked"], memory["waiting"], memory["samples"]
        for loop, count, kept in zip(self.loops, memory["counts"], memory["laws"], strict=True):
            loop.count = count
            for name, value in kept.items():
                setattr(loop.controller, name, value)

    def take_log(self) -> dict[str, np.ndarray]:
        """What was measured and commanded since the last call, as channels."""
        if self.measurements is None:
            return {}
        log, self.log = self.log, []
        return {
            "control_time": np.array([row[0] for row in log]),
            "measurement_value": np.array([row[1] for row in log]).reshape(len(log), len(self.measurements.names)),
            "command_value": np.array([row[2] for row in log]).reshape(len(log), len(self.specs)),
        }

    def names(self) -> dict[str, list[str]]:
        """Names along the dimensions of these channels."""
        if self.measurements is None:
            return {}
        return {"measurement": self.measurements.names, "command": list(self.specs)}
