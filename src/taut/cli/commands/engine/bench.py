"""`taut bench`: speed and growth on this machine."""

import json
from typing import Annotated

import typer

from taut.bench import BENCHMARKS, find_benchmark
from taut.cli.options import Json

NAMES = f"{', '.join(list(BENCHMARKS)[:-1])} or {list(BENCHMARKS)[-1]}."
Name = Annotated[str, typer.Argument(metavar="BENCHMARK", help=NAMES)]


def bench(name: Name = "forward-dynamics", as_json: Json = False) -> None:
    """Measure speed and growth on one core.

    Example: taut bench forward-dynamics --json
    """
    from taut.scenario.errors import Problem, ScenarioError, suggest

    if name not in BENCHMARKS:
        raise ScenarioError([Problem("is not a benchmark", source=name, remedy=suggest(name, list(BENCHMARKS)))])
    benchmark = find_benchmark(name)
    figures = benchmark.run(report=lambda text: typer.echo(f"... {text}", err=True))
    typer.echo(json.dumps(figures, indent=2) if as_json else "\n".join(benchmark.lines(figures)))
