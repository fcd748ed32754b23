"""What a run has found so far: kept in memory for the result, and in the journal against crashes."""

import time as wall
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from taut.results.journal import Journal

JOURNAL_EVERY = 0.5  # interval between writes to the journal, in wall time [s]

Arrays = dict[str, np.ndarray]


@dataclass
class Recorder:
    """Collects channel arrays, and keeps them on disk as the run goes."""

    journal: Journal | None = None
    kept: list[Arrays] = field(default_factory=list)  # arrays of all samples since the start
    fresh: list[Arrays] = field(default_factory=list)  # arrays that are not yet in the journal
    written: float = field(default_factory=wall.monotonic)

    @property
    def sample_count(self) -> int:
        """Samples so far, the start included."""
        return sum(len(arrays["time"]) for arrays in self.kept)

    @property
    def is_due(self) -> bool:
        """Whether the journal, if there is one, was written long enough ago."""
        return self.journal is not None and wall.monotonic() - self.written > JOURNAL_EVERY

    def add(self, arrays: Arrays) -> None:
        """Keep a batch of samples."""
        self.kept.append(arrays)
        self.fresh.append(arrays)

    def write(self, checkpoint: Callable[[], Arrays], *, now: bool = False) -> None:
        """Append what is new to the journal, not more often than twice a second."""
        if self.journal is None or not self.fresh:
            return
        if now or self.is_due:
            self.journal.append(joined(self.fresh), checkpoint())
            self.fresh = []
            self.written = wall.monotonic()

    def close(self, *, is_done: bool = False) -> None:
        """Close the journal; it is not needed any more when all is in the result's file."""
        if self.journal is None:
            return
        if is_done:
            self.journal.remove()
        else:
            self.journal.close()
        self.journal = None


def joined(batches: list[Arrays]) -> Arrays:
    """Batches of samples joined one after the other."""
    if len(batches) == 1:
        return {name: np.ascontiguousarray(values) for name, values in batches[0].items()}
    return {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}


def step_arrays(log: np.ndarray) -> Arrays:
    """The log of the accepted steps as channels."""
    return {"step_time": log[:, 0] + log[:, 1], "step_size": log[:, 1].copy(),
            "step_newton_iterations": log[:, 2].astype(np.int64), "step_error": log[:, 3].copy()}  # fmt: skip
