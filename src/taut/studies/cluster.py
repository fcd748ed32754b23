"""Where runs are computed: workers on this machine, or those of a scheduler that is running already."""

import asyncio
import logging
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taut.results.errors import ResultError

CONNECTING = 10.0  # longest attempt to connect to a scheduler [s]
RECONNECTING = 120.0  # longest attempt to find a scheduler again whose connection was lost [s]
MOST_STARTS = 3  # largest number of attempts to start a cluster on this machine
ALLOWED_DEATHS = 2  # workers that may die in a row on one batch before it is divided
# Settings of Dask for clusters of our own. Left to itself it looks at clocks, memory and disks up to fifty times a
# second, in each worker and for each worker in the client, which takes some percent of two processors; and its profiler
# records every second: after an hour that is a gigabyte in each worker. Workers of a scheduler that somebody else
# started keep their own settings.
QUIET = {
    "distributed.scheduler.allowed-failures": ALLOWED_DEATHS,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.logging.distributed": "critical",
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.client.scheduler-info-interval": "10s",
}
GUARD = 'put it under `if __name__ == "__main__":`'
EXTRA = "pip install 'taut[studies]'"
PROTOCOLS = ("tcp", "tls", "ws", "wss")  # protocols in addresses of schedulers
LAST_PORT = 65535


@dataclass(frozen=True)
class Scheduler:
    """A scheduler by its address; files for an encrypted connection."""

    address: str
    ca_file: str | None = None
    certificate: str | None = None
    key: str | None = None

    def connect(self, timeout: float | None = None) -> Any:
        """A client of the scheduler at an address, or of a local cluster.

        Raises:
            ResultError: nobody answers there.
        """
        from distributed import Client, Security

        self.check()
        security = None
        if self.ca_file is not None:
            security = Security(tls_ca_file=self.ca_file, tls_client_cert=self.certificate, tls_client_key=self.key,
                                require_encryption=True)  # fmt: skip
        seconds = timeout or CONNECTING
        try:
            check_answer(self.address, (security or Security()).get_connection_args("client"), seconds)
            return Client(self.address, security=security, timeout=seconds, set_as_default=False)
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            why = " ".join(str(error).split())[:200] or f"nothing answers as one within {seconds:g} s"
            remedy = "start it with `dask scheduler`, and give its address, for example tcp://host:8786"
            raise ResultError(self.address, f"the scheduler cannot be reached: {why}", remedy) from None

    def check(self) -> None:
        """Refuse what cannot be an address, before Dask tries to connect to it.

        Raises:
            ResultError: with what is wrong.
        """
        from distributed.comm.addressing import parse_address, parse_host_port

        why = ""
        try:
            protocol, place = parse_address(self.address)
            host, port = parse_host_port(place)
        except ValueError as error:
            why = "its port is no number" if "literal" in str(error) else str(error)
        else:
            if protocol not in PROTOCOLS:
                why = f"{protocol} is none of the protocols {', '.join(PROTOCOLS)}"
            elif not host or not 0 < port <= LAST_PORT:
                why = f"its port must be 1 to {LAST_PORT}" if host else "the host is missing"
            elif protocol in ("tls", "wss") and self.ca_file is None:
                why = "an encrypted connection needs --tls-ca-file, --tls-cert and --tls-key"
        if why:
            raise ResultError(self.address, f"the scheduler cannot be reached: {why}", "such as tcp://host:8786")
        for file in (self.ca_file, self.certificate, self.key):
            if file is not None and not Path(file).is_file():
                raise ResultError(file, "does not exist", "give the files of the certificate and of its authority")

    def reconnect(self, report: Any) -> Any:
        """A client of the scheduler once it is there again."""
        end = time.monotonic() + RECONNECTING
        report(f"the scheduler at {self.address} is lost; looking for it for {RECONNECTING:g} s")
        while True:
            try:
                return self.connect(timeout=5.0)
            except ResultError:
                if time.monotonic() > end:
                    raise
                time.sleep(1.0)


def check_answer(address: str, connection: dict[str, Any], seconds: float) -> None:
    """Refuse what answers at an address but is no scheduler: a client of Dask would wait without end for an answer.

    Raises:
        ValueError: something else of Dask answers.
        OSError: nobody answers; TimeoutError: not in time, or not as Dask does.
    """
    from distributed.core import rpc

    async def ask() -> Any:
        async with rpc(address, connection_args=connection, timeout=seconds) as link:
            return await link.identity()

    async def ask_in_time() -> Any:
        return await asyncio.wait_for(ask(), seconds)

    # in a thread, because the caller's thread may have an event loop of its own, as in a notebook
    with ThreadPoolExecutor(1) as pool:
        kind = str(pool.submit(lambda: asyncio.run(ask_in_time())).result().get("type"))
    if kind != "Scheduler":
        raise ValueError(f"a {kind.lower()} of Dask answers there")


@contextmanager
def local_client(workers: int | None) -> Iterator[Any]:
    """A cluster of processes on this machine, one thread each, restarted when they die."""
    try:
        import dask.config
        from distributed import Client, LocalCluster
    except ImportError:
        raise ResultError("", "studies need Dask, which is not installed", EXTRA) from None
    check_program()
    with dask.config.set(QUIET):
        count = workers or os.cpu_count() or 1
        options = {"n_workers": count, "threads_per_worker": 1, "processes": True, "host": "127.0.0.1",
                   "dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL,
                   "preload": ["taut.studies.worker_setup"]}  # fmt: skip
        with ExitStack() as stack:
            with deaf_children():
                cluster = started(lambda: LocalCluster(**options))
                stack.callback(lambda: cluster.close(timeout=10))
            client = Client(cluster, set_as_default=False)
            stack.callback(lambda: client.close(timeout=5))
            yield client


def check_program() -> None:
    """Refuse to start workers in a process that is itself one and still loads the program of the user.

    Raises:
        ResultError: the program has no guard.
    """
    from multiprocessing import current_process

    if getattr(current_process(), "_inheriting", False):
        message = "workers load this program too, and would begin the sweep again"
        raise ResultError("", message, GUARD)


@contextmanager
def deaf_children() -> Iterator[None]:
    """Threads and processes that begin in this block never see Ctrl-C; this thread sees it afterwards.

    A terminal sends it to all processes. The client alone is to follow it: a worker that is still importing could not
    but end with a traceback. Signals that a thread blocks stay blocked in its threads and processes.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows has no signal masks
        yield
        return
    from multiprocessing import resource_tracker

    # start the resource tracker now: the first process would start it otherwise, and unblock signals in its thread
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def started(start: Callable[[], Any]) -> Any:
    """A cluster; one of whose workers dies while it starts is not to be had from Dask, so another is begun.

    Raises:
        ResultError: workers die time and again.
    """
    for _ in range(MOST_STARTS - 1):
        with suppress(RuntimeError):
            return start()
    try:
        return start()
    except RuntimeError as error:
        remedy = f"in a program of your own {GUARD}; else there may be no memory for them: take fewer with --workers"
        raise ResultError("", f"the workers cannot be started: {error}", remedy) from None


def workers_of(client: Any) -> dict[str, str]:
    """The computer of every worker, by the worker's address."""
    found = client.scheduler_info(n_workers=-1)["workers"]
    return {address: str(worker.get("host", "")) for address, worker in found.items()}
