"""Explicit Runge-Kutta of order 8 by Dormand and Prince, for machines that are not stiff.

Order 8 in positions and velocities, adaptive, dense output of order 7; a step costs twelve evaluations of forward
dynamics and no Newton iteration. Positions and velocities are closed after every step, moving as little mass as
possible. Elastic cables are stiff: the method says so and stops. With ``stabilisation="baumgarte"`` the closures are
held by feedback instead, as many codes do; it is here for comparison.

References:
    [Hairer 1993, secs. II.5, II.6, II.10; MuntheKaas 1998; Baumgarte 1972]
"""

from typing import Any

import numpy as np

from taut.integrate.explicit.advance import STIFF, STIFF_LEFT, explicit_advance
from taut.integrate.samples.raw import Samples
from taut.integrate.status import DONE, MORE, TOO_STIFF
from taut.integrate.step.one_step import OneStep
from taut.integrate.step.scales import set_scales
from taut.integrate.step.work import Shape, new_step_work
from taut.kernels.dop853 import EXTENDED_STAGES
from taut.model import Data, Model
from taut.model.enums import JointKind

ORDER = 8
WINDOW = 200  # accepted steps over which their mean size is taken
SHAPE = Shape(stages=EXTENDED_STAGES, terms=7)


class Explicit(OneStep):
    """One run by the method of Dormand and Prince."""

    name = "explicit"
    order = ORDER
    stability = "bounded"
    citation = "Hairer1993"
    counted = {"accepted": "accepted", "rejected": "rejected", "evaluations": "evaluated"}

    def __init__(
        self,
        model: Model,
        data: Data,
        tolerance: float,
        largest_step: float = np.inf,
        *,
        step: float | None = None,
        stabilisation: str = "projection",
        damping: float = 10.0,
        stiffness: float = 10.0,
    ) -> None:
        """Begin at the state in ``data``.

        Args:
            model: the machine.
            data: its start state.
            tolerance: tolerated error.
            largest_step: limit of the step [s].
            step: fixed step [s]; none: it follows the tolerance.
            stabilisation: projection, or baumgarte: J a + bias + 2 damping rate + stiffness^2 value = 0.
            damping: of Baumgarte's feedback [1/s].
            stiffness: its root [1/s].
        """
        self.mark = 0, 0.0  # number of accepted steps, and time [s], at the last check of their mean size
        super().__init__(model, new_step_work(model, data, SHAPE), tolerance, largest_step, step)
        set_scales(self.work, model, data, tolerance)
        clock, count = self.work.clock[0], self.work.count[0]
        count.is_closed = stabilisation == "projection"
        count.has_driven = np.any(model.tables.nodes["kind"] == JointKind.DRIVEN)
        if not count.is_closed:
            clock.damping, clock.stiffness = damping, stiffness

    @classmethod
    def stepping(cls, model: Model, data: Data) -> tuple[Any, Any]:
        """The compiled code that steps, and a workspace for it."""
        return explicit_advance, new_step_work(model, data, SHAPE)

    def advance(self, samples: Samples, most_steps: int) -> int:
        """Step on; returns a code of ``integrate.status``."""
        code = int(explicit_advance(self.model.tables, self.work, samples, most_steps))
        return TOO_STIFF if code in (DONE, MORE) and self.is_hopeless() else code

    def is_hopeless(self) -> bool:
        """Whether too many steps are left in the run: segments between a controller's samples are short."""
        steps, span = self.work.count[0].accepted - self.mark[0], self.time - self.mark[1]
        if steps < WINDOW:
            return False
        self.mark = int(self.work.count[0].accepted), self.time
        is_stiff = self.work.count[0].stiff_steps >= STIFF and not self.work.count[0].is_fixed
        return bool(is_stiff and self.run_end - self.time > STIFF_LEFT * span / steps)
