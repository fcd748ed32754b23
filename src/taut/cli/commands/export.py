"""`taut export`: a result for another tool."""

import json
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Json

RESULT = typer.Argument(metavar="RESULT", help="Result of a run.")
Output = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="FILE.csv, FILE.mat or FILE.glb.")]
Variables = Annotated[
    list[str] | None, typer.Option("--variable", metavar="NAME,...", help="Variables of a table; else all.")
]


def export(
    result: Annotated[Path, RESULT],
    output: Output,
    variable: Variables = None,
    time: Annotated[float | None, typer.Option(help="Moment of a scene in s; else the first.")] = None,
    as_json: Json = False,
) -> None:
    """Write a result for another tool: a table over time (.csv), MATLAB (.mat), or a glTF scene of a moment (.glb).

    Example: taut export pick-and-place.nc -o tensions.csv --variable cable_tension_exit
    """
    from taut.cli.options import split_names
    from taut.results import open_result
    from taut.views.export import export_result

    variables = split_names(variable) if variable else None
    with open_result(result) as opened:
        path = export_result(opened, output, variables=variables, time=time)
    typer.echo(json.dumps({"file": str(path)}, indent=2) if as_json else f"wrote {path}")
