"""`taut export`: a result, or a machine, for another tool."""

import json
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Json, Set

FILE = typer.Argument(metavar="FILE", help="Result of a run; with --mujoco also a scenario.")
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="FILE.csv, FILE.mat or FILE.glb, of a result.")
]
Mujoco = Annotated[
    Path | None, typer.Option("--mujoco", metavar="FILE.xml", help="Write the machine at its start as MJCF.")
]
Variables = Annotated[
    list[str] | None, typer.Option("--variable", metavar="NAME,...", help="Variables of a table; else all.")
]


def export(
    file: Annotated[str, FILE],
    output: Output = None,
    mujoco: Mujoco = None,
    variable: Variables = None,
    time: Annotated[float | None, typer.Option(help="Moment of a scene in s; else the first.")] = None,
    as_json: Json = False,
    settings: Set = None,
) -> None:
    """Write a result for another tool: a table over time (.csv), MATLAB (.mat), or a glTF scene of a moment (.glb).

    With --mujoco a machine is written as MJCF, to compare with MuJoCo; what MJCF cannot say is listed.

    Examples: taut export pick-and-place.nc -o tensions.csv --variable cable_tension_exit;
    taut export cogiro --mujoco cogiro.xml
    """
    if (output is None) == (mujoco is None):
        raise typer.BadParameter("give either a file for the result or --mujoco", param_hint="-o")
    if mujoco is not None:
        _machine(file, mujoco, settings or [], as_json)
        return
    from taut.cli.options import split_names
    from taut.results.result import open_result
    from taut.views.export import export_result

    assert output is not None
    with open_result(Path(file)) as opened:
        path = export_result(opened, output, variables=split_names(variable) if variable else None, time=time)
    typer.echo(json.dumps({"file": str(path)}, indent=2) if as_json else f"wrote {path}")


def _machine(file: str, path: Path, settings: list[str], as_json: bool) -> None:
    """Write a machine as MJCF."""
    from taut.build import build
    from taut.cli.inputs import read_input
    from taut.cli.running import say_if_compiling
    from taut.results.errors import write_text
    from taut.robots.exchange.write_mjcf import write_mjcf

    model = build(read_input(file, settings).scenario)
    say_if_compiling(model)
    made = write_mjcf(model)
    write_text(path, made.text)
    lines = [*(f"not said: {what}" for what in made.not_said), f"wrote {path}"]
    typer.echo(json.dumps({"file": str(path), "not_said": made.not_said}, indent=2) if as_json else "\n".join(lines))
