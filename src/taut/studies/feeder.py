"""Batches of runs given to workers, and their outcomes taken: as much at a time as keeps everybody busy.

Batches are made as long as TARGET seconds by the time that runs took so far. A batch whose worker dies is computed
again by Dask; one that takes several workers down is divided into single runs, and a single run that does so three
times is given up.
"""

import math
import queue
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from taut.results.errors import ResultError
from taut.studies.plan import Plan
from taut.studies.running import ERROR, LOST, Outcome, run_batch
from taut.studies.store import Store
from taut.studies.versions import VersionError

TARGET = 2.0  # computing time at which batches aim [s]
LEAST = 0.25  # computing time below which batches are not made smaller towards the end [s]
MOST_IN_BATCH = 2000
PER_WORKER = 3  # batches that are submitted ahead for each worker
FORGETTING = 0.7  # factor on the weight of earlier batches in the mean time of a run, applied at each batch
TICK, WRITING = 0.5, 1.0  # longest wait for an outcome, and shortest time between two writings to disk [s]
NO_WORKERS = 300.0  # longest time that a scheduler may be without workers [s]
# errors of a worker that has other code, or none; those of runs are outcomes, and do not come here
OTHER_CODE = (VersionError, ImportError, AttributeError)
MOST_ATTEMPTS = 3  # attempts at a single run whose workers die, before it counts as lost


class SchedulerLost(Exception):  # noqa: N818
    """The connection to the scheduler is gone."""


class Feeder:
    """One client with batches on their way."""

    def __init__(
        self, client: Any, plan: Plan, store: Store, report: Callable[[Store], None], *, patience: float = NO_WORKERS
    ) -> None:
        """Take up what is missing; ``patience`` is how long there may be no workers [s]."""
        self.client, self.plan, self.store, self.report, self.patience = client, plan, store, report, patience
        self.todo = deque(int(run) for run in store.missing())
        self.singles: deque[int] = deque()  # runs of batches on which workers died: these are submitted one by one
        self.attempts: dict[int, int] = {}
        self.flying: dict[Any, list[int]] = {}  # runs of every submitted batch, by key of its future
        self.futures: dict[Any, Any] = {}
        self.done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.spent, self.counted = 0.0, 0.0
        self.workers, self.seen, self.asked, self.written = 1, time.monotonic(), 0.0, 0.0

    def run(self) -> None:
        """Feed workers until no run is missing.

        Raises:
            SchedulerLost: the connection broke; what was taken is in the store.
            ResultError: a worker has other code, there are no workers, or the disk is full.
        """
        try:
            while self.todo or self.singles or self.flying:
                self.count_workers()
                self.submit()
                self.take()
                self.write()
                self.report(self.store)
        finally:
            self.let_go()
            self.store.write()

    def count_workers(self) -> None:
        """How many workers there are, asked once a second."""
        now = time.monotonic()
        if now - self.asked < 1.0:
            return
        self.asked = now
        if self.client.status != "running":
            raise SchedulerLost
        try:
            self.workers = len(self.client.nthreads())
        except (OSError, TimeoutError, ValueError) as error:
            raise SchedulerLost from error
        if self.workers:
            self.seen = now
        elif now - self.seen > self.patience:
            raise no_workers(self.client, self.patience)

    def submit(self) -> None:
        """Submit batches until every worker has enough."""
        while len(self.flying) < PER_WORKER * max(self.workers, 1) and (self.todo or self.singles):
            runs = [self.singles.popleft()] if self.singles else self._next()
            batch = [(run, self.plan.study.values(run)) for run in runs]
            future = self.client.submit(run_batch, self.plan.job, batch, pure=False, retries=0)
            self.flying[future.key], self.futures[future.key] = runs, future
            future.add_done_callback(self.done.put)

    def _next(self) -> list[int]:
        size = 1
        if self.counted:
            largest, least = np.array([TARGET, LEAST]) * self.counted / max(self.spent, 1e-9)
            # smaller batches towards the end, so that all workers finish at about the same time; but each costs the
            # client some milliseconds, whatever its size
            fair = max(least, math.ceil(len(self.todo) / (PER_WORKER * max(self.workers, 1))))
            size = int(np.clip(min(largest, fair), 1, MOST_IN_BATCH))
        return [self.todo.popleft() for _ in range(min(size, len(self.todo)))]

    def take(self) -> None:
        """Wait for an outcome, and take all that are there."""
        wait = TICK
        while True:
            try:
                future = self.done.get(timeout=wait)
            except queue.Empty:
                return
            wait = 0.001
            runs = self.flying.pop(future.key, None)
            if runs is not None:
                self.accept(future, runs)
                self.futures.pop(future.key, None)
                future.release()

    def accept(self, future: Any, runs: list[int]) -> None:
        """Keep the outcomes of a batch, or treat its failure."""
        if future.status == "finished":
            try:
                outcomes = future.result(timeout=60)
            except Exception as error:  # the worker died before its answer was fetched
                self.again(runs, error)
                return
            # weight older batches less: the first runs of a worker include the loading of compiled code
            self.spent = FORGETTING * self.spent + sum(outcome.seconds for outcome in outcomes)
            self.counted = FORGETTING * self.counted + len(outcomes)
            self.store.put(runs, outcomes)
        elif future.status == "error":
            self.again(runs, future.exception())
        else:
            self.todo.extendleft(reversed(runs))
            raise SchedulerLost

    def again(self, runs: list[int], error: BaseException) -> None:
        """Divide a batch that failed; give a run up that fails alone."""
        if isinstance(error, OTHER_CODE):
            raise other_code(error)
        for run in runs:
            self.attempts[run] = self.attempts.get(run, 0) + (len(runs) == 1)
            if self.attempts[run] < MOST_ATTEMPTS:
                self.singles.append(run)
                continue
            self.store.put([run], [given_up(error, self.plan)])

    def write(self) -> None:
        """Write outcomes to the disk, not more often than useful."""
        now = time.monotonic()
        if now - self.written >= WRITING:
            self.store.write()
            self.written = now

    def let_go(self) -> None:
        """Cancel what is still on its way."""
        if self.futures and self.client.status == "running":
            with suppress(OSError, TimeoutError):
                self.client.cancel(list(self.futures.values()), force=True)
        self.futures.clear()


def no_workers(client: Any, patience: float) -> ResultError:
    """Error for a cluster without workers."""
    return ResultError(client.scheduler.address, f"has had no workers for {patience:g} s",
                       "start some with `dask worker`, and add --resume")  # fmt: skip


def other_code(error: BaseException) -> ResultError:
    """A worker that cannot compute what this process would."""
    return ResultError("", f"a worker has other code: {error}", "install the same versions on every worker")


def given_up(error: BaseException, plan: Plan) -> Outcome:
    """The outcome of a run whose worker died each time."""
    from distributed.scheduler import KilledWorker

    empty = {name: [np.nan] * size for name, size in plan.job.sizes.items()}
    if isinstance(error, KilledWorker):
        limit = f"{plan.job.time_limit:g} s"
        return Outcome(LOST, cause=f"its worker died each time: killed, out of memory, or hanging beyond {limit}",
                       measures=empty)  # fmt: skip
    return Outcome(ERROR, cause=f"{type(error).__name__}: {error}"[:500], measures=empty)
