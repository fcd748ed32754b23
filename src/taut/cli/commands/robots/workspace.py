"""`taut workspace`: where a cable robot can work."""

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from taut.cli.inputs import read_input
from taut.cli.options import File, Json, Set
from taut.cli.robot_options import Body, Box, Limits, Obstacles, PointExits, Pulley, Turns, plain, show

PICTURES = (".png", ".svg", ".pdf")
KINDS = "wrench-feasible, static, wrench-closure, interference-free, speed or stiffness."
Kind = Annotated[str, typer.Option("--kind", metavar="KIND", help=KINDS)]
Region = Annotated[
    str | None,
    typer.Option("--region", metavar="x=A:B,z=C", help="Ranges [m], a number: a slice; else the exits."),
]
Grid = Annotated[str | None, typer.Option("--grid", metavar="N or NX,NY,NZ", help="Grid points; else 21 each.")]
Half = Annotated[
    str | None,
    typer.Option("--wrench", metavar="FX,...", help="Half widths of the box of wrenches [N, N m]; one number: all."),
]
Load = Annotated[
    str | None, typer.Option("--load", metavar="FX,...", help="Wrench on the platform besides its weight [N, N m].")
]
Scale = Annotated[
    float | None, typer.Option("--length-scale", metavar="M", help="Moments are divided by it; else 1 m.")
]
Twist = Annotated[
    str | None, typer.Option("--twist", metavar="VX,...", help="Half widths of the box of twists [m/s, rad/s].")
]
Speed = Annotated[float | None, typer.Option("--speed", metavar="M/S", help="Largest cable speed [m/s].")]
Distance = Annotated[
    float | None,
    typer.Option("--distance", metavar="M", help="Smallest distance of cables, platform and obstacles [m]."),
]
Trim = Annotated[
    float | None, typer.Option("--trim", metavar="M", help="Length of cable at the anchor that does not count [m].")
]
Stiff = Annotated[
    float | None, typer.Option("--stiffness", metavar="N/M", help="Smallest eigenvalue of the stiffness [N/m]; else 0.")
]
Size = Annotated[float | None, typer.Option("--volume", metavar="SHARE", help="Volume, to this relative uncertainty.")]
Mesh = Annotated[Path | None, typer.Option("--mesh", metavar="FILE", help="Boundary as FILE.stl, .obj or .ply.")]
Surface = Annotated[bool, typer.Option("--surface", help="Find the boundary; -o in space finds it anyway.")]
Output = Annotated[
    list[Path] | None,
    typer.Option("-o", "--output", metavar="FILE", help="A picture (.png, .svg, .pdf), or .nc for view and report."),
]


def workspace(
    file: File,
    kind: Kind = "wrench-feasible",
    region: Region = None,
    grid: Grid = None,
    orientations: Turns = None,
    wrench: Half = None,
    load: Load = None,
    length_scale: Scale = None,
    twist: Twist = None,
    speed: Speed = None,
    distance: Distance = None,
    box: Box = None,
    obstacle: Obstacles = None,
    trim: Trim = None,
    stiffness: Stiff = None,
    volume: Size = None,
    mesh: Mesh = None,
    surface: Surface = False,
    limits: Limits = None,
    body: Body = None,
    point_exits: PointExits = False,
    pulley: Pulley = None,
    output: Output = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Which poses of a region belong to a workspace, by how much, how large it is, and its boundary.

    A picture shows slices with the margin as colour and, in space, the boundary around the robot. A file FILE.nc holds
    everything: taut view FILE.nc shows it in the browser, taut report FILE.nc writes a page. -o may be given twice.

    Example: taut workspace ipanema-3 --wrench 100,100,100,30,30,30 --volume 0.01 -o workspace.png -o workspace.nc

    Example: taut workspace cogiro --kind static --limits 100:5000 --region x=-6:6,y=-4:4,z=2 --grid 61

    Example: taut workspace ipanema-3 --kind interference-free --obstacle=-2,-1,-0.6,2,1,0.8 --distance 0.05
    """
    from taut.robots import workspace as solve
    from taut.robots.reading import read_limits, read_numbers, read_orientations, read_region

    files = [check_output(path) for path in output or []]
    options = {"body": body, "exits": "point" if point_exits else "given", "pulley": pulley,
               "limits": read_limits(limits)}  # fmt: skip
    scenario, ranges = read_input(file, settings or []).scenario, read_region(region)
    counts = None if grid is None else read_numbers(grid, "grid")
    walls = [read_numbers(text, "obstacle") for text in obstacle or []]
    demands = {"wrench": sizes_given(wrench, "wrench"), "external": list_given(load, "load"),
               "length": length_scale, "twist": sizes_given(twist, "twist"), "speed": speed, "distance": distance,
               "box": list_given(box, "box"), "obstacles": walls or None, "trim": trim,
               "stiffness": stiffness}  # fmt: skip
    # pictures and files get the boundary surface if the workspace has three coordinates
    hull = True if surface or mesh is not None else "space" if files else False
    found = solve(
        scenario, ranges, grid=counts, orientations=read_orientations(orientations), volume=volume, surface=hull,
        robot=options, kind=kind, **{name: value for name, value in demands.items() if value is not None},
    )  # fmt: skip
    if mesh is not None and found.surface is not None:
        found.surface.save(mesh)
    for path in files:
        write_output(found, path)
    show(_answer(found), _lines(found, mesh) + [f"wrote {path}" for path in files], as_json)


def check_output(path: Path) -> Path:
    """Refuse a file that cannot be written before anything is computed."""
    from taut.results.errors import ResultError
    from taut.results.store import check_target

    if path.suffix.lower() not in (".nc", *PICTURES):
        raise ResultError(path, "has an ending that is not known", f"use {', '.join(PICTURES)} or .nc")
    check_target(path)
    return path


def write_output(found: Any, path: Path) -> None:
    """A picture, or the file that `taut view` and `taut report` read."""
    if path.suffix.lower() == ".nc":
        found.save(path)
        return
    from taut.views.robots.workspace import draw_workspace

    draw_workspace(found.to_xarray(), path)


def list_given(text: str | None, at: str) -> Any:
    """Numbers in the text of an option; none if it was not given."""
    from taut.robots.reading import read_numbers

    return None if text is None else read_numbers(text, at)


def sizes_given(text: str | None, at: str) -> Any:
    """Half widths in the text of an option: one number for all, or one each; none if it was not given."""
    from taut.robots.reading import read_numbers

    if text is None:
        return None
    given = read_numbers(text, at)
    return float(given[0]) if len(given) == 1 else given


def _answer(found: Any) -> dict[str, Any]:
    size = {} if found.volume is None else plain(found.volume)
    hull = {} if found.surface is None else {"triangles": len(found.surface.triangles), "volume": found.surface.volume}
    best = np.where(np.isfinite(found.values), found.values, -np.inf)
    return {"name": found.name, "kind": found.kind, "question": found.question,
             "axes": plain(found.axes), "points": int(found.values.size),
            "inside": int(found.inside.sum()), "reachable": int(found.reachable.sum()), "counts": plain(found.counts),
            "largest_margin": plain(best.max()), "volume": size, "surface": hull,
            "margin": plain(found.values)}  # fmt: skip


def _lines(found: Any, mesh: Path | None) -> list[str]:
    spans = ", ".join(f"{name} {axis[0]:g} to {axis[-1]:g} m ({len(axis)})" for name, axis in found.axes.items())
    lines = [
        f"{found.name}, {found.kind}: {int(found.inside.sum())} of {found.values.size} points inside",
        f"  {spans}",
    ]
    if len(found.orientations) > 1:
        lines[0] += f" at all {len(found.orientations)} orientations, {int(found.reachable.sum())} at one at least"
    if found.volume is not None:
        unit = {1: "m", 2: "m^2", 3: "m^3"}[found.volume.dimensions]
        lines.append(f"  size {found.volume.value:.6g} {unit}, uncertain by {found.volume.uncertainty:.2g} {unit}")
    if found.surface is not None:
        lines.append(f"  boundary of {len(found.surface.triangles)} triangles around {found.surface.volume:.6g} m^3")
    return lines + ([f"wrote {mesh}"] if mesh else [])
