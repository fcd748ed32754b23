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
FIRST, GAP = 3.0, 4.0  # time before the first kill, and longest time between kills [s]


def start(study: Path, output: Path, *options: str) -> subprocess.Popen[bytes]:
    """A sweep as the command line makes it, in a process group of its own."""
    begun = output.exists()
    more = ["--resume"] if begun else []
    return subprocess.Popen(
        [*COMMAND, str(study), "-o", str(output), *more, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def workers_of(pid: int) -> list[int]:
    """Processes that compute for a client: those of its children that multiprocessing spawned as such."""
    import psutil

    try:
        children = psutil.Process(pid).children(recursive=True)
        return [child.pid for child in children if "spawn_main" in " ".join(child.cmdline())]
    except psutil.Error:
        return []


def sweep_with_kills(study: Path, output: Path, kills: int, seed: int) -> dict[str, int]:
    """Sweep to the end through some kills; how many of each kind there were."""
    rng = np.random.default_rng(seed)
    done = {"worker": 0, "client": 0, "interrupt": 0}
    process, end = start(study, output, "--workers", "2"), time.monotonic() + MOST_SECONDS
    while sum(done.values()) < kills and time.monotonic() < end:
        wait_for_folder(output, process)
        share = (sum(done.values()) + 1) / (kills + 2)
        wait_a_while(output, process, FIRST * rng.random() + GAP * rng.random(), share)
        kind = str(rng.choice(["worker", "worker", "client", "interrupt"]))
        if process.poll() is not None:
            break
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


def wait_for_folder(output: Path, process: subprocess.Popen[bytes]) -> None:
    """Until the sweep has begun to write."""
    while not (output / "status" / "zarr.json").exists() and process.poll() is None:
        time.sleep(0.1)


def wait_a_while(output: Path, process: subprocess.Popen[bytes], seconds: float, share: float) -> None:
    """Some seconds, or until a share of the runs is done: a fast machine must not be ready before the last kill."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None and done_share(output) < share:
        time.sleep(0.05)


def done_share(output: Path) -> float:
    """Which share of the runs is on the disk."""
    import zarr

    return float(np.mean(zarr.open_array(output / "status", mode="r")[...] != 0))  # type: ignore[arg-type]


def kill(kind: str, process: subprocess.Popen[bytes], rng: np.random.Generator) -> bool:
    """One kill; false if there was nobody."""
    if kind == "client":
        process.send_signal(signal.SIGKILL)
    elif kind == "interrupt":
        # as Ctrl-C in a terminal, which signals the client and all its workers at once
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
