"""`taut stiffness`: stiffness and frequencies of a cable robot's platform."""

from typing import Annotated, Any

import typer

from taut.cli.options import File, Json, Set
from taut.cli.robot_options import Body, Limits, Picture, PointExits, Pose, Pulley, named, numbers, robot_given, show

Load = Annotated[str | None, typer.Option("--load", metavar="FX,...", help="Wrench put on the platform [N, N m].")]
Method = Annotated[str, typer.Option("--method", metavar="NAME", help="Tension distribution, as of taut tensions.")]


def stiffness(
    file: File,
    pose: Pose = None,
    load: Load = None,
    method: Method = "barycentre",
    limits: Limits = None,
    body: Body = None,
    point_exits: PointExits = False,
    pulley: Pulley = None,
    output: Picture = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Stiffness of the platform on cables without mass: passive and active part, frequencies, deflection under a load.

    Example: taut stiffness ipanema-3 --pose 0,0,1.2,0,0,0 --load 0,0,-100,0,0,0
    """
    from taut.robots import stiffness as solve
    from taut.robots.reading import read_limits, read_numbers
    from taut.views.robots.cables import draw_bars

    robot = robot_given(file, settings, body, point_exits, pulley)
    place = None if pose is None else read_numbers(pose, "pose")
    wrench = None if load is None else read_numbers(load, "load")
    found = solve(robot, place, method=method, load=wrench, limits=read_limits(limits))
    if output is not None:
        modes = [str(k + 1) for k in range(len(found.frequencies))]
        draw_bars(modes, found.frequencies, (f"natural frequencies: {found.name}", "frequency [Hz]"), output)
    show(found, _lines(found), as_json, output)


def _lines(found: Any) -> list[str]:
    state = "stable" if found.is_stable else "unstable"
    lines = [f"{found.name}: {named(found.coordinates, found.pose)} ({state})"]
    for title, matrix in (("stiffness", found.matrix), ("of it active", found.active)):
        lines.append(f"  {title} [N/m, N, N m]")
        lines += [f"    {name} {numbers(row)}" for name, row in zip(found.coordinates, matrix, strict=True)]
    lines.append(f"  eigenvalues      {numbers(found.eigenvalues)}")
    lines.append(f"  passive alone    {numbers(found.passive_eigenvalues)}")
    lines.append(f"  frequencies [Hz] {numbers(found.frequencies)}")
    if found.load.any():
        lines.append(f"  deflection under the load: {named(found.coordinates, found.deflection, '.4g')}")
    return lines
