"""The kernels are plain Python as well: the tests marked ``nojit`` pass without the compiler."""

import os
import subprocess
import sys

from house.sources import ROOT


def test_marked_tests_pass_without_the_compiler():
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-m",
        "nojit",
        "-p",
        "no:cacheprovider",
        "tests/unit",
        "tests/identities",
    ]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-3000:]
    assert "passed" in run.stdout
