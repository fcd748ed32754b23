"""How times are taken: one core, no compilation, the best of several repeats (noise only ever adds)."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator

REPEATS = 7


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on one core, where the system allows it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def best_seconds(call: Callable[[int], object], *, at_least: float = 0.02) -> float:
    """Seconds of one evaluation: ``call(n)`` makes n of them.

    The number of evaluations per repeat is doubled until a repeat takes ``at_least`` seconds.
    """
    count = 1
    call(count)
    while elapsed(call, count) < at_least:
        count *= 2
    return min(elapsed(call, count) for _ in range(REPEATS)) / count


def elapsed(call: Callable[[int], object], count: int) -> float:
    """Wall-clock seconds of ``count`` evaluations."""
    start = time.perf_counter()
    call(count)
    return time.perf_counter() - start
