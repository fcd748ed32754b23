"""`taut animate`: a film of a result."""

import json
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Json

RESULT = typer.Argument(metavar="RESULT", help="Result of a run.")
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FILM", help="film.mp4, film.gif, or a folder for PNG pictures."),
]
Size = Annotated[str, typer.Option(metavar="WxH", help="Size in pixels.")]


def animate(
    result: Annotated[Path, RESULT],
    output: Output = None,
    fps: Annotated[float, typer.Option(help="Pictures per second.")] = 30.0,
    speed: Annotated[float, typer.Option(help="Simulated seconds per second of film.")] = 1.0,
    size: Size = "1280x720",
    camera: Annotated[str, typer.Option(help="iso, front, side or top.")] = "iso",
    theme: Annotated[str, typer.Option(help="light or dark.")] = "light",
    plots: Annotated[bool, typer.Option("--plots/--no-plots", help="Time plots beside the machine.")] = True,
    forces: Annotated[bool, typer.Option("--forces/--no-forces", help="Arrows of the cables' forces.")] = False,
    start: Annotated[float | None, typer.Option(help="First time in s.")] = None,
    end: Annotated[float | None, typer.Option(help="Last time in s.")] = None,
    as_json: Json = False,
) -> None:
    """Draw a film of a result; no screen is needed.

    Example: taut animate pick-and-place.nc -o film.mp4 --speed 0.5
    """
    from taut.cli.options import parse_size
    from taut.cli.progress import CountProgress
    from taut.results.result import open_result
    from taut.views.film import FilmSettings
    from taut.views.film import animate as draw_film

    width, height = parse_size(size)
    settings = FilmSettings(
        fps=fps, speed=speed, width=width, height=height, camera=camera, theme=theme, has_plots=plots,
        has_forces=forces, start=start, end=end,
    )  # fmt: skip
    target = output or Path(f"{result.name.partition('.nc')[0]}.mp4")
    progress = CountProgress("drawing")
    try:
        with open_result(result) as opened:
            path = draw_film(opened, target, settings, progress)
    finally:
        progress.close()
    typer.echo(json.dumps({"film": str(path)}, indent=2) if as_json else f"wrote {path}")
