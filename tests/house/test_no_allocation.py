"""Evaluations allocate nothing: by numba's own count of allocations, and because the compiler refuses to."""

import json
import os
import subprocess
import sys

import pytest

from house.sources import ROOT

COUNT = """
import json
import numba
import numpy as np
from numba.core.runtime import rtsys
from house.kernel_calls import ALL_ALGORITHMS, new_desk
from machines import full_machine
from taut.dynamics.forward import forward
from taut.kernels.jit import kernel
from taut.kernels.separate import EntryPipeline, InnerDispatcher

@numba.njit(pipeline_class=EntryPipeline)
def repeat(model, data, factor, times):
    for _ in range(times):
        forward(model, data, factor)

@kernel
def wasteful(x):
    return np.zeros(3)[0] + x

def allocations(kernel, *arguments):
    # the second call: the first may compile
    kernel(*arguments)
    before = rtsys.get_allocation_stats().alloc
    kernel(*arguments)
    return rtsys.get_allocation_stats().alloc - before

def refusal(kernel, *arguments):
    try:
        kernel.compile(tuple(map(numba.typeof, arguments)))
    except numba.core.errors.NumbaError as error:
        return str(error)

desk = new_desk(full_machine(0))
loops = [allocations(repeat, *desk[:3], times) for times in (1, 10, 1000)]
# compiled by other tests; without memory management (jit.OPTIONS) the compiler refuses what allocates
inner = [k for k in ALL_ALGORITHMS if isinstance(k, InnerDispatcher)]
inside = {k.__name__: k.targetoptions for k in inner}
options = {name: [own.get("nopython"), own.get("_nrt")] for name, own in inside.items()}
refused = [wasteful.targetoptions["_nrt"], refusal(wasteful, 1.0)]
print(json.dumps({"loops": loops, "options": options, "wasteful": refused}))
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
    assert len(counts["options"]) > 50
    assert all(options == [True, False] for options in counts["options"].values()), counts["options"]


def test_an_algorithm_that_allocates_is_refused(counts):
    has_memory, why = counts["wasteful"]
    assert has_memory is False and why
