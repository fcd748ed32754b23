"""Explicit Runge-Kutta of order 8 by Dormand and Prince, for machines that are not stiff.

Order 8 in positions and velocities, adaptive, dense output of order 7; a step costs twelve evaluations of forward
dynamics and no Newton iteration. Positions and velocities are closed after every step, moving as little mass as
possible. Elastic cables are stiff: the method says so and stops. With ``stabilisation="baumgarte"`` the closures are
held by feedback instead, as many codes do; it is here for comparison.

References:
    [Hairer 1993, secs. II.5, II.6, II.10; MuntheKaas 1998; Baumgarte 1972]
"""

import numpy as np

from taut.integrate.explicit_advance import explicit_advance
from taut.integrate.methods.dop853_tableau import EXTENDED_STAGES
from taut.integrate.methods.one_step import OneStep
from taut.integrate.radau_work import ACCEPTED, EVALUATED, REJECTED
from taut.integrate.samples import Samples
from taut.integrate.scales import set_scales
from taut.integrate.step_work import DAMPING, HAS_DRIVEN, IS_CLOSED, STIFFNESS, Shape, new_step_work
from taut.model import Data, Model
from taut.model.enums import JointKind

ORDER = 8
SHAPE = Shape(stages=EXTENDED_STAGES, terms=7, column_vectors=2, row_vectors=0)


class Explicit(OneStep):
    """One run by the method of Dormand and Prince."""

    name = "explicit"
    order = ORDER
    stability = "bounded"
    citation = "Hairer1993"
    counted = {"accepted": ACCEPTED, "rejected": REJECTED, "evaluations": EVALUATED}

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
        super().__init__(model, new_step_work(model, data, SHAPE), tolerance, largest_step, step)
        set_scales(self.work, model, data, tolerance)
        clock, count = self.work.clock, self.work.count
        count[IS_CLOSED] = stabilisation == "projection"
        count[HAS_DRIVEN] = np.any(model.tables.nodes["kind"] == JointKind.DRIVEN)
        if not count[IS_CLOSED]:
            clock[DAMPING], clock[STIFFNESS] = damping, stiffness

    def advance(self, samples: Samples, most_steps: int) -> int:
        """Step on; returns a code of ``integrate.status``."""
        return int(explicit_advance(self.model.tables, self.work, samples, most_steps))
