"""Compiled code: whether the compiler works, where its code is kept, and what is there already."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from taut.kernels.cache import cache_root
from taut.kernels.shipped import shipped_target

from .finding import Finding, Verdict

MIB = 2**20
# less free space than this is reported [MiB]; compiled code of a few methods and kinds of cables takes a fraction of it
LITTLE_SPACE = 500.0
# environment variables that make runs slow, each with its effect
SLOW_SETTINGS = {
    "NUMBA_DISABLE_JIT": "nothing is compiled: runs take about a thousand times as long",
    "TAUT_PLAIN_NJIT": "the engine is compiled in another way: the first runs take many minutes",
}


def look_at_settings() -> Iterator[Finding]:
    """Environment variables that slow runs down."""
    for name, effect in SLOW_SETTINGS.items():
        if os.environ.get(name, "0") not in ("", "0"):
            yield Finding(name, "warn", f"is set: {effect}", f"unset {name}")


def look_at_compiler() -> Iterator[Finding]:
    """Compile one line, and see whether it computes."""
    import numba

    half = numba.njit(lambda x: 0.5 * x)
    if half(3.0) == 1.5:
        yield Finding("compiler", "ok", "numba compiles")
    else:
        yield Finding(
            "compiler", "FAIL", "numba computes wrong numbers", "python -m pip install --force-reinstall numba"
        )


def look_at_folder() -> Iterator[Finding]:
    """Where compiled code is kept, whether it can be written there, and how much there is."""
    folder = cache_root()
    yield look_at_place(folder)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / MIB
    space = shutil.disk_usage(nearest(folder)).free / MIB
    is_short = space < LITTLE_SPACE
    remedy = "make room, or name another folder with NUMBA_CACHE_DIR" if is_short else ""
    yield Finding(
        "its size", "warn" if is_short else "ok", f"{size:.0f} MB, {space / 1024:.1f} GB are free there", remedy
    )


def look_at_place(folder: Path) -> Finding:
    """Whether code can be kept in a folder, and for how long."""
    elsewhere = "name a folder of yours with the environment variable NUMBA_CACHE_DIR"
    if not is_writable(nearest(folder)):
        return Finding("compiled code", "FAIL", f"{folder} cannot be written", elsewhere)
    if not os.environ.get("NUMBA_CACHE_DIR") and folder.is_relative_to(tempfile.gettempdir()):
        value = f"{folder}, which is among temporary files and may be emptied"
        return Finding("compiled code", "warn", value, elsewhere)
    target = shipped_target()
    along = "" if target is None else f"; code for {target[1]} came with the package"
    return Finding("compiled code", "ok", f"is kept in {folder}{along}")


def nearest(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    return next(place for place in (folder, *folder.parents) if place.is_dir())


def is_writable(folder: Path) -> bool:
    """Whether a file can be made there: permissions alone do not tell of read-only and full disks."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def look_at_engine() -> Iterator[Finding]:
    """Kinds of machines whose first run need not wait for the compiler."""
    from taut.analyses.preparing import KINDS, is_prepared
    from taut.build import build
    from taut.library import load

    missing = [kind for kind, machine in KINDS.items() if not is_prepared(build(load(machine)), "radau")]
    verdict: Verdict = "note" if missing else "ok"
    value = f"radau is compiled for {len(KINDS) - len(missing)} of {len(KINDS)} kinds of cables"
    remedy = "the first run with any other kind takes about a minute more; taut compile does it now" if missing else ""
    yield Finding("engine", verdict, value, remedy)
