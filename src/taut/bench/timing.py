"""How times are taken: one core, no compilation, the best of many short repeats (noise only ever adds).

What is compared is measured in turns, several rounds of all, so that a busy moment does not hit one of them alone.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

REPEATS = 40
ROUNDS = 5
# least time of one repeat [s]: long compared with the clock's resolution, short compared with disturbances
AT_LEAST = 0.002


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


def best_seconds(calls: Mapping[Any, Callable[[int], object]]) -> dict[Any, float]:
    """Least seconds of one evaluation of each call, where ``call(n)`` makes n evaluations."""
    counts = {key: enough(call) for key, call in calls.items()}
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for key, call in calls.items():
            least = min(elapsed(call, counts[key]) for _ in range(REPEATS))
            best[key] = min(best[key], least / counts[key])
    return best


def enough(call: Callable[[int], object]) -> int:
    """Number of evaluations that take long enough to be timed; the first call may compile."""
    count = 1
    call(count)
    while elapsed(call, count) < AT_LEAST:
        count *= 2
    return count


def time_inside(method: Any) -> list[float]:
    """Time a method's calls of compiled code from now on; the entry grows by their seconds, and may be set to zero."""
    advance, spent = method.advance, [0.0]

    def timed(*args: Any) -> int:
        start = time.perf_counter()
        code = advance(*args)
        spent[0] += time.perf_counter() - start
        return code

    method.advance = timed
    return spent


def elapsed(call: Callable[[int], object], count: int) -> float:
    """Wall-clock seconds of ``count`` evaluations."""
    start = time.perf_counter()
    call(count)
    return time.perf_counter() - start
