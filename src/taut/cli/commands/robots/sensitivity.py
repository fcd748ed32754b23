"""`taut sensitivity`: what errors do to the pose of a cable robot."""

from typing import Annotated, Any

import numpy as np
import typer

from taut.cli.options import File, Json, Set
from taut.cli.robot_options import Body, Limits, Picture, PointExits, Pose, Pulley, named, robot_given, show

Exits = Annotated[float, typer.Option("--exits", metavar="M", help="Standard deviation of coordinates of exits [m].")]
Anchors = Annotated[float, typer.Option("--anchors", metavar="M", help="And of those of anchors [m].")]
Lengths = Annotated[float, typer.Option("--lengths", metavar="M", help="And of lengths [m].")]
Tensions = Annotated[float, typer.Option("--tensions", metavar="N", help="And of tensions of elastic cables [N].")]
Samples = Annotated[int, typer.Option("--samples", min=0, max=100_000, help="Machines with random errors to solve.")]


def sensitivity(
    file: File,
    pose: Pose = None,
    exits: Exits = 1e-3,
    anchors: Anchors = 1e-3,
    lengths: Lengths = 1e-3,
    tensions: Tensions = 0.0,
    samples: Samples = 0,
    limits: Limits = None,
    body: Body = None,
    point_exits: PointExits = False,
    pulley: Pulley = None,
    output: Picture = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Errors of the pose from errors of exits, anchors, lengths and tensions, linear and by samples.

    Example: taut sensitivity ipanema-3 --exits 1e-3 --lengths 5e-4 --samples 200
    """
    from taut.robots import sensitivity as solve
    from taut.robots.reading import read_limits, read_numbers
    from taut.views.robots.cables import draw_pairs

    robot = robot_given(file, settings, body, point_exits, pulley)
    place = None if pose is None else read_numbers(pose, "pose")
    sizes = {"exits": exits, "anchors": anchors, "lengths": lengths, "tensions": tensions}
    found = solve(robot, place, **sizes, samples=samples, limits=read_limits(limits))
    if output is not None:
        bars = {"linear": found.deviation} | ({"samples": found.sampled} if found.sampled is not None else {})
        title = (f"errors of the pose ({', '.join(found.coordinates)}): {found.name}", "standard deviation [m, rad]")
        draw_pairs(bars, title, output, names=found.coordinates)
    show(found, _lines(found), as_json, output)


def _lines(found: Any) -> list[str]:
    lines = [f"{found.name}: {named(found.coordinates, found.pose)}"]
    lines.append(f"  errors: {named(found.deviations, list(found.deviations.values()), '.3g')} (standard deviations)")
    has_samples = found.sampled is not None
    lines.append(f"  {'':4s} {'deviation':>12s}{'  by samples' if has_samples else ''}   most from a length")
    by = np.abs(found.by_length)
    for k, name in enumerate(found.coordinates):
        drawn = f" {found.sampled[k]:11.4g}" if has_samples else ""
        i = int(by[k].argmax())
        lines.append(f"  {name:4s} {found.deviation[k]:12.4g}{drawn}   {by[k, i]:.4g} per metre of {found.cables[i]}")
    return lines
