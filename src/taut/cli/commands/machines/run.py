"""`taut run`: simulate a scenario."""

import json
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import File, Json, Set

Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="OUT.nc", help="Result file; else NAME.nc here.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Carry on an interrupted run.")]
Restart = Annotated[bool, typer.Option("--restart", help="Throw what is there of this run away, and begin anew.")]
Integrator = Annotated[str | None, typer.Option(help="Method; short for --set run.integrator=...")]
Step = Annotated[str | None, typer.Option(help="Fixed step in s; short for --set run.step=...")]
Tolerance = Annotated[str | None, typer.Option(help="Accuracy; short for --set run.tolerance=...")]
Duration = Annotated[str | None, typer.Option(help="End time in s; short for --set run.duration=...")]
Rom = Annotated[
    Path | None, typer.Option("--rom", metavar="MODEL.rom", help="Run with the cables reduced by `taut reduce`.")
]
Fallback = Annotated[
    bool, typer.Option("--rom-fallback", help="Where the reduced model cannot be trusted, the full one takes over.")
]


def run(
    file: File,
    output: Output = None,
    settings: Set = None,
    as_json: Json = False,
    resume: Resume = False,
    restart: Restart = False,
    integrator: Integrator = None,
    step: Step = None,
    tolerance: Tolerance = None,
    duration: Duration = None,
    rom: Rom = None,
    rom_fallback: Fallback = False,
) -> None:
    """Simulate a scenario; print a summary and the audit, and write the result.

    Exit code 0: completed, and the audit passes; 1: the run or its audit failed; 2: bad input; 130: interrupted
    before there was anything to write.

    Example: taut run mamidi-pick-and-place -o pick-and-place.nc --set run.duration=3
    """
    from taut.cli.inputs import read_input
    from taut.cli.options import named_options, settings_of

    short = {"integrator": integrator, "step": step, "tolerance": tolerance, "duration": duration}
    with named_options(short):
        given = read_input(file, [*(settings or []), *settings_of(short)])

        from taut.cli.answers import outcome_lines
        from taut.cli.reduced import check_reduced
        from taut.cli.running import run_scenario
        from taut.cli.targets import find_target

        target = find_target(given, output, resume=resume, restart=restart)
        reduced = check_reduced(rom, fallback=rom_fallback, resume=resume)
        result, answer = run_scenario(given.scenario, target, resume=resume, **reduced)
    typer.echo(json.dumps(answer, indent=2) if as_json else "\n".join(outcome_lines(result, answer)))
    if not answer["ok"]:
        raise typer.Exit(1)
