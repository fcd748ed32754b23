"""`taut sweep`: the runs of a study."""

import json
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Json, Set

StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="YAML file of a study.")]
Output = Annotated[Path | None, typer.Option("-o", "--output", metavar="OUT.zarr", help="Folder; else NAME.zarr here.")]
Workers = Annotated[int | None, typer.Option("--workers", min=1, help="Processes here; else one per processor.")]
Address = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Of Dask: tcp://host:8786, tls://...")
]
Authority = Annotated[Path | None, typer.Option("--tls-ca-file", help="Certificate authority of the scheduler.")]
Certificate = Annotated[Path | None, typer.Option("--tls-cert", help="Certificate of this client.")]
Key = Annotated[Path | None, typer.Option("--tls-key", help="Its private key.")]
Resume = Annotated[bool, typer.Option("--resume", help="Compute only what is missing.")]
Restart = Annotated[bool, typer.Option("--restart", help="Throw what is there away, and begin anew.")]
Sensitivity = Annotated[
    str | None, typer.Option("--sensitivity", metavar="METHOD", help="sobol or morris: runs for it, and its indices.")
]
Failure = Annotated[
    str | None, typer.Option("--failure-probability", metavar="CONDITION", help="For example 'worst > 12000'.")
]


def sweep(
    study: StudyFile,
    output: Output = None,
    workers: Workers = None,
    scheduler: Address = None,
    tls_ca_file: Authority = None,
    tls_cert: Certificate = None,
    tls_key: Key = None,
    resume: Resume = False,
    restart: Restart = False,
    sensitivity: Sensitivity = None,
    failure_probability: Failure = None,
    settings: Set = None,
    as_json: Json = False,
) -> None:
    """Run a scenario many times with other numbers, and keep what is measured in one dataset.

    Failed runs do not stop a study: they are counted and listed. Exit code 0: every run was computed, and at least one
    is good; 1: none is, or the disk is full; 2: bad input; 130: interrupted, --resume carries on. Studies need
    packages of their own: pip install 'taut[studies]'.

    Example: taut sweep my-study.yaml --workers 4 -o my-study.zarr
    """
    from taut.cli.sweeping import answer_lines, answer_of, run_study
    from taut.studies.answers.failure_probability import check_condition
    from taut.studies.cluster import Scheduler
    from taut.studies.reading import read_study

    read = read_study(study, settings or [], sensitivity)
    if failure_probability is not None:
        check_condition(read.record, failure_probability)
    files = [str(path) if path is not None else None for path in (tls_ca_file, tls_cert, tls_key)]
    where = Scheduler(scheduler, *files) if scheduler is not None else None
    target = output or Path(f"{study.stem}.zarr")
    dataset = run_study(read, target, workers=workers, scheduler=where, resume=resume, restart=restart)
    answer = answer_of(dataset, target, sensitivity=sensitivity, condition=failure_probability)
    typer.echo(json.dumps(answer, indent=2) if as_json else "\n".join(answer_lines(answer)))
    if not answer["counts"]["good"]:
        raise typer.Exit(1)
