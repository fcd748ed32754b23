"""`taut stiffness`: stiffness and frequencies of a cable robot's platform."""

from typing import Annotated, Any

import numpy as np
import typer

from taut.cli.options import File, Json, Set
from taut.cli.robot_options import Body, Limits, Picture, PointExits, Pose, Pulley, named, numbers, robot_given, show

Load = Annotated[str | None, typer.Option("--load", metavar="FX,...", help="Wrench put on the platform [N, N m].")]
HOW = "Tensions: start, or as of taut tensions; else start, by pretension or lengths, and barycentre without them."
Method = Annotated[str | None, typer.Option("--method", metavar="NAME", help=HOW)]
CableMass = Annotated[
    str | None,
    typer.Option("--cable-mass", metavar="KG/M", help="Compare with cables of this mass per length, or own."),
]
ROUNDING = 1e-12  # entries smaller than this, relative to the diagonal, are printed as zero

Elements = Annotated[int | None, typer.Option("--elements", min=2, max=200, help="Of each cable with mass; else 8.")]


def stiffness(
    file: File,
    pose: Pose = None,
    load: Load = None,
    method: Method = None,
    cable_mass: CableMass = None,
    elements: Elements = None,
    limits: Limits = None,
    body: Body = None,
    point_exits: PointExits = False,
    pulley: Pulley = None,
    output: Picture = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Stiffness of the platform on cables without mass: passive and active part, frequencies, deflection under a load.

    Exit code 0: found; 1: with --cable-mass, cables without mass are not good enough.

    Example: taut stiffness ipanema-3 --pose 0,0,1.2,0,0,0 --load 0,0,-100,0,0,0

    Example: taut stiffness crane-3 --cable-mass 0.1
    """
    from taut.robots import stiffness as solve
    from taut.robots.reading import read_limits, read_numbers
    from taut.views.robots.cables import draw_bars

    if elements is not None and cable_mass is None:
        raise typer.BadParameter("goes with --cable-mass", param_hint="--elements")
    robot = robot_given(file, settings, body, point_exits, pulley)
    place = None if pose is None else read_numbers(pose, "pose")
    wrench = None if load is None else read_numbers(load, "load")
    found = solve(robot, place, method=method, load=wrench, limits=read_limits(limits))
    if cable_mass is not None:
        _with_mass(
            robot.with_limits(read_limits(limits)), place, _numbers(cable_mass), elements or 8, method, output, as_json
        )
        return
    if output is not None:
        modes = [str(k + 1) for k in range(len(found.frequencies))]
        draw_bars(modes, found.frequencies, (f"natural frequencies: {found.name}", "frequency [Hz]"), output)
    show(found, _lines(found) + _mass_hint(robot, found), as_json, output)


def _mass_hint(robot: Any, found: Any) -> list[str]:
    """Whether the mass of the scenario's cables may matter."""
    mu = np.asarray(robot.mass_per_length)
    if not np.all(mu > 0.0) or not np.any(found.tensions > 0.0):
        return []
    from taut.robots import lengths

    free = lengths(robot, found.pose).free[0]
    share = 100.0 * float(np.sum(mu * free)) / max(robot.mass, 1e-300)
    own = np.min(np.sqrt(found.tensions / mu) / (2.0 * free))
    fast = [frequency for frequency in found.frequencies if np.isfinite(frequency) and frequency >= own]
    words = f"{len(fast)} of the frequencies above are not lower" if fast else "all frequencies above are lower"
    return [f"  the cables have {share:.3g} % of the platform's mass, and frequencies of their own from {own:.4g} Hz:",
            f"  {words}; --cable-mass own says whether cables without mass are good enough"]  # fmt: skip


def _lines(found: Any) -> list[str]:
    state = "stable" if found.is_stable else "unstable"
    lines = [f"{found.name}: {named(found.coordinates, found.pose)} ({state})"]
    for title, matrix in (("stiffness", found.matrix), ("of it active", found.active)):
        lines.append(f"  {title}: forces [N] and moments [N m] per displacement [m] and turn [rad] of the columns")
        rows = zip(found.coordinates, without_rounding(matrix, found.matrix), strict=True)
        lines += [f"    {name} {numbers(row)}" for name, row in rows]
    lines.append(f"  eigenvalues [N/m or N m] {numbers(found.eigenvalues)}")
    lines.append(f"  passive alone            {numbers(found.passive_eigenvalues)}")
    lines.append(f"  frequencies [Hz]         {numbers(found.frequencies)}")
    lines.append(_pulls(found))
    if found.loose:
        lines.append(f"  WITHOUT TENSION, stiff only against motions that stretch them: {', '.join(found.loose)}")
    if found.load.any():
        lines.append(f"  deflection under the load: {named(found.coordinates, found.deflection, '.4g')}")
    return lines


def _pulls(found: Any) -> str:
    """The tensions on which all of it rests."""
    how = "nearest to those at the start" if found.method == "start" else f"by the method {found.method}"
    return f"  tensions [N], {how}: {named(found.cables, found.tensions, '.4g')}"


def without_rounding(matrix: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Zero for entries within the rounding of the whole stiffness, relative to their diagonal entries."""
    size = np.sqrt(np.abs(np.diag(whole)))
    return np.where(np.abs(matrix) <= ROUNDING * np.outer(size, size), 0.0, matrix)


def _numbers(text: str) -> Any:
    from taut.robots.reading import read_numbers

    if text == "own":
        return None
    given = read_numbers(text, "cable-mass")
    return given[0] if len(given) == 1 else given


def _with_mass(robot: Any, pose: Any, mass: Any, elements: int, method: str | None, output: Any, as_json: bool) -> None:  # noqa: PLR0913
    from taut.robots import compare_mass
    from taut.views.robots.cables import draw_pairs

    found = compare_mass(robot, pose, mass_per_length=mass, elements=elements, method=method)
    if output is not None:
        pairs = {"cables without mass": found.frequencies, "with mass": found.with_mass}
        draw_pairs(pairs, (f"natural frequencies: {found.name}", "frequency [Hz]"), output)
    show(found, _mass_lines(found), as_json, output)
    if not found.is_good.all():
        raise typer.Exit(1)


def _mass_lines(found: Any) -> list[str]:
    share = f"{100.0 * found.mass_share:.3g} %"
    lines = [f"{found.name}: cables with {share} of the platform's mass, {found.elements} elements each"]
    lines.append(_pulls(found.massless))
    lines.append(f"  {'mode':>4s} {'massless [Hz]':>14s} {'massive [Hz]':>14s} {'change':>9s} {'of the energy':>14s}")
    for k, frequency in enumerate(found.frequencies):
        lines.append(f"  {k + 1:4d} {frequency:14.6g} {found.with_mass[k]:14.6g} {100.0 * found.changes[k]:8.2f} % "
                     f"{100.0 * found.shares[k]:12.1f} %{'' if found.is_good[k] else '  not good enough'}")  # fmt: skip
    slowest = int(np.argmin(found.cable_frequencies))
    lines.append(f"  the cables' own frequencies begin at {found.cable_frequencies[slowest]:.4g} Hz "
                 f"({found.cables[slowest]})")  # fmt: skip
    good = found.is_good.all()
    return [*lines, "  cables without mass are good enough here" if good else
            f"  NOT GOOD ENOUGH: {int(np.sum(~found.is_good))} of {len(found.is_good)} modes need cables with mass "
            "(taut modes)"]  # fmt: skip
