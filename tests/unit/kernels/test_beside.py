"""An entry compiled by a process of its own is found by this one; if that process fails, this one compiles."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
import numpy as np
from taut.kernels import beside
from taut.kernels.bounded_qp import new_bounded, solve_rows

sys.executable = {interpreter!r}
x = np.zeros(1)
arguments = np.eye(1), np.full(1, -2.0), np.zeros(1), np.ones(1), x, 0.0, new_bounded(1)
beside.compile_beside(solve_rows, arguments)
beside.compile_beside(solve_rows, arguments)
begun = len(beside.RUNNING)
solve_rows(*arguments)
hits = sum(solve_rows.stats.cache_hits.values())
print(begun, len(beside.RUNNING), hits, x[0])
"""


@pytest.mark.parametrize(
    ("compilers", "interpreter", "begun", "loaded"),
    [
        ("2", sys.executable, 1, 1),  # loaded from the disk
        ("2", "fails", 1, 0),  # the other process ends without a result
        ("2", "/nowhere/python", 0, 0),
        ("1", sys.executable, 0, 0),
    ],
)
def test_an_entry_compiled_beside_is_loaded(tmp_path, compilers, interpreter, begun, loaded):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "TAUT_COMPILERS": compilers}
    if interpreter == "fails":
        file = tmp_path / interpreter
        file.write_text("#!/bin/sh\ncat > /dev/null\nexit 1\n")
        file.chmod(0o755)
        interpreter = str(file)
    program = PROGRAM.format(interpreter=interpreter)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == [str(begun), "0", str(loaded), "1.0"]
