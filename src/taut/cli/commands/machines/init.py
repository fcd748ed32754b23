"""`taut init`: a file to edit, copied from the library or from a template with comments."""

import os
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.completion import complete_library, complete_robot

Name = Annotated[
    str | None,
    typer.Argument(metavar="NAME", help="Library scenario to copy.", autocompletion=complete_library),
]
Target = Annotated[str | None, typer.Argument(metavar="DIR|FILE", help="Where to write it; DIR/ is made.")]
Robot = Annotated[
    str | None,
    typer.Option("--robot", metavar="KIND", help="A commented robot: 8-cable, 4-cable-planar or 4-cable-suspended.",
                 autocompletion=complete_robot),
]  # fmt: skip
Crane = Annotated[bool, typer.Option("--crane", help="A commented overhead crane with a hoist and a controller.")]


def init(name: Name = None, target: Target = None, robot: Robot = None, crane: Crane = False) -> None:
    """Write a file to edit: a scenario of the library, or a commented robot or crane; never overwrites a file.

    Example: taut init --robot 8-cable my-robot.yaml
    """
    if robot is None and not crane:
        source = library_file(name)
    else:
        source = template_file(robot, is_crane=crane)
        refuse_copy(name, target)
        target = name
    file = write_new(source, target or ".")
    typer.echo(f"wrote {file}; now: taut check {file}, taut run {file}")


def library_file(name: str | None) -> Path:
    """The library's file of that name."""
    from taut import library

    if name is None:
        raise refusal("nothing to write is named", "taut init NAME copies what taut list shows; or --robot 8-cable")
    return library.path(name)


def template_file(robot: str | None, *, is_crane: bool) -> Path:
    """The file of the template that is asked for."""
    from taut.library import templates

    if robot is not None and is_crane:
        raise refusal("--robot and --crane exclude each other", "one file describes one machine")
    if robot is not None and robot not in templates.robots():
        raise refusal(f"--robot = {robot}: there is no such robot", f"known: {', '.join(templates.robots())}")
    return templates.path(templates.CRANE if robot is None else robot)


def refuse_copy(name: str | None, target: str | None) -> None:
    """Refuse two arguments with a template, and a name that was meant as a machine to copy."""
    from taut import library

    if target is not None or name in library.names():
        remedy = "a template takes the file to write only, as in taut init --robot 8-cable my-robot.yaml"
        raise refusal(f"{name}: nothing is copied with --robot or --crane", remedy)


def write_new(source: Path, target: str) -> Path:
    """Copy a file to a new one, or into a folder, which is made."""
    from taut.scenario.errors import Problem, ScenarioError

    is_folder = target.endswith(("/", os.sep)) or Path(target).is_dir()
    file = Path(target) / source.name if is_folder else Path(target)
    try:
        if is_folder:
            file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8") as stream:
            stream.write(source.read_text(encoding="utf-8"))
    except FileExistsError:
        if not file.exists():  # the file does not exist, so the folder in its path is a file
            raise ScenarioError([Problem("is a file, not a folder", source=str(file.parent))]) from None
        raise ScenarioError([Problem("exists already", source=str(file), remedy="give another file name")]) from None
    except OSError as error:
        raise ScenarioError([Problem(f"cannot be written: {error.strerror}", source=str(file))]) from None
    return file


def refusal(message: str, remedy: str) -> Exception:
    """The error for arguments of `taut init` that do not fit together."""
    from taut.scenario.errors import Problem, ScenarioError

    return ScenarioError([Problem(message, remedy=remedy)])
