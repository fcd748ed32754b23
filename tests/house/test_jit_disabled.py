"""The kernels are plain Python as well: the tests marked ``nojit`` or ``uncompiled`` pass without the compiler."""

import os
import subprocess
import sys

import pytest

from house.sources import ROOT


@pytest.mark.parametrize("folder", ["tests/unit", "tests/identities"])
def test_marked_tests_pass_without_the_compiler(folder):
    command = [sys.executable, "-m", "pytest", "-m", "nojit or uncompiled", "-p", "no:cacheprovider", folder]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-3000:]
    assert " passed" in run.stdout and " skipped" not in run.stdout
