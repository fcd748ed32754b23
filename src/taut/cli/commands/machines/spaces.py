"""`taut spaces`: a manipulator in every space."""

import json
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import File, Json, Set

Space = Annotated[str | None, typer.Option("--space", metavar="NAME", help="Print M, C, G and J of this space.")]
Table = Annotated[bool, typer.Option("--table", help="Integrate the run in every space and compare.")]
Scan = Annotated[
    str | None,
    typer.Option("--scan", metavar="GRID", help="Safe working zone, e.g. x=-1:1:41,z=0.5:2:41, or auto."),
]
Picture = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="PICTURE", help="Picture of the scan; else NAME-scan.png here.")
]
Poses = Annotated[bool, typer.Option("--poses", help="All poses for the start's actuator coordinates.")]


def spaces(
    file: File,
    space: Space = None,
    table: Table = False,
    scan: Scan = None,
    output: Picture = None,
    poses: Poses = False,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Show a manipulator's spaces: sizes and condition numbers, coefficient matrices, a comparison, a scan.

    Example: taut spaces stewart-free-fall --table
    """
    from taut.cli.inputs import read_input

    given = read_input(file, settings or [])

    from taut.cli.analysing import poses_answer, scan_answer, space_answer, spaces_answer, table_answer

    if scan is not None:
        answer, lines = scan_answer(given.scenario, scan, output or Path(f"{given.stem}-scan.png"))
    elif table:
        answer, lines = table_answer(given.scenario)
    elif poses:
        answer, lines = poses_answer(given.scenario)
    elif space is not None:
        answer, lines = space_answer(given.scenario, space)
    else:
        answer, lines = spaces_answer(given.scenario)
    typer.echo(json.dumps(answer, indent=2) if as_json else "\n".join(lines))
