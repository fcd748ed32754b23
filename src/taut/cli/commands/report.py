"""`taut report`: one HTML file about a result."""

import json
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Json

RESULT = typer.Argument(metavar="RESULT", help="Result of a run.")
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="REPORT.html", help="File to write; else NAME.html here.")
]


def report(result: Annotated[Path, RESULT], output: Output = None, as_json: Json = False) -> None:
    """Write a report: the machine in motion, key numbers, figures, audit, and how to reproduce it, in one file.

    The file needs no network and no other file, and prints well.

    Example: taut report pick-and-place.nc -o report.html
    """
    from taut.results import open_result
    from taut.views.report import write_report

    target = output or Path(f"{result.name.partition('.nc')[0]}.html")
    with open_result(result) as opened:
        path = write_report(opened, target)
    typer.echo(json.dumps({"report": str(path)}, indent=2) if as_json else f"wrote {path}")
