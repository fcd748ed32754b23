"""Options that the commands of robots share, and how their answers are shown."""

import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

Pose = Annotated[str | None, typer.Option("--pose", metavar="X,Y,...", help="Pose [m, rad]; else that at the start.")]
PathFile = Annotated[
    str | None, typer.Option("--path", metavar="FILE", help="Poses of a CSV file (time,x,y,z,a,b,c) or of a result.")
]
Limits = Annotated[
    str | None, typer.Option("--limits", metavar="LOW:HIGH", help="Tensions [N]; else tension_limits of the cables.")
]
Body = Annotated[str | None, typer.Option("--body", metavar="NAME", help="The platform; else the body on most cables.")]
PointExits = Annotated[bool, typer.Option("--point-exits", help="Take pulleys for points.")]
Pulley = Annotated[
    float | None,
    typer.Option("--pulley", metavar="RADIUS", help="Pulleys of this radius at all exits [m]."),
]
Wrench = Annotated[
    str | None, typer.Option("--wrench", metavar="FX,...", help="Wrench on the platform besides its weight [N, N m].")
]
Box = Annotated[str | None, typer.Option("--box", metavar="X,Y,Z,X,Y,Z", help="Platform, in its frame [m].")]
Obstacles = Annotated[
    list[str] | None, typer.Option("--obstacle", metavar="X,Y,Z,X,Y,Z", help="Corners of a box in the world [m].")
]
Turns = Annotated[
    str | None, typer.Option("--orientations", metavar="A,B,C;...", help="Angles [rad], sets with semicolons.")
]
Picture = Annotated[Path | None, typer.Option("-o", "--output", metavar="PICTURE", help="Draw it, e.g. FILE.png.")]


def robot_given(
    file: str, settings: list[str] | None, body: str | None, point_exits: bool, pulley: float | None = None
) -> Any:
    """The robot of FILE."""
    from taut.robots.from_model import robot_of

    from .inputs import read_input

    scenario = read_input(file, settings or []).scenario
    return robot_of(scenario, body=body, exits="point" if point_exits else "given", pulley=pulley)


def poses_given(robot: Any, pose: str | None, path: str | None) -> tuple[Any, Any]:
    """Poses and times that --pose or --path stand for."""
    from taut.robots.reading import read_numbers, read_path

    if pose is not None and path is not None:
        raise typer.BadParameter("excludes --path", param_hint="--pose")
    if path is not None:
        return read_path(robot, path)
    return (None if pose is None else read_numbers(pose, "pose")), None


def show(answer: Any, lines: list[str], as_json: bool, output: Path | None = None) -> None:
    """One JSON object, or a table and where the picture is."""
    if as_json:
        typer.echo(json.dumps(plain(answer), indent=2))
    else:
        typer.echo("\n".join(lines + ([f"wrote {output}"] if output else [])))


def plain(value: Any) -> Any:
    """Records and arrays as what JSON knows; what is not finite is null."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.bool_ | np.integer):
        return value.item()
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    return value


def numbers(values: Any, form: str = "11.5g") -> str:
    """Numbers in columns."""
    return " ".join(f"{float(value):{form}}" for value in np.ravel(values))


def named(names: Any, values: Any, form: str = ".6g") -> str:
    """Names with their numbers."""
    return ", ".join(f"{name} {float(value) + 0.0:{form}}" for name, value in zip(names, np.ravel(values), strict=True))
