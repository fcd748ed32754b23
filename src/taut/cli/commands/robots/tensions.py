"""`taut tensions`: tension distribution of a cable robot."""

from typing import Annotated, Any

import numpy as np
import typer

from taut.cli.options import File, Json, Set
from taut.cli.robot_options import (
    Body,
    Limits,
    PathFile,
    Picture,
    PointExits,
    Pose,
    Pulley,
    Wrench,
    named,
    poses_given,
    robot_given,
    show,
)

METHODS = (
    "qp, middle, minimum-norm, closed-form, improved, lp, lp-max, p-norm, barycentre, analytic-centre or farthest."
)
Method = Annotated[str, typer.Option("--method", metavar="NAME", help=METHODS)]
Power = Annotated[float, typer.Option("--power", help="p of the p-norm.")]


def tensions(
    file: File,
    pose: Pose = None,
    path: PathFile = None,
    method: Method = "qp",
    power: Power = 4.0,
    wrench: Wrench = None,
    limits: Limits = None,
    body: Body = None,
    point_exits: PointExits = False,
    pulley: Pulley = None,
    output: Picture = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Tensions within limits that carry the platform at a pose, or along a path with its accelerations.

    Exit code 0: possible at all poses; 1: not at all.

    Example: taut tensions ipanema-3 --pose 0.5,0,1.2,0,0,0 --method barycentre

    Example: taut tensions cogiro --path path.csv --limits 100:5000 -o tensions.png
    """
    from taut.robots import tensions as solve
    from taut.robots.reading import read_limits, read_numbers
    from taut.views.robots.cables import draw_cables

    robot = robot_given(file, settings, body, point_exits, pulley)
    poses, times = poses_given(robot, pose, path)
    load = None if wrench is None else read_numbers(wrench, "wrench")
    found = solve(robot, poses, method=method, wrench=load, times=times, power=power, limits=read_limits(limits))
    if output is not None:
        draw_cables(found.to_xarray(), "cable_tension", output)
    show(found, _lines(found), as_json, output)
    if not found.is_within.all():
        raise typer.Exit(1)


def _lines(found: Any) -> list[str]:
    count, good = len(found.poses), int(found.is_within.sum())
    lines = [f"{found.name}, {found.method}: {named(found.coordinates, found.poses[0])}"]
    if count > 1:
        lines = [f"{found.name}, {found.method}: within the limits at {good} of {count} poses, possible at "
                 f"{int(found.is_feasible.sum())}"]  # fmt: skip
        lines.append("  cable        smallest [N]    largest [N]")
        for i, name in enumerate(found.cables):
            column = found.tensions[:, i][np.isfinite(found.tensions[:, i])]
            low, high = (column.min(), column.max()) if len(column) else (np.nan, np.nan)
            lines.append(f"  {name:<10} {low:14.6g} {high:14.6g}")
        change, i, k = found.largest_change
        lines.append(f"  largest change from one pose to the next: {change:.6g} N ({found.cables[i]}, to pose {k + 1})")
        if np.isfinite(found.distances).any():
            near = int(np.nanargmin(found.distances))
            lines.append(f"  smallest distance to a limit: {found.distances[near]:.6g} N, at pose {near + 1}")
        worst = int(np.argmax(found.missing)) if found.missing.max() > 0.0 else None
        return lines if worst is None else [*lines, f"  pose {worst + 1}: {_missing(found, worst)}"]
    lines.append(f"  {found.outcomes[0]}; the cables make {named(found.wrench_rows, found.wrenches[0])}")
    if found.missing[0] > 0.0:
        lines.append(f"  {_missing(found, 0)}")
    for i, name in enumerate(found.cables if np.isfinite(found.tensions[0]).all() else ()):
        low, high = found.limits[:, i]
        lines.append(f"  {name:<10} {found.tensions[0, i]:14.6f} N   of {low:g} to {high:g} N")
    return lines


def _missing(found: Any, k: int) -> str:
    return (
        f"{found.missing[k]:.6g} N are missing in the direction {named(found.wrench_rows, found.directions[k], '.3g')}"
    )
