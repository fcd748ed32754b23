"""A batch of runs, as a worker computes it: ``run_batch`` is all that the rest of the room knows of simulating.

A run that fails does not fail its batch: its outcome says why. A run that is too slow is stopped between calls of the
engine; one that hangs inside a call ends the process, which the nanny of the worker replaces.
"""

import faulthandler
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np

from taut.scenario.errors import ScenarioError
from taut.studies.measures import VERDICTS, Measure, evaluate
from taut.studies.recipe import Recipe
from taut.studies.versions import check_versions

STATUSES = ("missing", "completed", "stopped", "failed", "refused", "timed out", "lost", "error")
MISSING, COMPLETED, STOPPED, FAILED, REFUSED, TIMED_OUT, LOST, ERROR = range(len(STATUSES))
GRACE = 10.0  # time beyond the limit after which a run counts as hanging and its process is ended [s]
MOST_CAUSE = 500  # longest text that is kept of why a run failed [characters]


@dataclass(frozen=True)
class Job:
    """Recipe, measures and time limit that all batches of a study share."""

    recipe: Recipe
    measures: Mapping[str, Measure]
    sizes: Mapping[str, int]  # how many numbers each measure has, by its name
    time_limit: float
    is_kept: bool = False  # whether whole results are sent back to be stored
    digest: str = ""  # digest that identifies the study
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Outcome:
    """How one run ended, and what it measured."""

    status: int
    audit: int = 0
    cause: str = ""
    seconds: float = 0.0
    # plain numbers: thousands of small arrays would cost more to send than the rest of a batch
    measures: dict[str, list[float]] = field(default_factory=dict)
    image: bytes | None = None  # content of the result file, if results are kept


class TooSlow(Exception):  # noqa: N818
    """The run is beyond its time limit."""


def run_batch(job: Job, batch: Sequence[tuple[int, Mapping[str, Any]]]) -> list[Outcome]:
    """The outcomes of runs, in order.

    Args:
        job: what they share.
        batch: number of each run, and its values by key.
    """
    check_versions(job.versions)
    return [run_one(job, values) for _, values in batch]


def run_one(job: Job, values: Mapping[str, Any]) -> Outcome:
    """Make one run; an error becomes its outcome."""
    begin = time.perf_counter()
    try:
        with ended_if_hanging(job.time_limit + GRACE):
            outcome = _measured(job, values, begin + job.time_limit)
    except ScenarioError as error:
        outcome = Outcome(REFUSED, cause=_short(str(error)))
    except TooSlow as error:
        outcome = Outcome(TIMED_OUT, cause=str(error))
    except Exception as error:  # an unexpected error in one run must not stop the others
        outcome = Outcome(ERROR, cause=_short(f"{type(error).__name__}: {error}"))
    outcome.seconds = time.perf_counter() - begin
    for name, size in job.sizes.items():
        outcome.measures.setdefault(name, [np.nan] * size)
    return outcome


def _measured(job: Job, values: Mapping[str, Any], deadline: float) -> Outcome:
    from taut.studies.ready import machine_of
    from taut.studies.robot_measures import evaluate_robot

    def watch(simulated: float, end: float) -> None:
        if time.perf_counter() > deadline:
            raise TooSlow(f"stopped at t = {simulated:.6g} of {end:g} s: its {job.time_limit:g} s are over")

    model = machine_of(job.digest, job.recipe, values)
    found = {name: numbers(evaluate_robot(measure, model))
             for name, measure in job.measures.items() if not measure.needs_run}  # fmt: skip
    if len(found) == len(job.measures):
        return Outcome(COMPLETED, VERDICTS[""], measures=found)
    result: Any = _whole(model, watch) if job.is_kept else _bare(model, watch)
    status = {"completed": COMPLETED, "stopped": STOPPED}.get(result.status, FAILED)
    audit = result.audit
    cause = (
        result.status_text if status == FAILED else "; ".join(audit["reasons"]) if audit["verdict"] == "fail" else ""
    )
    outcome = Outcome(status, VERDICTS[audit["verdict"]], _short(cause), measures=found)
    # measures of a run that broke off would be misleading: it has no last value and no complete mean
    if status != FAILED:
        for name, measure in job.measures.items():
            if measure.needs_run:
                found[name] = numbers(evaluate(measure, result))
    if job.is_kept:
        from taut.results.store import image_of

        outcome.image = image_of(result.dataset)
    return outcome


def numbers(found: Any) -> list[float]:
    """A measure as plain numbers."""
    return np.atleast_1d(np.asarray(found, float)).tolist()


def _whole(model: Any, watch: Any) -> Any:
    """The whole result of a run, audited."""
    from taut.integrate.simulate import simulate

    return simulate(model, progress=watch)


@dataclass(frozen=True)
class Bare:
    """Stand-in for a result, for measures: its numbers, without a dataset and texts."""

    status: str
    status_text: str
    audit: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]]
    variables: Mapping[str, Any]

    @property
    def dataset(self) -> "Bare":
        """The object itself, in which measures find variables as in a result's dataset."""
        return self


def _bare(model: Any, watch: Any) -> Bare:
    """A run as ``simulate`` makes it, of which no more is made than is measured."""
    from taut.integrate.batch.runs import Asked, finished, start_run
    from taut.integrate.run.compiled import begin_to_compile

    run = start_run(Asked(model, {}, None, True, lambda name: False, None), 0, {}, None)
    begin_to_compile(model, run.settings.integrator)
    ended = finished(run, 0.0, watch)
    record = ended.record
    return Bare(record.status, record.status_text, ended.audit, record.events, ended.variables)


@contextmanager
def ended_if_hanging(seconds: float) -> Any:
    """Context in which the process ends after some seconds, even inside compiled code; only in workers."""
    if not is_worker():
        yield
        return
    faulthandler.dump_traceback_later(seconds, exit=True, file=_nowhere())
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def is_worker() -> bool:
    """Whether this is a process of Dask that may be ended."""
    try:
        from distributed import get_worker

        return get_worker().nanny is not None
    except (ImportError, ValueError, AttributeError):
        return False


_OPEN: list[IO[str]] = []


def _nowhere() -> IO[str]:
    if not _OPEN:
        _OPEN.append(open(os.devnull, "w"))  # noqa: SIM115 kept open: the timer writes to it
    return _OPEN[0]


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MOST_CAUSE else text[: MOST_CAUSE - 3] + "..."
