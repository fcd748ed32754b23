"""Writing scenarios as YAML: defaults merged, keys with their default value left out, short records on one line."""

from io import StringIO
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from taut.scenario.scenario import Scenario

WIDTH = 120
ALWAYS = ("kind", "law")


def dumps(scenario: Scenario) -> str:
    """Return the scenario as YAML text; reading it gives an equal scenario."""
    yaml = YAML()
    yaml.width = WIDTH
    yaml.allow_unicode = True
    yaml.indent(mapping=2, sequence=4, offset=2)
    stream = StringIO()
    yaml.dump(_styled(to_plain(scenario)), stream)
    return stream.getvalue()


def save(scenario: Scenario, path: str | Path) -> None:
    """Write the scenario to a YAML file."""
    Path(path).write_text(dumps(scenario), encoding="utf-8")


def to_plain(value: Any) -> Any:
    """Return records as mappings without the keys that have their default value, tuples as lists."""
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        entries = {key: getattr(value, key) for key in fields}
        return {key: to_plain(entry) for key, entry in entries.items() if key in ALWAYS or entry != fields[key].default}
    if isinstance(value, dict):
        return {key: to_plain(entry) for key, entry in value.items()}
    return [to_plain(entry) for entry in value] if isinstance(value, tuple | list) else value


def _styled(value: Any, depth: int = 0) -> Any:
    """Return the data with a style: short records and lists of numbers on one line."""
    if isinstance(value, dict):
        styled: Any = CommentedMap({key: _styled(entry, depth + 1) for key, entry in value.items()})
    elif isinstance(value, list):
        styled = CommentedSeq(_styled(entry, depth + 1) for entry in value)
    else:
        return value
    short = len(repr(value)) <= WIDTH
    numbers = isinstance(value, list) and not any(isinstance(entry, dict | list | str) for entry in value)
    if depth and (short or numbers):
        styled.fa.set_flow_style()
    return styled
