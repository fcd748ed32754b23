"""`taut compile`: compiled code in advance."""

import os
import time
from typing import Annotated

import typer

All = Annotated[bool, typer.Option("--all", help="Every method, for every kind of cable.")]
Workers = Annotated[int | None, typer.Option("--workers", min=1, help="Processes at a time; else one per core.")]


def compile_code(is_all: All = False, workers: Workers = None) -> None:
    """Compile the engine now, so that no run waits for it later.

    The code is kept on the disk. Without --all it is that of the usual method, `radau`, and of the analyses.

    Example: taut compile --all
    """
    from taut.analyses.preparing import ANALYSES, CONTROLLERS, EVENTS, all_jobs, prepare_all
    from taut.cli.running import say

    begin = time.monotonic()
    jobs = [job for job in all_jobs() if is_all or job.task in ("radau", ANALYSES, EVENTS, CONTROLLERS)]
    say(f"compiling {len(jobs)} parts of the engine (those that are there already take seconds) ...")
    for count, (job, is_new) in enumerate(prepare_all(jobs, workers or os.cpu_count() or 1), start=1):
        seconds = time.monotonic() - begin
        say(f"{count:3d} of {len(jobs)}, {seconds:4.0f} s: {job}{'' if is_new else ' was there'}")
