"""Times are per evaluation, and nothing is left behind."""

import os
import time

import pytest

from taut.bench.timing import best_seconds, one_core


def test_seconds_of_one_evaluation(monkeypatch):
    monkeypatch.setattr("taut.bench.timing.REPEATS", 3)
    best = best_seconds({"short": lambda n: time.sleep(1e-3 * n), "long": lambda n: time.sleep(3e-3 * n)})
    assert 1e-3 <= best["short"] < 2.9e-3 < best["long"]


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system does not tell")
def test_one_core_and_back():
    before = os.sched_getaffinity(0)
    with one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before
