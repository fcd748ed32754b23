"""`taut fastest`: the fastest motion of a cable robot along a path."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from taut.cli.options import File, Json, Set
from taut.cli.robot_options import Body, Limits, Picture, PointExits, Pulley, Wrench, plain, robot_given

PathGiven = Annotated[str, typer.Option("--path", metavar="FILE", help="Poses of a CSV file or of a result.")]
Speed = Annotated[float, typer.Option("--speed", metavar="M/S", help="Largest speed of any cable [m/s].")]
Samples = Annotated[int, typer.Option("--samples", help="Points along the path.")]
Table = Annotated[Path | None, typer.Option("--csv", metavar="OUT.csv", help="Write time and poses.")]


def fastest(
    file: File,
    path: PathGiven,
    speed: Speed = np.inf,
    samples: Samples = 201,
    wrench: Wrench = None,
    limits: Limits = None,
    body: Body = None,
    point_exits: PointExits = False,
    pulley: Pulley = None,
    csv: Table = None,
    output: Picture = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """The fastest motion along a path, from rest to rest, within limits of tensions and cable speeds.

    If the path has times, also how much faster it can be gone in its own time law.

    Example: taut fastest cogiro --path path.csv --speed 3 --limits 100:5000 -o fastest.png
    """
    from taut.cli.robot_options import show
    from taut.robots import fastest as scale
    from taut.robots import fastest_times
    from taut.robots.reading import read_limits, read_numbers, read_path, write_path
    from taut.views.robots.cables import draw_cables

    robot = robot_given(file, settings, body, point_exits, pulley).with_limits(read_limits(limits))
    poses, times = read_path(robot, path)
    load = None if wrench is None else read_numbers(wrench, "wrench")
    found = fastest_times(robot, poses, speed=speed, external=load, samples=samples)
    same = None if times is None else scale(robot, poses, times=times, external=load, speed=speed)
    if csv is not None:
        write_path(csv, found.coordinates, found.times, found.poses)
    if output is not None:
        draw_cables(found.to_xarray(), "cable_speed", output)
    answer = {**plain(found), "duration": found.duration, "same_law": plain(same)}
    show(answer, _lines(found, same) + ([f"wrote {csv}"] if csv else []), as_json, output)


def _lines(found: Any, same: Any) -> list[str]:
    lines = [f"{found.name}: from rest to rest in {found.duration:.6g} s"]
    lines.append("  cable     largest speed [m/s]")
    lines += [
        f"  {name:<10} {top:12.6g}" for name, top in zip(found.cables, np.abs(found.speeds).max(axis=0), strict=True)
    ]
    share = float(np.mean(found.margins < 1e-6 * np.abs(found.margins).max()))
    lines.append(f"  tensions are at their limits on {100.0 * share:.3g} % of the way")
    if same is not None:
        law = f"{same.factor:.6g} times as fast, {same.duration:.6g} s"
        lines.append(f"  in the time law of the file, which need not begin and end at rest: {law}")
    return lines
