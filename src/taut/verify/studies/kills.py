"""A sweep in processes of its own, which are killed at random moments: workers, and the client itself."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

COMMAND = [sys.executable, "-c", "from taut.cli import main; main()", "sweep"]
MOST_SECONDS = 1800.0
MOST_STARTS = 3  # most starts that the study may need after the last kill
LONGEST = 0.3  # longest time from the first outcome that is written to a kill [s]
# which process is killed, from one kill to the next
KINDS = ("worker", "worker", "client", "interrupt", "worker", "client", "worker", "interrupt")
SIGNALS = {"worker": "SIGKILL", "client": "SIGKILL", "interrupt": "SIGINT to client and workers"}


def start(study: Path, output: Path, *options: str) -> subprocess.Popen[bytes]:
    """A sweep as the command line makes it, in a process group of its own."""
    begun = output.exists()
    more = ["--resume"] if begun else []
    return subprocess.Popen(
        [*COMMAND, str(study), "-o", str(output), *more, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=hear_interrupts,  # noqa: PLW1509 (no threads hold locks here)
    )


def hear_interrupts() -> None:
    """Let a new process hear Ctrl-C, also if this one was started in the background, where shells ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def workers_of(pid: int) -> list[int]:
    """Processes that compute for a client: those of its children that multiprocessing spawned as such."""
    import psutil

    try:
        children = psutil.Process(pid).children(recursive=True)
        return [child.pid for child in children if "spawn_main" in " ".join(child.cmdline())]
    except psutil.Error:
        return []


def expected_kills(count: int) -> dict[str, int]:
    """How many kills of each kind there are among so many."""
    kinds = [KINDS[k % len(KINDS)] for k in range(count)]
    return {kind: kinds.count(kind) for kind in SIGNALS}


def sweep_with_kills(study: Path, output: Path, kills: int, seed: int) -> dict[str, int]:
    """Sweep to the end through some kills, all while workers compute; how many of each kind there were.

    Raises:
        RuntimeError: the sweep does not come to its end.
    """
    rng = np.random.default_rng(seed)
    done = dict.fromkeys(SIGNALS, 0)
    process, end = start(study, output, "--workers", "2"), time.monotonic() + MOST_SECONDS
    while sum(done.values()) < kills and wait_for_runs(output, process, end):
        kind = KINDS[sum(done.values()) % len(KINDS)]
        time.sleep(LONGEST * rng.random())
        if kill(kind, process, rng):
            done[kind] += 1
        if kind != "worker":
            process.wait()
            process = start(study, output, "--workers", "2")
    for _ in range(MOST_STARTS):
        if process.wait(max(end - time.monotonic(), 1.0)) == 0:
            return done
        process = start(study, output, "--workers", "2")
    process.kill()
    raise RuntimeError(f"the sweep of {study} does not come to its end")


def wait_for_runs(output: Path, process: subprocess.Popen[bytes], end: float) -> bool:
    """Until outcomes are written that were not there before; false if the sweep ends, or takes too long."""
    before = done_share(output)
    while process.poll() is None and time.monotonic() < end:
        if done_share(output) > before:
            return True
        time.sleep(0.02)
    return False


def done_share(output: Path) -> float:
    """Which share of the runs is on the disk."""
    import zarr

    if not (output / "status" / "zarr.json").exists():
        return 0.0
    return float(np.mean(zarr.open_array(output / "status", mode="r")[...] != 0))  # type: ignore[arg-type]


def kill(kind: str, process: subprocess.Popen[bytes], rng: np.random.Generator) -> bool:
    """Kill one process of a kind; false if there was none."""
    if kind == "client":
        process.send_signal(signal.SIGKILL)
    elif kind == "interrupt":
        # signal the client and all its workers at once, as Ctrl-C in a terminal does
        os.killpg(process.pid, signal.SIGINT)
    else:
        found = workers_of(process.pid)
        if not found:
            return False
        try:
            os.kill(int(rng.choice(found)), signal.SIGKILL)
        except ProcessLookupError:
            return False
    return True
