"""Common part of the two non-smooth methods: workspace, closed rows, statistics and records of changes."""

from typing import Any

import numpy as np

from taut.dynamics.residual import consistent_accelerations
from taut.integrate.events.impact_law import BOUNCING, NEAR
from taut.integrate.nonsmooth.advance import begin_rows, nonsmooth_advance
from taut.integrate.nonsmooth.work import NONSMOOTH_STATE, NonsmoothWork, new_nonsmooth_work
from taut.integrate.samples.raw import Samples
from taut.integrate.start.redundancy import find_rank
from taut.integrate.step.method import NEWTON_COUNTS
from taut.integrate.step.one_step import OneStep
from taut.integrate.step.work import Shape
from taut.model import Data, Model, new_factor
from taut.model.enums import EventKind, LawKind

SHAPE = Shape(stages=0, terms=3)
USUAL_STEP = 1e-3  # default fixed step [s]
NEWTON_GOAL = 1e-3  # Newton's error accumulated over 1 s, relative to the tolerated error
ROUNDING = 1e-15  # lower bound of the goal of Newton's iteration [m or rad]
MOST_NEWTON = 10
COLUMN_STEPS = 600_000  # work of one compiled call: steps times columns between two returns to Python
ENERGY_RISE = 1e-3  # audit: allowed rise of the stored energy less input, relative to the energy exchanged
ENERGY_GAIN = 1e-2  # audit: allowed rise of the energy balance, whose works come from quadrature
ENERGY_LOSS = 0.1  # audit: allowed loss that neither dampers nor impacts explain, relative
# audit limits of closure errors, position and velocity, without projection of positions
VELOCITY_LEVEL = {"constraint_error": 1e-2, "constraint_error_velocity": 1e-6}


class Nonsmooth(OneStep):
    """A run with fixed steps that passes impacts and slack without stopping; a method adds its numbers."""

    passes_one_sided = True
    state_arrays = NONSMOOTH_STATE
    counted = {**NEWTON_COUNTS, "switches": "switched", "impacts": "impacts"}
    work: NonsmoothWork

    def __init__(self, model: Model, data: Data, tolerance: float, largest_step: float, step: float | None) -> None:
        """Begin at the state in ``data``; its one-sided closures stand in the tables from now on."""
        work = new_nonsmooth_work(model, data, SHAPE)
        super().__init__(model, work, tolerance, largest_step, step or USUAL_STEP)
        self.holds = work.hold.copy()
        self._find_rank(data)
        data.modes[self.holds] = 1
        # about a fraction of a second per call, counted in steps and not by the clock, so that runs are reproducible
        self.steps_per_call = int(np.clip(COLUMN_STEPS // max(model.column_count, 1), 64, 2048))
        # tethers pull whenever they are stretched: their mode is left to the placed state
        data.modes[model.tables.events["kind"] == EventKind.TETHER] = 0
        work.clock[0].rate = 1.0
        work.count[0].most_iterations, work.count[0].steady = MOST_NEWTON, -1
        begin_rows(model.tables, work, True)
        self.passed: list[tuple[float, int, int]] = []  # changes of side: time [s], event, new side
        # impacts: time [s], closure, rates before and after [m/s], impulse [N s]
        self.struck: list[tuple[float, ...]] = []

    def set_scheme(self, numbers: tuple[float, ...], *, has_forces: bool, is_theta: bool, is_stabilised: bool) -> None:
        """alpha_m, alpha_f, gamma, beta; weights of both accelerations and of the jump in the displacement."""
        clock, count = self.work.clock[0], self.work.count[0]
        clock.alpha_m, clock.alpha_f, clock.gamma, clock.beta = numbers[:4]
        clock.d_begin, clock.d_end, clock.d_jump = numbers[4:]
        count.has_forces, count.is_theta, count.is_closed = has_forces, is_theta, is_stabilised
        # no energy monitor for the published scheme; modal cables are linear, so that their impulses gain no energy
        is_linear = bool(self.model.tables.settings[0].has_modal)
        count.is_watched = is_stabilised and (has_forces or not is_linear) and self._has_springs()
        clock.gain_floor = clock.tolerance * self.model.weight

    def _has_springs(self) -> bool:
        """Whether the machine has springs, whose fast motions a gain of energy would feed."""
        tables = self.model.tables
        is_elastic = bool((tables.columns["law"] != LawKind.NONE).any())
        return is_elastic or len(tables.tethers) > 0 or len(self.work.rows) > 0

    def begin_segment(self, start: float, end: float, *, is_restart: bool) -> None:
        """Aim at the next jump of a signal.

        The published scheme does not treat jumps: a step that ends at one sees the right limit.
        """
        super().begin_segment(start, end, is_restart=is_restart)
        count = self.work.count[0]
        if not (count.has_forces or count.is_theta or count.is_closed):
            self.work.stage.window[1] = end

    def _find_rank(self, data: Data) -> None:
        """Set the rank of the bilateral rows at a state, plus all one-sided rows, which are opened meanwhile."""
        modes, rank = data.modes[self.holds], data.most_rank[0]
        data.modes[self.holds] = -1
        find_rank(self.model, data, new_factor(self.model))
        self.work.most_rank[0] = data.most_rank[0]
        data.modes[self.holds], data.most_rank[0] = modes, rank

    def restart(self) -> None:
        """Forget the last step: signals have a kink here, or a failure has happened.

        Only the published scheme keeps its accelerations, which do not depend on reactions.
        """
        count = self.work.count[0]
        is_carried = bool(count.is_started and not count.has_forces and not count.is_theta)
        super().restart()
        count.is_started, count.hold, count.steady = is_carried, 0, -1
        self.work.clock[0].substep = self.work.clock[0].nominal
        self._find_rank(self._place())
        begin_rows(self.model.tables, self.work, False)

    @classmethod
    def stepping(cls, model: Model, data: Data) -> tuple[Any, Any]:
        """The compiled code that steps, and a workspace for it."""
        return nonsmooth_advance, new_nonsmooth_work(model, data, SHAPE)

    def advance(self, samples: Samples, most_steps: int) -> int:
        """Step on; returns a code of ``integrate.status``. The Newton matrix is recomputed at every call."""
        clock, count = self.work.clock[0], self.work.count[0]
        clock.factor_step, count.passed = 0.0, 0
        clock.goal = max(NEWTON_GOAL * min(clock.step, 1.0) * clock.tolerance, ROUNDING)
        code = int(nonsmooth_advance(self.model.tables, self.work, samples, most_steps))
        lines = self.work.passed[: count.passed]
        self.passed += [(float(line["time"]), int(line["event"]), int(line["side"])) for line in lines]
        numbers = np.flatnonzero(self.model.tables.closures["is_unilateral"])
        # impacts slower than BOUNCING do not rebound, and the audit has no law to check
        hits = lines[lines["before"] < -BOUNCING]
        which = numbers[np.searchsorted(self.holds, hits["event"])] if len(hits) else hits["event"]
        found = [hits["time"], which, hits["before"], hits["behind"], hits["impulse"]]
        self.struck += [tuple(map(float, hit)) for hit in np.column_stack(found)]
        return code

    def checkpoint(self) -> dict[str, np.ndarray]:
        """Everything needed to carry on bit for bit, and the counts of the solvers."""
        return {**super().checkpoint(), "problems": self.work.problem.count.copy()}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Carry on from a checkpoint of the method."""
        super().restore(state)
        self.work.problem.count[:] = state["problems"]

    def take_passed(self) -> list[tuple[float, int, int]]:
        """Events that have changed side inside steps since the last call: time [s], event, new side."""
        found, self.passed = self.passed, []
        return found

    def take_struck(self) -> list[tuple[float, ...]]:
        """Impacts that may rebound since the last call."""
        found, self.struck = self.struck, []
        return found

    def state(self) -> Data:
        """A workspace at the present state, with the accelerations and multipliers of the rows that are closed."""
        data = self._place()
        self._accelerate(data, self.work.closed != 0)
        return data

    def settle(self, data: Data) -> None:
        """Accelerations and multipliers of the start: rows that touch act unless they would pull.

        Their rates are ignored here: the light end of a driven cable follows at once.
        """
        is_held = self.work.gap_begin <= NEAR
        for _ in range(len(is_held) + 1):
            self._accelerate(data, is_held)
            is_pulling = is_held & (data.lam[self.work.rows] < 0.0)
            if not is_pulling.any():
                break
            is_held &= ~is_pulling

    def _accelerate(self, data: Data, is_held: np.ndarray) -> None:
        """Accelerations and multipliers at a state of this run; open rows are left out."""
        modes = data.modes[self.holds].copy()
        data.modes[self.holds] = np.where(is_held, 1, -1)
        consistent_accelerations(self.model.tables, data, self.work.closing)
        data.modes[self.holds] = modes

    def thresholds(self) -> dict[str, float]:
        """Audit limits that differ: energy may be lost, and without projection positions drift."""
        count = self.work.count[0]
        # tighter limit for the two schemes whose step-end speeds, from which works are computed, hold inside the step
        # too
        gain = ENERGY_GAIN if count.has_forces or count.is_theta else ENERGY_LOSS
        limits = {"energy_rise": ENERGY_RISE, "energy_gain": gain, "energy_loss": ENERGY_LOSS}
        return limits | ({} if self.work.count[0].is_closed else VELOCITY_LEVEL)

    def statistics(self) -> dict[str, Any]:
        """Counts for the audit, and how far gap rate and reaction were positive together."""
        found = super().statistics()
        problems, second, failed = map(int, self.work.problem.count[0])
        found |= {"complementarity_problems": problems, "second_solver": second, "unsolved": failed}
        clock, count = self.work.clock[0], self.work.count[0]
        found |= {"impact_loss": float(clock.impact_loss), "gains_let_pass": int(count.gains_let_pass)}
        return found | {"complementarity_error": float(clock.overlap)}
