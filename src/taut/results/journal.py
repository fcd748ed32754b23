"""A journal beside the result's file, so that no crash costs more than the last chunk of a run.

The first record holds what the run is, each further one a chunk of samples and the integrator's state after them. A
record is forced to the disk before the run goes on. A reader stops at the first record that is not whole; a run that
is resumed cuts it off and goes on from the state before it.
"""

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from taut.results.errors import JournalError, ResultError, from_os_error
from taut.results.packing import (
    CHUNK,
    HEADER,
    MAGIC,
    Damage,
    Record,
    pack_chunk,
    pack_json,
    pack_record,
    read_record,
    unpack_checkpoint,
    unpack_samples,
)
from taut.results.store import write_whole

SUFFIX = ".journal"


@dataclass
class JournalContent:
    """Records of a journal up to its end or its first damaged record."""

    header: dict[str, Any]
    chunks: list[dict[str, np.ndarray]] = field(default_factory=list)
    # state after the last chunk, from which the run can go on; None before the first chunk
    checkpoint: dict[str, np.ndarray] | None = None
    damage: str = ""  # what is wrong with the end of the file; empty if nothing is
    size: int = 0  # length of the file up to the end of its last complete record [bytes]

    @property
    def is_damaged(self) -> bool:
        """Whether something follows the last whole record."""
        return bool(self.damage)

    def arrays(self) -> dict[str, np.ndarray]:
        """The chunks' arrays, joined along their first axis."""
        names = self.chunks[0] if self.chunks else ()
        return {name: np.concatenate([chunk[name] for chunk in self.chunks]) for name in names}


class Journal:
    """A journal that is open for writing; made by ``create`` or ``reopen``."""

    def __init__(self, path: str | Path) -> None:
        """Open a journal that is there, for appending; a damaged tail is cut off."""
        self.path = Path(path)
        self._file = _open_locked(self.path)
        try:
            self.content = read_journal(path)
            if self.content.is_damaged:
                self._cut(self.content.size)
        except BaseException:
            self._file.close()
            raise
        self._record_count = 1 + len(self.content.chunks)

    @classmethod
    def create(cls, path: str | Path, header: dict[str, Any]) -> "Journal":
        """Begin a journal, in place of one that may be there; its header is whole from the first moment on."""
        if is_journal(path):
            # raises an error if another run holds the lock
            _open_locked(Path(path)).close()
        try:
            write_whole(path, pack_record(Record(HEADER, 0, pack_json(header))))
        except ResultError as error:
            raise JournalError(error.path, error.reason, error.remedy) from error
        return cls(path)

    @classmethod
    def reopen(cls, path: str | Path) -> "Journal":
        """Continue a journal: what it holds is in ``content``, and a damaged tail is cut off."""
        return cls(path)

    def append(self, arrays: dict[str, Any], checkpoint: dict[str, Any]) -> None:
        """Add a chunk and force it to the disk.

        Args:
            arrays: Named samples; each array's first axis is time or steps, and every chunk has the same names.
            checkpoint: Named arrays from which the integrator goes on.
        """
        data = pack_record(Record(CHUNK, self._record_count, pack_chunk(arrays, checkpoint)))
        start = self._file.seek(0, os.SEEK_END)
        try:
            _write_all(self._file, data)
            os.fsync(self._file.fileno())
        except OSError as error:
            # the disk is full: cut off the incomplete record, keep the complete ones
            with suppress(JournalError):
                self._cut(start)
            raise from_os_error(self.path, error, "cannot be continued", JournalError) from error
        self._record_count += 1

    def close(self) -> None:
        """Close the journal's file, and keep it."""
        self._file.close()

    def remove(self) -> None:
        """Close and delete the file: the result is saved."""
        self.close()
        with suppress(OSError):
            self.path.unlink()

    def __enter__(self) -> "Journal":
        """Use the journal in a `with` block; it is closed at the end, and kept."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def _cut(self, size: int) -> None:
        try:
            self._file.truncate(size)
            self._file.seek(size)
            os.fsync(self._file.fileno())
        except OSError as error:
            raise from_os_error(self.path, error, "cannot be continued", JournalError) from error


def journal_path(result_path: str | Path) -> Path:
    """The journal that belongs to a result's file."""
    return Path(f"{result_path}{SUFFIX}")


def is_journal(path: str | Path) -> bool:
    """Whether the file begins like a journal."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def read_journal(path: str | Path) -> JournalContent:
    """Read a journal up to its end or its first damaged record; without a whole header there is nothing to read."""
    try:
        with open(path, "rb") as file:
            return _read(file, Path(path))
    except OSError as error:
        raise from_os_error(path, error, "cannot be read", JournalError) from error


def _read(file: BinaryIO, path: Path) -> JournalContent:
    size = os.fstat(file.fileno()).st_size
    try:
        first = _next(file, size, 0)
    except Damage as damage:
        raise JournalError(path, f"is not a journal of a run: {damage}", "start the run again") from damage
    if first is None:
        raise JournalError(path, "is empty", "start the run again")
    content = JournalContent(json.loads(first.payload), size=file.tell())
    last = b""
    try:
        while record := _next(file, size, 1 + len(content.chunks)):
            content.chunks.append(unpack_samples(record.payload))
            last, content.size = record.payload, file.tell()
    except Damage as damage:
        content.damage = str(damage)
    if last:
        content.checkpoint = unpack_checkpoint(last)
    return content


def _next(file: BinaryIO, size: int, number: int) -> Record | None:
    """Read the next record, which must be the one with this number."""
    record = read_record(file, size)
    if record is not None and (record.number != number or record.kind != (CHUNK if number else HEADER)):
        raise Damage("a record that does not belong here")
    return record


def _open_locked(path: Path) -> FileIO:
    """Open for writing, without a buffer; a second run on the same journal is refused, where the system allows it."""
    try:
        file = open(path, "r+b", buffering=0)
    except OSError as error:
        raise from_os_error(path, error, "cannot be written", JournalError) from error
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.close()
        raise JournalError(path, "is in use by another run", "wait for it, or choose another output") from error
    except (ImportError, OSError):
        # systems or disks without locks: the file is written without one
        pass
    return file


def _write_all(file: FileIO, data: bytes) -> None:
    """Write without a buffer; a nearly full disk takes a part first and refuses the rest."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
