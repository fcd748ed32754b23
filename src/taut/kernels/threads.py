"""Many poses at a time, one stretch of them per core: entries (``jit.py``) hold no lock of the interpreter."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

FEWEST = 256  # fewest rows for which a thread is worth starting


def core_count() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(call: Callable[[int, int], None], count: int, *, threads: int | None = None) -> None:
    """Call ``call(first, last)`` on stretches that cover ``range(count)``, several at a time."""
    most = max(1, min(threads or core_count(), count // FEWEST))
    if most == 1:
        call(0, count)
        return
    # four parts per thread, because cheap and expensive poses may be spread unevenly
    marks = np.linspace(0, count, 4 * most + 1).astype(int).tolist()
    with ThreadPoolExecutor(most) as pool:
        list(pool.map(call, marks[:-1], marks[1:]))
