"""Many plants of one kind that go on together: one array in, one array out.

Periods are taken by compiled code on all cores: commands, the method and the measurements of all machines in one call
per thread (``kernels.many``), without Python for a machine. What that code cannot do is done as a single plant does it,
for the machine concerned: the first period after a reset, events, jumps of signals, and what ``is_plain`` refuses.
Observations that are more than a number of the workspace, or have noise, are read by Python afterwards. The numbers are
those of single plants, bit by bit.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from taut.dynamics.residual import place_state
from taut.integrate.alpha.advance import alpha_advance
from taut.integrate.alpha.method import NEWTON_GOAL
from taut.integrate.alpha.method import ROUNDING as LEAST_GOAL
from taut.integrate.radau.advance import radau_advance
from taut.integrate.radau.method import Radau
from taut.integrate.status import DONE
from taut.integrate.step.one_step import ROUNDING
from taut.integrate.stepper import StepError
from taut.kernels.many import FAILED, Many, address_of, step_many
from taut.loop.fleet import places
from taut.loop.fleet.courses import limit_many, set_courses
from taut.loop.plant import NOT_FINITE, Plant
from taut.scenario.errors import Problem, ScenarioError

ADDRESSES = ("model_at", "work_at", "samples_at", "advance_at", "place_at", "data_at", "forces_at")
SHARES = 4  # pieces of work per thread; more than one, because machines differ in cost
FEWEST = 8  # fewer machines than this are stepped in Python, one by one: arrays would not pay for their overhead
LEAST_SHARE = 8  # least number of machines in a piece of work, so that a call pays


class Fleet:
    """Plants that go on together."""

    def __init__(self, plant: Plant, count: int, *, threads: int | None = None) -> None:
        """Make twins of a plant; ``threads`` share the work, by default one per core."""
        self._plants = [plant, *(plant.twin() for _ in range(count - 1))]
        self.threads = max(1, min(threads or os.cpu_count() or 1, count))
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self.failures: list[str] = [""] * count
        self.taken = 0  # number of periods taken by compiled code alone since the start
        self._many: Many | None = None
        # method, model and measurements of each plant whose addresses are registered; None: not registered
        self._known: list[tuple[Any, ...] | None] = [None] * count
        self._is_fast = np.zeros(count, bool)  # whether a machine's next period can be taken by compiled code
        # whether compiled code has taken periods that the plant object does not know of yet
        self._is_ahead = np.zeros(count, bool)
        self._counts = np.zeros(count)
        self._times = np.zeros(count)

    @property
    def plants(self) -> list[Plant]:
        """The plants as they stand."""
        for k in np.flatnonzero(self._is_ahead):
            self._settle(int(k))
        return self._plants

    @property
    def times(self) -> np.ndarray:
        """Present times of the machines [s]."""
        return self._times.copy()

    @property
    def failed(self) -> np.ndarray:
        """Machines whose motion cannot go on."""
        return np.array([k for k, text in enumerate(self.failures) if text] if any(self.failures) else [], int)

    @property
    def is_random(self) -> bool:
        """Whether a seed changes anything."""
        return self._plants[0].is_random

    def reset(self, k: int, *, seed: int | None = None) -> np.ndarray:
        """A plant back at its start; its first observations."""
        self._is_ahead[k], self.failures[k] = False, ""
        found = self._plants[k].reset(seed=seed)
        self._forget(k)
        return found

    def advance(self, commands: np.ndarray, out: np.ndarray, which: np.ndarray) -> None:
        """Step the plants that are marked; observations go to ``out``, and why one cannot go on to ``failures``."""
        plant = self._plants[0]
        if not np.isfinite(commands[which]).all():
            k = np.argwhere(which[:, None] & ~np.isfinite(commands))[0]
            raise ScenarioError([Problem(NOT_FINITE, plant.commands[k[1]], value=float(commands[tuple(k)]))])
        for k in self.failed:
            self.failures[k] = "" if which[k] else self.failures[k]
        fast = self._fast(which) if self._is_fast.any() else np.zeros(0, np.int64)
        if len(fast):
            self._take(fast, commands)
        alone = np.ones(len(which), bool)
        alone[fast] = False
        for k in np.flatnonzero(which & alone):
            self._step(int(k), commands[k], out)
        if len(fast):
            self._finish(fast, out)

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    # one machine, stepped in Python

    def _step(self, k: int, command: np.ndarray, out: np.ndarray) -> None:
        """A period as a single plant takes it."""
        plant = self._plants[k]
        if self._is_ahead[k]:
            self._settle(k)
        try:
            out[k] = plant.step(command)
        except StepError as error:
            self.failures[k] = str(error)
            out[k] = plant.observe()
        self._times[k] = plant.time
        self._register(k)

    def _settle(self, k: int) -> None:
        """Tell a plant what compiled code has done with it."""
        plant, stepper, period = self._plants[k], self._plants[k].stepper, self._plants[k].period
        count = int(self._counts[k])
        plant._count, stepper._is_set = count, False
        moving = stepper._moving
        moving.segment, moving.segment_end = self._starts[k], count * period
        moving.controls.asked |= dict(zip(moving.controls.specs, self._asked[k].tolist(), strict=True))
        self._is_ahead[k] = False

    def _forget(self, k: int) -> None:
        """A plant that was reset takes its first period alone."""
        self._is_fast[k], self._times[k] = False, self._plants[k].time

    # many machines, stepped by compiled code

    def _register(self, k: int) -> None:
        """Note where the numbers of a plant are, which has taken a period by Python."""
        plant = self._plants[k]
        self._is_fast[k] = False
        if self.failures[k] or not places.is_plain(plant):
            return
        # register again only if the machine was rebuilt or its signals extended: else all arrays are where they were
        known = plant.stepper._moving.method.work, plant.stepper.model, plant._measurements
        if not all(a is b for a, b in zip(self._known[k] or (None,) * len(known), known, strict=True)):
            self._known[k] = known if self._locate(k) else None
        if self._known[k] is not None:
            self._read(k)

    def _read(self, k: int) -> None:
        """Read the state of a plant that Python has moved."""
        plant, method = self._plants[k], self._plants[k].stepper._moving.method
        self._kept[k, :2] = method._now[0], method._step[0]
        self._many.kept[k, 2] = method._accepted[0]  # type: ignore[union-attr]
        if isinstance(method, Radau):
            self._kept[k, 3] = method._jump_step[0]
        self._counts[k], self._horizons[k] = plant._count, plant.stepper._horizon
        self._rows[k] = plant.stepper._moving.data.commands
        self._asked[k] = list(plant.stepper._moving.controls.asked.values())
        self._is_fast[k] = True

    def _locate(self, k: int) -> bool:
        """Note where the numbers of a plant are; false where there is no compiled code for them."""
        plant, method = self._plants[k], self._plants[k].stepper._moving.method
        advance = radau_advance if isinstance(method, Radau) else alpha_advance
        tables, see, nothing = plant.stepper.model.tables, plant._measurements, plant.stepper._keeper.nothing
        at = (tables._address, method.work._address, nothing._address,
              address_of(advance, tables, method.work, nothing, method.steps_per_call),
              address_of(place_state, tables, see.data, see.forces), see.data._address,
              see.forces.ctypes.data)  # fmt: skip
        if not (at[3] and at[4]):
            return False
        many = self._many = self._make(plant) if self._many is None else self._many
        if tuple(plant.stepper.model.breakpoints) != self._jumps:
            return False
        for name, value in zip(ADDRESSES, at, strict=True):
            getattr(many, name)[k] = value
        work = method.work
        many.put_at[k] = places.written(plant)
        many.clear_at[k] = [places.word(work, name) for name in ("next_sample", "logged")]
        many.kept_at[k] = [places.word(work, name) for name in places.kept(plant)]
        for j, (source, target, _) in enumerate(places.blocks(plant)):
            many.copy_from[k, j], many.copy_to[k, j] = source, target
        if self._is_seen:
            many.seen_at[k] = places.measured(plant)
        return True

    def _make(self, plant: Plant) -> Many:
        """The arrays of all machines, by the first of them."""
        count, moving, see = len(self._plants), plant.stepper._moving, plant._measurements
        at, copies, seen = places.written(plant), places.blocks(plant), places.measured(plant)
        self._is_seen = seen is not None
        whole = {name: np.zeros(count, np.int64) for name in (*ADDRESSES, "code")}
        kept = len(places.kept(plant))
        shapes = {"put": len(at), "put_at": len(at), "clear_at": 2, "kept_at": kept, "kept": kept,
                  "copy_from": len(copies), "copy_to": len(copies), "seen_at": len(seen or ()),
                  "seen": len(seen or ())}  # fmt: skip
        whole |= {name: np.zeros((count, size), np.int64) for name, size in shapes.items()}
        many = Many(**whole, most=np.array([moving.method.steps_per_call]),
                    copy_words=np.array([size for _, _, size in copies], np.int64),
                    force_count=np.array([len(see.forces)]))  # fmt: skip
        self._put, self._kept = many.put.view(np.float64), many.kept.view(np.float64)
        self._words = {name: j for j, name in enumerate(places.words(plant))}
        self._specs, names = moving.controls.specs, list(moving.controls.specs)
        self._columns = {name: names.index(name) for name in plant.commands}
        self._rows = np.zeros((count, *moving.data.commands.shape))
        self._asked, self._horizons = np.zeros((count, len(names))), np.zeros(count)
        self._starts = np.zeros(count)
        self._jumps = tuple(plant.stepper.model.breakpoints)
        self._fixed = getattr(moving.method, "step", None)
        self._restart, self._tolerance = moving.method.restart_step, float(moving.method.work.clock["tolerance"][0])
        return many

    def _fast(self, which: np.ndarray) -> np.ndarray:
        """Machines whose period is taken by compiled code: no jump of a signal in it, no signal that ends before it."""
        chosen = np.flatnonzero(which & self._is_fast)
        now, end = self._kept[chosen, 0], (self._counts[chosen] + 1.0) * self._plants[0].period
        is_free = (end <= self._horizons[chosen]) & (end > now) & (now > 0.0)
        if self._jumps:
            jumps = np.array(self._jumps)
            is_free &= np.searchsorted(jumps, now, "right") == np.searchsorted(jumps, end, "right")
        return chosen[is_free] if is_free.sum() >= FEWEST else chosen[:0]

    def _take(self, fast: np.ndarray, commands: np.ndarray) -> None:
        """Set commands and take a period of all these machines."""
        many = self._many
        assert many is not None
        period, now = self._plants[0].period, self._kept[fast, 0]
        self._counts[fast] += 1.0
        end = self._counts[fast] * period
        for j, (name, column) in enumerate(self._columns.items()):
            spec = self._specs[name]
            asked = limit_many(spec, commands[fast, j], self._asked[fast, column], period)
            self._asked[fast, column] = asked
            self._rows[fast, column] = set_courses(self._rows[fast, column], spec, asked, now, period)
        self._starts[fast] = now
        self._write(fast, now, end)
        shares = self._shares(len(fast))
        if self._pool is None or len(shares) == 1:
            step_many(many, fast, 0, len(fast), DONE)
        else:
            for done in [self._pool.submit(step_many, many, fast, a, b, DONE) for a, b in shares]:
                done.result()
        self._is_ahead[fast] = True
        self._times[fast] = self._kept[fast, 0]

    def _write(self, fast: np.ndarray, now: np.ndarray, end: np.ndarray) -> None:
        """Arrays that a method writes when it begins or goes on, in the order of ``places.written``."""
        word, size = self._words, len(self._words)
        step, accepted = self._kept[fast, 1], self._many.kept[fast, 2]  # type: ignore[union-attr]
        step = np.where(accepted > 0, step * self._restart, step)
        if self._kept.shape[1] > len(places.KEPT):
            # as in Radau.restart: not longer than the step after the last jump of a signal
            jump = self._kept[fast, len(places.KEPT)]
            step = np.where((jump > 0.0) & (jump < step), jump, step)
        if self._fixed is not None:
            left = end - now
            step = left / np.maximum(np.ceil(left / self._fixed * (1.0 - ROUNDING)), 1.0)
        put = np.zeros((len(fast), self._put.shape[1]))
        put[:, word["end"]], put[:, word["step"]] = end, step
        if "nominal" in word:
            put[:, word["nominal"]] = step
        if "goal" in word:
            put[:, word["goal"]] = np.maximum(NEWTON_GOAL * np.minimum(step, 1.0) * self._tolerance, LEAST_GOAL)
        low, high = np.nextafter(now, np.inf), np.nextafter(end, -np.inf)
        put[:, size : size + 4] = np.stack([low, high, low, high], axis=1)
        put[:, size + 4 :] = self._rows[fast].reshape(len(fast), -1)
        self._put[fast] = put
        self._many.put[fast, word["is_first"]] = 1  # type: ignore[union-attr]

    def _shares(self, count: int) -> list[tuple[int, int]]:
        pieces = max(1, min(SHARES * self.threads, count // LEAST_SHARE))
        marks = np.linspace(0, count, pieces + 1).astype(int).tolist()
        return list(zip(marks[:-1], marks[1:], strict=True))

    def _finish(self, fast: np.ndarray, out: np.ndarray) -> None:
        """Observations of those that came through, and the rest of the period of the others by Python."""
        many = self._many
        assert many is not None
        is_through = many.code[fast] == DONE
        self.taken += int(is_through.sum())
        through = fast[is_through]
        if self._is_seen:
            out[through] = many.seen.view(np.float64)[through]
        for k in fast[~is_through] if self._is_seen else fast:
            self._complete(int(k), out)

    def _complete(self, k: int, out: np.ndarray) -> None:
        """Complete a period that compiled code has left: an event, more steps or an error; then observe."""
        many = self._many
        assert many is not None
        plant, code = self._plants[k], int(many.code[k])
        self._settle(k)
        try:
            if code == FAILED:
                raise RuntimeError("compiled code failed")
            if code != DONE:
                plant.stepper.go_on(code)
                self._times[k] = plant.time
        except StepError as error:
            self.failures[k] = str(error)
        out[k] = plant.observe()
        if code != DONE:
            self._register(k)
        else:
            self._is_ahead[k] = False
