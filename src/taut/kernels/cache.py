"""Compiled kernels on disk.

numba compiles a kernel anew when its own file changes, but not when a part it inlines does. So the
compiled files are dropped whenever any source of the compiled rooms changed; the next use compiles again.
"""

import contextlib
import hashlib
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
STAMP = Path(__file__).resolve().parent / "__pycache__" / "sources.stamp"
COMPILED_ROOMS = ("kernels", "model", "dynamics", "integrate")


def sources_fingerprint() -> str:
    """A digest of name, size and time of every source file of the compiled rooms."""
    digest = hashlib.sha256()
    for room in COMPILED_ROOMS:
        for file in sorted((PACKAGE / room).rglob("*.py")):
            status = file.stat()
            digest.update(f"{file.relative_to(PACKAGE)} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def drop_stale() -> None:
    """Remove compiled kernels made from other sources than the present ones."""
    fingerprint = sources_fingerprint()
    with contextlib.suppress(OSError):
        if STAMP.exists() and STAMP.read_text() == fingerprint:
            return
        for file in PACKAGE.rglob("__pycache__/*.nb[ic]"):
            file.unlink(missing_ok=True)
        STAMP.parent.mkdir(exist_ok=True)
        STAMP.write_text(fingerprint)


def is_compiled(entry: Any, tables: Any) -> bool:
    """Whether the entry's code for a model with such tables lies on the disk; plain Python needs none."""
    cache = getattr(entry, "_cache", None)
    if cache is None:
        return True
    known = cache._cache_file._load_index()  # empty if the source has changed
    return any(signature[0] == tables._numba_type_ for signature, *_ in known)
