"""A scheduler started by hand with two workers over TLS: a sweep, and its way through the scheduler's death."""

import os
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

import taut
from taut.studies.cluster import Scheduler
from taut.studies.plan import make_plan
from taut.studies.running import run_batch
from taut.studies.sweep import sweep

pytestmark = pytest.mark.slow


class Hand:
    """What a user would start in terminals."""

    def __init__(self, tls):
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self.options = ["--tls-ca-file", tls[0], "--tls-cert", tls[1], "--tls-key", tls[2]]
        self.processes = []

    def start(self):
        address = f"tls://127.0.0.1:{self.port}"
        self._run("scheduler", "--host", address, "--dashboard-address", "127.0.0.1:0")
        for _ in range(2):
            self._run("worker", address, "--nthreads", "1", "--no-dashboard")
        return address

    def _run(self, what, *more):
        command = [sys.executable, "-m", "dask", what, *more, *self.options]
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        self.processes.append(process)

    def kill(self):
        """The scheduler at once; its workers end too, as those of a cluster that went down."""
        for process in self.processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.processes.clear()


@pytest.fixture
def hand(tls):
    found = Hand(tls)
    yield found
    found.kill()


def pendulums(count):
    vary = {"run.duration": 0.05, "bodies.upper.mass": {"from": 1, "to": 2}}
    measures = {"x": {"max": "joint_position", "joint": "lower"}}
    return taut.study("double-pendulum", vary, measures, design={"kind": "random", "count": count})


def test_the_scheduler_dies_and_comes_back(hand, tls, tmp_path):
    study, deaths = pendulums(60), []

    def strike(store):
        # the first batches are single runs, so that most are still missing at the first report
        if not deaths and np.any(store.status != 0):
            deaths.append(int(np.sum(store.status != 0)))
            hand.kill()
            hand.start()

    scheduler = Scheduler(hand.start(), *tls)
    wait_for(scheduler)
    found = sweep(study, output=tmp_path / "s.zarr", scheduler=scheduler, report=strike)
    single = run_batch(make_plan(study).job, [(k, study.values(k)) for k in range(60)])
    assert deaths and deaths[0] < 60
    assert np.array_equal(found.x.values, [outcome.measures["x"][0] for outcome in single])


def wait_for(scheduler):
    """Wait until the scheduler answers and has two workers."""
    from taut.results.errors import ResultError
    from taut.studies.cluster import workers_of

    end = time.monotonic() + 400
    while time.monotonic() < end:
        try:
            client = scheduler.connect(timeout=5)
        except ResultError:
            time.sleep(1)
            continue
        client.wait_for_workers(2, timeout=300)
        assert len(workers_of(client)) == 2
        client.close()
        return
    raise AssertionError("the scheduler does not answer")
