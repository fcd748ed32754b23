"""`taut calibrate`: geometry of a cable robot from measured poses and lengths."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from taut.cli.options import File, Json, Set
from taut.cli.robot_options import Body, Picture, PointExits, Pulley, numbers, plain, robot_given, show

Data = Annotated[
    Path, typer.Argument(metavar="DATA", help="CSV: x, y, z, ..., lengths as NAME, tensions as NAME_tension.")
]
Unknowns = Annotated[
    str, typer.Option("--unknowns", metavar="NAME,...", help="Of exits, anchors, offsets and stiffness.")
]


def calibrate(
    file: File,
    data: Data,
    unknowns: Unknowns = "exits,offsets",
    body: Body = None,
    point_exits: PointExits = False,
    pulley: Pulley = None,
    output: Picture = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Fit exits, anchors, length offsets, stiffness to measurements: values, spread, and what the data cannot tell.

    Example: taut calibrate crane-3 measured.csv --unknowns exits,offsets

    Example: taut calibrate crane-3 measured.csv --unknowns offsets,stiffness -o residuals.png
    """
    from taut.cli.options import split_names
    from taut.robots import calibrate as solve
    from taut.robots.reading import read_measurements, read_tensions
    from taut.views.robots.cables import draw_cables

    robot = robot_given(file, settings, body, point_exits, pulley)
    poses, lengths = read_measurements(robot, data)
    asked = split_names([unknowns])
    pulls = read_tensions(robot, data) if "stiffness" in asked else None
    found = solve(robot, poses, lengths, unknowns=asked, tensions=pulls)
    if output is not None:
        draw_cables(found.to_xarray(), "residual", output)
    show({**plain(found), "correlations": plain(found.correlations)}, _lines(found), as_json, output)


def _lines(found: Any) -> list[str]:
    robot, count = found.robot, found.residuals.size
    lines = [f"{robot.name}: {len(found.residuals)} poses, root mean square {1e3 * (found.cost / count) ** 0.5:.4g} mm"]
    for i, name in enumerate(robot.cables):
        lines.append(
            f"  {name:<10} exit {numbers(robot.exits[i], '.6f')} +- {numbers(found.exit_deviation[i], '.2g')} m"
        )
        if "anchors" in found.unknowns:
            spread = numbers(found.anchor_deviation[i], ".2g")
            lines.append(f"  {'':<10} anchor {numbers(robot.anchors[i], '.6f')} +- {spread} m")
        if "offsets" in found.unknowns:
            lines.append(f"  {'':<10} offset {found.offsets[i]:.6f} +- {found.offset_deviation[i]:.2g} m")
        if "stiffness" in found.unknowns:
            lines.append(f"  {'':<10} EA {robot.stiffness[i]:.6g} +- {found.stiffness_deviation[i]:.2g} N")
    lines += [_weakest(found)]
    return lines + [f"  the data cannot tell apart: {text}" for text in found.hidden]


def _weakest(found: Any) -> str:
    """The two unknowns that the data tell apart worst."""
    off = np.abs(np.nan_to_num(found.correlations)) * (1.0 - np.eye(len(found.names)))
    i, a, b = np.unravel_index(int(off.argmax()), off.shape)
    condition = f"condition numbers up to {found.conditions.max():.3g}"
    if off[i, a, b] == 0.0:
        return f"  {condition}"
    pair = f"{found.names[a]} and {found.names[b]} of {found.robot.cables[i]}"
    return f"  {condition}; largest correlation {found.correlations[i, a, b]:+.4f}, {pair}"
