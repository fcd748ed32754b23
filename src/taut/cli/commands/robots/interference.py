"""`taut interference`: how near cables come to each other, to the platform and to obstacles."""

from typing import Annotated, Any

import numpy as np
import typer

from taut.cli.options import File, Json, Set
from taut.cli.robot_options import (
    Body,
    PathFile,
    Picture,
    PointExits,
    Pose,
    Pulley,
    named,
    poses_given,
    robot_given,
    show,
)

Box = Annotated[str | None, typer.Option("--box", metavar="X,Y,Z,X,Y,Z", help="Platform, in its frame [m].")]
Obstacle = Annotated[
    list[str] | None, typer.Option("--obstacle", metavar="X,Y,Z,X,Y,Z", help="Corners of a box in the world [m].")
]
Trim = Annotated[float, typer.Option("--trim", help="Length of cable at the anchor that does not count [m].")]
Distance = Annotated[float, typer.Option("--distance", help="Smallest distance allowed [m].")]


def interference(
    file: File,
    pose: Pose = None,
    path: PathFile = None,
    box: Box = None,
    obstacle: Obstacle = None,
    trim: Trim = 0.0,
    distance: Distance = 0.0,
    body: Body = None,
    point_exits: PointExits = False,
    pulley: Pulley = None,
    output: Picture = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Smallest distances between cables, from the platform and from obstacles, at a pose or along a path.

    Exit code 0: never nearer than --distance; 1: somewhere nearer.

    Example: taut interference ipanema-3 --pose 0,0,1.2,0,0,0.3 --distance 0.05
    """
    from taut.robots import interference as solve
    from taut.robots.reading import read_numbers
    from taut.views.robots.cables import draw_cables

    robot = robot_given(file, settings, body, point_exits, pulley)
    poses, _ = poses_given(robot, pose, path)
    corners = None if box is None else read_numbers(box, "box")
    obstacles = [read_numbers(text, "obstacle") for text in obstacle or []]
    found = solve(robot, poses, box=corners, obstacles=obstacles, trim=trim)
    if output is not None:
        draw_cables(found.to_xarray(), "pair_distance", output, over="pair")
    show(found, _lines(found, distance), as_json, output)
    if not np.all(found.clearance >= distance):
        raise typer.Exit(1)


def _lines(found: Any, distance: float) -> list[str]:
    k = int(np.argmin(found.clearance))
    lines = [
        f"{found.name}: smallest distance {found.clearance[k]:.6g} m, at {named(found.coordinates, found.poses[k])}"
    ]
    if len(found.poses) > 1:
        near = int(np.sum(~(found.clearance >= distance)))
        lines.append(f"  {near} of {len(found.poses)} poses are nearer than {distance:g} m")
    order = np.argsort(found.pair_distances[k])[:8]
    lines += [f"  {found.pairs[p][0]} and {found.pairs[p][1]}: {found.pair_distances[k, p]:.6f} m" for p in order]
    if found.platform_distances.size:
        lines.append(f"  from the platform: {named(found.cables, found.platform_distances[k], '.4g')}")
    for number, row in enumerate(found.obstacle_distances[k]):
        lines.append(f"  from obstacle {number + 1}: {named(found.cables, row, '.4g')}")
    return lines
