"""Entries for threads: the interpreter goes on while one runs, and stretches cover everything once."""

import threading

import numpy as np
import pytest
from numba.core import config

from taut.kernels.jit import entry
from taut.kernels.threads import in_threads


@entry
def add_up(x, times):
    total = 0.0
    for _ in range(times):
        for i in range(len(x)):
            total += np.sin(x[i])
    return total


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="plain Python keeps the lock")
def test_python_goes_on_while_an_entry_runs():
    x = np.ones(1000)
    add_up(x, 1)
    worker, seen = threading.Thread(target=add_up, args=(x, 40_000)), 0
    worker.start()
    while worker.is_alive():
        seen += 1
    assert seen > 1000


@pytest.mark.parametrize("count", [0, 5, 3000])
def test_stretches_cover_everything_once(count):
    done = np.zeros(count, int)

    def stretch(first, last):
        done[first:last] += 1

    in_threads(stretch, count, threads=2)
    assert np.all(done == 1)
