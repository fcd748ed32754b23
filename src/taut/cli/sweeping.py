"""A study for the command line: progress with a table while it goes, and its answer."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import typer

from .failures import INTERRUPTED
from .running import say

MOST_LISTED = 10  # most failed runs that are listed at the end
EVERY = 1.0  # time between two refreshes of the table of running jobs [s]


def run_study(study: Any, target: Path, **options: Any) -> Any:
    """Compute a study with progress; Ctrl-C says how to carry on."""
    from taut.studies.sweep import sweep

    progress = SweepProgress(study.count)
    try:
        return sweep(study, output=target, report=progress, say=say, **options)
    except KeyboardInterrupt:
        progress.close()
        if not target.exists():
            raise
        say(f"interrupted; to carry on: add --resume (output {target})")
        raise typer.Exit(INTERRUPTED) from None
    finally:
        progress.close()


class SweepProgress:
    """Shows a bar, the time left, how runs ended and the measures so far; it is called with the store."""

    def __init__(self, count: int) -> None:
        """Note the start."""
        self._count, self._begin, self._shown = count, time.monotonic(), 0.0
        self._first: int | None = None
        self._live: Any = None
        self._is_wanted = sys.stderr.isatty()

    def __call__(self, store: Any) -> None:
        """Show how many runs are done, and how they ended."""
        now = time.monotonic()
        done = int(np.sum(store.status != 0))
        if self._first is None:
            self._first, self._begin = done, now
        if not self._is_wanted or now - self._shown < EVERY:
            return
        self._shown = now
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), transient=True, auto_refresh=False)
            self._live.start()
        self._live.update(self.table(store, done, now), refresh=True)

    def table(self, store: Any, done: int, now: float) -> Any:
        """The table of progress and machines that is on the screen."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table()
        for head in ("measure", "runs", "mean", "min", "max", "unit"):
            table.add_column(head, justify="left" if head in ("measure", "unit") else "right")
        for name, shape in store.shapes.items():
            values = store.measures[name][np.isfinite(store.measures[name]).all(axis=1)]
            numbers = [f"{f(values):.5g}" for f in (np.mean, np.min, np.max)] if len(values) else ["", "", ""]
            table.add_row(name, str(len(values)), *numbers, shape.unit)
        # the text stands above the table: as its title it would be broken into lines as narrow as the table
        return Group(Text(f"{store.study.title}: {self.headline(done, now)}"), table, Text(endings(store)))

    def headline(self, done: int, now: float) -> str:
        """Runs done and time left."""
        new = done - (self._first or 0)
        share = f"{done} of {self._count} runs"
        if not new:
            return share
        seconds = (now - self._begin) / new
        left = seconds * (self._count - done)
        return f"{share}, {1.0 / max(seconds, 1e-9):.3g} per second, {clock(left)} left"

    def close(self) -> None:
        """Remove the table."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def endings(store: Any) -> str:
    """How the runs so far have ended; nothing while all are good."""
    from taut.studies.measures import VERDICTS
    from taut.studies.running import MISSING, STATUSES

    counts = {name: int(np.sum(store.status == code)) for code, name in enumerate(STATUSES) if code != MISSING}
    counts["audit failed"] = int(np.sum((store.status != MISSING) & (store.audit == VERDICTS["fail"])))
    is_bad = any(number for name, number in counts.items() if name != "completed")
    return "; ".join(f"{number} {name}" for name, number in counts.items() if number) if is_bad else ""


def clock(seconds: float) -> str:
    """A time as hours, minutes and seconds."""
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def answer_of(dataset: Any, target: Path, *, sensitivity: str | None, condition: str | None) -> dict[str, Any]:
    """The answer as plain data."""
    from taut.studies.answers.failure_probability import failure_probability
    from taut.studies.answers.sensitivity import sensitivities
    from taut.studies.answers.statistics import counts, good_runs, measure_columns, statistics

    bad = np.flatnonzero(~good_runs(dataset))
    failed = [{"run": int(run), "cause": str(dataset["cause"].values[run])} for run in bad]
    found = statistics(dataset)
    without = [name for name in measure_columns(dataset) if name not in found]
    answer = {"output": str(target), "title": dataset.attrs["title"], "counts": counts(dataset),
              "measures": {name: own.as_dict() for name, own in found.items()}, "without": without,
              "failed": failed}  # fmt: skip
    if sensitivity is not None:
        answer["sensitivity"] = [found.as_dict() for found in sensitivities(dataset)]
    if condition is not None:
        answer["failure_probability"] = failure_probability(dataset, condition).as_dict()
    return answer


def answer_lines(answer: dict[str, Any]) -> Iterator[str]:
    """The answer for people."""
    ended = answer["counts"]
    others = [f"{count} {name}" for name, count in ended.items() if name not in ("runs", "good", "completed") and count]
    yield f"{answer['title']}: {ended['good']} of {ended['runs']} runs are good" + "".join(f", {o}" for o in others)
    if answer["measures"]:
        width = max(len(name) for name in answer["measures"])
        yield f"  {'measure':{width}}  {'mean':>11}  {'95 % interval of it':>25}  {'min (run)':>20}  {'max (run)':>20}"
    if answer["without"] and ended["good"]:
        yield f"  no good run gave a number for: {', '.join(answer['without'])}"
    for name, own in answer["measures"].items():
        ends = [x for x in own["interval"] if x is not None]
        interval = f"{ends[0]:.6g} to {ends[1]:.6g}" if len(ends) == 2 else "-"
        low, high = (f"{own[key]['value']:.6g} ({own[key]['run']})" for key in ("min", "max"))
        yield f"  {name:{width}}  {own['mean']:11.6g}  {interval:>25}  {low:>20}  {high:>20}"
    for found in answer.get("sensitivity", []):
        yield from _sensitivity_lines(found)
    if "failure_probability" in answer:
        yield from _failure_lines(answer["failure_probability"])
    for failed in answer["failed"][:MOST_LISTED]:
        yield f"  run {failed['run']}: {failed['cause']}"
    if len(answer["failed"]) > MOST_LISTED:
        yield f"  ... and {len(answer['failed']) - MOST_LISTED} more that failed"
    out = answer["output"]
    yield f"wrote {out}; taut report {out} shows it, taut run {out}#RUN repeats a run"


def _sensitivity_lines(found: dict[str, Any]) -> Iterator[str]:
    out = f", {found['left_out']} left out" if found["left_out"] else ""
    yield f"  {found['measure']}: {found['method']}, {found['groups']} groups{out}"
    width = max(len(name) for name in found["parameters"])
    for name, own in found["parameters"].items():
        if found["method"] == "sobol":
            text = f"S1 {own['S1']:.3f} +- {own['S1_conf']:.3f}   ST {own['ST']:.3f} +- {own['ST_conf']:.3f}"
        else:
            text = f"mu* {own['mu_star']:.5g} +- {own['mu_star_conf']:.2g}   sigma {own['sigma']:.5g}"
        yield f"    {name:{width}}  {text}"


def _failure_lines(found: dict[str, Any]) -> Iterator[str]:
    low, high = found["interval"]
    yield (f"  probability of {found['condition']}: {found['probability']:.4g}, 95 % interval {low:.4g} to {high:.4g} "
           f"({found['failures']} of {found['runs']} runs, {found['unknown']} unknown)")  # fmt: skip
    what = "10 % of it" if found["failures"] else f"below {high / 10:.2g} if it is"
    yield f"  to know it to {what}: about {found['runs_needed']} runs"
