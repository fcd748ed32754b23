"""The theta method of Moreau and Jean: fixed steps, every reaction an impulse, no event located.

Order 1 in reactions and across impacts (order 2 in free motion with theta = 1/2), unconditionally stable from
theta = 1/2 on, where it loses no energy by itself; larger theta damps fast motions. One-sided rows that overlap half a
step ahead take part in the complementarity problem of the step.

References:
    [Moreau 1988; Jean 1999; Acary 2008, sec. 10.1]
"""

import numpy as np

from taut.integrate.nonsmooth.advance import begin_rows, nonsmooth_advance
from taut.integrate.nonsmooth.method import Nonsmooth
from taut.model import Data, Model

ORDER = 1
ENTRIES = (begin_rows, nonsmooth_advance)  # entries that must be compiled before a run by this method


class MoreauJean(Nonsmooth):
    """One run by the method of Moreau and Jean."""

    name = "moreau-jean"
    order = ORDER
    stability = "A-stable for theta of 1/2 and more"
    citation = "Moreau1988"

    def __init__(
        self,
        model: Model,
        data: Data,
        tolerance: float,
        largest_step: float = np.inf,
        *,
        step: float | None = None,
        theta: float = 0.5,
        stabilisation: str = "projection",
    ) -> None:
        """Begin at the state in ``data``.

        Args:
            model: the machine.
            data: its start state.
            tolerance: tolerated error; Newton's iteration aims at a share of it.
            largest_step: limit of the step [s].
            step: fixed step [s].
            theta: weight of the end of the step, 1/2 to 1.
            stabilisation: projection of the positions, or none.
        """
        super().__init__(model, data, tolerance, largest_step, step)
        self.set_scheme(
            (0.0, 0.0, theta, 0.0, theta * (1.0 - theta), theta * theta, theta),
            has_forces=False,
            is_theta=True,
            is_stabilised=stabilisation == "projection",
        )
