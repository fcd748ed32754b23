"""Radau IIA(5), the default method.

Order 5 in positions and velocities and 3 in multipliers (index 2), L-stable, adaptive. Closures hold at velocity
level in every stage; positions are closed after every step. The Newton matrix is the articulated factor in real and
complex arithmetic, so that a step costs O(n) however stiff the cables are.

References:
    [Hairer 1996, secs. IV.5, IV.8, VII.4]
"""

import numpy as np

from taut.integrate.radau_advance import radau_advance
from taut.integrate.radau_work import (
    ACCEPTED,
    END,
    EVALUATED,
    EVENT,
    FACTOR_STEP,
    FACTORED,
    IS_FIRST,
    IS_FRESH,
    IS_PENDING,
    IS_REJECTED,
    ITERATIONS,
    LARGEST_STEP,
    LOGGED,
    NEWTON_FAILED,
    NEXT_SAMPLE,
    RATE,
    REJECTED,
    STATE_ARRAYS,
    STEP,
    TIME,
    TOLERANCE,
    WORK_LOST,
    new_radau_work,
)
from taut.integrate.samples import Samples
from taut.model import Data, Model

FIRST_STEP = 1e-3  # [s]; the controller finds the right one at once
RESTART_STEP = 0.1  # against the last step, after a jump of a signal
STATISTICS = {
    "accepted": ACCEPTED,
    "rejected": REJECTED,
    "newton_failures": NEWTON_FAILED,
    "newton_iterations": ITERATIONS,
    "factorisations": FACTORED,
    "evaluations": EVALUATED,
}


class Radau:
    """One run by Radau IIA(5)."""

    name = "radau"
    order = 5
    stability = "L-stable"
    citation = "Hairer1996"

    def __init__(self, model: Model, data: Data, tolerance: float, largest_step: float = np.inf) -> None:
        """Begin at the state in ``data``, with its accelerations and multipliers."""
        self.model = model
        self.work = new_radau_work(model, data)
        self.work.acceleration[:] = data.acceleration
        self.work.lam[:] = data.lam
        self.work.scale[:] = tolerance
        clock = self.work.clock
        clock[TOLERANCE], clock[LARGEST_STEP], clock[STEP], clock[RATE] = tolerance, largest_step, FIRST_STEP, 1.0

    @property
    def time(self) -> float:
        """End of the last step [s]."""
        return float(self.work.clock[TIME])

    @property
    def is_pending(self) -> bool:
        """Whether a step waits for room in the sample buffer."""
        return bool(self.work.count[IS_PENDING])

    def begin_segment(self, start: float, end: float, *, is_restart: bool) -> None:
        """Aim at the next jump of a signal; signals are read from inside the segment at its ends."""
        clock, count = self.work.clock, self.work.count
        clock[END] = end
        for data in (self.work.at, self.work.stage):
            data.time[1], data.time[2] = np.nextafter(start, np.inf), np.nextafter(end, -np.inf)
        if is_restart and count[ACCEPTED]:
            self.restart()
        elif is_restart:
            count[IS_FIRST] = 1

    @property
    def event(self) -> int:
        """Event at which the last advance ended."""
        return int(self.work.count[EVENT])

    def state(self) -> Data:
        """A workspace at the present state."""
        data = self.work.stage
        data.time[0] = self.time
        data.q[:], data.v[:], data.z[:] = self.work.q, self.work.v, self.work.z
        return data

    def restart(self) -> None:
        """Forget the last step's polynomials: the forces have changed."""
        self.work.count[IS_FIRST], self.work.count[IS_REJECTED] = 1, 0
        self.work.clock[STEP] *= RESTART_STEP

    def add_loss(self, energy: float) -> None:
        """Count energy [J] that was lost at once as dissipated."""
        self.work.clock[WORK_LOST] += energy

    def advance(self, samples: Samples, most_steps: int) -> int:
        """Step on; returns a code of ``integrate.status``. The Newton matrix is made anew at every call."""
        self.work.clock[FACTOR_STEP] = 0.0
        self.work.count[IS_FRESH] = 0
        return int(radau_advance(self.model.tables, self.work, samples, most_steps))

    def take_counts(self) -> tuple[int, int]:
        """Samples and log lines written since the last call."""
        count = self.work.count
        found = int(count[NEXT_SAMPLE]), int(count[LOGGED])
        count[NEXT_SAMPLE] = count[LOGGED] = 0
        return found

    def checkpoint(self) -> dict[str, np.ndarray]:
        """Everything needed to carry on bit for bit."""
        return {name: getattr(self.work, name).copy() for name in STATE_ARRAYS}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Carry on from a checkpoint."""
        for name in STATE_ARRAYS:
            getattr(self.work, name)[...] = state[name]

    def statistics(self) -> dict[str, int]:
        """Counts for the audit."""
        return {name: int(self.work.count[entry]) for name, entry in STATISTICS.items()}
