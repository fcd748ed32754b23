"""Arguments and options that several commands share: short names of keys, texts that stand for several values."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .completion import complete_file

if TYPE_CHECKING:
    from taut.scenario.errors import Problem

File = Annotated[
    str,
    typer.Argument(metavar="FILE", help="YAML scenario, library scenario, or result.", autocompletion=complete_file),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Set = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a key, e.g. run.duration=2.")]
Workspace = Annotated[
    Path | None, typer.Option("--workspace", metavar="FILE.nc", help="Of this robot, from taut workspace -o FILE.nc.")
]


def parse_size(text: str) -> tuple[int, int]:
    """Width and height [pixels] from a text such as 1280x720."""
    from taut.results.errors import ResultError

    found = re.fullmatch(r"\s*(\d{1,5})\s*[xX]\s*(\d{1,5})\s*", text)
    if not found:
        raise ResultError("", f"size = {text}: must be WIDTHxHEIGHT in pixels", "for example 1280x720")
    return int(found[1]), int(found[2])


def split_names(names: list[str]) -> list[str]:
    """Names given one by one or with commas between."""
    return [name.strip() for text in names for name in text.split(",") if name.strip()]


def settings_of(short: Mapping[str, str | None]) -> list[str]:
    """The settings that the options given stand for."""
    return [f"run.{key}={value}" for key, value in short.items() if value is not None]


@contextmanager
def named_options(short: Mapping[str, str | None]) -> Iterator[None]:
    """Context in which an error of such a setting begins with the option that was typed, not with `--set`."""
    from taut.scenario.errors import ScenarioError

    try:
        yield
    except ScenarioError as error:
        typed = [key for key, value in short.items() if value is not None]
        raise ScenarioError([_renamed(problem, typed) for problem in error.problems]) from None


def _renamed(problem: "Problem", typed: list[str]) -> "Problem":
    for key in typed:
        # the value is not YAML or not allowed (source: --set), or the run itself refuses it (no source)
        is_meant = problem.path == f"run.{key}" and problem.source in ("--set", "")
        if is_meant or problem.source == f"--set run.{key}":
            return replace(problem, source=f"--{key}")
    return problem
