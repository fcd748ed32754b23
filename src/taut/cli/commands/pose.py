"""`taut pose`: forward kinematics of a cable robot."""

from typing import Annotated, Any

import typer

from taut.cli.options import File, Json, Set
from taut.cli.robot_options import Body, PointExits, Pulley, named, plain, robot_given, show

Lengths = Annotated[str, typer.Option("--lengths", metavar="L1,L2,...", help="Lengths of the cables [m], in order.")]
Near = Annotated[str | None, typer.Option("--near", metavar="X,Y,...", help="Pose to begin with; else by lengths.")]
Starts = Annotated[int, typer.Option("--starts", min=0, max=10_000, help="Further starts, to find other poses.")]
Kind = Annotated[str, typer.Option("--cables", metavar="KIND", help="straight; elastic or sagging: unstrained.")]


def pose(
    file: File,
    lengths: Lengths,
    near: Near = None,
    starts: Starts = 10,
    cables: Kind = "straight",
    body: Body = None,
    point_exits: PointExits = False,
    pulley: Pulley = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """The pose of the platform from the lengths of its cables, and all others that fit.

    Example: taut pose crane-3 --lengths 4.1833,4.846648,4.482187
    """
    from taut.robots import elastic_rest, sagging_rest
    from taut.robots import pose as solve
    from taut.robots.reading import read_numbers

    if cables not in ("straight", "elastic", "sagging"):
        raise typer.BadParameter("must be straight, elastic or sagging", param_hint="--cables")
    robot = robot_given(file, settings, body, point_exits, pulley)
    given = read_numbers(lengths, "lengths")
    begin = None if near is None else read_numbers(near, "near")
    if cables == "straight":
        found = solve(robot, given, near=begin, starts=starts)
        show(plain(found), _lines(found), as_json)
        return
    rest = (elastic_rest if cables == "elastic" else sagging_rest)(robot, given, near=begin)
    lines = [f"{rest.name}, {cables}: {named(rest.coordinates, rest.pose, '.9g')}"]
    lines += [f"  {name:<10} {pull:14.6f} N" for name, pull in zip(rest.cables, rest.tensions, strict=True)]
    lines += [f"  slack: {', '.join(rest.slack)}"] if rest.slack else []
    show(plain(rest), lines, as_json)


def _lines(found: Any) -> list[str]:
    lines = [f"{found.name}: {len(found.found)} poses from {found.starts} starts, the best first"]
    for one in found.found:
        lines.append(f"  {named(found.coordinates, one.pose, '.9g')}: sum of squares {one.cost:.3g} m^2, "
                     f"condition {one.condition:.3g}")  # fmt: skip
        if one.slack:
            lines.append(f"    longer than the distance: {', '.join(one.slack)}")
    return lines
