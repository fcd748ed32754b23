"""`taut report`: one HTML file about a result."""

import json
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Json, Workspace

RESULT = typer.Argument(metavar="RESULT", help="Result of a run, a study, or a workspace.")
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="REPORT.html", help="File to write; else NAME.html here.")
]


def report(
    result: Annotated[Path, RESULT], output: Output = None, workspace: Workspace = None, as_json: Json = False
) -> None:
    """Write a report: the machine in motion, key numbers, figures, audit, and how to reproduce it, in one file.

    Of a study (NAME.zarr): main effects, heat maps, distributions, all runs, the worst ones, and those that failed.
    Of a workspace: its surface around the robot, slices, volume, and the question it answers; with --workspace these
    are a part of the report of a run. The file needs no network and no other file, and prints well.

    Example: taut report pick-and-place.nc -o report.html

    Example: taut report ipanema-3.nc --workspace workspace.nc
    """
    from taut.results.record import WORKSPACE_FORMAT
    from taut.results.result import open_result
    from taut.results.store import format_of
    from taut.views.report import write_report
    from taut.views.report.workspace import write_workspace_report
    from taut.views.robots.shape import open_workspace

    if result.suffix == ".zarr":
        from taut.studies.report.page import write_study_report

        path = write_study_report(result, output or Path(f"{result.stem}.html"))
        typer.echo(json.dumps({"report": str(path)}, indent=2) if as_json else f"wrote {path}")
        return
    target = output or Path(f"{result.name.partition('.nc')[0]}.html")
    space = None if workspace is None else open_workspace(workspace)
    if space is None and format_of(result) == WORKSPACE_FORMAT:
        path = write_workspace_report(open_workspace(result), target)
    else:
        with open_result(result) as opened:
            path = write_report(opened, target, workspace=space)
    typer.echo(json.dumps({"report": str(path)}, indent=2) if as_json else f"wrote {path}")
