"""Numbers that a scenario has already."""

from pathlib import Path
from typing import Any

from taut.library import find
from taut.scenario.io.source import split_path
from taut.scenario.io.writing import to_plain
from taut.scenario.io.yaml_text import read_yaml
from taut.scenario.scenario import Scenario
from taut.studies.study import inside


def number_at(base: Any, key: str) -> float | None:
    """The number at a key of a scenario as it is written; None if it is not."""
    if isinstance(base, Scenario):
        here = to_plain(base)
    else:
        file = Path(str(base))
        here, _ = read_yaml((file if file.is_file() else find(str(base))).read_bytes(), str(base))
    for step in split_path(key):
        here = inside(here, step)
    return float(here) if isinstance(here, int | float) and not isinstance(here, bool) else None
