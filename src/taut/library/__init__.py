"""Ready machines: YAML scenarios that come with taut."""

import re
from pathlib import Path

from taut.scenario.errors import Problem, ScenarioError, suggest
from taut.scenario.scenario import Scenario

__all__ = ["find", "load", "names", "path", "title"]

FOLDER = Path(__file__).parent
# names of machines that commands understand, but `taut list` does not show
SHORT_NAMES = {"stewart": "stewart-free-fall"}
TITLE = re.compile(r"^name: (.*)$", re.MULTILINE)


def names() -> list[str]:
    """Return the names of the library's scenarios, sorted."""
    return sorted(file.stem for file in FOLDER.glob("*.yaml"))


def path(name: str) -> Path:
    """Return the file of a library scenario."""
    name = SHORT_NAMES.get(name, name)
    if name not in names():
        raise ScenarioError([Problem("is not a library scenario", source=name, remedy=suggest(name, names()))])
    return FOLDER / f"{name}.yaml"


def title(name: str) -> str:
    """Return the one-line title of a library scenario."""
    match = TITLE.search(path(name).read_text(encoding="utf-8"))
    return match[1] if match else ""


def load(name: str, overrides: list[str] | None = None) -> Scenario:
    """Return a library scenario, with settings such as `run.duration=2` applied."""
    from taut.scenario.io.reading import load as load_file

    return load_file(path(name), overrides)


def find(text: str) -> Path:
    """Return the file meant by a path or by the name of a library scenario."""
    file = Path(text)
    is_known = text in names() or text in SHORT_NAMES
    if file.is_file() or not is_known and (file.exists() or file.suffix in (".yaml", ".yml")):
        return file
    if not is_known:
        message = "is neither a file nor a library scenario"
        raise ScenarioError([Problem(message, source=text, remedy=suggest(text, names()))])
    return path(text)
