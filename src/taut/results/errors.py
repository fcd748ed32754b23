"""What can go wrong with a result and its files."""

import errno
from pathlib import Path
from typing import Any

REMEDIES = {
    errno.EACCES: "choose a folder you may write to",
    errno.EDQUOT: "free some space, or write to another disk",
    errno.EFBIG: "write to a disk that takes files of this size",
    errno.EISDIR: "give the name of a file",
    errno.ENOENT: "check the path; its folder must be there",
    errno.ENOSPC: "free some space, or write to another disk",
    errno.ENOTDIR: "part of the path is a file, not a folder; check the path",
    errno.EPERM: "choose a folder you may write to",
    errno.EROFS: "choose a folder on a disk that is not read-only",
}


class ResultError(Exception):
    """A result cannot be read, written or used: which file, why, and what to do."""

    def __init__(self, path: str | Path, reason: str, remedy: str = "") -> None:
        """Keep the three parts; an empty path means a result that is not on disk."""
        where = f"{path}: {reason}" if str(path) else reason
        super().__init__(f"{where}\n  {remedy}" if remedy else where)
        self.path, self.reason, self.remedy = str(path), reason, remedy

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the three parts, so that a worker process can report the error."""
        return (type(self), (self.path, self.reason, self.remedy))


class JournalError(ResultError):
    """A journal cannot be used."""


class UnsavedError(ResultError):
    """The disk failed while a run was going; the remedy says what is left and how to carry on."""


def from_os_error(path: str | Path, error: OSError, action: str, kind: type[ResultError] = ResultError) -> ResultError:
    """Return the system's error in our words: `cannot be written: No space left on device`, and a remedy."""
    reason = error.strerror or str(error)
    return kind(path, f"{action}: {reason}", REMEDIES.get(error.errno or 0, ""))


def write_text(path: str | Path, text: str) -> None:
    """Write a text file; refuse one that cannot be written."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise from_os_error(path, error, "cannot be written") from error
