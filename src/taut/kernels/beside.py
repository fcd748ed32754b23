"""Compile an entry in a process of its own, while this one compiles others.

numba compiles one function at a time in a process. The stepping loop takes about half of the compiler's time before a
first run; a second process compiles it from the types of its arguments alone, leaves the code on the disk, and this one
finds it there. Should the other process fail, nothing is lost: this one compiles then, as if there had been none.
"""

import contextlib
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

Key = tuple[str, str, Any]  # module, name and signature of a compiled entry
RUNNING: dict[Key, subprocess.Popen[bytes]] = {}
SOURCE = str(Path(__file__).resolve().parents[2])  # folder from which this package is imported
PROGRAM = "from taut.kernels.beside import compile_asked; compile_asked()"


def processes() -> int:
    """How many processes may compile at once: TAUT_COMPILERS, else one for each core that this process may use."""
    asked = os.environ.get("TAUT_COMPILERS", "")
    if asked.isdigit():
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def compile_beside(entry: Any, arguments: Sequence[Any]) -> None:
    """Begin to compile an entry for arguments of these types, unless that goes on already or no core is free."""
    if not getattr(getattr(entry, "_cache", None), "waits", False):
        return  # compilation is off, or by plain numba without a cache of ours
    signature = tuple(entry.typeof_pyval(value) for value in arguments)
    key = entry.py_func.__module__, entry.py_func.__name__, signature
    if key in RUNNING or signature in entry.overloads or len(RUNNING) + 1 >= processes():
        return
    # the new process imports the same package and uses the same cache as this one
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([SOURCE, *filter(None, sys.path)])}
    # starting an interpreter may fail: an embedded Python has none, or memory is short
    with contextlib.suppress(OSError):
        child = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        RUNNING[key] = child
        with child.stdin as pipe:  # pyright: ignore[reportOptionalContextManager]
            pickle.dump(key, pipe)


def compile_asked() -> None:
    """The other process: compile the entry named on standard input, which puts it on the disk."""
    module, name, signature = pickle.load(sys.stdin.buffer)
    entry = getattr(import_module(module), name)
    entry.compile(signature)


def await_beside(function: Any, signature: Any) -> None:
    """Wait until another process has compiled this, if one does."""
    child = RUNNING.pop((function.__module__, function.__name__, tuple(signature)), None)
    if child is not None:
        child.wait()
