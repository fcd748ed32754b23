"""`taut linearize`: A, B, C, D of a machine with names and units."""

import json
from typing import Annotated, Any

import typer

from taut.cli.options import File, Json, Set, split_names

At = Annotated[str, typer.Option("--at", metavar="rest|TIME|pose", help="Equilibrium, time of the run [s], or start.")]
Inputs = Annotated[
    list[str] | None, typer.Option("--input", help="Commands, signals or coordinates; else all commands.")
]
Outputs = Annotated[
    list[str] | None, typer.Option("--output", help="Measurements, or e.g. load.position.x; else all measurements.")
]
Period = Annotated[float | None, typer.Option("--period", help="Discrete model with a zero-order hold [s].")]
Reduce = Annotated[int | None, typer.Option("--reduce", min=1, help="Balanced truncation to this order.")]
Target = Annotated[str | None, typer.Option("-o", "--to", metavar="FILE", help="Write it: .npz, or .mat for MATLAB.")]
Plot = Annotated[str | None, typer.Option("--plot", metavar="FOLDER", help="Draw Bode and step figures into a folder.")]


def linearize(
    file: File,
    at: At = "rest",
    to: Target = None,
    inputs: Inputs = None,
    outputs: Outputs = None,
    period: Period = None,
    reduce: Reduce = None,
    plot: Plot = None,
    as_json: Json = False,
    settings: Set = None,
) -> None:
    """Linearise a machine with commands as inputs and measurements as outputs, in minimal coordinates.

    Example: taut linearize crane-hoisting -o crane.npz --output load.position.x --plot figures

    Example: taut linearize winch-robot-circle --at 2.5 --period 0.02 -o robot.mat
    """
    from taut.cli.inputs import read_input
    from taut.cli.running import say_if_compiling

    scenario = read_input(file, settings or []).scenario
    from taut.build import build
    from taut.loop import linearize as solve

    say_if_compiling(build(scenario))
    found = solve(scenario, at=at, inputs=split_names(inputs) if inputs else None,
                  outputs=split_names(outputs) if outputs else None, period=period)  # fmt: skip
    if reduce is not None:
        from taut.loop.linear.library import truncated

        found = truncated(found, reduce)
    files = _write(found, to, plot)
    answer = {key: value.tolist() if hasattr(value, "tolist") else value for key, value in found.as_dict().items()}
    poles = [[value.real, value.imag] for value in found.poles]
    answer |= {"poles": poles, "files": files}
    typer.echo(json.dumps(answer, indent=2) if as_json else "\n".join(_lines(found, files)))


def _write(found: Any, to: str | None, plot: str | None) -> list[str]:
    """Write what was asked for; returns the paths."""
    files = []
    if to is not None:
        found.save(to)
        files.append(to)
    if plot is not None:
        from pathlib import Path

        from taut.loop.linear.response import draw_bode, draw_step
        from taut.results.errors import from_os_error

        try:
            Path(plot).mkdir(parents=True, exist_ok=True)
            files += [str(draw_bode(found, Path(plot) / "bode.png")), str(draw_step(found, Path(plot) / "step.png"))]
        except OSError as error:
            raise from_os_error(error.filename or plot, error, "cannot be written") from error
    return files


def _lines(found: Any, files: list[str]) -> list[str]:
    kind = f"discrete, period {found.period:g} s" if found.period else "continuous"
    lines = [f"{found.name}: linear model at {found.at}, {kind}, {len(found.states)} states"]
    for key in ("input", "output"):
        names, units = getattr(found, f"{key}s"), getattr(found, f"{key}_units")
        lines += [f"  {key:7s} {name}{f' [{unit}]' if unit else ''}" for name, unit in zip(names, units, strict=True)]
    # the slowest poles: those of a discrete model nearest to 1, those of a continuous one nearest to 0
    slow = sorted(found.poles, key=lambda pole: abs(pole - 1.0) if found.period else abs(pole))[:6]
    lines.append("  slowest poles: " + ", ".join(f"{value.real:.4g}{value.imag:+.4g}i" for value in slow))
    return [*lines, *(f"  note: {note}" for note in found.notes), *(f"  {path}" for path in files)]
