"""Options that are short for a key of `run`, such as --duration for run.duration; errors name what was typed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taut.scenario.errors import Problem


def settings_of(short: Mapping[str, str | None]) -> list[str]:
    """The settings that the options given stand for."""
    return [f"run.{key}={value}" for key, value in short.items() if value is not None]


@contextmanager
def named_options(short: Mapping[str, str | None]) -> Iterator[None]:
    """In this block an error of such a setting begins with the option that was typed, not with `--set`."""
    from taut.scenario.errors import ScenarioError

    try:
        yield
    except ScenarioError as error:
        typed = [key for key, value in short.items() if value is not None]
        raise ScenarioError([_renamed(problem, typed) for problem in error.problems]) from None


def _renamed(problem: "Problem", typed: list[str]) -> "Problem":
    for key in typed:
        # a value that is no YAML, or one that is not allowed; what the run itself refuses has no source
        is_meant = problem.path == f"run.{key}" and problem.source in ("--set", "")
        if is_meant or problem.source == f"--set run.{key}":
            return replace(problem, source=f"--{key}")
    return problem
