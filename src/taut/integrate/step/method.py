"""What a method offers to the run that it integrates: its time, segments, events, counts, state.

The workspace of a method has ``clock`` and ``count`` with the fields of ``integrate.step.clock``, two Data ``at`` and
``stage``, and the arrays named in ``state_arrays``, from which a run carries on bit for bit.
"""

import math
from typing import Any, ClassVar

import numpy as np

from taut.integrate.samples.raw import Samples
from taut.model import Data, Model

NEWTON_COUNTS = {
    "accepted": "accepted",
    "rejected": "rejected",
    "newton_failures": "newton_failed",
    "newton_iterations": "iterations",
    "factorisations": "factored",
    "evaluations": "evaluated",
}  # statistics of a method with Newton's iteration, and their fields of count
FIRST_STEP = 1e-3  # first step [s], which the step size control soon corrects


class Method:
    """A run in progress; a method adds its workspace, its settings, ``state`` and ``advance``."""

    name: ClassVar[str]
    order: ClassVar[int]
    stability: ClassVar[str]
    citation: ClassVar[str]
    steps_per_call: int = 64  # steps between two returns to Python, at each of which a checkpoint can be taken
    state_arrays: ClassVar[tuple[str, ...]] = ()
    counted: ClassVar[dict[str, str]] = {}  # names of the method's statistics -> their fields of count
    passes_one_sided: ClassVar[bool] = False  # whether the method lets one-sided closures open and close inside a step
    keeps_stages: ClassVar[bool] = False  # whether the method solves the equations at chosen ends of steps to rounding
    restart_step: ClassVar[float] = 0.1  # first step after a jump of a signal or an event, relative to the last step

    def __init__(self, model: Model, work: Any, tolerance: float, largest_step: float = np.inf) -> None:
        """Begin with an empty clock."""
        self.model, self.work = model, work
        work.clock[0].tolerance, work.clock[0].largest_step, work.clock[0].step = tolerance, largest_step, FIRST_STEP
        work.clock[0].witness = np.inf
        # kept as plain arrays, because they are read at every call of a stepper and attributes of records are slow
        self._now, self._end = work.clock["time"], work.clock["end"]
        self._pending, self._event = work.count["is_pending"], work.count["event"]
        self._sampled, self._logged = work.count["next_sample"], work.count["logged"]
        self._step, self._accepted = work.clock["step"], work.count["accepted"]
        self._first, self._rejected = work.count["is_first"], work.count["is_rejected"]
        self._witness, self._is_witness = work.clock["witness"], work.count["is_witness"]
        self._windows = work.at.window, work.stage.window
        self.run_end = 0.0  # end of the last segment [s]

    @property
    def time(self) -> float:
        """End of the last step [s]."""
        return float(self._now[0])

    @property
    def is_pending(self) -> bool:
        """Whether a step waits for room in the sample buffer."""
        return bool(self._pending[0])

    @property
    def is_at_witness(self) -> bool:
        """Whether the last step is complete and one to be kept for the audit."""
        is_due = self._is_witness[0] if self.keeps_stages else self._now[0] >= self._witness[0]
        return bool(is_due) and not self.is_pending

    @property
    def event(self) -> int:
        """Event at which the last advance ended."""
        return int(self._event[0])

    def begin_segment(self, start: float, end: float, *, is_restart: bool) -> None:
        """Aim at the next jump of a signal; signals are read from inside the segment at its ends."""
        self._end[0] = end
        low, high = math.nextafter(start, math.inf), math.nextafter(end, -math.inf)
        for window in self._windows:
            window[0], window[1] = low, high
        if is_restart:
            self.restart()

    def restart(self) -> None:
        """Start afresh after a jump of the forces, with a shorter step."""
        self._first[0], self._rejected[0] = 1, 0
        if self._accepted[0]:
            self._step[0] *= self.restart_step

    def add_energies(self, lost: float, given: float = 0.0) -> None:
        """Count energy [J] that was lost at once as dissipated, and what came in at once as input."""
        self.work.clock[0].works[1] += lost
        self.work.clock[0].works[0] += given

    def forget(self) -> None:
        """Count steps, energies and what was closed from here on."""
        clock, count = self.work.clock[0], self.work.count[0]
        for field in self.counted.values():
            count[field] = 0
        clock.works[:], clock.step_gaps[:], clock.sample_gaps[:] = 0.0, 0.0, 0.0

    def settle(self, data: Data) -> None:
        """Make the accelerations of the start state those of this method; most take them as they are."""

    @classmethod
    def stepping(cls, model: Model, data: Data) -> tuple[Any, Any]:
        """The compiled code that steps, and a workspace for it."""
        raise NotImplementedError

    def advance(self, samples: Samples, most_steps: int) -> int:
        """Step on; returns a code of ``integrate.status``."""
        raise NotImplementedError

    def take(self, data: Data) -> None:
        """Go on with the velocities of a state, which have jumped."""
        raise NotImplementedError

    def state(self) -> Data:
        """A workspace at the present state, with its accelerations and multipliers."""
        raise NotImplementedError

    def placed(self) -> Data:
        """A workspace at the present state; its accelerations and multipliers may be those of another."""
        return self.state()

    def witness(self) -> tuple[Data, dict[str, np.ndarray]]:
        """The end of the last step, where the equations of motion hold: a workspace, and what replaces its entries."""
        return self.state(), {}

    def take_passed(self) -> list[tuple[float, int, int]]:
        """Events that have changed side inside steps since the last call: time [s], event, new side."""
        return []

    def take_struck(self) -> list[tuple[float, ...]]:
        """Impacts inside steps since the last call: time [s], closure, rates before and after [m/s], impulse [N s]."""
        return []

    def projections(self) -> dict[str, float]:
        """Largest errors of position and velocity that were closed at the ends of steps and at samples [m, m/s]."""
        clock = self.work.clock[0]
        return {"step": float(clock.step_gaps[0]), "step_rate": float(clock.step_gaps[1]),
                "sample": float(clock.sample_gaps[0]), "sample_rate": float(clock.sample_gaps[1])}  # fmt: skip

    def thresholds(self) -> dict[str, float]:
        """Limits of the audit that are other than usual, by name."""
        return {}

    def take_counts(self) -> tuple[int, int]:
        """Samples and log lines written since the last call."""
        found = int(self._sampled[0]), int(self._logged[0])
        self._sampled[0] = self._logged[0] = 0
        return found

    def checkpoint(self) -> dict[str, np.ndarray]:
        """Everything needed to carry on bit for bit."""
        return {name: getattr(self.work, name).copy() for name in self.state_arrays}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Carry on from a checkpoint of the method."""
        for name in self.state_arrays:
            getattr(self.work, name)[...] = state[name]

    def statistics(self) -> dict[str, Any]:
        """Counts of steps and evaluations, for the audit."""
        return {name: int(self.work.count[field][0]) for name, field in self.counted.items()}
