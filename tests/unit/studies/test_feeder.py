"""Faults of a sweep in its own processes: a worker that is killed, a run that hangs, Ctrl-C."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest

import taut
from taut.results.errors import ResultError
from taut.studies.cluster import local_client, started
from taut.studies.feeder import Feeder
from taut.studies.plan import make_plan
from taut.studies.running import COMPLETED, LOST, run_batch
from taut.studies.store import Store
from taut.verify.studies.kills import COMMAND, done_share, hear_interrupts, start, workers_of

STUDY = """taut-study: 1
base: double-pendulum
vary:
  run.duration: 0.05
  bodies.upper.mass: {from: 1, to: 2}
design: {kind: random, count: %d}
measure:
  x: {max: joint_position, joint: lower}
"""


def study_of(tmp_path, count):
    (tmp_path / "s.yaml").write_text(STUDY % count)
    return taut.study(tmp_path / "s.yaml")


# ``run_batch`` with a run 3 that never ends; a function of `__main__` travels to workers as source
HANGING = """
import time

from taut.studies import running


def hang_at_three(job, batch):
    for run, _ in batch:
        if run == 3:
            with running.ended_if_hanging(0.5):
                time.sleep(1000)
    return running.run_batch(job, batch)
"""


@pytest.mark.slow
def test_a_run_that_hangs_is_given_up_and_the_others_are_done(tmp_path, monkeypatch):
    study = study_of(tmp_path, 8)
    plan = make_plan(study)
    store = Store(study, plan.shapes, None)
    names = {"__name__": "__main__"}
    exec(HANGING, names)
    monkeypatch.setattr("taut.studies.feeder.run_batch", names["hang_at_three"])
    with local_client(2) as client:
        Feeder(client, plan, store, lambda store: None).run()
    assert store.status[3] == LOST and "hanging beyond" in store.cause[3]
    assert np.all(np.delete(store.status, 3) == COMPLETED)


# as checked_warm, but the process ends in the middle
DYING = """
import os
import signal


def die(job, values):
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_worker_that_dies_while_it_compiles_is_not_waited_for(tmp_path, monkeypatch):
    names = {"__name__": "__main__"}
    exec(DYING, names)
    monkeypatch.setattr("taut.studies.sweep.checked_warm", names["die"])
    with local_client(1) as client:
        found = taut.sweep(study_of(tmp_path, 5), client)
    assert np.all(found.status == COMPLETED)


def wait_for(process, is_there, seconds=300.0):
    """Wait until something is there; fail if it never is, or if the process ends before."""
    end = time.monotonic() + seconds
    while not is_there():
        assert process.poll() is None, "the sweep ended before"
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def share_in(output):
    """Which share of the runs is on the disk."""
    return done_share(output) if (output / "status" / "zarr.json").exists() else 0.0


@pytest.mark.slow
def test_killed_workers_and_ctrl_c(tmp_path):
    study = study_of(tmp_path, 2400)
    output = tmp_path / "s.zarr"
    process = start(tmp_path / "s.yaml", output, "--workers", "2")
    wait_for(process, lambda: share_in(output) > 0.0)
    os.kill(workers_of(process.pid)[0], signal.SIGKILL)
    kept = share_in(output)
    wait_for(process, lambda: share_in(output) > kept)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(300) == 130
    assert kept < share_in(output) < 1.0
    process = start(tmp_path / "s.yaml", output, "--workers", "2")
    assert process.wait(300) == 0 and share_in(output) == 1.0
    runs = range(0, 2400, 7)
    single = run_batch(make_plan(study).job, [(k, study.values(k)) for k in runs])
    assert np.array_equal(taut.open_study(output).x.values[runs], [outcome.measures["x"][0] for outcome in single])


@pytest.mark.slow
def test_ctrl_c_while_workers_start_shows_no_traceback(tmp_path):
    study_of(tmp_path, 1000)
    command = [*COMMAND, str(tmp_path / "s.yaml"), "-o", str(tmp_path / "s.zarr"), "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                               preexec_fn=hear_interrupts)  # fmt: skip
    wait_for(process, lambda: workers_of(process.pid))
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=300)[0].decode()
    assert process.returncode == 130 and "add --resume" in said and "Traceback" not in said, said


def test_workers_that_die_while_they_start_are_started_again():
    left = iter([RuntimeError("Nanny failed to start."), RuntimeError("Nanny failed to start."), None])

    def begin():
        error = next(left)
        if error is not None:
            raise error
        return "cluster"

    assert started(begin) == "cluster"
    left = iter([RuntimeError("Nanny failed to start.")] * 3)
    with pytest.raises(ResultError, match=r"workers cannot be started: Nanny failed to start\.") as caught:
        started(begin)
    assert "--workers" in str(caught.value)
