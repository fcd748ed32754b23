"""A run that is killed (kill -9) at a random moment and resumed ends like one that was not, bit by bit.

The run is long on purpose: the 4-4 robot with forty elements in each cable, at a tight tolerance.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.journal import is_journal, journal_path
from taut.results.result import Result
from taut.verify.quantity import Quantity, at_most

SOURCE = "resuming must change nothing"
SETTINGS = ["defaults.cable.elements=40", "run.tolerance=1e-12", "run.save_every=0.005"]
KILLS = 10
CHILD = "import sys; from taut.verify.trust.resume import long_run; long_run(sys.argv[1])"
LONGEST_START = 300.0  # longest wait for the start of a child process, which may have to compile [s]


def quantities() -> Iterator[Quantity]:
    """Quantities of ten kills, each at another moment."""
    with tempfile.TemporaryDirectory() as folder:
        results, differences = kill_and_resume(Path(folder), KILLS)
    same = sum(difference == 0.0 for difference in differences)
    yield Quantity("killed runs that end bit by bit the same", same, KILLS, 0, SOURCE)
    yield at_most("largest difference in any channel", max(differences), 1e-12, SOURCE)
    resumed = sum(start > 0.0 for start in results)
    yield Quantity("of them resumed from the middle", resumed, KILLS, KILLS / 2, "kills are spread over the whole run")


def long_run(output: str | Path, *, resume: bool = False) -> Result:
    """The run that is to be killed."""
    return simulate(build(library.load("mamidi-pick-and-place", SETTINGS)), output=output, resume=resume)


def kill_and_resume(folder: Path, count: int, seed: int | None = None) -> tuple[list[float], list[float]]:
    """Kill and resume runs; return where each was taken up [s], and how far it ends from the undisturbed one."""
    random = np.random.default_rng(seed)
    long_run(folder / "warm.nc")
    begin = time.monotonic()
    expected = long_run(folder / "whole.nc")
    seconds = time.monotonic() - begin
    starts, differences = [], []
    for k in range(count):
        output = folder / f"killed-{k}.nc"
        # one kill in each of `count` equal parts of the run
        while not killed(output, seconds * (0.05 + 0.9 * (k + random.uniform()) / count)):
            pass
        starts.append(kept_time(output))
        differences.append(largest_difference(long_run(output, resume=True), expected))
    return starts, differences


def killed(output: Path, delay: float) -> bool:
    """Start a run in its own process and kill it a delay [s] after its first record; False if it was faster."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(output)], env=environment)
    try:
        wait_for_journal(child, journal_path(output))
        time.sleep(delay)
        is_running = child.poll() is None and not output.exists()
    finally:
        child.kill()
        child.wait()
    if not is_running:
        output.unlink(missing_ok=True)
    return is_running


def wait_for_journal(child: subprocess.Popen, path: Path) -> None:
    """Wait until the run has begun."""
    limit = time.monotonic() + LONGEST_START
    while not is_journal(path) and child.poll() is None:
        if time.monotonic() > limit:
            raise TimeoutError(f"no run began within {LONGEST_START:g} s")
        time.sleep(0.01)


def kept_time(output: Path) -> float:
    """Time of the last sample in the journal [s]; 0 if nothing but its header is there."""
    from taut.results.journal import read_journal

    chunks = read_journal(journal_path(output)).chunks
    return float(chunks[-1]["time"][-1]) if chunks and len(chunks[-1]["time"]) else 0.0


def largest_difference(result: Result, expected: Result) -> float:
    """Largest difference of any number in any channel; infinite if samples or steps are missing or repeated."""
    if set(result.dataset.variables) != set(expected.dataset.variables) or result.audit != expected.audit:
        return float("inf")
    worst = 0.0
    for name in expected.dataset.variables:
        ours, theirs = result.dataset[name].values, expected.dataset[name].values
        if ours.shape != theirs.shape:
            return float("inf")
        if theirs.dtype.kind == "f" and not np.array_equal(ours, theirs, equal_nan=True):
            # an entry that is finite in one result only counts as infinitely far
            worst = max(worst, float(np.nan_to_num(np.abs(ours - theirs), nan=np.inf).max()))
        elif theirs.dtype.kind != "f" and not np.array_equal(ours, theirs):
            return float("inf")
    return worst
