"""`taut init`: copy a library scenario to edit."""

import os
from pathlib import Path
from typing import Annotated

import typer


def init(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Library scenario to copy.")],
    target: Annotated[str, typer.Argument(metavar="[DIR|FILE]", help="Where to write it; DIR/ is made.")] = ".",
) -> None:
    """Copy a scenario of the library; never overwrites a file."""
    from taut import library
    from taut.scenario.errors import Problem, ScenarioError

    source = library.path(name)
    is_folder = target.endswith(("/", os.sep)) or Path(target).is_dir()
    file = Path(target) / source.name if is_folder else Path(target)
    try:
        if is_folder:
            file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as stream:
            stream.write(source.read_text(encoding="utf-8"))
    except FileExistsError:
        if not file.exists():  # its folder is a file
            raise ScenarioError([Problem("is a file, not a folder", source=str(file.parent))]) from None
        raise ScenarioError([Problem("exists already", source=str(file), remedy="give another file name")]) from None
    except OSError as error:
        raise ScenarioError([Problem(f"cannot be written: {error.strerror}", source=str(file))]) from None
    typer.echo(f"wrote {file}; now: taut check {file}")
