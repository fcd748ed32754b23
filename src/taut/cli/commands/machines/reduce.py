"""`taut reduce`: a reduced model of a scenario's cables."""

import json
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import File, Json, Set

Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="MODEL.rom", help="Reduced model; else NAME.rom here.")
]
Train = Annotated[
    list[str] | None,
    typer.Option("--train", metavar="KEY=VALUE[;KEY=VALUE]", help="One more training run with other inputs."),
]
Target = Annotated[float, typer.Option("--target", min=1e-6, max=0.5, help="Error aimed at, as a share of the motion.")]
Shapes = Annotated[int | None, typer.Option("--shapes", min=1, max=60, help="Shapes of direction per cable.")]
Points = Annotated[int | None, typer.Option("--points", min=1, max=200, help="Points of piecewise linear forces.")]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="shapes|piecewise",
        help="Shapes of cables, or forces linearised at points of the motion.",
    ),
]


def reduce(
    file: File,
    output: Output = None,
    train: Train = None,
    target: Target = 5e-3,
    method: Method = "shapes",
    shapes: Shapes = None,
    points: Points = None,
    as_json: Json = False,
    settings: Set = None,
) -> None:
    """Reduce the cables of a scenario to a few coordinates each, from training runs of the full model.

    Example: taut reduce tempel-planar --set defaults.cable.elements=40 -o tempel.rom
    """
    from taut.cli.inputs import read_input
    from taut.cli.reduced import reduction_answer, reduction_lines
    from taut.cli.running import compile_engine, say

    given = read_input(file, settings or [])
    others = [read_input(file, [*(settings or []), *text.split(";")]).scenario for text in train or []]
    target_file = output or Path(f"{given.stem}.rom")
    from taut.analyses.reduction import reduce as make
    from taut.build import build

    compile_engine(build(given.scenario))

    reduction = make(given.scenario, others, method=method, target=target, shapes=shapes, points=points, report=say)
    reduction.save(target_file)
    answer = reduction_answer(reduction, target_file)
    lines = [given.scenario.name, *reduction_lines(reduction, answer)]
    typer.echo(json.dumps(answer, indent=2) if as_json else "\n".join(lines))
