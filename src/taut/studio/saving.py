"""Files that the studio writes: plain names in the folder it was started in, never over one that is there."""

from pathlib import Path

from taut.results.errors import ResultError
from taut.results.result import Result
from taut.scenario.io.writing import dumps
from taut.scenario.scenario import Scenario


def save_scenario(scenario: Scenario, name: str, folder: Path) -> Path:
    """Write the scenario as YAML."""
    path = new_file(name, folder, ".yaml")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(dumps(scenario))
    except OSError as error:
        raise ResultError(path, f"cannot be written: {error.strerror}") from None
    return path


def save_result(result: Result, name: str, folder: Path) -> Path:
    """Write the result as NetCDF."""
    path = new_file(name, folder, ".nc")
    result.save(path)
    return path


def new_file(name: str, folder: Path, suffix: str) -> Path:
    """The path of a file that is not there yet."""
    name = name.strip()
    if not name or name != Path(name).name or "\\" in name or name.startswith("."):
        raise ResultError(name or "the name", "must be a plain file name", f"it goes to {folder}")
    path = folder / (name if name.endswith(suffix) else name + suffix)
    if path.exists():
        raise ResultError(path, "exists already", "give another name")
    return path
