"""A run from start to end: segments between jumps of the signals, samples, journal, result."""

import time as wall
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from taut.dynamics.residual import consistent_accelerations
from taut.integrate.methods.radau import Radau
from taut.integrate.samples import Samples, channels, new_samples
from taut.integrate.start import start_state
from taut.integrate.status import DONE, TEXTS
from taut.model import Data, Model, new_data, new_factor
from taut.results.errors import ResultError
from taut.results.finish import journal_header, make_result
from taut.results.journal import Journal, journal_path
from taut.results.record import COMPLETED, INTERRUPTED, RunRecord
from taut.results.result import Result
from taut.results.store import check_target

ALL_INTEGRATORS = {"radau": Radau}
STEPS_PER_CALL = 64  # between two returns to Python; a checkpoint can be taken at each
BUFFER = 1024  # samples
JOURNAL_EVERY = 0.5  # [s] of wall time

Progress = Callable[[float, float], None]  # simulated time, end time


@dataclass(frozen=True)
class RunSettings:
    """What a run is asked for; None means as the scenario says."""

    duration: float
    save_every: float
    tolerance: float
    integrator: str = "radau"

    def save_times(self) -> np.ndarray:
        """Times of the samples after the start [s]; the end is always one of them."""
        count = int(np.floor(self.duration / self.save_every * (1 + 1e-12)))
        times = np.arange(1, count + 1) * self.save_every
        if count == 0 or times[-1] < self.duration * (1 - 1e-12):
            return np.append(times, self.duration)
        times[-1] = self.duration
        return times


@dataclass
class Recorder:
    """Collects channel arrays, and keeps them on disk as the run goes."""

    journal: Journal | None = None
    kept: list[dict[str, np.ndarray]] = field(default_factory=list)  # all since the start
    fresh: list[dict[str, np.ndarray]] = field(default_factory=list)  # not yet in the journal
    written: float = field(default_factory=wall.monotonic)

    def add(self, arrays: dict[str, np.ndarray]) -> None:
        """Keep a batch."""
        self.kept.append(arrays)
        self.fresh.append(arrays)

    def write(self, checkpoint: Callable[[], dict[str, np.ndarray]], *, now: bool = False) -> None:
        """Append what is new to the journal, not more often than twice a second."""
        if self.journal is None or not self.fresh:
            return
        if now or wall.monotonic() - self.written > JOURNAL_EVERY:
            self.journal.append(joined(self.fresh), checkpoint())
            self.fresh = []
            self.written = wall.monotonic()


def joined(batches: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Batches one after the other."""
    return {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}


def simulate(
    model: Model,
    *,
    output: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    **settings: Any,
) -> Result:
    """Run a model from its start to its end.

    Args:
        model: the machine.
        output: result file; a journal beside it holds the run while it goes, and the file appears at the end.
        resume: carry on from that journal.
        progress: told simulated time and end time [s] a few times a second.
        settings: ``duration`` [s], ``save_every`` [s], ``tolerance``, ``integrator``; else as the scenario says.

    Returns:
        The result with its audit; ``result.status`` says how the run ended.
    """
    asked = run_settings(model, settings)
    run = Run(model, asked, Path(output) if output is not None else None)
    run.begin(resume=resume)
    run.go(progress or (lambda time, end: None))
    return run.finish()


def run_settings(model: Model, changes: dict[str, Any]) -> RunSettings:
    """The scenario's settings with the changes asked for."""
    said = model.scenario.run if model.scenario is not None else None
    usual = (
        RunSettings(said.duration, said.save_every, said.tolerance)
        if said is not None
        else RunSettings(1.0, 0.01, 1e-6)
    )
    asked = replace(usual, **{key: value for key, value in changes.items() if value is not None})
    if asked.integrator not in ALL_INTEGRATORS:
        raise ValueError(f"integrator = {asked.integrator!r}: must be one of {', '.join(ALL_INTEGRATORS)}")
    for key in ("duration", "save_every", "tolerance"):
        if not (np.isfinite(getattr(asked, key)) and getattr(asked, key) > 0):
            raise ValueError(f"{key} = {getattr(asked, key)!r}: must be a positive finite number")
    return asked


class Run:
    """One simulation in progress."""

    def __init__(self, model: Model, settings: RunSettings, output: Path | None) -> None:
        """Close the loops and find the first accelerations."""
        self.model, self.settings, self.output = model, settings, output
        if output is not None:
            check_target(output)
        self.data = start_state(model).data
        consistent_accelerations(model.tables, self.data, new_factor(model))
        self.method = ALL_INTEGRATORS[settings.integrator](model, self.data, settings.tolerance)
        self.reader = new_data(model)
        self.times = settings.save_times()
        self.taken = 0  # samples so far, without the start
        self.recorder = Recorder()
        self.code = DONE
        self.status, self.status_text = COMPLETED, ""

    def begin(self, *, resume: bool) -> None:
        """First sample, or the state of the journal."""
        if resume:
            self._resume()
            return
        if self.output is not None:
            header = journal_header(self.coords(), self.record(), settings=vars(self.settings))
            self.recorder.journal = Journal.create(journal_path(self.output), header)
        self.recorder.add(self._first_sample(self.data))

    def _first_sample(self, data: Data) -> dict[str, np.ndarray]:
        first = new_samples(self.model, np.zeros(1))
        for name, value in (("q", data.q), ("v", data.v), ("a", data.acceleration), ("lam", data.lam), ("z", data.z)):
            getattr(first, name)[0] = value
        return {"time": np.zeros(1), **channels(self.model, self.reader, first, 1), **step_arrays(first, 0)}

    def _resume(self) -> None:
        if self.output is None:
            raise ResultError("", "there is nothing to resume without an output file", "name it with -o")
        journal = Journal.reopen(journal_path(self.output))
        content = journal.content
        if content.header.get("model_digest") not in (None, "", self.model.digest()):
            raise ResultError(
                journal.path, "the journal belongs to another machine", "run the scenario it was made from"
            )
        self.recorder.journal = journal
        state = content.checkpoint
        self.recorder.kept = [content.arrays()]
        self.taken = len(self.recorder.kept[0]["time"]) - 1
        if state:
            self.method.restore(state)

    def segments(self) -> list[tuple[float, float]]:
        """Pieces of the run between jumps of the signals."""
        end = self.settings.duration
        marks = [0.0, *(t for t in self.model.breakpoints if 0.0 < t < end), end]
        return list(zip(marks, marks[1:], strict=False))

    def go(self, progress: Progress) -> None:
        """Advance through all segments; Ctrl-C ends the run with what it has."""
        try:
            for start, end in self.segments():
                if end <= self.method.time and not self.method.is_pending:
                    continue
                self._set_limits(start, end)
                self.method.begin_segment(start, end, is_restart=self.method.time <= start)
                if not self._advance_segment(progress):
                    break
        except KeyboardInterrupt:
            self.status, self.status_text = INTERRUPTED, "stopped by Ctrl-C; taut run --resume carries on"

    def _set_limits(self, start: float, end: float) -> None:
        self.reader.time[1], self.reader.time[2] = np.nextafter(start, np.inf), np.nextafter(end, -np.inf)

    def _advance_segment(self, progress: Progress) -> bool:
        while True:
            buffer = self._buffer()
            code = self.method.advance(buffer, STEPS_PER_CALL)
            sampled, logged = self.method.take_counts()
            self._keep(buffer, sampled, logged)
            progress(self.method.time, self.settings.duration)
            if not self.method.is_pending:
                self.recorder.write(self.method.checkpoint)
            if code == DONE:
                return True
            if code in TEXTS:
                word, remedy = TEXTS[code]
                self.status = word
                self.status_text = f"at t = {self.method.time:.9g} s: {remedy}"
                return False

    def _buffer(self) -> Samples:
        times = self.times[self.taken : self.taken + BUFFER]
        # a last time that never comes keeps the buffer from being full when there is nothing left to sample
        return new_samples(self.model, np.append(times, np.inf) if len(times) < BUFFER else times, STEPS_PER_CALL)

    def _keep(self, buffer: Samples, sampled: int, logged: int) -> None:
        if sampled or logged:
            arrays = {"time": buffer.times[:sampled], **channels(self.model, self.reader, buffer, sampled)}
            self.recorder.add(arrays | step_arrays(buffer, logged))
        self.taken += sampled

    def coords(self) -> dict[str, Any]:
        """Names along the dimensions of the result."""
        names = self.model.names
        coordinates = [f"q{k}" for k in range(self.model.coordinate_count)]
        return {"body": list(names.bodies), "cable": list(names.cables), "closure": list(names.closures),
                "row": list(names.rows), "column": list(names.columns), "coordinate": coordinates}  # fmt: skip

    def record(self) -> RunRecord:
        """How the run was made and how it ended."""
        from taut.scenario.writing import dumps

        scenario = self.model.scenario
        return RunRecord(
            scenario_text=dumps(scenario) if scenario is not None else "",
            title=scenario.name if scenario is not None else "",
            status=self.status,
            status_text=self.status_text,
            method=self.method.name,
            tolerance=self.settings.tolerance,
            duration=self.settings.duration,
            model_digest=self.model.digest(),
            statistics=self.method.statistics(),
        )

    def finish(self) -> Result:
        """Assemble, audit, and save; the journal goes when the file is there and the run complete."""
        arrays = joined(self.recorder.kept)
        coords = {"time": arrays.pop("time"), **self.coords()}
        result = make_result(arrays, coords, self.record())
        if self.output is not None:
            if not self.method.is_pending:
                self.recorder.write(self.method.checkpoint, now=True)
            result.save(self.output)
            if self.recorder.journal is not None and self.status == COMPLETED:
                self.recorder.journal.remove()
            elif self.recorder.journal is not None:
                self.recorder.journal.close()
        return result


def step_arrays(samples: Samples, count: int) -> dict[str, np.ndarray]:
    """The log of the accepted steps as channels."""
    log = samples.log[:count]
    return {"step_time": log[:, 0] + log[:, 1], "step_size": log[:, 1].copy(),
            "step_newton_iterations": log[:, 2].astype(np.int64), "step_error": log[:, 3].copy()}  # fmt: skip
