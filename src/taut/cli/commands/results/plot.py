"""`taut plot`: figures of results."""

import json
import warnings
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Json

Results = Annotated[list[Path], typer.Argument(metavar="RESULT", help="Results; several are drawn side by side.")]
Folder = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FOLDER", help="Folder; else NAME-figures here.")
]
Group = Annotated[
    list[str] | None, typer.Option(metavar="NAME,...", help="What to draw: motion, tension, ...; else all.")
]
Style = Annotated[str, typer.Option(metavar="NAME", help="screen, paper or talk.")]
Format = Annotated[list[str] | None, typer.Option(metavar="NAME,...", help="png, pdf, svg.")]


def plot(
    results: Results,
    output: Folder = None,
    group: Group = None,
    format: Format = None,
    style: Style = "screen",
    as_json: Json = False,
) -> None:
    """Draw figures of a result: motion, velocities, tensions, forces, constraint errors, energy, steps.

    Example: taut plot pick-and-place.nc --group motion,tension --format pdf
    """
    from taut.cli.options import split_names
    from taut.results.result import open_result
    from taut.views.plots import plot_result
    from taut.views.plots.plot import EmptyGroup

    opened = [open_result(path) for path in results]
    folder = output or Path(f"{results[0].name.partition('.nc')[0]}-figures")
    groups, formats = split_names(group) if group else None, split_names(format or ["png"])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", EmptyGroup)
        paths = plot_result(opened[0] if len(opened) == 1 else opened, groups, folder, formats, style=style)
    for text in (str(one.message) for one in said if issubclass(one.category, EmptyGroup)):
        typer.echo(f"note: {text}", err=True)
    answer = {"figures": [str(path) for path in paths]}
    typer.echo(json.dumps(answer, indent=2) if as_json else "\n".join(f"wrote {path}" for path in paths))
