"""The generalized-alpha method, for a fixed step and for real time.

Order 2 in positions, velocities and multipliers, A-stable with as much damping of what the step cannot resolve as
asked: ``rho_infinity`` is the share of an infinitely fast motion that survives a step, from 0 (all damped) to 1 (none).
With index 3 the closures hold in positions at every step and velocities follow to the method's order; with index 2 they
hold in velocities, and positions are closed after every step. The step is fixed if ``step`` is given, and follows the
tolerance if not. In real time a step takes a bounded number of Newton iterations, and every step is timed.

References:
    [Chung 1993; Arnold 2007; Bruls 2012; Bottasso 2007; Arnold 2015]
"""

import time as wall
from typing import Any

import numpy as np

from taut.integrate.alpha.advance import alpha_advance
from taut.integrate.samples.raw import Samples
from taut.integrate.status import MORE
from taut.integrate.step.method import NEWTON_COUNTS
from taut.integrate.step.one_step import OneStep
from taut.integrate.step.scales import set_scales
from taut.integrate.step.work import Shape, new_step_work
from taut.model import Data, Model

ORDER = 2
SHAPE = Shape(stages=0, terms=3)
NEWTON_GOAL = 1e-3  # Newton's error accumulated over 1 s, relative to the tolerated error
ROUNDING = 1e-14  # lower bound of the goal of Newton's iteration [m or rad]
USUAL_ITERATIONS = 10


def scheme(rho_infinity: float) -> tuple[float, float, float, float]:
    """alpha_m, alpha_f, gamma, beta for a spectral radius at infinity [Chung 1993, Eqs. 17, 20, 25]."""
    alpha_m, alpha_f = (2.0 * rho_infinity - 1.0) / (rho_infinity + 1.0), rho_infinity / (rho_infinity + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    return alpha_m, alpha_f, gamma, 0.25 * (gamma + 0.5) ** 2


class GeneralizedAlpha(OneStep):
    """One run by the generalized-alpha method."""

    name = "generalized-alpha"
    order = ORDER
    stability = "A-stable, damping by rho_infinity"
    citation = "Arnold2007"
    restart_step = 0.5
    counted = NEWTON_COUNTS

    def __init__(
        self,
        model: Model,
        data: Data,
        tolerance: float,
        largest_step: float = np.inf,
        *,
        step: float | None = None,
        index: int = 2,
        rho_infinity: float = 0.8,
        real_time: bool = False,
        most_iterations: int = 3,
    ) -> None:
        """Begin at the state in ``data``.

        Args:
            model: the machine.
            data: its start state.
            tolerance: tolerated error; without a step it also chooses the step.
            largest_step: limit of the step [s].
            step: fixed step [s].
            index: 2 or 3.
            rho_infinity: spectral radius at infinity, 0 to 1.
            real_time: whether Newton's iterations are bounded, and steps timed one by one.
            most_iterations: that bound, after which a step is taken as it is.
        """
        super().__init__(model, new_step_work(model, data, SHAPE), tolerance, largest_step, step)
        set_scales(self.work, model, data, tolerance)
        clock, count = self.work.clock[0], self.work.count[0]
        clock.alpha_m, clock.alpha_f, clock.gamma, clock.beta = scheme(rho_infinity)
        clock.rate = 1.0
        count.index, count.is_closed, count.is_real_time = index, 1, real_time
        count.most_iterations = most_iterations if real_time else USUAL_ITERATIONS
        # kept as plain arrays, because they are read at every call and attributes of records are slow
        self._factor_step, self._goal = self.work.clock["factor_step"], self.work.clock["goal"]
        self._tolerance, self._real_time = self.work.clock["tolerance"], self.work.count["is_real_time"]
        self.seconds = np.zeros(2)  # wall time of the longest step, and of all [s]

    def take(self, data: Data) -> None:
        """Go on with the velocities of a state, which have jumped; what friction has stopped has no acceleration."""
        super().take(data)
        stick = self.model.tables.columns["stick"]
        stuck = np.flatnonzero((stick >= 0) & (data.modes[stick] > 0)) if len(data.modes) else []
        self.work.K_begin[len(data.v) + np.array(stuck, int)] = 0.0
        self.work.offset[stuck] = self.work.a_slope[stuck] = 0.0

    @classmethod
    def stepping(cls, model: Model, data: Data) -> tuple[Any, Any]:
        """The compiled code that steps, and a workspace for it."""
        return alpha_advance, new_step_work(model, data, SHAPE)

    def advance(self, samples: Samples, most_steps: int) -> int:
        """Step on; returns a code of ``integrate.status``. The Newton matrix is recomputed at every call."""
        self._factor_step[0] = 0.0
        # Newton errors add up over the steps, so each step gets a share in proportion to its length
        self._goal[0] = max(NEWTON_GOAL * min(float(self._step[0]), 1.0) * float(self._tolerance[0]), ROUNDING)
        if self._real_time[0]:
            return self._advance_timed(samples, most_steps)
        return int(alpha_advance(self.model.tables, self.work, samples, most_steps))

    def _advance_timed(self, samples: Samples, most_steps: int) -> int:
        """One step per call, as a loop in real time would; the time of a step is that of its call, samples included."""
        tables, work = self.model.tables, self.work
        # a call with no steps loads the compiled code before the time is measured
        code = int(alpha_advance(tables, work, samples, 0))
        for _ in range(most_steps):
            begin = wall.perf_counter()
            code = int(alpha_advance(tables, work, samples, 1))
            seconds = wall.perf_counter() - begin
            self.seconds[:] = max(self.seconds[0], seconds), self.seconds[1] + seconds
            if code != MORE:
                break
        return code

    def checkpoint(self) -> dict[str, np.ndarray]:
        """Everything needed to carry on bit for bit, and the longest step so far."""
        return {**super().checkpoint(), "seconds": self.seconds.copy()}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Carry on from a checkpoint of the method."""
        super().restore(state)
        self.seconds[:] = state["seconds"]

    def statistics(self) -> dict[str, Any]:
        """Counts for the audit; in real time also the seconds of wall time of the longest step and of a mean one."""
        found = super().statistics()
        if self.work.count[0].is_real_time and found["accepted"]:
            longest, total = map(float, self.seconds)
            found |= {"step_seconds_max": longest, "step_seconds_mean": total / found["accepted"]}
        return found
