"""A study computed: on workers of this machine, or of any scheduler."""

import math
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import xarray as xr

from taut.results.errors import ResultError
from taut.studies.cluster import Scheduler, local_client, workers_of
from taut.studies.feeder import NO_WORKERS, OTHER_CODE, Feeder, SchedulerLost, no_workers, other_code
from taut.studies.plan import Plan, make_plan, warm
from taut.studies.running import Job
from taut.studies.store import Store, check_format, remove
from taut.studies.study import Study
from taut.studies.versions import check_versions

Report = Callable[[Store], None]
WAITING = 0.1  # time between two looks at whether code is compiled [s]
CHECK = "from taut.studies.versions import check_versions; check_versions(asked)"


def sweep(  # noqa: PLR0913
    study: Study,
    client: Any = None,
    *,
    output: str | Path | None = None,
    resume: bool = False,
    restart: bool = False,
    workers: int | None = None,
    scheduler: Scheduler | str | None = None,
    report: Report | None = None,
    say: Callable[[str], None] | None = None,
) -> xr.Dataset:
    """Compute the runs of a study.

    Args:
        study: from ``taut.study``.
        client: of Dask; None for workers on this machine.
        output: Zarr folder that is filled as runs end; None to keep the dataset in memory only.
        resume: compute what is missing in the output; its other runs stay as they are.
        restart: throw away what is there.
        workers: how many processes on this machine; else as many as it has processors.
        scheduler: address of a scheduler instead, such as ``tcp://host:8786``.
        report: told the store several times a second, to show progress.
        say: told what happened to the connection.

    Returns:
        The dataset: parameters and measures over ``run``; how each run ended in status, audit, seconds and cause.

    Raises:
        ScenarioError: a measure that results do not have, or values that make no scenario.
        ResultError: the output cannot be used, the scheduler cannot be reached, a worker has other code.
        UnsavedError: the disk is full; what was done stays, and can be resumed.
    """
    path = Path(output) if output is not None else None
    check_output(path, resume=resume, restart=restart)
    where = Scheduler(scheduler) if isinstance(scheduler, str) else scheduler
    if where is not None and client is None and not (resume and path is not None and path.exists()):
        # connect once before files are made, so that a scheduler that is not there leaves no empty study behind
        where.connect().close(timeout=5)
    plan = make_plan(study)
    store = open_store(plan, path, resume=resume, restart=restart)
    if len(store.missing()):
        compute(plan, store, client or where, workers, (report or (lambda store: None), say or (lambda text: None)))
    return store.dataset()


def check_output(path: Path | None, *, resume: bool, restart: bool) -> None:
    """Refuse an output that would be lost, before anything is computed."""
    if resume and restart:
        raise ResultError("", "--resume and --restart exclude each other", "carry on, or begin anew")
    if resume and path is None:
        raise ResultError("", "there is nothing to resume without an output", "name it with -o")
    if path is not None and path.exists():
        check_format(path)
        if not resume and not restart:
            raise ResultError(path, "a study is there", "add --resume to carry on, or --restart to throw it away")
    if path is not None and not path.parent.exists():
        raise ResultError(path, "cannot be written: its folder does not exist", f"make the folder {path.parent} first")


def open_store(plan: Plan, path: Path | None, *, resume: bool, restart: bool) -> Store:
    """The store, with what is done already."""
    store = Store(plan.study, plan.shapes, path)
    if path is not None and path.exists():
        if resume:
            store.take_up()
            return store
        remove(path)
    store.create()
    return store


def compute(plan: Plan, store: Store, where: Any, workers: int | None, told: tuple[Report, Any]) -> None:
    """Feed workers until nothing is missing; a scheduler that comes back after a failure is used again."""
    report, say = told
    with ExitStack() as stack:
        if where is None:
            client = stack.enter_context(local_client(workers))
        else:
            client = where.connect() if isinstance(where, Scheduler) else where
            if isinstance(where, Scheduler):
                stack.callback(lambda: client.close(timeout=5))
        # a cluster that the caller has made may queue its workers for hours: wait without limit
        patience = NO_WORKERS if where is None or isinstance(where, Scheduler) else math.inf
        while True:
            try:
                if where is not None:
                    wait_for_worker(client, patience, say)
                    warm_machines(client, plan)
                Feeder(client, plan, store, report, patience=patience).run()
                return
            except SchedulerLost:
                if not isinstance(where, Scheduler):
                    raise ResultError("", "the scheduler was lost", "add --resume: what was done is kept") from None
                client.close(timeout=1)
                client = where.reconnect(say)


def wait_for_worker(client: Any, patience: float, say: Callable[[str], None]) -> None:
    """Wait until a worker can compute.

    Raises:
        SchedulerLost: the connection broke.
        ResultError: there are no workers for too long.
    """
    begin, is_told = time.monotonic(), False
    while client.status == "running":
        try:
            if workers_of(client):
                return
        except (OSError, TimeoutError, ValueError) as error:
            raise SchedulerLost from error
        if time.monotonic() - begin > patience:
            raise no_workers(client, patience)
        if not is_told:
            say(f"the scheduler at {client.scheduler.address} has no workers yet; waiting for them")
            is_told = True
        time.sleep(0.5)
    raise SchedulerLost


def warm_machines(client: Any, plan: Plan) -> None:
    """Compile once on each machine, before all its workers would do so at the same time.

    A worker that dies meanwhile is not waited for: its replacement has another address, and compiles with its first
    runs.

    Raises:
        SchedulerLost: the connection broke.
        ResultError: a worker has other code.
    """
    # as text: a worker with other code, or without this package, may not even be able to read a batch
    answers = asked_all(client, plan)
    for error in answers.values():
        if isinstance(error, OTHER_CODE):
            raise other_code(error) from None
    machines: dict[str, str] = {}
    for address, host in workers_of(client).items():
        machines.setdefault(host, address)
    values = plan.study.values(0)
    jobs = {client.submit(checked_warm, plan.job, values, workers=[address], pure=False): address
            for address in machines.values()}  # fmt: skip
    try:
        while jobs:
            time.sleep(WAITING)
            there = workers_there(client)
            jobs = {job: address for job, address in jobs.items() if is_under_way(job) and address in there}
    finally:
        for job in jobs:
            job.cancel()


def asked_all(client: Any, plan: Plan) -> dict[str, Any]:
    """Whether all workers have this code: what each answers, an error if not."""
    try:
        return client.run(exec, CHECK, {"asked": dict(plan.job.versions)}, on_error="return")
    except (OSError, TimeoutError) as error:
        raise SchedulerLost from error


def workers_there(client: Any) -> set[str]:
    """Addresses of the workers that are there.

    Raises:
        SchedulerLost: the connection broke.
    """
    if client.status != "running":
        raise SchedulerLost
    try:
        return set(client.nthreads())
    except (OSError, TimeoutError, ValueError) as error:
        raise SchedulerLost from error


def is_under_way(job: Any) -> bool:
    """Whether a job has not ended; errors of runs show again in the runs themselves.

    Raises:
        SchedulerLost: the connection broke.
        ResultError: the worker has other code.
    """
    if job.status in ("cancelled", "lost"):
        raise SchedulerLost
    if job.status == "error" and isinstance(job.exception(), OTHER_CODE):
        raise other_code(job.exception())
    return job.status == "pending"


def checked_warm(job: Job, values: dict[str, Any]) -> None:
    """On a worker: check that the code is the client's, and compile."""
    check_versions(job.versions)
    warm(job, values)
