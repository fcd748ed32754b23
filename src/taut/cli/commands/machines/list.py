"""`taut list`: the library's scenarios, or the classes of wire ropes."""

import json
from typing import Annotated, Literal

import typer

from taut.cli.options import Json


def list_scenarios(
    what: Annotated[Literal["scenarios", "ropes"], typer.Argument(help="What to list.")] = "scenarios",
    as_json: Json = False,
) -> None:
    """List the scenarios of the library, or the classes of wire ropes.

    Example: taut list ropes
    """
    titles = scenario_titles() if what == "scenarios" else rope_titles()
    if as_json:
        typer.echo(json.dumps({what: titles}, indent=2))
        return
    width = max(map(len, titles))
    for name, title in titles.items():
        typer.echo(f"{name:{width}}  {title}")


def scenario_titles() -> dict[str, str]:
    """Names and titles of the library's scenarios."""
    from taut import library

    return {name: library.title(name) for name in library.names()}


def rope_titles() -> dict[str, str]:
    """Classes of wire ropes, with the strength of a rope of 10 mm and grade 1770."""
    from taut.scenario.cables.rope import CLASSES, Rope

    ropes = {name: Rope(**{"class": name, "diameter": 0.01}) for name in CLASSES}
    return {name: f"10 mm: {rope.mass_per_length:.3f} kg/m, EA {rope.axial_stiffness / 1e6:.2f} MN, "
                  f"breaks at {rope.breaking_force / 1e3:.1f} kN" for name, rope in ropes.items()}  # fmt: skip
