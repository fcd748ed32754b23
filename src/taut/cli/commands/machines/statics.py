"""`taut statics`: where a machine hangs at rest."""

import json
from typing import Annotated, Any

import typer

from taut.cli.options import File, Json, Set

FREE = "controllers hold drums in a run only"
TURNED = 1e-6  # smaller turns of drums are not told [rad]
Time = Annotated[float, typer.Option("--time", help="Take the signals at this time [s].")]


def statics(file: File, time: Time = 0.0, as_json: Json = False, settings: Set = None) -> None:
    """Find the equilibrium of a scenario: poses, lengths and tensions.

    Example: taut statics mamidi-8-8-rest
    """
    from taut.cli.drums import controllers_off
    from taut.cli.inputs import read_input
    from taut.cli.running import say_if_compiling

    scenario = read_input(file, settings or []).scenario
    from taut.analyses.statics import statics as solve
    from taut.build import build

    model = build(scenario)
    say_if_compiling(model)
    found = solve(model, time=time)
    answer = {"name": scenario.name, "residual": found.residual, "closure_error": found.closure_error,
              "steps": found.steps, "method": found.method, "bodies": found.bodies, "cables": found.cables,
              "drums": found.drums, "notes": controllers_off(scenario, FREE)}  # fmt: skip
    typer.echo(json.dumps(answer, indent=2) if as_json else "\n".join(_lines(answer)))


def _lines(answer: dict[str, Any]) -> list[str]:
    lines = [f"{answer['name']}: at rest to {answer['residual']:.1g} of the largest force, loops closed to "
             f"{answer['closure_error']:.1g} m ({answer['steps']} steps, {answer['method']})"]  # fmt: skip
    for name, body in answer["bodies"].items():
        x, y, z = body["position"]
        lines.append(f"  body  {name:<16} {x:14.6f} {y:14.6f} {z:14.6f} m")
    for name, cable in answer["cables"].items():
        lines.append(f"  cable {name:<16} {cable['length']:14.6f} m, tension at exit {cable['tension_exit']:.6g} N, "
                     f"at anchor {cable['tension_anchor']:.6g} N")  # fmt: skip
    lines += [
        f"  drum  {name:<16} {turn:14.6f} rad from its start, {'paid out' if turn > 0.0 else 'hauled in'}: no brake or "
        "friction holds it there"
        for name, turn in answer["drums"].items()
        if abs(turn) > TURNED
    ]
    return lines + answer["notes"]
