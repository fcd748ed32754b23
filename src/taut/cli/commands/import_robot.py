"""`taut import`: a robot described for another tool."""

from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Json
from taut.cli.robot_options import show

Bodies = Annotated[Path, typer.Argument(metavar="BODIES.xml", help="CASPR's file of the bodies.")]
Cables = Annotated[Path, typer.Argument(metavar="CABLES.xml", help="CASPR's file of the cables.")]
Output = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Scenario to write; else printed.")]
CableSet = Annotated[str | None, typer.Option("--cable-set", metavar="ID", help="Which cable set; else the default.")]
Stiff = Annotated[float | None, typer.Option("--stiffness", help="EA of cables that have none [N]; else ideal ones.")]


def import_robot(
    bodies: Bodies,
    cables: Cables,
    output: Output = None,
    cable_set: CableSet = None,
    stiffness: Stiff = None,
    as_json: Json = False,
) -> None:
    """Make a scenario of a cable robot described for CASPR; what cannot be taken is listed.

    Example: taut import CoGiRo_bodies.xml CoGiRo_cables.xml -o cogiro.yaml --stiffness 1e6
    """
    from taut.robots.caspr import read_caspr
    from taut.scenario.io.reading import make_scenario
    from taut.scenario.io.writing import dumps

    found = read_caspr(bodies, cables, cable_set=cable_set, stiffness=stiffness)
    text = dumps(make_scenario(found.data))
    if output is not None:
        output.write_text(text, encoding="utf-8")
    lines = [] if output is not None else [text.rstrip()]
    lines += [f"not taken: {what}" for what in found.not_taken]
    answer = {"scenario": found.data, "not_taken": found.not_taken, "file": str(output) if output else None}
    show(answer, lines, as_json, output)
