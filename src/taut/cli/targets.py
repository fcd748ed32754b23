"""Where the result of a run goes, and what may not be lost there."""

from pathlib import Path
from typing import Any

from .inputs import Input


def find_target(given: Input, output: Path | None, *, resume: bool, restart: bool) -> Path:
    """The file to write; refuses to replace the result that is run, or an interrupted run, unless asked to."""
    from taut.results.errors import ResultError
    from taut.results.store import check_target

    if resume and restart:
        raise ResultError("", "--resume and --restart exclude each other", "carry on, or begin anew")
    target = output or given.default_output(resume=resume or restart)
    check_target(target)
    if resume or restart:
        return target
    kept = kept_seconds(target)
    if kept is not None:
        remedy = f"add --resume to carry on, or --restart to throw {kept:.3g} s away"
        raise ResultError(target, "an interrupted run is there", remedy)
    if given.result is not None and is_same_file(given.result, target):
        raise ResultError(target, "is the result that is run, and would be replaced", "give another file with -o")
    return target


def kept_seconds(output: Path) -> float | None:
    """Time up to which the journal beside an output has samples [s]; None without a journal."""
    from taut.results.journal import is_journal, journal_path, read_journal

    path = journal_path(output)
    if not is_journal(path):
        return None
    times = [chunk["time"][-1] for chunk in read_journal(path).chunks if len(chunk.get("time", ()))]
    return float(times[-1]) if times else 0.0


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file."""
    return one.resolve() == other.resolve()


def find_complete(model: Any, output: Path) -> Any | None:
    """The result of this very run if it is there and nothing is left to resume.

    Raises:
        ResultError: a complete result of another run is there; nothing replaces it in the name of carrying on.
    """
    from taut.results.errors import ResultError
    from taut.results.journal import journal_path
    from taut.results.result import open_result

    if journal_path(output).exists() or not output.exists():
        return None
    result = open_result(output)
    if result.status == "interrupted":
        result.close()
        return None
    difference = _difference(result, model)
    if difference:
        result.close()
        raise ResultError(output, f"is complete, {difference}", "leave --resume out and give another -o")
    return result


def _difference(result: Any, model: Any) -> str:
    """How the run of a result differs from the run of a model; empty if it does not."""
    from taut.scenario import ScenarioError, loads
    from taut.scenario.io.writing import dumps

    if result.scenario_text == dumps(model.scenario) and result.dataset.attrs.get("model_digest") == model.digest():
        return ""
    try:
        said = loads(result.scenario_text).run.model_dump()
    except ScenarioError:
        return "of another scenario"
    asked = model.scenario.run.model_dump()
    changed = [f"{key} {_show(said[key])}" for key in asked if said.get(key) != asked[key]]
    return f"with {', '.join(changed)}" if changed else "of another machine"


def _show(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
