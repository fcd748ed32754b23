"""`taut modes`: natural frequencies about the equilibrium, at one moment or along the motion."""

import json
from typing import Annotated, Any

import typer

from taut.cli.options import File, Json, Set

Count = Annotated[int, typer.Option("--count", min=1, max=1000, help="How many modes.")]
Along = Annotated[int | None, typer.Option("--along", min=2, max=1000, metavar="N",
                                           help="Frequencies at N instants of the run, signals at rest.")]  # fmt: skip
Plot = Annotated[str | None, typer.Option("--plot", metavar="FOLDER", help="With --along: draw them into a folder.")]


def modes(
    file: File, count: Count = 12, along: Along = None, plot: Plot = None, as_json: Json = False, settings: Set = None
) -> None:
    """Linearise a scenario at its equilibrium: frequencies, damping, mode shapes.

    Example: taut modes mamidi-8-8-rest --count 6

    Example: taut modes wang-suspension --along 21 --plot figures
    """
    from taut.cli.inputs import read_input
    from taut.cli.running import say_if_compiling

    if plot is not None and along is None:
        raise typer.BadParameter("goes with --along", param_hint="--plot")
    scenario = read_input(file, settings or []).scenario
    from taut.build import build

    say_if_compiling(build(scenario))
    answer = at_rest(scenario, count) if along is None else along_motion(scenario, count, along, plot)
    lines = _lines if along is None else _along_lines
    typer.echo(json.dumps(answer, indent=2) if as_json else "\n".join(lines(answer)))


def at_rest(scenario: Any, count: int) -> dict[str, Any]:
    """Frequencies, damping and shapes at the start."""
    from taut.analyses.modes import modes as solve
    from taut.build import build
    from taut.cli.drums import controllers_off

    found = solve(build(scenario), count=count)
    return {
        "name": scenario.name,
        "notes": controllers_off(scenario, FREE),
        "frequencies": found.frequencies.tolist(),
        "natural_frequencies": found.natural_frequencies.tolist(),
        "damped_frequencies": found.damped_frequencies.tolist(),
        "damping_ratios": found.ratios.tolist(),
        "eigenvalues": [[value.real, value.imag] for value in found.eigenvalues],
        "decays": found.decays.tolist(),
        "moves_most": [found.columns[abs(shape).argmax()] for shape in found.damped_shapes],
        "columns": list(found.columns),
        "shapes": found.shapes.tolist(),
    }


def along_motion(scenario: Any, count: int, instants: int, folder: str | None) -> dict[str, Any]:
    """Frequencies at instants of the run, drawn if there is a folder."""
    from taut.analyses.modes_along import modes_along
    from taut.build import build
    from taut.views.plots.frequency import plot_frequencies

    step = scenario.run.duration / (instants - 1)
    found = modes_along(build(scenario), [k * step for k in range(instants)], count=count)
    answer = {"name": scenario.name, "times": found.times.tolist(), "frequencies": found.frequencies.tolist(),
              "families": found.families}  # fmt: skip
    if folder is not None:
        answer["files"] = [str(path) for path in plot_frequencies(answer, folder)]
    return answer


FREE = "controllers are not in the matrices, so that drums turn freely; winches without drum hold their lengths"
ROUNDING = 1e-12  # damping ratios below this are printed as zero
RIGID = 1e-5  # frequencies below this are those of free motions, relative to the largest


def _lines(answer: dict[str, Any]) -> list[str]:
    lines = [f"{answer['name']}: small motions about rest", *answer["notes"]]
    lines.append("  oscillation   frequency [Hz]   damped [Hz]   damping ratio   moves most")
    keys = ("natural_frequencies", "damped_frequencies", "damping_ratios", "moves_most")
    for k, (f, damped, ratio, most) in enumerate(zip(*(answer[key] for key in keys), strict=True), 1):
        lines.append(f"  {k:11d} {f:16.6g} {damped:13.6g} {ratio if abs(ratio) > ROUNDING else 0.0:15.4g}   {most}"
                     f"{_rigid(f, answer['frequencies'])}")  # fmt: skip
    if answer["decays"]:
        lines.append("  without oscillation, slowest first [1/s]:")
        lines += [f"  {rate:28.6g}{'   grows: unstable' if rate > 0.0 else ''}" for rate in answer["decays"]]
    is_damped = any(abs(ratio) > ROUNDING for ratio in answer["damping_ratios"]) or answer["decays"]
    # rigid motions do not oscillate: they stand in the second list only
    if is_damped or len(answer["frequencies"]) != len(answer["natural_frequencies"]):
        lines += _undamped(answer)
    return lines


def _undamped(answer: dict[str, Any]) -> list[str]:
    """The modes of the machine without its dampers, where they are others."""
    lines = ["  mode without dampers   frequency [Hz]   moves most"]
    for k, (f, shape) in enumerate(zip(answer["frequencies"], answer["shapes"], strict=True), 1):
        most = answer["columns"][max(range(len(shape)), key=lambda c: abs(shape[c]))]
        lines.append(f"  {k:20d} {f:16.6g}   {most}{_rigid(f, answer['frequencies'])}")
    return lines


def _rigid(frequency: float, all_frequencies: list[float]) -> str:
    """A remark on a frequency that is zero but for rounding: nothing brings the machine back."""
    return "   (rigid motion)" if frequency <= RIGID * max(all_frequencies, default=0.0) else ""


def _along_lines(answer: dict[str, Any]) -> list[str]:
    lines = [f"{answer['name']}: natural frequencies [Hz] along the motion"]
    for time, frequencies in zip(answer["times"], answer["frequencies"], strict=True):
        lines.append(f"  {time:8.3f} s  " + " ".join(f"{f:9.5g}" for f in frequencies))
    return lines + [f"  {path}" for path in answer.get("files", [])]
