"""One run for the command line: it says what takes time, shows progress, and takes up what was interrupted."""

import time
from pathlib import Path
from typing import Any

import typer

from .outcome import outcome
from .progress import RunProgress

COMPILING = "compiling the engine (once, about a minute) ..."


def run_scenario(scenario: Any, output: Path, *, resume: bool) -> tuple[Any, dict[str, Any]]:
    """Simulate and write the result; a run that is complete already is only opened."""
    from taut.build import build
    from taut.integrate.simulate import simulate

    model = build(scenario)
    complete = find_complete(model, output) if resume else None
    if complete is not None:
        say(f"{output} is complete already")
        return complete, outcome(complete, output, 0.0, is_resumed=True)
    note_journal(output, resume=resume)
    compile_engine(scenario.run.integrator)
    begin = time.monotonic()
    progress = RunProgress()
    try:
        result = simulate(model, output=output, resume=resume, progress=progress)
    finally:
        progress.close()
    return result, outcome(result, output, time.monotonic() - begin, is_resumed=resume)


def compile_engine(integrator: str) -> None:
    """Compile before anything is timed, and say that the first run on a machine takes longer."""
    from taut import library
    from taut.build import build
    from taut.integrate.compiled import is_engine_compiled
    from taut.integrate.simulate import simulate

    if not is_engine_compiled(integrator):
        say(COMPILING)
        simulate(build(library.load("double-pendulum", ["run.duration=0.01"])), integrator=integrator)


def say_if_compiling() -> None:
    """Say that the first analysis on a machine takes longer."""
    from taut.dynamics.statics import rest_step
    from taut.kernels.cache import is_compiled

    if not is_compiled(rest_step):
        say(COMPILING)


def note_journal(output: Path, *, resume: bool) -> None:
    """Say what becomes of an interrupted run."""
    from taut.results.journal import is_journal, journal_path

    is_there = is_journal(journal_path(output))
    if resume and not is_there:
        say("there is no interrupted run here: beginning at the start")
    if is_there and not resume:
        say("an interrupted run of this output is given up; --resume would have carried on")


def find_complete(model: Any, output: Path) -> Any | None:
    """The result of this very run if it is there and nothing is left to resume."""
    from taut.results import journal_path, open_result
    from taut.scenario.writing import dumps

    if journal_path(output).exists() or not output.exists():
        return None
    result = open_result(output)
    is_same = result.dataset.attrs.get("model_digest") == model.digest() and result.scenario_text == dumps(
        model.scenario
    )
    if result.status == "interrupted" or not is_same:
        result.close()
        return None
    return result


def say(text: str) -> None:
    """A line for people, beside the answer."""
    typer.echo(text, err=True)
