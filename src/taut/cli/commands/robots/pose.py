"""`taut pose`: forward kinematics of a cable robot."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from taut.cli.options import File, Json, Set
from taut.cli.robot_options import Body, Picture, PointExits, Pulley, named, plain, robot_given, show

Lengths = Annotated[
    str,
    typer.Option("--lengths", metavar="L1,L2,...", help="Lengths [m], in order; or a CSV file, a column per cable."),
]
Near = Annotated[str | None, typer.Option("--near", metavar="X,Y,...", help="Pose to begin with; else by lengths.")]
Starts = Annotated[int, typer.Option("--starts", min=0, max=10_000, help="Further starts, to find other poses.")]
Kind = Annotated[str, typer.Option("--cables", metavar="KIND", help="straight; elastic or sagging: unstrained.")]
LABEL = "pose of the platform [m or rad]"  # of the axis of figures
MOST_DRAWN = 6  # most poses that are drawn


def pose(
    file: File,
    lengths: Lengths,
    near: Near = None,
    starts: Starts = 10,
    cables: Kind = "straight",
    body: Body = None,
    point_exits: PointExits = False,
    pulley: Pulley = None,
    output: Picture = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """The pose of the platform from the lengths of its cables, and all others that fit.

    Of a file with measured lengths: the pose of every row. Exit code 0: found; 1: no pose has such lengths.

    Example: taut pose crane-3 --lengths 4.1833,4.846648,4.482187

    Example: taut pose crane-3 --lengths measured.csv -o poses.png
    """
    from taut.robots import elastic_rest, sagging_rest
    from taut.robots import pose as solve
    from taut.robots.reading import read_numbers
    from taut.views.robots.cables import draw_pairs

    if cables not in ("straight", "elastic", "sagging"):
        raise typer.BadParameter("must be straight, elastic or sagging", param_hint="--cables")
    robot = robot_given(file, settings, body, point_exits, pulley)
    begin = None if near is None else read_numbers(near, "near")
    if Path(lengths).suffix == ".csv":
        _rows(robot, lengths, begin, cables, output, as_json)
        return
    given = read_numbers(lengths, "lengths")
    if cables == "straight":
        robot.need_enough_lengths()
        found = solve(robot, given, near=begin, starts=starts)
        if output is not None:
            bars = {f"{k + 1}" if len(found.found) > 1 else "pose": one.pose
                    for k, one in enumerate(found.found[:MOST_DRAWN])}  # fmt: skip
            draw_pairs(bars, (f"poses from lengths: {found.name}", LABEL), output, names=found.coordinates)
        show(plain(found), _lines(found), as_json, output)
        if not _fits(found):
            raise typer.Exit(1)
        return
    rest = (elastic_rest if cables == "elastic" else sagging_rest)(robot, given, near=begin)
    lines = [f"{rest.name}, {cables}: {named(rest.coordinates, rest.pose, '.9g')}"]
    lines += [f"  {name:<10} {pull:14.6f} N" for name, pull in zip(rest.cables, rest.tensions, strict=True)]
    lines += [f"  slack: {', '.join(rest.slack)}"] if rest.slack else []
    if output is not None:
        bars = {f"on {cables} cables": rest.pose}
        draw_pairs(bars, (f"pose at rest: {rest.name}", LABEL), output, names=rest.coordinates)
    show(plain(rest), lines, as_json, output)


def _fits(found: Any) -> bool:
    from taut.robots.tracking import FITS

    return float(np.sqrt(found.found[0].cost / len(found.lengths))) <= FITS * float(np.mean(found.lengths))


def _rows(robot: Any, lengths: str, near: Any, cables: str, output: Path | None, as_json: bool) -> None:  # noqa: PLR0913
    """One answer for every row of a file of cable lengths."""
    from taut.robots import track
    from taut.robots.reading import read_lengths
    from taut.views.robots.cables import draw_cables

    given, times = read_lengths(robot, lengths)
    found = track(robot, given, near=near, times=times, cables=cables)
    if output is not None:
        draw_cables(found.to_xarray(), "platform_pose", output, over="coordinate")
    show(found, _row_lines(found), as_json, output)
    if not found.fits.all():
        raise typer.Exit(1)


def _row_lines(found: Any) -> list[str]:
    lines = [f"{found.name}: {len(found.poses)} poses"]
    lines.append(f"  {'':4s} {'smallest':>14s} {'largest':>14s} {'at the end':>14s}")
    for k, name in enumerate(found.coordinates):
        column = found.poses[:, k]
        lines.append(f"  {name:4s} {column.min():14.6f} {column.max():14.6f} {column[-1]:14.6f}")
    worst = int(found.differences.argmax())
    lines.append(
        f"  lengths differ by up to {1e3 * found.differences[worst]:.4g} mm (root mean square, row {worst + 1})"
    )
    loose = sorted({name for names in found.slack for name in names})
    lines += [f"  slack at some time: {', '.join(loose)}"] if loose else []
    bad = int(np.sum(~found.fits))
    return lines + ([f"  NO POSE has the lengths of {bad} rows"] if bad else [])


def _lines(found: Any) -> list[str]:
    lines = [f"{found.name}: {len(found.found)} poses from {found.starts} starts, the best first"]
    if not _fits(found):
        apart = float(np.sqrt(found.found[0].cost / len(found.lengths)))
        lines = [f"{found.name}: NO POSE has these lengths; the nearest differ by {apart:.4g} m (root mean square)"]
    for one in found.found:
        lines.append(f"  {named(found.coordinates, one.pose, '.9g')}: sum of squares {one.cost:.3g} m^2, "
                     f"condition {one.condition:.3g}")  # fmt: skip
        if one.slack:
            lines.append(f"    longer than the distance: {', '.join(one.slack)}")
    return lines
