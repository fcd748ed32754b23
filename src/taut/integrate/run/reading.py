"""Samples that are read off at once, since modes and commands change later, and become channels many at a time."""

import numpy as np

from taut.integrate.run.recorder import Arrays, step_arrays
from taut.integrate.samples.raw import Raw, Samples, derived, new_samples, read, together
from taut.model import Data, Model

MOST_NUMBERS = 4_000_000  # most numbers that are read off samples before they are turned into channels
BUFFER, SHORT = 1024, 16  # samples per buffer, and per buffer of a short segment


class Reading:
    """Values that a run has read off its samples since the last channels were made."""

    def __init__(self, model: Model) -> None:
        """Begin without samples."""
        self.model, self.parts, self.steps, self.size = model, [], [], 0
        self.blanks: dict[int, tuple[Samples, Raw]] = {}  # buffers for few samples, by their number, to be used again

    def add(self, reader: Data, buffer: Samples, sampled: int, logged: int) -> None:
        """Read the first samples of a buffer, and keep the first lines of its log."""
        if sampled:
            part = read(self.model, reader, buffer, sampled, self.blanks if sampled <= SHORT else None)
            self.parts.append(part)
            self.size += part[1].nodes.size
        if logged:
            self.steps.append(buffer.log[:logged].copy())

    @property
    def is_full(self) -> bool:
        """Whether so much has been read that channels should be made of it."""
        return self.size > MOST_NUMBERS

    def take(self, reader: Data, others: Arrays) -> list[Arrays]:
        """The channels of all that was read, as one batch, with others beside them; none if there was nothing."""
        if not self.parts and not self.steps and not any(map(len, others.values())):
            return []
        parts = self.parts or [read(self.model, reader, new_samples(self.model, np.zeros(0), 0), 0)]
        samples, raw = (together(list(kind)) for kind in zip(*parts, strict=True))
        log = np.concatenate([np.zeros((0, 4)), *self.steps])
        self.parts, self.steps, self.size = [], [], 0
        return [{"time": samples.times, **step_arrays(log), **others, **derived(self.model, samples, raw)}]


class Buffers:
    """Room for the samples of the next call of a method."""

    def __init__(self, model: Model, log_length: int) -> None:
        """Make a short one, which is used again and again: segments between a controller's instants are many."""
        self.model, self.log_length = model, log_length
        self.short = new_samples(model, np.full(SHORT, np.inf), log_length)

    def up_to(self, end: float, left: np.ndarray) -> Samples:
        """A buffer for the samples of a segment, of those at the times that are left [s]."""
        times = left[:BUFFER]
        times = times[: times.searchsorted(end, side="right") + 1]
        # inf sentinel: the buffer is never full at the last sample
        if len(times) < min(SHORT, BUFFER):
            self.short.times[: len(times)], self.short.times[len(times) :] = times, np.inf
            return self.short
        return new_samples(self.model, np.append(times, np.inf) if len(times) < BUFFER else times, self.log_length)


def up_to_next(times: np.ndarray, ends: np.ndarray) -> int:
    """Number of segments, by their ends, up to the one with the first of some times; all of them if there is none."""
    return min(int(ends.searchsorted(times[0])) + 1, len(ends)) if len(times) else len(ends)
