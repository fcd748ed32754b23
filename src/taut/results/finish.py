"""From the arrays of a run, or what its journal kept of them, to an audited result."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from taut.results.audit import compute_audit
from taut.results.channels import BY_NAME, content, variables_of
from taut.results.errors import JournalError
from taut.results.journal import read_journal
from taut.results.record import INTERRUPTED, RunRecord, attributes
from taut.results.result import Result
from taut.results.variables import Variables

Judge = Callable[[Variables], dict[str, Any]]
INTERRUPTED_TEXT = "the run was interrupted; `taut run ... --resume` continues it"


def make_result(
    arrays: dict[str, np.ndarray], coords: dict[str, Any], record: RunRecord, *, judge: Judge | None = None
) -> Result:
    """Name the arrays, audit them, and keep the audit with them.

    Args:
        arrays: By channel name, see ``assemble``.
        coords: ``time`` [s] and the names along the other dimensions, see ``assemble``.
        record: The scenario, how the run ended, its settings and its counts.
        judge: Returns further lines of the audit for the named arrays, which need the machine.
    """
    variables = variables_of(arrays, coords)
    audit = compute_audit(variables, record, judge(variables) if judge is not None else None)
    attrs = attributes(record) | {"audit": json.dumps(audit, allow_nan=False)}
    return Result(content(variables, attrs))


def journal_header(coords: dict[str, Any], record: RunRecord, **more: Any) -> dict[str, Any]:
    """The header of a journal from which ``recover`` can make a result; ``more`` is the caller's own plain data."""
    names = {dim: list(values) for dim, values in coords.items() if dim != "time"}
    return {**more, "coords": names, "record": asdict(record)}


def recover(path: str | Path) -> Result:
    """The part of a run that its journal kept, as a result with the status `interrupted`.

    The journal's chunks must hold channels along time or steps, and ``time``; other arrays are passed over.
    """
    kept = read_journal(path)
    if not kept.chunks:
        raise JournalError(path, "holds no samples yet: the run was interrupted at its start", "start the run again")
    arrays = kept.arrays()
    if "time" not in arrays or "record" not in kept.header:
        raise JournalError(path, "cannot be shown as it is", "resume the run with `taut run ... --resume`")
    record = RunRecord(**kept.header["record"])
    record = replace(record, status=INTERRUPTED, status_text=INTERRUPTED_TEXT)
    coords = {**kept.header["coords"], "time": arrays["time"]}
    channels = {
        name: arrays[name] for name in arrays if name in BY_NAME and BY_NAME[name].dims[0] in ("time", "step", "sample")
    }
    result = make_result(channels, coords, record)
    result.path = Path(path)
    return result
