"""`taut invdyn`: forces that make a machine follow its prescribed motion."""

import json
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import File, Json, Set

Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="OUT.nc", help="Result file; else NAME-invdyn.nc here.")
]
Actuators = Annotated[
    str | None, typer.Option(metavar="NAME,...", help="Actuated coordinates; else the joints marked actuated.")
]
Drive = Annotated[
    Path | None, typer.Option("--drive", metavar="OUT.yaml", help="Write the scenario driven by these forces, to run.")
]


def invdyn(
    file: File,
    output: Output = None,
    actuators: Actuators = None,
    drive: Drive = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Find actuator forces, closure forces and power along the scenario's motion; check work against energy.

    Exit code 0: found, and the audit passes; 1: the audit failed; 2: bad input.

    Example: taut invdyn six-rss-heave -o heave.nc
    """
    from taut.cli.inputs import read_input

    given = read_input(file, settings or [])

    from taut.cli.analysing import drive_scenario, inverse_answer, inverse_lines

    target = output or Path(f"{given.stem}-invdyn.nc")
    result, answer = inverse_answer(given.scenario, target, actuators.split(",") if actuators else None)
    if drive is not None:
        answer["drive"] = str(drive_scenario(given.scenario, drive))
    typer.echo(json.dumps(answer, indent=2) if as_json else "\n".join(inverse_lines(result, answer)))
    if not answer["ok"]:
        raise typer.Exit(1)
