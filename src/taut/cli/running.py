"""One run for the command line: it says what looks odd, shows progress, and takes up what was interrupted."""

import contextlib
import threading
import time
from pathlib import Path
from typing import Any

import typer

from .answers import outcome
from .commanded import saturated
from .failures import INTERRUPTED
from .progress import RunProgress
from .targets import find_complete, kept_seconds

PATIENCE = 1.0  # the compilation of controllers is told of once it takes this long [s]
IN_PYTHON = ("python", "energy", "cable-tension")
SHORT = 0.01  # duration of the run that triggers compilation [s]


def run_scenario(scenario: Any, output: Path, *, resume: bool, **options: Any) -> tuple[Any, dict[str, Any]]:
    """Simulate and write the result; a run that is complete already is only opened. Options are those of simulate."""
    try:
        return _run_scenario(scenario, output, resume=resume, **options)
    except KeyboardInterrupt:
        if kept_seconds(output) is None:
            raise
        say(f"interrupted; to carry on: taut run {output} --resume")
        raise typer.Exit(INTERRUPTED) from None


def _run_scenario(scenario: Any, output: Path, *, resume: bool, **options: Any) -> tuple[Any, dict[str, Any]]:
    from taut.build import build
    from taut.integrate.simulate import simulate

    model = build(scenario)
    complete = find_complete(model, output) if resume else None
    if complete is not None:
        say(f"{output} is complete already")
        return complete, outcome(complete, output, 0.0, is_written=False)
    since = kept_seconds(output) if resume else None
    if resume and since is None:
        say("there is no interrupted run here: beginning at the start")
    compile_engine(model)
    warn(model)
    begin = time.monotonic()
    progress = RunProgress()
    try:
        result = simulate(model, output=output, resume=resume, progress=progress, **options)
    finally:
        progress.close()
    answer = outcome(result, output, time.monotonic() - begin, resumed_at=since)
    return result, answer | {"saturated": saturated(result, model.plan.commands)}


def warn(model: Any) -> None:
    """Say what `taut check` would warn of."""
    from taut.integrate.describe import describe
    from taut.integrate.start.start_state import start_state

    for text in describe(model, start_state(model))["warnings"]:
        say(f"warning: {text}")


def compile_engine(model: Any) -> None:
    """Compile before anything is timed, by a short run, which says that the first one of its kind takes longer."""
    from taut.integrate.run.compiled import is_engine_compiled
    from taut.integrate.settings import run_settings
    from taut.integrate.simulate import simulate
    from taut.results.errors import ResultError
    from taut.scenario.errors import ScenarioError

    is_there = is_engine_compiled(model, run_settings(model, {}).integrator)
    if is_there and not _needs_controllers(model):
        return
    note = threading.Timer(PATIENCE, say, ["compiling the controllers for this machine (once, up to a minute) ..."])
    note.daemon = True
    if is_there:
        note.start()
    try:
        with contextlib.suppress(ResultError, ScenarioError):  # the run itself will report such errors
            simulate(model, duration=SHORT)
    finally:
        note.cancel()


def _needs_controllers(model: Any) -> bool:
    """Whether compiled code calls the controllers, and has not been compiled for such a machine yet."""
    from taut.dynamics.residual import place_state
    from taut.kernels.cache import is_compiled

    # controllers and sensors that only Python knows call nothing that would be compiled
    specs, sensors = model.plan.controllers.values(), model.plan.measurements.values()
    is_python = any(spec.kind in IN_PYTHON for spec in specs) or not all(spec.is_plain() for spec in sensors)
    return bool(specs) and not is_python and not is_compiled(place_state, model.tables)


def say_if_compiling(model: Any) -> None:
    """Say that the first analysis on a machine takes longer."""
    from taut.dynamics.statics import rest_step
    from taut.kernels.cache import is_compiled

    if not is_compiled(rest_step, model.tables):
        say("compiling the analyses (once, about a minute) ...")


def say(text: str) -> None:
    """A line for people, beside the answer."""
    typer.echo(text, err=True)
