"""The program of the docs for SLURM, with commands in place of SLURM's that run jobs on this machine."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

import taut
from taut.studies.plan import make_plan
from taut.studies.running import run_batch

pytestmark = pytest.mark.slow
PAGE = Path(__file__).parents[3] / "docs" / "usage" / "clusters.md"
SBATCH = """#!/bin/sh
cp "$1" "$PWD/job.$$.sh"
setsid sh "$PWD/job.$$.sh" > "$PWD/job.$$.log" 2>&1 < /dev/null &
echo $! >> "$PWD/jobs"
echo "Submitted batch job $!"
"""
SCANCEL = """#!/bin/sh
for job in "$@"; do kill -TERM -- "-$job" 2> /dev/null; done
exit 0
"""
STUDY = """taut-study: 1
base: double-pendulum
vary:
  run.duration: 0.05
  bodies.upper.mass: {from: 1, to: 2}
design: {kind: random, count: 60}
measure:
  x: {max: joint_position, joint: lower}
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with stand-ins for the commands of SLURM; jobs that are left are ended."""
    for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (tmp_path / "study.yaml").write_text(STUDY)
    yield tmp_path
    jobs = (tmp_path / "jobs").read_text().split() if (tmp_path / "jobs").exists() else []
    for job in map(int, jobs):
        if psutil.pid_exists(job):
            os.killpg(job, signal.SIGKILL)


def program(tls):
    """The program of the docs, with fewer and smaller jobs, and the certificates of the tests."""
    found = next(text for text in re.findall(r"```text\n(.*?)```", PAGE.read_text(), re.S) if "SLURMCluster" in text)
    for old, new in (("cores=32", "cores=1"), ("processes=32", "processes=1"), ("64GB", "2GB"), ("jobs=4", "jobs=2"),
                     ("ca.pem", tls[0]), ("cert.pem", tls[1]), ("key.pem", tls[2])):  # fmt: skip
        assert old in found
        found = found.replace(f'"{old}"' if old.endswith(".pem") else old, f'"{new}"' if old.endswith(".pem") else new)
    return found


def test_the_program_for_slurm(folder, tls):
    pytest.importorskip("dask_jobqueue")
    if os.name != "posix":
        pytest.skip("needs setsid")
    (folder / "program.py").write_text(program(tls))
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}
    run = subprocess.run([sys.executable, "program.py"], cwd=folder, env=environment, capture_output=True, text=True,
                         timeout=500)  # fmt: skip
    assert run.returncode == 0, run.stderr + "".join(log.read_text() for log in folder.glob("job.*.log"))
    assert len((folder / "jobs").read_text().split()) == 2
    study = taut.study(folder / "study.yaml")
    single = run_batch(make_plan(study).job, [(k, study.values(k)) for k in range(study.count)])
    found = taut.open_study(folder / "study.zarr")
    assert np.array_equal(found.x.values, [outcome.measures["x"][0] for outcome in single])
    # jobs end with the program
    end = time.monotonic() + 120
    while any(psutil.pid_exists(int(job)) for job in (folder / "jobs").read_text().split()):
        assert time.monotonic() < end, "a job is left"
        time.sleep(0.2)
