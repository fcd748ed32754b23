"""`taut init`: copy a library scenario to edit."""

from pathlib import Path
from typing import Annotated

import typer


def init(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Library scenario to copy.")],
    target: Annotated[Path, typer.Argument(metavar="[DIR|FILE]", help="Where to write it.")] = Path("."),
) -> None:
    """Copy a scenario of the library; never overwrites a file."""
    from taut import library
    from taut.scenario.errors import Problem, ScenarioError

    source = library.path(name)
    file = target / source.name if target.is_dir() else target
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(source.read_text(encoding="utf-8"))
    except FileExistsError:
        raise ScenarioError([Problem("exists already", source=str(file), remedy="give another file name")]) from None
    except OSError as error:
        raise ScenarioError([Problem(f"cannot be written: {error.strerror}", source=str(file))]) from None
    typer.echo(f"wrote {file}; now: taut check {file}")
