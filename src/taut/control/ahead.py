"""Controllers that compiled code calls: its tables, filled by Python, and what it leaves to Python.

A run is handed over by ``begin`` and taken back by ``Controls``, which asks for what has changed. Between these, the
arrays of ``Acting`` are where its controllers stand.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np
from numba.core import config

from taut.control.acting import (
    ACTED,
    ANSWER,
    ENTRY,
    LOG,
    MODEL,
    NOISE_BLOCK,
    PERIOD,
    PLACE,
    START,
    UNTIL,
    Acting,
    act,
)
from taut.control.law import Law
from taut.control.measuring.measure import Measurements
from taut.dynamics.courses import ACTS
from taut.dynamics.residual import place_state
from taut.kernels.jit import IS_PLAIN
from taut.kernels.many import address_of
from taut.model import Data

# a delayed answer: time of its arrival [s], its commands by name, and the time in which these ramp [s]
Waiting = tuple[float, dict[str, float], float]
Log = tuple[np.ndarray, np.ndarray, np.ndarray]


def ahead_of(controls: Any, data: Data) -> "Ahead | None":
    """The tables for a run's controllers; None where one of them, or a measurement, needs Python."""
    laws = [loop.controller for loop in controls.loops]
    measurements: Measurements = controls.measurements
    is_known = all(isinstance(law, Law) for law in laws) and measurements.words is not None
    if config.DISABLE_JIT or IS_PLAIN or not is_known:  # pyright: ignore[reportAttributeAccessIssue]
        return None
    return Ahead(laws, measurements, controls.specs, data)


def made_address(entry: Any, *arguments: Any) -> int:
    """Where the compiled code of an entry for such arguments is; it is compiled, or read from the disk, if need be."""
    if not address_of(entry, *arguments):
        entry.compile(tuple(numba.typeof(argument) for argument in arguments))
    return address_of(entry, *arguments)


class Ahead:
    """All controllers of a run in compiled code."""

    def __init__(self, laws: list[Law], measurements: Measurements, specs: dict[str, Any], data: Data) -> None:
        """Make the tables."""
        self.laws, self.measurements, self.specs = laws, measurements, specs
        self.is_ahead = False  # whether the controllers' present state is in these arrays, not in Python objects
        self._full: list[Log] = []  # full logs that were taken over from the table
        self.acting = Acting(**self._measured(), **self._asking(), **self._commanded(data))
        # compiled here, so that every sample of every run is taken by the same code
        self.acting.laws[:, ENTRY] = [made_address(type(law).entry, law.bundle) for law in laws]
        self.find_machine()

    @property
    def samples(self) -> int:
        """Samples taken so far."""
        return int(self.acting.samples[0])

    def find_machine(self) -> None:
        """Take the machine from the measurements, whose model may have been exchanged for one that reaches further."""
        see = self.measurements
        self.acting.calls[PLACE] = made_address(place_state, see.model.tables, see.data, see.forces)
        self.acting.calls[MODEL] = see.model.tables._address

    def _measured(self) -> dict[str, np.ndarray]:
        see, words = self.measurements, self.measurements.words or []
        products = [product for number in words for product in number]
        at = np.zeros((len(products), 3), np.int64)
        for k, (_, factors) in enumerate(products):
            at[k, : len(factors)] = factors
        n = len(words)
        calls = [0, 0, see.data._address, see.forces.ctypes.data, len(see.forces)]
        return {"calls": np.array(calls, np.int64), "values": np.zeros(n), "term_at": at,
                "first_term": np.cumsum([0, *map(len, words)]), "is_given": np.zeros(1, np.int64),
                "term_scale": np.array([scale for scale, _ in products], float), "samples": np.zeros(1, np.int64),
                "noise_size": np.array(see.noise, float), "bias": np.array(see.bias, float),
                "resolution": np.array(see.resolution, float), "noise": np.zeros((NOISE_BLOCK, n)),
                "noise_block": np.full(1, -1)}  # fmt: skip

    def _asking(self) -> dict[str, np.ndarray]:
        laws, see, names = self.laws, self.measurements, list(self.specs)
        first = dict(zip(see.specs, see.ends, strict=False))
        told = [[first[name] + k for name, size in law.inputs for k in range(size)] for law in laws]
        commands = [[names.index(command) for command in law.commands] for law in laws]
        places = [[0, law.bundle._address, *(array.ctypes.data for array in law.places)] for law in laws]
        steps = [
            (self.specs[command].rate_limit or np.inf) * law.spec.period for law in laws for command in law.commands
        ]
        count = len(laws)
        return {"laws": np.array(places, np.int64), "counts": np.zeros(count, np.int64),
                "clocks": np.array([(law.spec.start, law.spec.period, law.spec.delay, 0.0) for law in laws], float),
                "blocks": np.full(count, -1), "answered": np.zeros(count, np.int64),
                "first_told": np.cumsum([0, *map(len, told)]), "told": np.array(sum(told, []), np.int64),
                "first_command": np.cumsum([0, *map(len, commands)]), "command": np.array(sum(commands, []), np.int64),
                "step_limit": np.array(steps, float)}  # fmt: skip

    def _commanded(self, data: Data) -> dict[str, np.ndarray]:
        specs, laws = list(self.specs.values()), self.laws
        # capacity of the queue: the answers that can be under way at the same time, and one more for each law
        room = sum(2 + math.ceil(law.spec.delay / law.spec.period) for law in laws) + len(laws)
        slack = 1e-9 * min(law.spec.period for law in laws)
        log = {"log_time": np.zeros(LOG), "log_value": np.zeros((LOG, len(self.measurements.noise)))}
        return {"rows": data.commands, "acts": np.array([ACTS.index(spec.acts) for spec in specs]),
                "lag": np.array([spec.lag or 0.0 for spec in specs], float),
                "limits": np.array([spec.limits or (-np.inf, np.inf) for spec in specs], float).reshape(-1, 2),
                "asked": np.zeros(len(specs)), "waiting": np.zeros(1, np.int64), "due": np.zeros(room),
                "sender": np.zeros(room, np.int64), "queued": np.zeros((room, len(specs))), "spans": np.zeros(room),
                "logged": np.zeros(1, np.int64), "log_asked": np.zeros((LOG, len(specs))),
                "now": np.zeros(1), "slack": np.array([slack])} | log  # fmt: skip

    def begin(self, counts: list[int], asked: dict[str, float], waiting: Sequence[Waiting], samples: int) -> None:
        """Take over the controllers' samples, last commands and answers on their way from Python."""
        acting = self.acting
        acting.counts[:], acting.asked[:], acting.samples[0] = counts, list(asked.values()), samples
        acting.waiting[0], acting.answered[:] = len(waiting), 0
        # Python may have asked the laws in between: mark their references and preparations as out of date
        acting.blocks[:], acting.clocks[:, UNTIL] = -1, -np.inf
        # find the law that gave an answer: no two laws set the same commands
        senders = {law.commands: k for k, law in enumerate(self.laws)}
        for k, (due, commands, period) in enumerate(waiting):
            acting.due[k], acting.spans[k], acting.sender[k] = due, period, senders[tuple(commands)]
            for i, name in enumerate(self.specs):
                acting.queued[k, i] = commands.get(name, 0.0)
        self.is_ahead = True

    def act(self, time: float, given: Callable[[], np.ndarray] | None = None) -> None:
        """An instant, with the workspace of the measurements at the state, or with the numbers of a log."""
        acting = self.acting
        acting.now[0], acting.is_given[0] = time, given is not None
        if given is not None and self._sampled(time).any():
            acting.values[:] = given()
        while (code := act(acting)) != ACTED:
            if code == ANSWER:
                for c in np.flatnonzero(acting.answered < 0):
                    self.laws[c].answer()
                    acting.answered[c] = 1
            else:
                self._fill(time)
        acting.is_given[0] = 0

    def _sampled(self, time: float) -> np.ndarray:
        """Which controllers take a sample."""
        clocks, acting = self.acting.clocks, self.acting
        return clocks[:, START] + acting.counts * clocks[:, PERIOD] <= time + acting.slack[0]

    def due(self, time: float) -> tuple[list[bool], bool]:
        """Which controllers take a sample, and whether a command arrives [s]."""
        acting, count = self.acting, int(self.acting.waiting[0])
        return self._sampled(time).tolist(), bool((acting.due[:count] <= time + acting.slack[0]).any())

    def _fill(self, time: float) -> None:
        """What the next samples need: references, noise, room in the log."""
        acting, see = self.acting, self.measurements
        for c in np.flatnonzero(self._sampled(time)):
            law = self.laws[c]
            law.prepare(time)
            law.look_up(law.spec.start + int(acting.counts[c]) * law.spec.period)
            acting.blocks[c], acting.clocks[c, UNTIL] = law.block, law.prepared_until()
        block = self.samples // NOISE_BLOCK
        if block != acting.noise_block[0]:
            acting.noise_block[0] = block
            if see.is_noisy:
                acting.noise[:] = [see.drawn(NOISE_BLOCK * block + k) for k in range(NOISE_BLOCK)]
        if acting.logged[0] == LOG:
            self._full.append(self._noted())

    def _noted(self) -> Log:
        acting, n = self.acting, int(self.acting.logged[0])
        acting.logged[0] = 0
        return acting.log_time[:n].copy(), acting.log_value[:n].copy(), acting.log_asked[:n].copy()

    def forget_log(self) -> None:
        """Empty the log."""
        self._full.clear()
        self.acting.logged[0] = 0

    def take_log(self) -> list[Log]:
        """Times, measured numbers and commands of the samples since the last call."""
        full, self._full = self._full, []
        return [*full, self._noted()] if self.acting.logged[0] else full

    def waiting(self) -> list[Waiting]:
        """Delayed answers that have not arrived yet."""
        acting, names, found = self.acting, list(self.specs), []
        for k in range(int(acting.waiting[0])):
            commands = self.laws[int(acting.sender[k])].commands
            kept = {name: float(acting.queued[k, names.index(name)]) for name in commands}
            found.append((float(acting.due[k]), kept, float(acting.spans[k])))
        return found
