"""`taut check`: validate a scenario and say what the machine is."""

import json

import typer

from taut.cli.options import File, Json, Set


def check(file: File, as_json: Json = False, settings: Set = None) -> None:
    """Validate a scenario; print bodies, cables, degrees of freedom, constraints and warnings.

    Example: taut check my-robot.yaml --set platform.mass=12
    """
    from taut.cli.inputs import read_input

    scenario = read_input(file, settings or []).scenario

    from taut.build import build
    from taut.integrate.describe import describe
    from taut.integrate.start.start_state import start_state

    model = build(scenario)
    summary = {"ok": True, "name": scenario.name, **describe(model, start_state(model))}
    if as_json:
        typer.echo(json.dumps(summary, indent=2))
        return

    from taut.cli.answers import summary_lines

    typer.echo("\n".join(summary_lines(summary)))
