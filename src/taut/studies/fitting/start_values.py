"""Numbers that a scenario has already."""

from pathlib import Path
from typing import Any

from taut.library import find
from taut.scenario.errors import suggest
from taut.scenario.io.source import split_path
from taut.scenario.io.writing import to_plain
from taut.scenario.io.yaml_text import read_yaml
from taut.scenario.scenario import Scenario
from taut.studies.study import inside


def number_at(base: Any, key: str) -> float | None:
    """The number at a key of a scenario as it is written; None if it is not."""
    here = written(base)
    for step in split_path(key):
        here = inside(here, step)
    return float(here) if isinstance(here, int | float) and not isinstance(here, bool) else None


def guess_at(base: Any, key: str) -> str:
    """What was probably meant by a key that is not there: of the first step that is not, what is there instead."""
    here = written(base)
    for step in split_path(key):
        there = inside(here, step)
        if there is None:
            known = list(here) if isinstance(here, dict) else []
            names = [entry["name"] for entry in here if isinstance(entry, dict) and "name" in entry] if isinstance(
                here, list) else []  # fmt: skip
            return suggest(str(step), [*map(str, known), *names])
        here = there
    return ""


def written(base: Any) -> Any:
    """The mapping of a scenario as it is written."""
    if isinstance(base, Scenario):
        return to_plain(base)
    file = Path(str(base))
    return read_yaml((file if file.is_file() else find(str(base))).read_bytes(), str(base))[0]
