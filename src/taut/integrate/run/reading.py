"""Samples that are read off at once, since modes and commands change later, and become channels many at a time."""

import numpy as np

from taut.integrate.run.recorder import Arrays, step_arrays
from taut.integrate.samples.raw import Raw, Samples, derived, new_samples, together
from taut.integrate.samples.room import Room
from taut.model import Data, Model

MOST_NUMBERS = 4_000_000  # most numbers that are read off samples before they are turned into channels
NUMBERS = 21  # numbers that are read off every node
BUFFER, SHORT = 1024, 16  # samples per buffer, and per buffer of a short segment


class Reading:
    """Values that a run has read off its samples since the last channels were made."""

    def __init__(self, model: Model, expected: int = 0) -> None:
        """Begin without samples; ``expected`` is how many there will be."""
        self.model, self.expected = model, expected
        self.room: Room | None = None
        self.parts: list[tuple[Samples, Raw]] = []  # what is in rooms that are full
        self.steps: list[np.ndarray] = []
        self.size = 0

    def add(self, reader: Data, buffer: Samples, sampled: int, logged: int) -> None:
        """Read the first samples of a buffer, and keep the first lines of its log."""
        if sampled:
            room = self._room(sampled)
            room.read(reader, buffer, sampled)
            self.expected -= sampled
            self.size += sampled * room.raw.nodes[0].size
        if logged:
            self.steps.append(buffer.log[:logged].copy())

    def _room(self, count: int) -> Room:
        """Room for some more samples."""
        if self.room is None or self.room.used + count > self.room.size:
            if self.room is not None:
                self.parts.append(self.room.take())
            most = MOST_NUMBERS // (len(self.model.tables.nodes) * NUMBERS)
            self.room = Room(self.model, max(count, min(self.expected, most)))
        return self.room

    @property
    def is_full(self) -> bool:
        """Whether so much has been read that channels should be made of it."""
        return self.size > MOST_NUMBERS

    def take(self, others: Arrays) -> list[Arrays]:
        """The channels of all that was read, as one batch, with others beside them; none if there was nothing."""
        if not self.size and not self.steps and not any(map(len, others.values())):
            return []
        parts = [*self.parts, self._room(0).take()]
        samples, raw = (together(list(kind)) for kind in zip(*parts, strict=True))
        log = np.concatenate([np.zeros((0, 4)), *self.steps])
        self.parts, self.steps, self.size = [], [], 0
        return [{"time": samples.times, **step_arrays(log), **others, **derived(self.model, samples, raw)}]


class Buffers:
    """Room for the samples of the next call of a method."""

    def __init__(self, model: Model, log_length: int) -> None:
        """Make a buffer for few samples, used many times: segments between a controller's instants are short."""
        self.model, self.log_length = model, log_length
        self.short = new_samples(model, np.full(SHORT, np.inf), log_length)
        self.long: Samples | None = None  # made when it is first needed

    def up_to(self, end: float, left: np.ndarray) -> Samples:
        """A buffer for the samples of a segment, of those at the times that are left [s]."""
        times = left[:BUFFER]
        times = times[: times.searchsorted(end, side="right") + 1]
        # inf sentinel: the buffer is never full at the last sample
        buffer = self.short
        if len(times) >= min(SHORT, BUFFER):
            self.long = buffer = self.long or new_samples(self.model, np.full(BUFFER, np.inf), self.log_length)
        buffer.times[: len(times)], buffer.times[len(times) :] = times, np.inf
        return buffer


def up_to_next(times: np.ndarray, ends: np.ndarray) -> int:
    """Number of segments, by their ends, up to the one with the first of some times; all of them if there is none."""
    return min(int(ends.searchsorted(times[0])) + 1, len(ends)) if len(times) else len(ends)
