"""`taut optimize`: the best numbers of a study."""

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from taut.cli.commands.studies.sweep import StudyFile, Workers
from taut.cli.options import Json, Set

Method = Annotated[str, typer.Option("--method", help="global, noisy or smooth.")]
Evaluations = Annotated[int, typer.Option("--evaluations", min=10, help="How many points may be looked at.")]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="OUT.jsonl", help="All evaluations; else NAME.jsonl here.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the evaluations that are there.")]
MOST_SHOWN = 20


def optimize(
    study: StudyFile,
    method: Method = "global",
    evaluations: Evaluations = 500,
    workers: Workers = 1,
    output: Output = None,
    resume: Resume = False,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Find the best numbers within the ranges of a study: its goals and limits are about measures.

    Exit code 0: found; 1: no point keeps to the limits; 2: bad input. An optimum is the best point that was computed.

    Example: taut optimize my-study.yaml --evaluations 300 --workers 2
    """
    from taut.results.errors import ResultError
    from taut.studies.cluster import local_client
    from taut.studies.optimum import optimize as search
    from taut.studies.study import load_study

    read = load_study(study, settings)
    journal = output or Path(f"{study.stem}.jsonl")
    if journal.exists() and not resume:
        raise ResultError(journal, "evaluations are there", "add --resume to go on with them, or remove the file")
    with local_client(workers) if workers and workers > 1 else nullcontext() as client:
        found = search(read, method=method, evaluations=evaluations, client=client, journal=journal)
    typer.echo(json.dumps(found.as_dict(), indent=2) if as_json else "\n".join(_lines(found, journal)))
    if found.best is None and not found.front:
        raise typer.Exit(1)


def _lines(found: Any, journal: Path) -> list[str]:
    lines = [f"{', '.join(found.goals)}: {found.evaluations} points computed, in {journal}"]
    if found.best is None and not found.front:
        return [*lines, "  no point keeps to the limits"]
    for point in [found.best] if found.best else found.spread(MOST_SHOWN):
        where = ", ".join(f"{name} = {value:.6g}" for name, value in point.values.items())
        lines.append(f"  {where}: " + ", ".join(f"{name} {value:.6g}" for name, value in point.measures.items()))
    return lines
