"""The journal of a run: begun, or taken up where an interrupted run left it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from taut.results.errors import ResultError, UnsavedError
from taut.results.journal import Journal, is_journal, journal_path
from taut.results.store import remove_parts


def open_journal(output: Path, header: dict[str, Any], *, resume: bool) -> Journal:
    """The journal beside the output: the existing one if the run is resumed, else a new one."""
    path = journal_path(output)
    journal = Journal.reopen(path) if resume and is_journal(path) else Journal.create(path, header)
    # remove half-written files of a killed run; the lock of the journal excludes other writers
    remove_parts(output)
    return journal


def check_same_run(journal: Journal, header: dict[str, Any]) -> None:
    """Refuse to carry on a run of another machine or with other settings."""
    found = journal.content.header
    if found.get("record", {}).get("model_digest") != header["record"]["model_digest"]:
        remedy = "resume it with the scenario it was made from, or start again with --restart in place of --resume"
        raise ResultError(journal.path, "is the journal of another machine", remedy)
    before, now = found.get("settings", {}), header["settings"]
    changed = [f"{key} = {before.get(key)}, not {now[key]}" for key in now if before.get(key) != now[key]]
    if changed:
        remedy = "resume it with the same settings, or start again with --restart in place of --resume"
        raise ResultError(journal.path, f"was made with {', '.join(changed)}", remedy)


def check_same_version(journal: Journal, names: Iterable[str]) -> None:
    """Refuse to carry on a run whose method kept other arrays."""
    kept = journal.content.checkpoint or {}
    if any(name not in kept for name in names):
        remedy = "start again with --restart in place of --resume"
        raise ResultError(journal.path, "is the journal of another version of taut", remedy)


def unsaved(error: ResultError, output: Path | None, time: float) -> ResultError:
    """The error of a disk that fails during a run: what was saved and how to resume."""
    if output is None or not is_journal(journal_path(output)):
        return error
    kept = f"what the run had found up to about t = {time:.6g} s is kept in {journal_path(output)}"
    again = f"then carry on: taut run {output} --resume"
    return UnsavedError(error.path, error.reason, f"{error.remedy or 'see to the disk'}; {kept}; {again}")
