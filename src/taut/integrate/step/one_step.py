"""A run by any method on ``StepWork``: a fixed step, or one that follows the tolerance."""

import math
from typing import Any

from taut.dynamics.residual import consistent_accelerations
from taut.integrate.step.method import Method
from taut.integrate.step.work import STATE_ARRAYS
from taut.model import Data, Model

ROUNDING = 1e-9  # relative rounding error allowed when an interval is divided into a whole number of steps


class OneStep(Method):
    """A run in progress; a method adds its workspace, its settings and ``advance``."""

    state_arrays = STATE_ARRAYS
    work: Any  # workspace: a StepWork, or one with more fields

    def __init__(self, model: Model, work: Any, tolerance: float, largest_step: float, step: float | None) -> None:
        """Begin; a ``step`` [s], if given, is fixed, and shortened a little so that jumps of signals are met."""
        super().__init__(model, work, tolerance, largest_step)
        self.step = step
        work.count[0].is_fixed = step is not None
        self._started, self._has_first = work.count["is_started"], work.count["has_first"]
        self._nominal = work.clock["nominal"]

    def begin_segment(self, start: float, end: float, *, is_restart: bool) -> None:
        """Aim at the next mark; a fixed step meets it."""
        super().begin_segment(start, end, is_restart=is_restart)
        # a run that is resumed inside a segment keeps the step it had
        if not is_restart and self.time == start:
            self._fit_step()

    def restart(self) -> None:
        """Forget the last step: the forces have changed."""
        super().restart()
        self._started[0] = self._has_first[0] = 0
        self._fit_step()

    def _fit_step(self) -> None:
        """A fixed step, shortened a little so that a number of them meets the end of the segment."""
        if self.step is not None:
            left = float(self._end[0] - self._now[0])
            steps = max(math.ceil(left / self.step * (1.0 - ROUNDING)), 1)
            self._step[0] = self._nominal[0] = left / steps

    def state(self) -> Data:
        """A workspace at the present state, with its accelerations and multipliers."""
        data = self._place()
        consistent_accelerations(self.model.tables, data, self.work.closing)
        return data

    def _place(self) -> Data:
        """A workspace at the present state."""
        data, work = self.work.stage, self.work
        n, m = len(data.v), len(data.z)
        data.time[0] = self.time
        data.q[:] = work.q_begin
        data.v[:], data.z[:] = work.y_begin[n : 2 * n], work.y_begin[2 * n : 2 * n + m]
        return data

    def placed(self) -> Data:
        """A workspace at the present state, without solving for accelerations."""
        return self._place()

    def take(self, data: Data) -> None:
        """Go on with a state whose velocities, and slip of ropes, have jumped."""
        n = len(data.v)
        self.work.q_begin[:] = data.q
        self.work.y_begin[n : 2 * n] = data.v
