"""Stepping a machine from one's own program: state in, step out."""

import math
from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np

from taut.build.again import with_run
from taut.control.controls import JUMP
from taut.control.courses import limited, set_course
from taut.control.measuring.measure import Measurements
from taut.control.python_function import UserFunction
from taut.dynamics.residual import consistent_accelerations
from taut.integrate.moving import Moving
from taut.integrate.radau.method import Radau
from taut.integrate.run.compiled import begin_to_compile
from taut.integrate.run.texts import ending
from taut.integrate.samples.raw import Samples, channels, new_samples
from taut.integrate.settings import ALL_INTEGRATORS, Settings, check_method, run_settings
from taut.integrate.state import State, check_state, state_of, take_up
from taut.integrate.status import DONE, STOP
from taut.model import Model, data_beside, new_factor
from taut.scenario.errors import Problem, ScenarioError, suggest

NO_SAMPLES = np.array([np.inf])


class StepError(RuntimeError):
    """The motion cannot go on; the text says where, why and what to try."""


class Stepper:
    """A machine that is stepped by somebody else's program.

    Args:
        model: the machine.
        state: where it begins; None for the start of the model.
        controllers: functions of the scenario's Python controllers, by name.
        settings: those of a run: ``tolerance``, ``integrator``, ``step``, ...; else as the scenario says.
    """

    def __init__(
        self,
        model: Model,
        state: State | None = None,
        *,
        controllers: Mapping[str, UserFunction] | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        """Close the loops and find the first accelerations, or take up the state."""
        asked = run_settings(model, settings)
        check_method(model, asked, list(ALL_INTEGRATORS))
        begin_to_compile(model, asked.integrator)
        self.model = with_run(model, {"duration": asked.duration})
        self._horizon = asked.duration
        self._moving = Moving(self.model, asked, controllers)
        self._moving.begin()
        self._keeper = NobodyLooks(self._moving)
        self._factor = new_factor(model)
        self._is_set = False  # whether the user has set a command since the last step
        self._seen = 0  # number of events that take_events has returned so far
        self._measurements: Measurements | None = None
        if state is not None:
            self.reset(state)

    @property
    def time(self) -> float:
        """Present time of the motion [s]."""
        return self._moving.method.time

    def step(self, dt: float) -> None:
        """Advance the machine by a duration [s]."""
        self.advance_to(self.time + dt)

    def advance_to(self, time: float) -> None:
        """Advance to a time [s], at which a step ends.

        Raises:
            ScenarioError: the time lies behind.
            StepError: the motion cannot go on.
        """
        moving = self._moving
        now = moving.method.time
        if not now < time < np.inf:
            if time == now:
                return
            message = f"cannot advance from t = {now:.9g} s to {time:.9g} s: a motion goes forward"
            raise ScenarioError([Problem(message, remedy="set an earlier state with reset(state)")])
        # signals are tabulated up to the horizon only: extend them
        if time > self._horizon:
            self._reach(time)
        if self._is_set and now == 0.0:
            self._set_off_again()
        segments = moving.segments(now, time)
        # a command set by the user is a jump of the forces: the method restarts here
        if self._is_set:
            segments[0] = (*segments[0][:2], JUMP)
            self._is_set = False
        self._conclude(moving.go(segments, self._keeper))

    def go_on(self, called: int) -> None:
        """Go on to the end of a segment whose first call was made elsewhere and returned a code.

        Raises:
            StepError: the motion cannot go on.
        """
        nothing, steps = self._keeper.buffer(self._moving.segment_end)
        self._conclude(self._moving.through(self._keeper, (nothing, steps, called)))

    def _conclude(self, code: int) -> None:
        """Raise an error unless the motion has come to its end."""
        moving = self._moving
        if code == STOP:
            raise StepError(f"stopped by {moving.stopped}")
        if code != DONE:
            word, text = ending(code, self.model, moving.method)
            raise StepError(f"{word} {text}")

    def _set_off_again(self) -> None:
        """Make the method anew at the start, with the accelerations under the commands that were set."""
        method, data = self._moving.method, self._moving.data
        # only radau needs more than positions and velocities
        if not isinstance(method, Radau):
            return
        data.time[0] = 0.0
        data.q[:], data.v[:], data.z[:] = method.work.q, method.work.v, method.work.z
        consistent_accelerations(self.model.tables, data, self._factor)
        method.work.acceleration[:], method.work.lam[:] = data.acceleration, data.lam

    def _reach(self, time: float) -> None:
        """Tabulate signals beyond a time; the horizon is doubled, so that its values do not depend on the calls."""
        horizon = self._horizon
        while horizon < time:
            horizon *= 2.0
        self._set_horizon(horizon)

    def _set_horizon(self, horizon: float) -> None:
        """Tabulate signals up to a time [s]."""
        self._horizon = horizon
        self.model = with_run(self.model, {"duration": horizon})
        self._moving.change_model(self.model)
        if self._measurements is not None:
            self._measurements.model = self.model

    @property
    def state(self) -> State:
        """Present state of the motion, as a value that can be kept."""
        return state_of(self._moving, self._horizon)

    def reset(self, state: State) -> None:
        """Go on from a state of this model, by the method it was made with."""
        check_state(state, self._moving)
        if state.horizon != self._horizon:
            self._set_horizon(state.horizon)
        take_up(state, self._moving)
        self._is_set, self._seen = False, len(self._moving.switches.history)

    def set(self, command: str, value: float, *, period: float | None = None) -> None:
        """Let a command act from now on.

        Args:
            command: name of a signal of kind command.
            value: what it is to be, within its limits.
            period: time until the next command [s]; only one that ramps needs it.
        """
        controls = self._moving.controls
        if command not in controls.specs:
            known = list(controls.specs)
            raise ScenarioError([Problem("there is no such command", command, remedy=suggest(command, known)
                                         or "give the scenario a signal of kind command")])  # fmt: skip
        spec = controls.specs[command]
        if spec.acts == "ramp" and period is None:
            raise ScenarioError([Problem("a command that ramps needs the period in which it does", command)])
        if not math.isfinite(value):
            raise ScenarioError([Problem("a command must be a finite number", command, value=value)])
        asked = limited(spec, float(value), controls.asked[command], period or np.inf)
        controls.asked[command] = asked
        set_course(controls.rows[command], spec, asked, self.time, period or np.inf)
        self._is_set = True

    def read(self, measure: str) -> Any:
        """A measurement of the scenario, without noise; or a channel of results, such as ``body_position``."""
        moving = self._moving
        if measure in self.model.plan.measurements:
            if self._measurements is None:
                self._measurements = Measurements(self.model, moving.data)
            return self._measurements.read(measure, moving.method.state())
        found = self.channels()
        if measure not in found:
            known = [*self.model.plan.measurements, *found]
            raise ScenarioError([Problem("is no measurement and no channel", measure, remedy=suggest(measure, known))])
        return found[measure][0]

    def channels(self) -> dict[str, np.ndarray]:
        """All channels of results now, each with one sample."""
        state, sample = self._moving.method.state(), new_samples(self.model, np.array([self.time]), 0)
        for name, value in (("q", state.q), ("v", state.v), ("a", state.acceleration), ("lam", state.lam)):
            getattr(sample, name)[0] = value
        sample.z[0] = state.z
        return channels(self.model, data_beside(self.model, self._moving.data), sample, 1)

    def take_events(self) -> list[dict[str, Any]]:
        """What has happened since the last call: time [s], name and what."""
        events = self._moving.switches.record(since=self._seen)
        self._seen = len(self._moving.switches.history)
        return events


class NobodyLooks:
    """A Keeper that records nothing."""

    def __init__(self, moving: Moving) -> None:
        """Take room for no samples, and for the log of a call."""
        self.moving = moving
        self.nothing = new_samples(moving.model, NO_SAMPLES, moving.method.steps_per_call)

    def buffer(self, end: float) -> tuple[Samples, int]:
        """A buffer without samples."""
        return self.nothing, self.moving.method.steps_per_call

    def stretch(self, ends: np.ndarray) -> int:
        """All segments may be passed in one call, because nothing is recorded."""
        return len(ends)

    def look(self, buffer: Samples, code: int, steps: int) -> int:
        """Forget the logs of the steps and of the controllers: a stepper has no end."""
        self.moving.method.take_counts()
        self.moving.controls.forget_log()
        return code

    def passed(self, *, is_jump: bool) -> None:
        """Ignore jumps of the forces."""

    def is_ended(self) -> bool:
        """The caller alone decides when to end."""
        return False
