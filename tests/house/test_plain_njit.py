"""A small part of the tests with TAUT_PLAIN_NJIT=1: compiled by plain njit, without private interfaces of numba."""

import os
import subprocess
import sys

import pytest

from house.sources import ROOT

TESTS = ["tests/unit/kernels/test_vec3.py", "tests/unit/kernels/test_mat3.py", "tests/unit/kernels/test_rotations.py"]


@pytest.mark.slow
def test_kernels_by_plain_njit():
    environment = {**os.environ, "TAUT_PLAIN_NJIT": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]
