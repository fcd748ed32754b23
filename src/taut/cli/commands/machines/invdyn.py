"""`taut invdyn`: forces that make a machine follow its prescribed motion."""

import json
from pathlib import Path
from typing import Annotated, Any

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
Method = Annotated[str, typer.Option("--method", metavar="NAME", help="Of cable robots, as of taut tensions.")]


def invdyn(
    file: File,
    output: Output = None,
    actuators: Actuators = None,
    drive: Drive = None,
    method: Method = "qp",
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Find actuator forces, closure forces and power along the scenario's motion; check work against energy.

    Of a robot on cables: tensions within limits, speeds and power of the cables.

    Exit code 0: found, and the audit passes; 1: the audit failed, or tensions beyond the limits; 2: bad input.

    Example: taut invdyn six-rss-heave -o heave.nc

    Example: taut invdyn robot.yaml --method barycentre --drive led.yaml
    """
    from taut.cli.inputs import read_input

    given = read_input(file, settings or [])
    target = output or Path(f"{given.stem}-invdyn.nc")
    if given.scenario.cables and given.scenario.motion is not None:
        _cables(given.scenario, target, method, drive, as_json)
        return

    from taut.cli.analysing import drive_scenario, inverse_answer, inverse_lines

    result, answer = inverse_answer(given.scenario, target, actuators.split(",") if actuators else None)
    if drive is not None:
        answer["drive"] = str(drive_scenario(given.scenario, drive))
    typer.echo(json.dumps(answer, indent=2) if as_json else "\n".join(inverse_lines(result, answer)))
    if not answer["ok"]:
        raise typer.Exit(1)


def _cables(scenario: Any, target: Path, method: str, drive: Path | None, as_json: bool) -> None:
    """Inverse dynamics of a cable robot: tensions along its motion."""
    from taut.cli.following import following_answer, following_lines, write_led
    from taut.cli.robot_options import show

    found, answer = following_answer(scenario, target, method)
    if drive is not None:
        answer["drive"] = str(write_led(scenario, found, drive))
    show(answer, following_lines(found, answer), as_json)
    if not answer["ok"]:
        raise typer.Exit(1)
