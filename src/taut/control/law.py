"""Controllers whose answers compiled code computes: each is an entry and a bundle that it reads and writes.

The bundle holds what was measured, what is wanted at every sample of a block, the gains, and what the controller
remembers. Python calls the entry for one sample (``Law.__call__``); a run calls it by its address, many samples without
Python between them (``control/acting.py``). The numbers are the same.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from taut.kernels.bundle import Bundle

BLOCK = 256  # samples for which references are evaluated at once
# a sample moved by more than this, relative to the period, to a breakpoint of the run is evaluated separately
CLOSE = 1e-6
DONE, REFUSED = 1, 0  # outcomes of a law's entry; a refusal leaves all arrays as they were, and Python must answer

Input = tuple[str, int]  # a measurement and how many numbers it has
Wanted = tuple[Any, float]  # the curve of a signal, and how much later than the sample it is read [s]


class LawData(Bundle):
    """What every law reads and writes."""

    time: np.ndarray  # time of the sample [s], shape [1]
    slot: np.ndarray  # row of ``wanted`` for this sample [1]
    told: np.ndarray  # measured numbers, in the order of the inputs
    wanted: np.ndarray  # value, rate and second rate of every reference [BLOCK + 1, references, 3]
    numbers: np.ndarray  # gains and other constants
    memory: np.ndarray  # state that a law keeps from sample to sample
    out: np.ndarray  # commands that the law gives, in the order of its outputs


class Law:
    """A controller with compiled code; a kind adds its entry and fills its numbers."""

    entry: ClassVar[Any]
    remembered: tuple[str, ...] = ("memory",)

    def __init__(
        self,
        spec: Any,
        inputs: Sequence[Input],
        wanted: Sequence[Wanted],
        *,
        numbers: Any = (),
        memory: int = 0,
    ) -> None:
        """Take room for measurements, references, constants, memory and commands."""
        self.spec, self.inputs, self.curves = spec, list(inputs), list(wanted)
        self.commands: tuple[str, ...] = tuple(spec.outputs())
        self.block = -1  # block of samples whose references are in the table
        self.law = LawData(
            time=np.zeros(1),
            slot=np.zeros(1, np.int64),
            told=np.zeros(sum(size for _, size in self.inputs)),
            wanted=np.zeros((BLOCK + 1, len(self.curves), 3)),
            numbers=np.array(numbers, float).reshape(-1),
            memory=np.zeros(memory),
            out=np.zeros(len(self.commands)),
        )

    @property
    def bundle(self) -> Bundle:
        """The bundle of arrays with which the compiled entry is called."""
        return self.law

    @property
    def places(self) -> tuple[np.ndarray, ...]:
        """What a run writes before the entry is called, and its commands."""
        return self.law.told, self.law.time, self.law.slot, self.law.out

    @property
    def memory(self) -> np.ndarray:
        """What the controller remembers."""
        return self.law.memory

    @memory.setter
    def memory(self, value: np.ndarray) -> None:
        self.law.memory[:] = value

    def __call__(self, time: float, measured: Mapping[str, Any]) -> dict[str, float]:
        """The commands at a sample."""
        law, at = self.law, 0
        self.prepare(time)
        for name, size in self.inputs:
            law.told[at : at + size] = measured[name]
            at += size
        law.time[0] = time
        self.look_up(time)
        if self.answer() != DONE:
            raise ArithmeticError(f"controller of the kind {self.spec.kind} found no command at t = {time:.9g} s")
        return dict(zip(self.commands, law.out.tolist(), strict=True))

    def answer(self) -> int:
        """Fill the commands; a kind whose code may refuse an answer finds it another way."""
        return type(self).entry(self.bundle)

    def prepare(self, time: float) -> None:
        """Do what only Python can, before a sample."""

    def prepared_until(self) -> float:
        """Time from which on ``prepare`` has something to do [s]."""
        return np.inf

    def look_up(self, time: float) -> None:
        """What is wanted at a sample."""
        spec, law = self.spec, self.law
        count = round((time - spec.start) / spec.period)
        if abs(spec.start + count * spec.period - time) > CLOSE * spec.period:
            law.slot[0] = BLOCK
            for k, (curve, later) in enumerate(self.curves):
                law.wanted[BLOCK, k] = curve.evaluate(time + later)
            return
        block, law.slot[0] = divmod(count, BLOCK)
        if block != self.block:
            self.block = block
            times = spec.start + spec.period * (BLOCK * block + np.arange(BLOCK))
            for k, (curve, later) in enumerate(self.curves):
                law.wanted[:BLOCK, k] = np.array(curve.evaluate(times + later)).T
