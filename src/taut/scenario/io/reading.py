"""Reading scenarios: from a file, from text, or from a mapping; every way ends in `make_scenario`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from taut.scenario.checks.stages import find_problems
from taut.scenario.errors import Problem, ScenarioError
from taut.scenario.scenario import Scenario

from .defaults import merge_defaults
from .overrides import with_overrides
from .robot_parts import robot_origins
from .source import Source, split_path
from .translate import problems_from
from .yaml_text import MOST_BYTES, read_yaml


def load(path: str | Path, overrides: list[str] | None = None) -> Scenario:
    """Return the scenario in a YAML file.

    Args:
        path: the file; paths of tables in it count from its folder.
        overrides: settings such as `run.duration=2`, see `with_overrides`.

    Raises:
        ScenarioError: with every problem found, each with file, line, key, value and remedy.
    """
    data, source = read_yaml(_read_bytes(Path(path), str(path)), str(path))
    return make_scenario(data, source, folder=Path(path).parent, overrides=overrides)


def loads(
    text: str, name: str = "scenario", *, folder: str | Path = ".", overrides: list[str] | None = None
) -> Scenario:
    """Return the scenario in a YAML text; `name` stands for the file in messages."""
    data, source = read_yaml(text, name)
    return make_scenario(data, source, folder=folder, overrides=overrides)


def _read_bytes(path: Path, name: str) -> bytes:
    try:
        if not path.is_file():
            raise ScenarioError([Problem("does not exist or is not a file", source=name)])
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise ScenarioError([Problem(f"is too large: {size} bytes, at most {MOST_BYTES} are read", source=name)])
        return path.read_bytes()
    except OSError as error:
        raise ScenarioError([Problem(f"cannot be read: {error.strerror}", source=name)]) from None


def make_scenario(
    data: Any, source: Source | None = None, *, folder: str | Path = ".", overrides: list[str] | None = None
) -> Scenario:
    """Return the scenario a mapping describes, checked as a whole."""
    source = source or Source()
    if not isinstance(data, Mapping):
        what = "is empty" if data is None else "must be a mapping (key: value), not a list or a single value"
        raise ScenarioError(
            [Problem(what, source=source.name, line=1 if source.name else None, remedy="begin with taut: 1")]
        )
    data = with_overrides(data, overrides or [], source)
    merged = _merge(data, source)
    try:
        scenario = Scenario.model_validate(merged, context={"folder": Path(folder)})
    except ValidationError as error:
        errors = error.errors(include_url=False)
        raise ScenarioError(problems_from(errors, Scenario, merged, source)) from None
    scenario._source = source
    problems = find_problems(scenario)
    if problems:
        raise ScenarioError(problems)
    return scenario


def _merge(data: Any, source: Source) -> Any:
    try:
        merged, origins = merge_defaults(data)
    except PydanticCustomError as error:
        context = error.context or {}
        file, line = source.where(split_path(context["at"]))
        problem = Problem(context["message"], context["at"], remedy=context["remedy"], source=file, line=line)
        raise ScenarioError([problem]) from None
    source.origins.update(origins)
    source.origins.update(robot_origins(merged))
    return merged
