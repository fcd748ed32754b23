"""A run from start to end: segments between jumps of the signals, samples, journal, result."""

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from taut.audit.judge import judge
from taut.build.again import machine_texts, with_reduction
from taut.build.reduction import Reduction
from taut.control.controls import Controls
from taut.control.python_function import UserFunction
from taut.dynamics.residual import consistent_accelerations
from taut.integrate.describe import describe
from taut.integrate.interrupt import Interrupt
from taut.integrate.methods.explicit import Explicit
from taut.integrate.methods.generalized_alpha import GeneralizedAlpha
from taut.integrate.methods.moreau_jean import MoreauJean
from taut.integrate.methods.nonsmooth_alpha import NonsmoothAlpha
from taut.integrate.methods.radau import Radau
from taut.integrate.recorder import Arrays, Recorder, joined, step_arrays
from taut.integrate.reduced_runs import run_with_fallback
from taut.integrate.resume import check_same_run, open_journal, unsaved
from taut.integrate.rom_residual import beyond, indicator_of
from taut.integrate.samples import Samples, channels, new_samples
from taut.integrate.scales import machine_size
from taut.integrate.settings import RunSettings, check_method, model_for, run_settings
from taut.integrate.singularities import watched
from taut.integrate.start import start_state
from taut.integrate.status import AT_EVENT, CHATTER, DONE, MORE, STOP, TEXTS
from taut.integrate.switches import Switches
from taut.integrate.texts import ending, result_names, say_compiling
from taut.integrate.trust import MESSAGE, first_outside
from taut.integrate.witnesses import Witnesses
from taut.model import Data, Model, data_beside, new_factor
from taut.results.errors import ResultError
from taut.results.finish import journal_header, make_result
from taut.results.record import COMPLETED, INTERRUPTED, STOPPED, RunRecord
from taut.results.result import Result
from taut.results.store import check_target
from taut.scenario.run import LEAST_TOLERANCE

ALL_INTEGRATORS = {
    "radau": Radau,
    "generalized-alpha": GeneralizedAlpha,
    "explicit": Explicit,
    "nonsmooth-alpha": NonsmoothAlpha,
    "moreau-jean": MoreauJean,
}
BUFFER = 1024  # samples
ROM_CHANNELS = ("rom_trust", "rom_residual")
SMOOTHED = ("dry friction and brakes creep: {} smooths them over velocity_scale (creep of a drum); "
            "with radau, generalized-alpha or explicit they hold")  # fmt: skip
SAME = 1e-12  # against the time, or a second: marks this close are one

Progress = Callable[[float, float], None]  # simulated time, end time


def simulate(
    model: Model,
    *,
    output: str | Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    controllers: Mapping[str, UserFunction] | None = None,
    rom: Reduction | str | Path | None = None,
    rom_fallback: bool = False,
    **settings: Any,
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
    if rom is None:
        say_compiling(model, asked.integrator)
    else:
        reduced = with_reduction(model_for(model, asked), rom)
        say_compiling(reduced, asked.integrator)
        if rom_fallback:
            full = Run(model_for(model, asked), asked, None, controllers)
            result = run_with_fallback(full, Run(reduced, asked, None), progress or (lambda time, end: None))
            if path is not None:
                result.save(path)
            return result
    run = Run(model_for(model, asked) if rom is None else reduced, asked, path, controllers)
    try:
        with Interrupt() as run.interrupt:
            run.begin(resume=resume)
            return run.to_end(progress or (lambda time, end: None))
    finally:
        run.recorder.close()


class Run:
    """One simulation in progress."""

    def __init__(
        self,
        model: Model,
        settings: RunSettings,
        output: Path | None,
        controllers: Mapping[str, UserFunction] | None = None,
    ) -> None:
        """Close the loops and find the first accelerations."""
        self.model, self.settings, self.output = model, settings, output
        if output is not None:
            check_target(output)
        start = start_state(model)
        self.data, self.warnings = start.data, [*describe(model, start)["warnings"], *model.warnings]
        self.size = machine_size(model, self.data)
        self.switches = Switches(model, self.data)
        self.controls = Controls(model, self.data, controllers or {}, settings.duration)
        self.set_off()
        self.reader = data_beside(model, self.data)
        self.indicator = indicator_of(model, self.data)
        self.times = settings.save_times()
        self.taken = 0  # samples so far, without the start
        self.recorder = Recorder()
        self.interrupt = Interrupt()
        self.segment_end = np.nan
        self.segment = np.nan  # begin of the segment that the method is in [s]
        self.status, self.status_text = COMPLETED, ""
        self.is_left_outside = False  # whether a reduced model stops where it leaves its training
        self.passed: list[dict[str, Any]] = []  # events that no method locates
        self.judged = model  # the machine by which the audit judges
        self.witnesses = Witnesses(model, settings.duration, len(self.times))
        self.witnesses.aim(self.method)

    def set_off(self) -> None:
        """The method at the start state, with the accelerations of the forces that act there."""
        chosen = ALL_INTEGRATORS[self.settings.integrator]
        if chosen.passes_one_sided and self.switches.frictions.is_any:
            self.switches.frictions.let_go(self.data)
            self.warnings.append(SMOOTHED.format(chosen.name))
        consistent_accelerations(self.model.tables, self.data, new_factor(self.model))
        exactness = max(self.settings.tolerance / self.settings.error_growth, LEAST_TOLERANCE)
        self.method = chosen(self.model, self.data, exactness, **self.settings.method_options())
        self.method.run_end = self.settings.duration
        if self.method.passes_one_sided:
            self.switches.holds.let_go()
        self.method.settle(self.data)

    def begin(self, *, resume: bool) -> None:
        """First sample, or the state of the journal."""
        if self.output is not None:
            header = journal_header(self.coords(), self.record(), settings=self.settings.as_dict())
            self.recorder.journal = open_journal(self.output, header, resume=resume)
            check_same_run(self.recorder.journal, header)
            content = self.recorder.journal.content
            if content.checkpoint is not None:
                self._restore(content.arrays(), content.checkpoint)
                return
        elif resume:
            raise ResultError("", "there is nothing to resume without an output file", "name it with -o")
        if self.controls.is_any:
            self._act(0.0, self.data)
            self.set_off()
            self.witnesses.aim(self.method)
        self.recorder.add(self._first_sample(self.data))

    def _first_sample(self, data: Data) -> dict[str, np.ndarray]:
        first = new_samples(self.model, np.zeros(1))
        for name, value in (("q", data.q), ("v", data.v), ("a", data.acceleration), ("lam", data.lam), ("z", data.z)):
            getattr(first, name)[0] = value
        arrays = {"time": np.zeros(1), **self._channels(first, 1), **step_arrays(first, 0)}
        self.witnesses.keep_samples(0, first, 1, self.reader)
        return arrays | self.controls.take_log()

    def _restore(self, arrays: Arrays, state: Arrays) -> None:
        self.recorder.kept = [arrays]
        self.taken = self.recorder.sample_count - 1
        self.segment = float(state["segment"])
        if stopped := bytes(state["stopped"]).decode():
            self.status, self.status_text = STOPPED, stopped
        self.method.restore(state)
        self.switches.restore(state)
        self.witnesses.restore(state)
        marks = [start for start, _ in self.segments() if start <= max(self.segment, 0.0)]
        if self.controls.is_any and not self.controls.replay(marks, arrays):
            remedy = "resume the run with the controllers it was begun with, or start again with --restart"
            raise ResultError(self.output or "", "the controllers do not answer as they did", remedy)

    def _checkpoint(self) -> Arrays:
        stopped = self.status_text if self.status == STOPPED else ""
        return {**self.method.checkpoint(), **self.switches.checkpoint(), **self.witnesses.checkpoint(),
                "segment": np.array(self.segment),
                "stopped": np.frombuffer(stopped.encode(), np.uint8)}  # fmt: skip

    def segments(self) -> list[tuple[float, float]]:
        """Pieces of the run between jumps of the signals and instants of the controllers."""
        end = self.settings.duration
        marks = [0.0]
        for t in (*self.model.breakpoints, end):
            # two marks that cannot be told apart are one
            gap = SAME * max(t, 1.0)
            if marks[-1] + gap < t < end - gap or t == end:
                marks.append(t)
        marks = self.controls.merged(marks)
        return list(zip(marks, marks[1:], strict=False))

    def to_end(self, progress: Progress) -> Result:
        """Advance and finish; when the disk fails, say what is left."""
        try:
            self.go(progress)
            return self.finish()
        except ResultError as error:
            raise unsaved(error, self.output, self.method.time) from error

    def go(self, progress: Progress) -> None:
        """Advance through all segments; Ctrl-C ends the run with what it has."""
        for start, end in self.segments() if self.status != STOPPED else ():
            if end <= self.method.time and not self.method.is_pending:
                continue
            self._set_limits(start, end)
            if self.segment != start and start > 0.0:
                self._act(start, self.method.state())
            self.method.begin_segment(start, end, is_restart=self.segment != start)
            if self.segment != start and start > 0.0 and not self.controls.is_any:
                self.witnesses.after_event(self.method, is_jump=True)
            self.segment, self.segment_end = start, end
            if not self._advance_segment(progress) or self._is_interrupted():
                break

    def _act(self, time: float, state: Data) -> None:
        """Let the controllers act; one that crashes would do so again, so its journal must not block the next run."""
        try:
            self.controls.act(time, state)
        except Exception:
            self.recorder.close(is_done=True)
            raise

    def _set_limits(self, start: float, end: float) -> None:
        self.reader.time[1], self.reader.time[2] = np.nextafter(start, np.inf), np.nextafter(end, -np.inf)

    def _advance_segment(self, progress: Progress) -> bool:
        while True:
            buffer = self._buffer()
            # a step that waits for room is finished alone: then the run can be kept, and goes on in the same way
            steps = 1 if self.method.is_pending else self.witnesses.steps_to_next(self.method)
            code = self.method.advance(buffer, steps)
            while code == MORE and steps > 1 and self.witnesses.look(self.method):
                code = self.method.advance(buffer, steps)
            sampled, logged = self.method.take_counts()
            self.switches.history += self.method.take_passed()
            self._keep(buffer, sampled, logged)
            self.witnesses.look(self.method)
            if self.is_left_outside and self._is_outside():
                return False
            progress(self.method.time, self.settings.duration)
            if code == AT_EVENT:
                code = self._pass_event()
            if not self.method.is_pending:
                self.recorder.write(self._checkpoint)
            if code == DONE:
                return True
            if code == STOP:
                return False
            if code in TEXTS:
                self.status, self.status_text = ending(code, self.model, self.method)
                return False
            if self._is_interrupted():
                return False

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

    def _pass_event(self) -> int:
        """Let the event pass that the method stopped at, and restart behind it."""
        event, time = self.method.event, self.method.time
        state = self.method.state()
        impact = self.switches.switch(event, time, state)
        self.method.add_energies(impact.lost, impact.given)
        if self.switches.holds.is_any or self.switches.frictions.is_any:
            self.method.take(state)
        self.method.restart()
        self.witnesses.after_event(self.method)
        if self.switches.is_chattering:
            return CHATTER
        if self.switches.is_stop(event):
            name = self.model.names.events[event]
            self.status, self.status_text = STOPPED, f"event {name} at t = {time:.9g} s"
            return STOP
        return DONE if time >= self.segment_end else MORE

    def _buffer(self) -> Samples:
        times = self.times[self.taken : self.taken + BUFFER]
        # no longer than the segment, so that short ones between a controller's samples cost little
        times = times[: np.searchsorted(times, self.segment_end, side="right") + 1]
        # a last time that never comes keeps the buffer from being full when there is nothing left to sample
        times = np.append(times, np.inf) if len(times) < BUFFER else times
        return new_samples(self.model, times, self.method.steps_per_call)

    def _keep(self, buffer: Samples, sampled: int, logged: int) -> None:
        if sampled or logged:
            found = self._channels(buffer, sampled) if sampled else self._nothing
            # what the full model does is never outside
            known = [name for name in ROM_CHANNELS if name in self.recorder.kept[0]]
            found = dict.fromkeys(known, np.zeros(sampled)) | found
            arrays = {"time": buffer.times[:sampled], **found}
            self.recorder.add(arrays | step_arrays(buffer, logged) | self.controls.take_log())
        self.witnesses.keep_samples(self.taken + 1, buffer, sampled, self.reader)
        self.taken += sampled

    @cached_property
    def _nothing(self) -> Arrays:
        """The channels of no samples."""
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
        """The scenario, and what the machine is made of."""
        return machine_texts(self.model)

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
            size=self.size,
            model_digest=self.model.digest(),
            warnings=self.warnings,
            thresholds=self.method.thresholds(),
            statistics=self.method.statistics(),
            events=sorted([*self.switches.record(), *(passed or [])], key=lambda event: event["time"]),
        )

    def finish(self) -> Result:
        """Assemble, audit, and save; the journal goes when there is nothing left to resume."""
        arrays = joined(self.recorder.kept)
        extra, passed = watched(self.model, self.data, arrays)
        if "rom_trust" in arrays and (outside := first_outside(arrays["time"], arrays["rom_trust"])) is not None:
            self.passed.append({"name": "rom", "time": outside, "what": MESSAGE.format(outside)})
            self.warnings = [*self.warnings, MESSAGE.format(outside)]
        if "rom_residual" in arrays:
            said = beyond(arrays["time"], arrays["rom_residual"], self.model.usual_residual)
            self.warnings = [*self.warnings, *([said] if said else [])]
        coords = {"time": arrays.pop("time"), **self.coords()}
        record = self.record([*passed, *self.passed])
        seen = self.witnesses.seen(self.method, self.switches.holds.struck)
        result = make_result(arrays | extra, coords, record, judge=lambda data: judge(self.judged, data, record, seen))
        if self.output is not None:
            if self.status == INTERRUPTED:
                self.recorder.write(self._checkpoint, now=True)
            result.save(self.output)
            self.recorder.close(is_done=self.status != INTERRUPTED)
        return result
