"""A Model is never written after the build, by any algorithm."""

import json
import os
import subprocess
import sys

from house.kernel_calls import ALL_ALGORITHMS
from house.sources import PACKAGE, ROOT

# files of parts that other algorithms are made of, or that most machines have no tables for
PARTS = {
    "courses",
    "forces.rope_events",
    *("tree.joints", "tree.points", "tree.feed_factor", "forces.laws", "modal.piecewise", "modal.bands"),
    *("modal.full_matrix", "modal.super_element", "modal.reduced", "modal.reduced_matrices", "modal.reduced_nodes"),
    *("modal.ritz", "modal.ritz_ends", "modal.ritz_tension"),
}

DIGESTS = """
import json
from house.kernel_calls import ALL_ALGORITHMS, arguments, new_desk
from machines import full_machine

model = full_machine(0)
desk, digest = new_desk(model), model.digest()
changed, called = [], []
for algorithm in ALL_ALGORITHMS:
    algorithm(*arguments(desk, algorithm))
    called.append(algorithm.__name__)
    if model.digest() != digest:
        changed.append(algorithm.__name__)
print(json.dumps([called, changed]))
"""


def test_digest_is_the_same_after_every_algorithm():
    # as plain Python: nothing has to be compiled, and to write to a read-only table is an error
    paths = os.pathsep.join([str(ROOT / "tests"), str(ROOT / "src")])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
    run = subprocess.run([sys.executable, "-c", DIGESTS], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    called, changed = json.loads(run.stdout)
    assert len(called) == len(ALL_ALGORITHMS)
    assert changed == []


def test_every_algorithm_file_is_covered():
    folder = PACKAGE / "dynamics"
    paths = [path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py") if path.stem != "__init__"]
    covered = {kernel.__module__.removeprefix("taut.dynamics.") for kernel in ALL_ALGORITHMS}
    assert {".".join(path.parts) for path in paths} - PARTS == covered
