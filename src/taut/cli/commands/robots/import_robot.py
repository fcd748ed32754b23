"""`taut import`: a machine described for another tool."""

from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Json
from taut.cli.robot_options import show

File = Annotated[Path, typer.Argument(metavar="FILE", help="URDF, MJCF, or CASPR's file of the bodies.")]
Cables = Annotated[Path | None, typer.Argument(metavar="CABLES.xml", help="CASPR's file of the cables.")]
Paths = Annotated[Path | None, typer.Argument(metavar="PATHS.xml", help="CASPR's file of trajectories: the motion.")]
Trajectory = Annotated[str | None, typer.Option("--trajectory", metavar="ID", help="CASPR: which; else the only one.")]
Output = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Scenario to write; else printed.")]
CableSet = Annotated[str | None, typer.Option("--cable-set", metavar="ID", help="CASPR: which set; else the default.")]
Stiff = Annotated[
    float | None,
    typer.Option("--stiffness", help="EA [N] of cables and tendons that have none; else ideal (CASPR), or left out."),
]
Keyframe = Annotated[str | None, typer.Option("--keyframe", metavar="NAME", help="MJCF: where the machine starts.")]
PullOnly = Annotated[bool, typer.Option("--pull-only", help="MJCF: take tendons that also push as cables.")]
FreeBase = Annotated[bool, typer.Option("--free-base", help="URDF: the base moves freely; else it stands.")]


def import_robot(
    file: File,
    cables: Cables = None,
    paths: Paths = None,
    output: Output = None,
    cable_set: CableSet = None,
    trajectory: Trajectory = None,
    stiffness: Stiff = None,
    keyframe: Keyframe = None,
    pull_only: PullOnly = False,
    free_base: FreeBase = False,
    as_json: Json = False,
) -> None:
    """Make a scenario of a machine in URDF, MJCF (needs MuJoCo) or CASPR's XML; what cannot be taken is listed.

    Examples: taut import arm.urdf -o arm.yaml; taut import tendons.xml --keyframe home -o tendons.yaml;
    taut import CoGiRo_bodies.xml CoGiRo_cables.xml -o cogiro.yaml --stiffness 1e6
    """
    from taut.results.errors import write_text
    from taut.robots.exchange.reading import Choices, read_machine
    from taut.scenario.io.reading import make_scenario
    from taut.scenario.io.writing import dumps

    found = read_machine(file, cables, Choices(cable_set, stiffness, keyframe, pull_only, free_base, paths, trajectory))
    text = dumps(make_scenario(found.data))
    if output is not None:
        write_text(output, text)
    lines = [] if output is not None else [text.rstrip()]
    lines += [f"not taken: {what}" for what in found.not_taken]
    answer = {"scenario": found.data, "not_taken": found.not_taken, "file": str(output) if output else None}
    show(answer, lines, as_json, output)
