"""What FILE means: a scenario, a library scenario, or a result with the scenario inside."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

RESULT_SUFFIX, JOURNAL_SUFFIX = ".nc", ".journal"


@dataclass(frozen=True)
class Input:
    """A scenario, and where it came from."""

    scenario: Any
    stem: str  # name of the file without its suffix
    result: Path | None = None  # result file from which the scenario was read

    def default_output(self, *, resume: bool) -> Path:
        """Where the result goes if nothing is said: to the present folder; a resumed run stays where it is."""
        if resume and self.result is not None:
            return self.result
        return Path(f"{self.stem}{RESULT_SUFFIX}")


def read_input(text: str, settings: list[str]) -> Input:
    """Read the scenario that FILE means, with settings such as `run.duration=2` applied."""
    from taut import library
    from taut.scenario import load

    if run_of_study(text) is not None:
        return _study_input(text, settings)
    result = result_path(text)
    if result is not None:
        return Input(_scenario_inside(result, settings), result.stem, result)
    refuse_program(text)
    file = library.find(text)
    return Input(load(file, settings), file.stem)


def run_of_study(text: str) -> tuple[Path, int] | None:
    """Folder and run that a text such as `study.zarr#17` names."""
    folder, mark, number = text.rpartition("#")
    return (Path(folder), int(number)) if mark and number.isdecimal() and Path(folder).suffix == ".zarr" else None


def _study_input(text: str, settings: list[str]) -> Input:
    """The scenario of one run of a study."""
    from taut.results.errors import ResultError
    from taut.scenario import loads
    from taut.scenario.io.writing import dumps
    from taut.studies.store import study_inside

    folder, run = run_of_study(text) or (Path(text), 0)
    study = study_inside(folder)
    if run >= study.count:
        raise ResultError(folder, f"has no run {run}", f"its runs are 0 to {study.count - 1}")
    scenario = study.scenario(study.values(run))
    return Input(loads(dumps(scenario), text, overrides=settings) if settings else scenario, f"{folder.stem}-{run}")


def refuse_program(text: str) -> None:
    """Say what to do with a machine that is described in Python."""
    from taut.scenario.errors import Problem, ScenarioError

    if Path(text).suffix == ".py":
        raise ScenarioError([Problem("is a Python file, not a scenario", source=text, remedy=f"run it: python {text}")])


def result_path(text: str) -> Path | None:
    """The path of the result that FILE names; it, or only its journal, may be there."""
    file = Path(text)
    if file.name.endswith(JOURNAL_SUFFIX):
        file = Path(text.removesuffix(JOURNAL_SUFFIX))
    if file.suffix == RESULT_SUFFIX:
        return file
    return file if file.is_file() and is_hdf(file) else None


def is_hdf(file: Path) -> bool:
    """Whether a file is there and begins as NetCDF4 files do."""
    try:
        with file.open("rb") as stream:
            return stream.read(4) == b"\x89HDF"
    except OSError:
        return False


def _scenario_inside(result: Path, settings: list[str]) -> Any:
    from taut.results.errors import ResultError
    from taut.scenario import loads

    text = _text_inside(result)
    if not text:
        raise ResultError(result, "holds no scenario: its model was made without one", "run it from Python as before")
    return loads(text, f"{result} (scenario)", overrides=settings)


def _text_inside(result: Path) -> str:
    """The scenario of the journal if there is one: it is what can be resumed."""
    from taut.results.journal import is_journal, journal_path, read_journal
    from taut.results.result import open_result

    if is_journal(journal_path(result)):
        return read_journal(journal_path(result)).header.get("record", {}).get("scenario_text", "")
    with open_result(result) as opened:
        return opened.scenario_text
