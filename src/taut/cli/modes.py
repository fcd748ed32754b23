"""`taut modes`: natural frequencies about the equilibrium."""

import json
from typing import Annotated, Any

import typer

from .options import File, Json, Set

Count = Annotated[int, typer.Option("--count", min=1, max=1000, help="How many modes.")]


def modes(file: File, count: Count = 12, as_json: Json = False, settings: Set = None) -> None:
    """Linearise a scenario at its equilibrium: frequencies, damping, mode shapes.

    Example: taut modes mamidi-8-8-rest --count 6
    """
    from .inputs import read_input
    from .running import say_if_compiling

    scenario = read_input(file, settings or []).scenario
    say_if_compiling()

    from taut.analyses.modes import modes as solve
    from taut.build import build

    found = solve(build(scenario), count=count)
    answer = {
        "name": scenario.name,
        "frequencies": found.frequencies.tolist(),
        "damping_ratios": [None if ratio != ratio else ratio for ratio in found.ratios.tolist()],
        "eigenvalues": [[value.real, value.imag] for value in found.eigenvalues],
        "columns": list(found.columns),
        "shapes": found.shapes.tolist(),
    }
    typer.echo(json.dumps(answer, indent=2) if as_json else "\n".join(_lines(answer)))


def _lines(answer: dict[str, Any]) -> list[str]:
    lines = [f"{answer['name']}: small motions about rest", "  mode   undamped [Hz]   damping   moves most"]
    for k, (f, ratio) in enumerate(zip(answer["frequencies"], answer["damping_ratios"], strict=True)):
        shape = answer["shapes"][k]
        most = answer["columns"][max(range(len(shape)), key=lambda c: abs(shape[c]))]
        damping = "" if ratio is None else f"{ratio:.4g}"
        lines.append(f"  {k + 1:4d} {f:15.6g} {damping:>9}   {most}")
    lines.append("  damped eigenvalues, slowest first [1/s]:")
    lines += [f"  {real:15.6g} {imaginary:+.6g}i" for real, imaginary in answer["eigenvalues"]]
    return lines
