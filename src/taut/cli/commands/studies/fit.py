"""`taut fit`: numbers of a scenario from measured time series."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from taut.cli.options import Json

Base = Annotated[str, typer.Argument(metavar="FILE", help="YAML scenario or library scenario.")]
Data = Annotated[Path, typer.Argument(metavar="DATA", help="CSV: time, and variables such as platform_position.z.")]
Parameters = Annotated[
    list[str], typer.Option("--parameter", "-p", metavar="KEY[=LOW:HIGH]", help="What to fit; repeat it.")
]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="OUT.csv", help="Prediction and its band as a CSV file.")
]


def fit(file: Base, data: Data, parameters: Parameters, output: Output = None, as_json: Json = False) -> None:
    """Fit numbers of a scenario to measurements: values, 95 % intervals, what the data cannot tell, and a band.

    Exit code 0: converged, and the audit of the fitted run passes; 1: not; 2: bad input.

    Example: taut fit crane.yaml measured.csv -p crane.links.load.mass -p crane.links.load.length=5:10
    """
    from taut.studies.fitting.fit import fit as solve
    from taut.studies.fitting.measured import read_measured
    from taut.studies.fitting.predictions import read_parameters, write_prediction

    measured = read_measured(data)
    found = solve(file, read_parameters(parameters), measured)
    if output is not None:
        write_prediction(found, measured, output)
    typer.echo(json.dumps(found.as_dict(), indent=2) if as_json else "\n".join(_lines(found, measured, output)))
    if not found.is_converged or found.audit == "fail":
        raise typer.Exit(1)


def _lines(found: Any, measured: Any, output: Path | None) -> list[str]:
    words = "converged" if found.is_converged else "NOT converged"
    lines = [f"{words} after {found.runs} runs; audit of the fitted run: {found.audit}"]
    width = max(len(name) for name in found.parameters)
    for k, name in enumerate(found.parameters):
        low, high = found.intervals[k]
        lines.append(
            f"  {name:{width}}  {found.values[k]:.6g} +- {found.deviation[k]:.2g}   95 %: {low:.6g} to {high:.6g}"
        )
    lines += [f"  {name}: deviation of the residuals {noise:.3g}"
              for name, noise in zip(measured.columns, found.noise, strict=True)]  # fmt: skip
    return lines + [f"  {text}" for text in found.hidden] + ([f"wrote {output}"] if output is not None else [])
