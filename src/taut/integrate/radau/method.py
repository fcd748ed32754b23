"""Radau IIA(5), the default method.

Order 5 in positions and velocities and 3 in multipliers (index 2), L-stable, adaptive. Closures hold at velocity
level in every stage; positions are closed after every step. The Newton matrix is the articulated factor in real and
complex arithmetic, so that a step costs O(n) however stiff the cables are.

References:
    [Hairer 1996, secs. IV.5, IV.8, VII.4]
"""

from typing import Any

import numpy as np

from taut.integrate.radau.advance import radau_advance
from taut.integrate.radau.work import STATE_ARRAYS, new_radau_work
from taut.integrate.samples.raw import Samples
from taut.integrate.step.method import NEWTON_COUNTS, Method
from taut.integrate.step.scales import set_scales
from taut.model import Data, Model


class Radau(Method):
    """One run by Radau IIA(5)."""

    name = "radau"
    order = 5
    stability = "L-stable"
    citation = "Hairer1996"
    state_arrays = STATE_ARRAYS
    counted = NEWTON_COUNTS | {"unbalanced": "unbalanced"}
    keeps_stages = True

    def __init__(self, model: Model, data: Data, tolerance: float, largest_step: float = np.inf) -> None:
        """Begin at the state in ``data``, with its accelerations and multipliers."""
        super().__init__(model, new_radau_work(model, data), tolerance, largest_step)
        self.work.acceleration[:] = data.acceleration
        self.work.lam[:] = data.lam
        set_scales(self.work, model, data, tolerance)
        self.work.clock[0].rate = 1.0
        self._factor_step, self._fresh = self.work.clock["factor_step"], self.work.count["is_fresh"]
        self._refused_step, self._let_pass = self.work.clock["refused_step"], self.work.count["let_pass"]
        self._jump_step = self.work.clock["jump_step"]

    def restart(self) -> None:
        """Forget the last step and the state of its energy control."""
        super().restart()
        # start with the step that worked after the last jump: a refused first step costs as much as an accepted one
        if 0.0 < self._jump_step[0] < self._step[0]:
            self._step[0] = self._jump_step[0]
        self._refused_step[0], self._let_pass[0] = 0.0, 0

    def state(self) -> Data:
        """A workspace at the present state, with its accelerations and multipliers."""
        data = self.work.stage
        data.time[0] = self.time
        data.q[:], data.v[:], data.z[:] = self.work.q, self.work.v, self.work.z
        data.acceleration[:], data.lam[:] = self.work.acceleration, self.work.lam
        return data

    def witness(self) -> tuple[Data, dict[str, np.ndarray]]:
        """The last stage of the last step, which was solved to rounding; the closed end is a little beside it."""
        work = self.work
        found = {"q": work.Q[2], "v": work.V[2], "a": work.a[2], "lam": work.L[2], "z": work.Z[2]}
        return work.stage, found

    def take(self, data: Data) -> None:
        """Go on with a state whose velocities, accelerations, multipliers and slip of ropes have jumped."""
        self.work.q[:] = data.q
        self.work.v[:], self.work.acceleration[:], self.work.lam[:] = data.v, data.acceleration, data.lam

    @classmethod
    def stepping(cls, model: Model, data: Data) -> tuple[Any, Any]:
        """The compiled code that steps, and a workspace for it."""
        return radau_advance, new_radau_work(model, data)

    def advance(self, samples: Samples, most_steps: int) -> int:
        """Step on; returns a code of ``integrate.status``. The Newton matrix is recomputed at every call."""
        self._factor_step[0], self._fresh[0] = 0.0, 0
        return int(radau_advance(self.model.tables, self.work, samples, most_steps))
