"""What ``taut.load`` takes: a file, or the name of a library scenario."""

from pathlib import Path

from taut.library import find
from taut.scenario.io.reading import load as load_file
from taut.scenario.scenario import Scenario


def load(source: str | Path, overrides: list[str] | None = None) -> Scenario:
    """Return the scenario in a YAML file, or the one of that name in the library.

    Args:
        source: the file, or a name that ``taut list`` shows.
        overrides: settings such as `run.duration=2`.

    Raises:
        ScenarioError: with every problem found, each with file, line, key, value and remedy.
    """
    return load_file(find(str(source)), overrides)
