"""`taut interference`: how near cables, platform and obstacles come to each other."""

from typing import Annotated, Any

import numpy as np
import typer

from taut.cli.options import File, Json, Set
from taut.cli.robot_options import (
    Body,
    Box,
    Obstacles,
    PathFile,
    Picture,
    PointExits,
    Pose,
    Pulley,
    Turns,
    named,
    plain,
    poses_given,
    robot_given,
    show,
)

Region = Annotated[
    str | None,
    typer.Option("--region", metavar="x=A:B,z=C", help="Poses on a grid over ranges [m], a number: a slice."),
]
Grid = Annotated[str | None, typer.Option("--grid", metavar="N or NX,NY,NZ", help="Points of it; else 11 each.")]
Trim = Annotated[float, typer.Option("--trim", help="Length of cable at the anchor that does not count [m].")]
Distance = Annotated[float, typer.Option("--distance", help="Smallest distance allowed [m].")]
USUAL = 11  # grid points along an axis of a region
MOST_LINES = 8  # most approaches that are printed


def interference(
    file: File,
    pose: Pose = None,
    path: PathFile = None,
    region: Region = None,
    grid: Grid = None,
    orientations: Turns = None,
    box: Box = None,
    obstacle: Obstacles = None,
    trim: Trim = 0.0,
    distance: Distance = 0.0,
    body: Body = None,
    point_exits: PointExits = False,
    pulley: Pulley = None,
    output: Picture = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Smallest distances between cables, platform and obstacles, at a pose, along a path or over a region; which pairs.

    Exit code 0: nothing touches, or comes nearer than --distance; 1: it does somewhere.

    Example: taut interference ipanema-3 --pose 0,0,1.2,0,0,0.3 --distance 0.05

    Example: taut interference cogiro --region x=-5:5,y=-4:4,z=2 --obstacle 2,1,0,3,2,3 -o pairs.png
    """
    from taut.robots import interference as solve
    from taut.robots.poses import reach_poses
    from taut.robots.problems import refusal
    from taut.robots.reading import read_numbers
    from taut.views.robots.cables import draw_bars, draw_cables

    robot = robot_given(file, settings, body, point_exits, pulley)
    if not 0.0 <= distance < np.inf:
        raise refusal("must be a distance", at="distance", value=distance)
    poses, times = poses_given(robot, pose, path)
    poses = region_poses(robot, poses, region, grid, orientations)
    corners = None if box is None else read_numbers(box, "box")
    obstacles = [read_numbers(text, "obstacle") for text in obstacle or []]
    found = solve(robot, poses, box=corners, obstacles=obstacles, trim=trim)
    if not np.isfinite(found.clearance).any():
        # no pose is reached: say of the first which cable does not, and why
        reach_poses(robot, found.poses)
    if output is not None and region is None:
        draw_cables(approach_data(found, times), "distance", output, over="approach")
    elif output is not None:
        least = found.nearest[:MOST_LINES]
        labels = (f"nearest approaches over the region: {found.name}", "smallest distance [m]")
        draw_bars([f"{one}\n{other}" for one, other, _, _ in least], np.array([far for _, _, far, _ in least]), labels,
                  output)  # fmt: skip
    show({**plain(found), "nearest": found.nearest}, _lines(found, distance), as_json, output)
    if not np.all(is_clear(found.clearance, distance)):
        raise typer.Exit(1)


def approach_data(found: Any, times: Any) -> Any:
    """Distances of what comes nearest, of whatever kind, to draw."""
    import xarray as xr

    nearest = found.approaches[:MOST_LINES]
    values = np.array([column for _, _, column in nearest]).reshape(len(nearest), len(found.poses)).T
    words = {"units": "m", "long_name": "distance"}
    data = xr.Dataset({"distance": (("pose", "approach"), values, words)},
                      {"approach": [f"{one}, {other}" for one, other, _ in nearest]},
                      {"title": f"nearest approaches: {found.name}"})  # fmt: skip
    return data if times is None else data.assign(time=("pose", times))


def is_clear(clearance: np.ndarray, distance: float) -> np.ndarray:
    """Whether the distance is kept, and nothing touches; not at poses that a cable does not reach."""
    return (clearance >= distance) & (clearance > 0.0)


def region_poses(robot: Any, poses: Any, region: str | None, grid: str | None, orientations: str | None) -> Any:
    """Poses on the grid of --region, else those that were given."""
    from taut.robots.reading import read_numbers, read_orientations, read_region
    from taut.robots.workspaces.region import grid_poses

    if region is None:
        for option, value in (("--grid", grid), ("--orientations", orientations)):
            if value is not None:
                raise typer.BadParameter("goes with --region", param_hint=option)
        return poses
    if poses is not None:
        raise typer.BadParameter("excludes --pose and --path", param_hint="--region")
    counts = USUAL if grid is None else read_numbers(grid, "grid")
    return grid_poses(robot, read_region(region), counts, read_orientations(orientations))


def _lines(found: Any, distance: float) -> list[str]:
    clear = np.where(np.isfinite(found.clearance), found.clearance, np.inf)
    if not found.nearest:
        return [f"{found.name}: nothing here can touch: cables share exits or anchors; --box and --obstacle add bodies"]
    k, lost = int(np.argmin(clear)), int(np.sum(~np.isfinite(found.clearance)))
    lines = [f"{found.name}: smallest distance {clear[k]:.6g} m, at {named(found.coordinates, found.poses[k])}"]
    if found.platform_distances.size and np.nanmin(found.platform_distances) == 0.0:
        lines.append("  a cable touches the platform: if its anchor is on the surface, --trim leaves its end out")
    lines += ["  between centre lines: the thickness of the ropes does not count"] if found.pairs else []
    if len(found.poses) == 1:
        order = np.argsort(found.pair_distances[0])[:MOST_LINES]
        lines += [f"  {found.pairs[p][0]} and {found.pairs[p][1]}: {found.pair_distances[0, p]:.6f} m" for p in order]
        if found.platform_distances.size:
            lines.append(f"  from the platform: {named(found.cables, found.platform_distances[0], '.4g')}")
        for number, row in enumerate(found.obstacle_distances[0]):
            far = [("platform", found.body_distances[0, number])] if found.body_distances.size else []
            names, values = zip(*zip(found.cables, row, strict=True), *far, strict=True)
            lines.append(f"  from obstacle {number + 1}: {named(names, values, '.4g')}")
        return lines
    near = int(np.sum(~is_clear(clear, distance)))
    words = f"are nearer than {distance:g} m" if distance > 0.0 else "touch"
    lines.append(f"  {near} of {len(found.poses)} poses {words}")
    lines += [f"  NOT REACHED by some cable: {lost} poses"] if lost else []
    lines.append("  nearest approaches:")
    for one, other, far, at in found.nearest[:MOST_LINES]:
        lines.append(f"  {one} and {other}: {far:.6f} m at {named(found.coordinates, found.poses[at], '.4g')}")
    return lines
