"""`taut fmu`: a machine as an FMU for co-simulation."""

from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import File, Set, split_names

Output = Annotated[Path, typer.Option("-o", "--to", metavar="FILE.fmu", help="The file that is written.")]
Version = Annotated[str, typer.Option("--fmi", help="Version of FMI: 2.0 or 3.0.")]
Period = Annotated[float, typer.Option("--period", help="Communication step it is made for [s].")]
Outputs = Annotated[list[str] | None, typer.Option("--output", help="Outputs, e.g. load.position; else measurements.")]
Parameters = Annotated[list[str] | None, typer.Option("--parameter", help="Keys that can be changed, as of --set.")]


def fmu(
    file: File,
    to: Output,
    fmi: Version = "2.0",
    period: Period = 0.01,
    outputs: Outputs = None,
    parameters: Parameters = None,
    settings: Set = None,
) -> None:
    """Write a machine as an FMU: commands are inputs, measurements outputs; the importer needs Python with taut.

    Example: taut fmu crane-2d -o crane.fmu --output x,v,load.position.x --parameter crane.trolley.mass
    """
    from taut.cli.inputs import read_input
    from taut.loop.fmu import export_fmu

    scenario = read_input(file, settings or []).scenario
    made = export_fmu(scenario, to, fmi=fmi, period=period, observations=split_names(outputs) if outputs else None,
                      parameters=split_names(parameters or []))  # fmt: skip
    typer.echo(f"{made}: FMI {fmi}; the computer that loads it needs Python with taut")
