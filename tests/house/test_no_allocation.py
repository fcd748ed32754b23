"""Evaluations allocate nothing, by numba's own count of allocations."""

import json
import os
import subprocess
import sys

import pytest

from house.sources import ROOT

COUNT = """
import json
import numba
from numba.core.runtime import rtsys
from house.kernel_calls import ALL_ALGORITHMS, arguments, new_desk
from machines import full_machine
from taut.dynamics.forward import forward
from taut.kernels.separate import EntryPipeline

@numba.njit(pipeline_class=EntryPipeline)
def repeat(model, data, factor, times):
    for _ in range(times):
        forward(model, data, factor)

def allocations(kernel, *arguments):
    # the second call: the first may compile
    kernel(*arguments)
    before = rtsys.get_allocation_stats().alloc
    kernel(*arguments)
    return rtsys.get_allocation_stats().alloc - before

desk = new_desk(full_machine(0))
loops = [allocations(repeat, *desk[:3], times) for times in (1, 10, 1000)]
calls = {kernel.__name__: arguments(desk, kernel) for kernel in ALL_ALGORITHMS}
inside = {k.__name__: allocations(k, *calls[k.__name__]) for k in ALL_ALGORITHMS}
print(json.dumps({"loops": loops, "inside": inside}))
"""


@pytest.fixture(scope="module")
def counts():
    paths = os.pathsep.join([str(ROOT / "tests"), str(ROOT / "src")])
    environment = {**os.environ, "NUMBA_NRT_STATS": "1", "PYTHONPATH": paths}
    run = subprocess.run([sys.executable, "-c", COUNT], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_allocations_do_not_grow_with_the_number_of_evaluations(counts):
    assert len(set(counts["loops"])) == 1


def test_no_algorithm_allocates(counts):
    assert not {name: count for name, count in counts["inside"].items() if count}
