"""The non-smooth generalized-alpha method: fixed steps through impacts, slack and contact.

Reactions as forces (the usual way): bilateral and closed one-sided rows are multipliers of the equations of motion, of
order 2; impacts are impulses at their place in the step, which keeps the order. Reactions as impulses: the scheme at
the velocity level as published, in which every reaction is an impulse at the end of the step, of order 1. With
``stabilisation="projection"`` the positions of bilateral and closed one-sided rows are closed after every step, in the
metric of the Newton matrix; with ``"none"`` they drift, as published.

References:
    [Chen 2013; Bruls 2014; Wang 2018; Chung 1993]
"""

import numpy as np

from taut.integrate.alpha.method import scheme
from taut.integrate.nonsmooth.advance import begin_rows, nonsmooth_advance
from taut.integrate.nonsmooth.method import Nonsmooth
from taut.model import Data, Model

ORDER = 2
ENTRIES = (begin_rows, nonsmooth_advance)  # entries that must be compiled before a run by this method


class NonsmoothAlpha(Nonsmooth):
    """One run by the non-smooth generalized-alpha method."""

    name = "nonsmooth-alpha"
    order = ORDER
    stability = "A-stable, damping by rho_infinity"
    citation = "Bruls2014"

    def __init__(
        self,
        model: Model,
        data: Data,
        tolerance: float,
        largest_step: float = np.inf,
        *,
        step: float | None = None,
        rho_infinity: float = 0.8,
        reactions: str = "forces",
        stabilisation: str = "projection",
    ) -> None:
        """Begin at the state in ``data``.

        Args:
            model: the machine.
            data: its start state.
            tolerance: tolerated error; Newton's iteration aims at a share of it.
            largest_step: limit of the step [s].
            step: fixed step [s].
            rho_infinity: spectral radius at infinity, 0 to 1.
            reactions: forces, or impulses as published.
            stabilisation: projection of the positions, or none.
        """
        super().__init__(model, data, tolerance, largest_step, step)
        numbers = scheme(rho_infinity)
        gamma, beta = numbers[2:]
        # published weight of the jump; or the one that makes the Newton matrix exact, which stiff machines need
        jump = 0.5 if stabilisation == "none" else beta / gamma
        self.set_scheme(
            (*numbers, 0.5 - beta, beta, jump),
            has_forces=reactions == "forces",
            is_theta=False,
            is_stabilised=stabilisation == "projection",
        )
