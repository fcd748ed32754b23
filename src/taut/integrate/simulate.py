"""A run from start to end: segments between jumps of the signals, samples, journal, result."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from taut.audit.judge import judge, not_judged
from taut.build.again import machine_texts, with_reduction
from taut.build.reduction.reduction import Reduction
from taut.control.python_function import UserFunction
from taut.integrate.describe import start_warnings
from taut.integrate.moving import Moving, Segment
from taut.integrate.passages import measured
from taut.integrate.reduced.remarks import range_channels, remarks
from taut.integrate.reduced.residual import indicator_of
from taut.integrate.reduced.runs import run_with_fallback
from taut.integrate.reduced.trust import first_outside
from taut.integrate.run.compiled import begin_to_compile
from taut.integrate.run.interrupt import Interrupt
from taut.integrate.run.reading import Buffers, Reading, up_to_next
from taut.integrate.run.recorder import Arrays, Recorder, joined, step_arrays
from taut.integrate.run.resume import check_same_run, check_same_version, open_journal, unsaved
from taut.integrate.run.texts import ending, result_names
from taut.integrate.run.witnesses import Witnesses
from taut.integrate.samples.limits import load_warnings
from taut.integrate.samples.raw import Samples, channels, new_samples
from taut.integrate.schedule import PLAIN, Schedule
from taut.integrate.settings import ALL_INTEGRATORS, RunSettings, Settings, check_method, model_for, run_settings
from taut.integrate.singularities import watched
from taut.integrate.state import State, take_up
from taut.integrate.status import MORE, STOP, TEXTS
from taut.integrate.step.method import Method
from taut.model import Model, data_beside
from taut.results.errors import ResultError
from taut.results.finish import journal_header, make_result
from taut.results.record import COMPLETED, INTERRUPTED, STOPPED, RunRecord
from taut.results.result import Result
from taut.results.store import check_target
from taut.scenario.errors import Problem, ScenarioError

Progress = Callable[[float, float], None]  # called with the simulated time and the end time [s]


def simulate(
    model: Model,
    *,
    output: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    controllers: Mapping[str, UserFunction] | None = None,
    rom: Reduction | str | Path | None = None,
    rom_fallback: bool = False,
    state: State | None = None,
    save_times: Sequence[float] | np.ndarray | None = None,
    stops: Sequence[float] = (),
    audit: bool = True,
    **settings: Unpack[Settings],
) -> Result:
    """Run a model from its start to its end.

    Args:
        model: the machine.
        output: result file; a journal beside it holds the run while it goes, and the file appears at the end.
        resume: carry on from that journal, to the same result as without the interruption; begin if there is none.
        progress: told simulated time and end time [s] a few times a second.
        controllers: the functions (t, measurements) -> commands of the scenario's Python controllers, by name.
        rom: a reduction of the machine's cables, or its file: the reduced machine runs, and the result says where it
            was outside of its training.
        rom_fallback: whether the full machine takes over there.
        state: where the run begins, as a ``Stepper`` of this model and method had it; None for the model's start.
            Its time is the first of the result, and energies count from there.
        save_times: times of the samples [s] beside those of start and end, instead of every ``save_every``.
        stops: times at which a step is to end [s], as those of a ``Stepper``.
        audit: whether the run is audited; without, the verdict is ``incomplete``.
        settings: ``duration`` [s], ``save_every`` [s], ``tolerance``, ``integrator``, ``step`` [s]; else as the
            scenario says. A method's own settings are a mapping, such as ``generalized_alpha={"index": 3}``.

    Returns:
        The result with its audit; ``result.status`` says how the run ended.

    Raises:
        TypeError: the model is none, for example a scenario that is not built yet.
        ScenarioError: a setting that no run can have, or loops that cannot be closed.
        ResultError: the output cannot be written, or the journal belongs to another run.
        UnsavedError: the disk fails while the run goes; its journal stays, and can be resumed.
    """
    if not isinstance(model, Model):
        given = type(model).__name__
        raise TypeError(f"simulate needs a model, not a {given}: taut.simulate(taut.build(scenario))")
    asked = run_settings(model, settings)
    check_method(model, asked, list(ALL_INTEGRATORS))
    path = Path(output) if output is not None else None
    schedule = Schedule(state, save_times, stops)
    # settings are checked first, because compiling takes long
    if rom is None:
        begin_to_compile(model, asked.integrator)
    else:
        reduced = with_reduction(model_for(model, asked), rom)
        begin_to_compile(reduced, asked.integrator)
        if rom_fallback:
            if not schedule.is_plain:
                raise ScenarioError(
                    [Problem("a run with rom_fallback has its own begin, samples and stops", "rom_fallback")]
                )
            # the full machine is built before the reduced run, so that its errors show at once
            full = Run(model_for(model, asked), asked, None, controllers)
            result = run_with_fallback(full, Run(reduced, asked, None), progress or (lambda time, end: None))
            if path is not None:
                result.save(path)
            return result
    run = Run(model_for(model, asked) if rom is None else reduced, asked, path, controllers, schedule, audit=audit)
    # the journal is closed however the run ends; a finished one is deleted by finish
    try:
        with Interrupt() as run.interrupt:
            run.begin(resume=resume)
            return run.to_end(progress or (lambda time, end: None))
    finally:
        run.recorder.close()


class Run:
    """One simulation in progress: a machine in motion, and what is kept of it."""

    def __init__(
        self,
        model: Model,
        settings: RunSettings,
        output: Path | None,
        controllers: Mapping[str, UserFunction] | None = None,
        schedule: Schedule = PLAIN,
        *,
        audit: bool = True,
        is_told: bool = True,
    ) -> None:
        """Close the loops and find the first accelerations; without ``is_told`` the texts for a result are left out."""
        self.model, self.settings, self.output = model, settings, output
        if output is not None:
            check_target(output)
        self.moving = Moving(model, settings, controllers)
        self.data, self.switches, self.controls = self.moving.data, self.moving.switches, self.moving.controls
        said = start_warnings(model, self.moving.start) if is_told else []
        self.warnings = [*said, *model.warnings, *self.moving.warnings]
        self.reader = data_beside(model, self.data)
        self.indicator = indicator_of(model, self.data)
        self.schedule, self.times = schedule, schedule.sample_times(settings)
        self.taken = 0  # number of samples so far, without the start
        self.recorder, self.reading = Recorder(), Reading(model, len(self.times) + 1)
        self.buffers = Buffers(model, self.moving.method.steps_per_call)
        self.interrupt = Interrupt()
        self.progress: Progress = lambda time, end: None
        self.status, self.status_text = COMPLETED, ""
        self.is_left_outside = False  # whether a reduced model stops where it leaves its training range
        self.passed_events: list[dict[str, Any]] = []  # events found in the samples afterwards
        self.judged = model  # machine by which the audit judges the run
        self.is_audited, self.is_told = audit, is_told
        self.witnesses = Witnesses(model, (schedule.begin, settings.duration), len(self.times), is_any=audit)
        self.witnesses.aim(self.method)

    @property
    def method(self) -> Method:
        """The method, which restarts when controllers act at the start."""
        return self.moving.method

    def begin(self, *, resume: bool) -> None:
        """First sample, or the state of the journal."""
        if self.output is not None:
            asked = self.settings.as_dict() | self.schedule.as_dict()
            # the header identifies the run: model, settings and schedule must agree to resume
            header = journal_header(self.coords(), self.record(), settings=asked)
            self.recorder.journal = open_journal(self.output, header, resume=resume)
            check_same_run(self.recorder.journal, header)
            content = self.recorder.journal.content
            if content.checkpoint is not None:
                check_same_version(self.recorder.journal, self.method.state_arrays)
                self._restore(content.arrays(), content.checkpoint)
                return
        elif resume:
            raise ResultError("", "there is nothing to resume without an output file", "name it with -o")
        # guarded, because controllers may raise at their first call
        self._guard(self._set_out)
        self.witnesses.aim(self.method)
        self._keep_first()

    def _set_out(self) -> None:
        """Begin at the model's start, or go on from a state; what came before it does not count."""
        if self.schedule.state is None:
            self.moving.begin()
            return
        take_up(self.schedule.state, self.moving)
        self.method.forget()
        self.switches.forget()

    def _keep_first(self) -> None:
        data = self.data if self.schedule.state is None else self.method.state()
        first = new_samples(self.model, np.array([self.schedule.begin]), 0)
        for name, value in (("q", data.q), ("v", data.v), ("a", data.acceleration), ("lam", data.lam), ("z", data.z)):
            getattr(first, name)[0] = value
        self.witnesses.keep_samples(0, first, 1, self.reader)
        if self.model.reduced or self.indicator is not None:
            others = step_arrays(first.log) | self.controls.take_log()
            self.recorder.add({"time": first.times.copy(), **self._channels(first, 1), **others})
        else:
            self.reading.add(self.reader, first, 1, 0)

    def _restore(self, arrays: Arrays, state: Arrays) -> None:
        self.recorder.kept = [arrays]
        self.taken = self.recorder.sample_count - 1
        self.moving.restore(state)
        if self.moving.stopped:
            self.status, self.status_text = STOPPED, self.moving.stopped
        self.witnesses.restore(state)
        marks = [start for start, _, _ in self.segments() if start <= max(self.moving.segment, 0.0)]
        if self.controls.is_any and not self.controls.replay(marks, arrays):
            remedy = "resume the run with the controllers it was begun with, or start again with --restart"
            raise ResultError(self.output or "", "the controllers do not answer as they did", remedy)

    def _checkpoint(self) -> Arrays:
        return {**self.moving.checkpoint(), **self.witnesses.checkpoint()}

    def segments(self) -> list[Segment]:
        """Pieces of the run between jumps of the signals and instants of the controllers."""
        return self.moving.segments(self.schedule.begin, self.settings.duration, self.schedule.stops)

    def to_end(self, progress: Progress) -> Result:
        """Advance and finish; if the disk fails, the error says what was saved."""
        try:
            self.go(progress)
            return self.finish()
        except ResultError as error:
            raise unsaved(error, self.output, self.method.time) from error

    def go(self, progress: Progress) -> None:
        """Advance through all segments; Ctrl-C ends the run with the samples so far."""
        if self.status == STOPPED:
            return
        self.progress = progress
        code = self._guard(lambda: self.moving.go(self.segments(), self))
        self._make_channels()
        if code == STOP:
            self.status, self.status_text = STOPPED, self.moving.stopped
        elif code in TEXTS:
            self.status, self.status_text = ending(code, self.model, self.method)

    def _guard(self, action: Callable[[], Any]) -> Any:
        """Let the controllers act; one that crashes would do so again, so its journal must not block the next run."""
        try:
            return action()
        except ScenarioError:
            self.recorder.close(is_done=True)
            raise

    def buffer(self, end: float) -> tuple[Samples, int]:
        """Room for the next samples, and how many steps the next call may take."""
        # a pending step is finished by a call of its own: a checkpoint after it resumes identically
        steps = 1 if self.method.is_pending else self.witnesses.steps_to_next(self.method)
        return self.buffers.up_to(end, self.times[self.taken :]), steps

    def stretch(self, ends: np.ndarray) -> int:
        """Number of segments up to the one with the next sample, which is read with the commands that act there."""
        return up_to_next(self.times[self.taken :], ends)

    def look(self, buffer: Samples, code: int, steps: int) -> int:
        """Keep witnesses and samples of a call of the method."""
        # radau returns after a step that is kept for the audit: keep it, and go on with the same buffer
        while code == MORE and steps > 1 and self.witnesses.look(self.method):
            code = self.method.advance(buffer, steps)
        sampled, logged = self.method.take_counts()
        start, end = self.moving.segment, self.moving.segment_end
        self.reader.window[0], self.reader.window[1] = math.nextafter(start, math.inf), math.nextafter(end, -math.inf)
        self._keep(buffer, sampled, logged)
        self.witnesses.look(self.method)
        self.progress(self.method.time, self.settings.duration)
        return code

    def passed(self, *, is_jump: bool) -> None:
        """Have the first step after an event or a jump of a signal kept for the audit."""
        # with controllers every sampling instant is a jump: the first ones would use up all moments that may be kept
        if not is_jump or not self.controls.is_any:
            self.witnesses.after_event(self.method, is_jump=is_jump)

    def is_ended(self) -> bool:
        """Write the journal; whether a reduced model is outside of its training, or Ctrl-C was pressed."""
        if self.is_left_outside and self._is_outside():
            return True
        if not self.method.is_pending and self.recorder.is_due:
            self._make_channels()
            self.recorder.write(self._checkpoint)
        return self._is_interrupted()

    def _is_outside(self) -> bool:
        """Whether the reduced model has left its training in the samples taken last."""
        last = self.recorder.kept[-1]
        return first_outside(last["time"], last["rom_trust"]) is not None

    def _is_interrupted(self) -> bool:
        if self.interrupt.is_asked and not self.method.is_pending and self.method.time < self.settings.duration:
            self.status = INTERRUPTED
            self.status_text = f"stopped by Ctrl-C at t = {self.method.time:.9g} s; taut run --resume carries on"
            return True
        return False

    def _keep(self, buffer: Samples, sampled: int, logged: int) -> None:
        known = range_channels(self.recorder.kept)
        if not known:
            self.reading.add(self.reader, buffer, sampled, logged)
            if self.reading.is_full:
                self._make_channels()
        elif sampled or logged:
            found = self._channels(buffer, sampled) if sampled else self._nothing
            # the full model counts as inside the reduced model's range
            found = dict.fromkeys(known, np.zeros(sampled)) | found
            others = step_arrays(buffer.log[:logged].copy()) | self.controls.take_log()
            self.recorder.add({"time": buffer.times[:sampled].copy(), **found, **others})
        if sampled:
            self.witnesses.keep_samples(self.taken + 1, buffer, sampled, self.reader)
        self.taken += sampled

    def _make_channels(self) -> None:
        """Make channels of what was read off the samples so far."""
        if range_channels(self.recorder.kept):
            return
        for arrays in self.reading.take(self.controls.take_log()):
            self.recorder.add(arrays)

    @cached_property
    def _nothing(self) -> Arrays:
        """The channels of a run without samples."""
        return self._channels(new_samples(self.model, np.zeros(0), 0), 0)

    def _channels(self, samples: Samples, count: int) -> Arrays:
        found = channels(self.model, self.reader, samples, count)
        if self.indicator is not None:
            found["rom_residual"] = self.indicator({"time": samples.times[:count], **found})
        return found

    def coords(self) -> dict[str, Any]:
        """Names along the dimensions of the result."""
        return {**result_names(self.model), **self.controls.names()}

    @cached_property
    def texts(self) -> tuple[str, str]:
        """Texts of the scenario and of the machine that go into the result."""
        return machine_texts(self.model) if self.is_told else ("", "")

    def record(self, passed: list[dict[str, Any]] | None = None) -> RunRecord:
        """How the run was made and how it ended; ``passed`` are events found afterwards."""
        return RunRecord(
            scenario_text=self.texts[0],
            structure_text=self.texts[1],
            title=self.model.plan.name,
            status=self.status,
            status_text=self.status_text,
            method=self.method.name,
            tolerance=self.settings.tolerance,
            duration=self.settings.duration,
            weight=self.model.weight,
            size=self.moving.size,
            model_digest=self.model.digest(),
            warnings=self.warnings,
            thresholds=self.method.thresholds(),
            statistics=self.method.statistics(),
            # events found afterwards are sorted in among those of the run
            events=sorted([*self.switches.record(), *(passed or [])], key=lambda event: event["time"]),
        )

    def found(self) -> tuple[Arrays, dict[str, Any], RunRecord, Callable[[Any], dict[str, Any]]]:
        """Channels, names, record and the lines of the audit that need the machine, as ``make_result`` takes them."""
        arrays = joined(self.recorder.kept)
        extra, passed = watched(self.model, self.data, arrays)
        events, said = remarks(self.model, arrays)
        self.passed_events += events
        self.warnings = [*self.warnings, *said, *load_warnings(self.model, arrays)]
        coords = {"time": arrays.pop("time"), **self.coords()}  # time is a coordinate of the dataset, not a channel
        record = self.record([*passed, *self.passed_events])
        grown = measured(self, arrays | extra | coords, passed) if self.is_audited else None
        seen = replace(self.witnesses.seen(self.method, self.switches.holds.struck), passages=grown)
        if (state := self.schedule.state) is not None:
            seen = replace(seen, begin=(state.q, state.v), sides=state.memory["modes"])

        def lines(data: Any) -> dict[str, Any]:
            return judge(self.judged, data, record, seen) if self.is_audited else not_judged(self.model)

        return arrays | extra, coords, record, lines

    def finish(self) -> Result:
        """Assemble, audit, and save; the journal is removed unless the run can be resumed."""
        arrays, coords, record, lines = self.found()
        result = make_result(arrays, coords, record, judge=lines)
        if self.output is not None:
            # an interrupted run keeps its journal up to this step, to be resumed
            if self.status == INTERRUPTED:
                self.recorder.write(self._checkpoint, now=True)
            result.save(self.output)
            self.recorder.close(is_done=self.status != INTERRUPTED)
        return result
