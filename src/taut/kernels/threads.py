"""Entries that let other threads run: for many poses at a time, one stretch of them per core."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba
import numpy as np
from numba.core import config

from taut.kernels.cache import keep_on_disk, plain_cache
from taut.kernels.jit import IS_PLAIN, OPTIONS, PUBLIC

FEWEST = 256  # rows that are worth a thread


def threaded_entry(function: Callable[..., Any]) -> Any:
    """An ``entry`` (``jit.py``) that holds no lock of the interpreter while it runs."""
    if config.DISABLE_JIT:  # pyright: ignore[reportAttributeAccessIssue]
        return function
    if IS_PLAIN:
        with plain_cache(function.__code__.co_filename):
            return numba.njit(cache=True, nogil=True, **PUBLIC)(function)
    from taut.kernels.separate import EntryPipeline

    return keep_on_disk(numba.njit(pipeline_class=EntryPipeline, nogil=True, **OPTIONS)(function))


def core_count() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_threads(call: Callable[[int, int], None], count: int, *, threads: int | None = None) -> None:
    """Call ``call(first, last)`` on stretches that cover ``range(count)``, several at a time."""
    most = max(1, min(threads or core_count(), count // FEWEST))
    if most == 1:
        call(0, count)
        return
    # four stretches per thread: cheap poses and dear ones need not be spread evenly
    marks = np.linspace(0, count, 4 * most + 1).astype(int).tolist()
    with ThreadPoolExecutor(most) as pool:
        list(pool.map(call, marks[:-1], marks[1:]))
