"""Many plants of one kind that go on together: one array in, one array out.

Periods are taken by compiled code on all cores: commands, the method and the measurements of all machines in a few
calls per thread (``kernels.many``), without Python for a machine. The machines are divided into pieces of work; every
thread, that of the caller too, takes the next piece until none is left. What that code cannot do is done as a single
plant does it, for the machine concerned: the first period after a reset, events, jumps of signals, and what
``is_plain`` refuses. Observations that are more than a number of the workspace, or have noise, are read by Python
afterwards. The numbers are those of single plants, bit by bit.
"""

from collections import deque
from collections.abc import Mapping
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
from taut.kernels.threads import core_count
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
        self.threads = max(1, min(threads or core_count(), count))
        # the thread of the caller works too
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        self.failures: list[str] = [""] * count
        self._is_failed = np.zeros(count, bool)
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
        return np.flatnonzero(self._is_failed)

    @property
    def is_random(self) -> bool:
        """Whether a seed changes anything."""
        return self._plants[0].is_random

    def reset(self, k: int, *, seed: int | None = None, changes: Mapping[str, Any] | None = None) -> np.ndarray:
        """A plant back at its start; its first observations."""
        self._is_ahead[k] = False
        self._note(k, "")
        found = self._plants[k].reset(seed=seed, changes=changes)
        self._forget(k)
        return found

    def advance(self, commands: np.ndarray, out: np.ndarray, which: np.ndarray) -> None:
        """Step the plants that are marked; observations go to ``out``, and why one cannot go on to ``failures``."""
        self._check(commands, which)
        for k in self.failed[which[self.failed]]:
            self._note(int(k), "")
        fast = self._fast(which)
        # a slice takes all machines without a copy
        at = slice(None) if len(fast) == len(which) else fast
        if len(fast):
            self._take(fast, at, commands)
        alone = which.copy()
        alone[at] = False
        for k in np.flatnonzero(alone):
            self._step(int(k), commands[k], out)
        if len(fast):
            self._finish(fast, at, out)

    def _check(self, commands: np.ndarray, which: np.ndarray) -> None:
        """Refuse commands that are no finite numbers, before any machine moves."""
        is_wrong = which[:, None] & ~np.isfinite(commands)
        if is_wrong.any():
            k, j = np.argwhere(is_wrong)[0]
            name = self._plants[0].commands[j]
            raise ScenarioError([Problem(NOT_FINITE, name, value=float(commands[k, j]))])

    def _note(self, k: int, failure: str) -> None:
        """Keep the reason why a machine cannot go on, or nothing if it can."""
        self.failures[k], self._is_failed[k] = failure, bool(failure)

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    # one machine, stepped in Python

    def _step(self, k: int, command: np.ndarray, out: np.ndarray) -> None:
        """Take one period of a plant in Python."""
        plant = self._plants[k]
        if self._is_ahead[k]:
            self._settle(k)
        try:
            out[k] = plant.step(command)
        except StepError as error:
            self._note(k, str(error))
            out[k] = plant.observe()
        self._times[k] = plant.time
        self._register(k)

    def _settle(self, k: int) -> None:
        """Write the state that compiled code has reached into the object of a plant."""
        plant, stepper, period = self._plants[k], self._plants[k].stepper, self._plants[k].period
        count = int(self._counts[k])
        plant._count, stepper._is_set = count, False
        moving = stepper._moving
        moving.segment, moving.segment_end = self._starts[k], count * period
        moving.controls.asked |= dict(zip(moving.controls.specs, self._asked[k].tolist(), strict=True))
        self._is_ahead[k] = False

    def _forget(self, k: int) -> None:
        """Mark a plant that was reset: it takes its first period in Python, alone."""
        self._is_fast[k], self._times[k] = False, self._plants[k].time

    # many machines, stepped by compiled code

    def _register(self, k: int) -> None:
        """Note the addresses of a plant's numbers, after it has taken a period in Python."""
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
        # a machine whose changed numbers are among those that all share here is stepped in Python
        if places.common(plant) != self._common:
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
        """Make the arrays of all machines, with the sizes of the first."""
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
        many.put[:, self._words["is_first"]] = 1
        self._specs, names = moving.controls.specs, list(moving.controls.specs)
        self._columns = {name: names.index(name) for name in plant.commands}
        self._rows = np.zeros((count, *moving.data.commands.shape))
        self._asked, self._horizons = np.zeros((count, len(names))), np.zeros(count)
        self._starts = np.zeros(count)
        self._common, self._jumps = places.common(plant), tuple(plant.stepper.model.breakpoints)
        self._fixed = getattr(moving.method, "step", None)
        self._restart, self._tolerance = moving.method.restart_step, float(moving.method.work.clock["tolerance"][0])
        return many

    def _fast(self, which: np.ndarray) -> np.ndarray:
        """Machines whose period is taken by compiled code: no jump of a signal in it, no signal that ends before it."""
        if not self._is_fast.any():
            return np.zeros(0, np.int64)
        chosen = np.flatnonzero(which & self._is_fast)
        at = slice(None) if len(chosen) == len(which) else chosen
        now, end = self._kept[at, 0], (self._counts[at] + 1.0) * self._plants[0].period
        is_free = (end <= self._horizons[at]) & (end > now) & (now > 0.0)
        if self._jumps:
            jumps = np.array(self._jumps)
            is_free &= np.searchsorted(jumps, now, "right") == np.searchsorted(jumps, end, "right")
        if is_free.all():
            return chosen if len(chosen) >= FEWEST else chosen[:0]
        return chosen[is_free] if is_free.sum() >= FEWEST else chosen[:0]

    def _take(self, fast: np.ndarray, at: Any, commands: np.ndarray) -> None:
        """Set commands and take a period of all these machines, whose rows are ``at``."""
        many = self._many
        assert many is not None
        period, now = self._plants[0].period, self._kept[at, 0].copy()
        self._counts[at] += 1.0
        end = self._counts[at] * period
        for j, (name, column) in enumerate(self._columns.items()):
            spec = self._specs[name]
            asked = limit_many(spec, commands[at, j], self._asked[at, column], period)
            self._asked[at, column] = asked
            self._rows[at, column] = set_courses(self._rows[at, column], spec, asked, now, period)
        self._starts[at] = now
        self._write(at, now, end)
        self._share(many, fast)
        self._is_ahead[at] = True
        self._times[at] = self._kept[at, 0]

    def _write(self, at: Any, now: np.ndarray, end: np.ndarray) -> None:
        """Words that a method is given when it begins or goes on, in the order of ``places.written``; others stay."""
        word, size, put = self._words, len(self._words), self._put
        step, accepted = self._kept[at, 1], self._many.kept[at, 2]  # type: ignore[union-attr]
        step = np.where(accepted > 0, step * self._restart, step)
        if self._kept.shape[1] > len(places.KEPT):
            # as in Radau.restart: not longer than the step after the last jump of a signal
            jump = self._kept[at, len(places.KEPT)]
            step = np.where((jump > 0.0) & (jump < step), jump, step)
        if self._fixed is not None:
            left = end - now
            step = left / np.maximum(np.ceil(left / self._fixed * (1.0 - ROUNDING)), 1.0)
        put[at, word["end"]], put[at, word["step"]] = end, step
        if "nominal" in word:
            put[at, word["nominal"]] = step
        if "goal" in word:
            put[at, word["goal"]] = np.maximum(NEWTON_GOAL * np.minimum(step, 1.0) * self._tolerance, LEAST_GOAL)
        put[at, size] = put[at, size + 2] = np.nextafter(now, np.inf)
        put[at, size + 1] = put[at, size + 3] = np.nextafter(end, -np.inf)
        put[at, size + 4 :] = self._rows[at].reshape(len(now), -1)

    def _share(self, many: Many, fast: np.ndarray) -> None:
        """Take a period of all these machines: this thread and others each take pieces until none is left."""
        left = deque(self._pieces(len(fast)))

        def work() -> None:
            while left:
                try:
                    first, last = left.popleft()
                except IndexError:  # another thread has taken the last piece of work
                    return
                step_many(many, fast, first, last, DONE)

        helpers = min(self.threads, len(left)) - 1 if self._pool is not None else 0
        done = [self._pool.submit(work) for _ in range(helpers)]  # type: ignore[union-attr]
        try:
            work()
        finally:
            # also after Ctrl-C: nobody may write to the machines any more
            for helper in done:
                helper.result()

    def _pieces(self, count: int) -> list[tuple[int, int]]:
        """First and last of the machines in every piece of work."""
        if self._pool is None:
            return [(0, count)]
        pieces = max(1, min(SHARES * self.threads, count // LEAST_SHARE))
        marks = np.linspace(0, count, pieces + 1).astype(int).tolist()
        return list(zip(marks[:-1], marks[1:], strict=True))

    def _finish(self, fast: np.ndarray, at: Any, out: np.ndarray) -> None:
        """Observations of those that came through, and the rest of the period of the others by Python."""
        many = self._many
        assert many is not None
        is_left = many.code[at] != DONE
        left = fast[is_left]
        self.taken += len(fast) - len(left)
        if self._is_seen:
            # machines whose period is not complete are observed afterwards
            out[at] = many.seen.view(np.float64)[at]
        for k in left if self._is_seen else fast:
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
            self._note(k, str(error))
        out[k] = plant.observe()
        if code != DONE:
            self._register(k)
        else:
            self._is_ahead[k] = False
