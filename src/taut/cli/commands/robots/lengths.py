"""`taut lengths`: inverse kinematics of a cable robot."""

from dataclasses import replace
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
    named,
    plain,
    poses_given,
    robot_given,
    show,
)

Drum = Annotated[float | None, typer.Option("--drum", metavar="RADIUS", help="Angles of drums of this radius [m].")]
Elastic = Annotated[bool, typer.Option("--elastic", help="Unstrained lengths of straight elastic cables too.")]
Sagging = Annotated[bool, typer.Option("--sagging", help="Unstrained lengths and tensions of sagging cables too.")]
CableMass = Annotated[
    float | None, typer.Option("--cable-mass", metavar="KG/M", help="Mass per length for --sagging; else their own.")
]


def lengths(
    file: File,
    pose: Pose = None,
    path: PathFile = None,
    drum: Drum = None,
    elastic: Elastic = False,
    sagging: Sagging = False,
    cable_mass: CableMass = None,
    limits: Limits = None,
    body: Body = None,
    point_exits: PointExits = False,
    pulley: Pulley = None,
    output: Picture = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Cable lengths at a pose or along a path: directions, wraps and swivels of pulleys, speeds, drum angles.

    Example: taut lengths ipanema-3 --pose 0.5,0,1.2,0,0,0.1

    Example: taut lengths cogiro --path run.nc -o lengths.png
    """
    from taut.robots import lengths as solve
    from taut.robots import sagging_lengths, unstrained_lengths
    from taut.robots.reading import read_limits
    from taut.views.robots.cables import draw_cables

    if cable_mass is not None and not sagging:
        raise typer.BadParameter("goes with --sagging", param_hint="--cable-mass")
    if limits is not None and not (elastic or sagging):
        raise typer.BadParameter("goes with --elastic or --sagging", param_hint="--limits")
    robot = robot_given(file, settings, body, point_exits, pulley).with_limits(read_limits(limits))
    poses, times = poses_given(robot, pose, path)
    found = solve(robot, poses, times=times, drum_radius=drum)
    answer = plain(found)
    if elastic:
        answer["unstrained_lengths"] = plain(unstrained_lengths(robot, poses))
    if sagging:
        heavy = robot if cable_mass is None else replace(robot, mass_per_length=cable_mass)
        answer["sagging"] = [plain(sagging_lengths(heavy, place)) for place in found.poses]
    if output is not None:
        draw_cables(found.to_xarray(), "cable_length", output)
    show(answer, _lines(found, answer), as_json, output)


def _lines(found: Any, answer: dict[str, Any]) -> list[str]:
    lines = [f"{found.name}: {named(found.coordinates, found.poses[0])}"]
    if len(found.poses) > 1:
        lines = [f"{found.name}: {len(found.poses)} poses"]
        lines.append("  cable        shortest [m]   longest [m]   fastest [m/s]")
        for i, name in enumerate(found.cables):
            fastest = f"{np.abs(found.speeds[:, i]).max():15.6g}" if found.speeds is not None else f"{'-':>15s}"
            lines.append(f"  {name:<10} {found.lengths[:, i].min():14.6f} {found.lengths[:, i].max():13.6f} {fastest}")
        for key, title in (("unstrained_lengths", "unstrained"), ("sagging", "unstrained, sagging")):
            if key in answer:
                given = answer[key] if key == "unstrained_lengths" else [rest["lengths"] for rest in answer[key]]
                lines.append(f"  {title:<20} shortest [m]   longest [m]")
                low, high = np.min(given, axis=0), np.max(given, axis=0)
                lines += [f"  {name:<17} {low[i]:14.6f} {high[i]:13.6f}" for i, name in enumerate(found.cables)]
        return lines
    head = "  cable          length [m]      free [m]   wrap [rad]  swivel [rad]   slope [rad]"
    lines.append(head + ("   unstrained [m]" if "unstrained_lengths" in answer else ""))
    for i, name in enumerate(found.cables):
        parts = [found.lengths[0, i], found.free[0, i], found.wraps[0, i], found.swivels[0, i], found.slopes[0, i]]
        row = f"  {name:<10} " + " ".join(f"{x:13.6f}" for x in parts)
        if "unstrained_lengths" in answer:
            row += f"   {answer['unstrained_lengths'][0][i]:14.6f}"
        lines.append(row)
    return lines + (_sagging_lines(answer["sagging"][0]) if "sagging" in answer else [])


def _sagging_lines(rest: dict[str, Any]) -> list[str]:
    """Sagging cables at a pose."""
    lines = ["  sagging    unstrained [m]   at anchor [N]     at exit [N]   wrap [rad]  slope at anchor [rad]"]
    for i, name in enumerate(rest["cables"]):
        F = rest["forces"][i]
        slope = np.arctan2(F[2], np.hypot(F[0], F[1]))
        parts = f"{rest['lengths'][i]:14.6f} {rest['tensions'][i]:15.6g} {rest['exit_tensions'][i]:15.6g}"
        slack = "  slack" if name in rest["slack"] else ""
        lines.append(f"  {name:<10} {parts} {rest['wraps'][i]:12.6f} {slope:22.6f}{slack}")
    return lines
