"""A run by any method on ``StepWork``: a fixed step, or one that follows the tolerance."""

from typing import Any

import numpy as np

from taut.dynamics.residual import consistent_accelerations
from taut.integrate.step.method import Method
from taut.integrate.step.work import STATE_ARRAYS
from taut.model import Data, Model

ROUNDING = 1e-9  # relative rounding of a number of steps


class OneStep(Method):
    """A run in progress; a method adds its workspace, its settings and ``advance``."""

    state_arrays = STATE_ARRAYS
    work: Any  # a StepWork, or one with more fields

    def __init__(self, model: Model, work: Any, tolerance: float, largest_step: float, step: float | None) -> None:
        """Begin; a ``step`` [s], if given, is fixed, and shortened a little so that jumps of signals are met."""
        super().__init__(model, work, tolerance, largest_step)
        self.step = step
        work.count[0].is_fixed = step is not None

    def begin_segment(self, start: float, end: float, *, is_restart: bool) -> None:
        """Aim at the next mark; a fixed step meets it."""
        super().begin_segment(start, end, is_restart=is_restart)
        # a run that is resumed inside a segment keeps the step it had
        if not is_restart and self.time == start:
            self._fit_step()

    def restart(self) -> None:
        """Forget the last step: the forces have changed."""
        super().restart()
        self.work.count[0].is_started, self.work.count[0].has_first = 0, 0
        self._fit_step()

    def _fit_step(self) -> None:
        """A fixed step, shortened a little so that a number of them meets the end of the segment."""
        clock = self.work.clock[0]
        if self.step is not None:
            left = clock.end - clock.time
            steps = max(np.ceil(left / self.step * (1.0 - ROUNDING)), 1.0)
            clock.step = clock.nominal = left / steps

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

    def take(self, data: Data) -> None:
        """Go on with the velocities of a state, which have jumped."""
        n = len(data.v)
        self.work.y_begin[n : 2 * n] = data.v
