"""Runs of a batch: what each starts from, and what is kept of it."""

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from taut.build.numbers import with_numbers
from taut.integrate.schedule import Schedule
from taut.integrate.settings import ALL_INTEGRATORS, check_method, model_for, run_settings
from taut.integrate.simulate import Progress, Run
from taut.integrate.state import State
from taut.model import Model
from taut.results.audit import compute_audit
from taut.results.channels import variables_of
from taut.results.record import RunRecord
from taut.results.variables import Variables
from taut.scenario.errors import ScenarioError

PHASES = ("start", "motion", "channels", "audit")
FAILED = "failed"  # the run could not start, or broke off with an error


@dataclass(frozen=True)
class Asked:
    """Model, settings, times and channels that all runs of a batch share."""

    model: Model
    settings: Mapping[str, Any]
    save_times: Sequence[float] | np.ndarray | None
    audit: bool
    keep: Callable[[str], bool]  # tells by its name whether a channel is kept
    controllers: Callable[[int], Mapping[str, Any]] | None


@dataclass
class Ended:
    """Samples, status and message of one run of a batch."""

    number: int
    status: str = FAILED
    verdict: str = "fail"
    cause: str = ""  # why the run did not complete, or why its audit failed
    seconds: float = 0.0  # wall time of the run [s]
    # wall time of the phases start, motion, channels and audit [s]
    phases: dict[str, float] = field(default_factory=dict)
    arrays: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True)
class Finished:
    """A run that came to its end, without dataset and texts."""

    variables: Variables
    record: RunRecord
    audit: dict[str, Any]
    phases: dict[str, float]  # wall time of the run's phases [s]


def run_one(asked: Asked, number: int, changes: Mapping[str, Any] | None, state: State | None) -> Ended:
    """Make one run of a batch; an error ends this run only, and is kept as its cause."""
    begin, ended = perf_counter(), Ended(number)
    try:
        run = start_run(asked, number, changes or {}, state)
        found = finished(run, begin)
    except ScenarioError as error:
        ended.cause = str(error)
    except Exception as error:  # a run must not stop the others; its cause says where it broke off
        where = traceback.extract_tb(error.__traceback__)[-1]
        ended.cause = f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})"
    else:
        ended.phases, ended.status, ended.verdict = found.phases, found.record.status, found.audit["verdict"]
        ended.cause = "; ".join(filter(None, [found.record.status_text, *found.audit["reasons"]]))
        names = [name for name in found.variables if name == "time" or asked.keep(name)]
        ended.arrays = {name: found.variables[name].values for name in names}
    ended.seconds = perf_counter() - begin
    return ended


def finished(run: Run, begin: float, progress: Progress = lambda time, end: None) -> Finished:
    """Take a run to its end, and audit it; ``begin`` is when it was begun, by ``perf_counter``."""
    run.begin(resume=False)
    marks = [perf_counter()]
    run.go(progress)
    marks.append(perf_counter())
    arrays, coords, record, lines = run.found()
    variables = variables_of(arrays, coords)
    marks.append(perf_counter())
    audit = compute_audit(variables, record, lines(variables))
    marks.append(perf_counter())
    spans = zip([begin, *marks], marks, strict=False)
    return Finished(variables, record, audit, dict(zip(PHASES, [end - start for start, end in spans], strict=True)))


def start_run(asked: Asked, number: int, changes: Mapping[str, Any], state: State | None) -> Run:
    """A run as ``simulate`` makes it, but without texts."""
    model = with_numbers(asked.model, changes) if changes else asked.model
    settings = run_settings(model, asked.settings)
    check_method(model, settings, list(ALL_INTEGRATORS))
    controllers = asked.controllers(number) if asked.controllers is not None else None
    schedule = Schedule(state, asked.save_times)
    return Run(model_for(model, settings), settings, None, controllers, schedule, audit=asked.audit, is_told=False)
