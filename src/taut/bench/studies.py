"""Studies: runs per second by one and two workers against a plain loop, overhead per run, and memory of 100 000 runs.

The machine is the 4-4 robot in its first second. A plain loop builds and simulates each run in this process. The
overhead of a study is the time of a run in a batch, with a mass of its own, less that of its physics on a model that
is ready: start state, integration, sampling and audit, without dataset and texts; both are best means of several
batches in turn, also by the time of the processor, which other programs do not lengthen. Workers are timed from their
first outcomes to their last: starting processes does not count.
"""

import gc
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from taut.build import build
from taut.integrate.batch.runs import PHASES, Asked, finished, start_run
from taut.integrate.simulate import simulate
from taut.studies.cluster import local_client
from taut.studies.plan import Plan, make_plan
from taut.studies.running import COMPLETED, Outcome, run_batch
from taut.studies.store import Store
from taut.studies.study import Study, study
from taut.studies.sweep import compute

RUNS, PLAIN = 200, 30  # number of runs of a study, and of the plain loop
TURNS = 5  # batches and bare runs are timed alternately, this many times each
MANY = 100_000
STATM = Path("/proc/self/statm")
VARY = {"run.duration": 1.0, "platform.mass": {"from": 0.4, "to": 0.6}}
MEASURES = {
    "worst": {"max": "cable_tension_exit"},
    "height": {"final": "platform_position", "axis": "z"},
    "ok": "audit",
}


def robots(count: int) -> Study:
    """The study."""
    return study("mamidi-pick-and-place", VARY, MEASURES, design={"kind": "random", "count": count, "seed": 1})


def run(report: Callable[[str], None]) -> dict[str, Any]:
    """Measure everything."""
    plan = make_plan(robots(RUNS))
    report("plain loop")
    loop = plain_seconds(plan)
    report("overhead")
    turns = [(batch_seconds(plan), bare_phases(plan)) for _ in range(TURNS)]
    batch, worked = np.min([turn[0] for turn in turns], axis=0).tolist()
    bare = min((turn[1][1] for turn in turns), key=lambda one: sum(one.values()))
    bare_worked = min(turn[1][0] for turn in turns)
    found: dict[str, Any] = {"loop_ms": 1e3 * loop, "batch_ms": 1e3 * batch, "bare_ms": 1e3 * sum(bare.values()),
                             "phases_ms": {name: 1e3 * value for name, value in bare.items()},
                             "overhead_ms": 1e3 * (batch - sum(bare.values())),
                             "overhead_processor_ms": 1e3 * (worked - bare_worked),
                             "loop_per_second": 1.0 / loop}  # fmt: skip
    for workers in (1, 2):
        report(f"{workers} workers")
        found[f"per_second_{workers}"] = rate(plan, workers)
    found["efficiency_2"] = found["per_second_2"] / (2.0 * found["per_second_1"])
    found["speedup_over_loop"] = found["per_second_2"] / found["loop_per_second"]
    report("memory of runs")
    found["worker_bytes_per_run"] = worker_bytes(plan)
    report(f"the store of {MANY} runs")
    return found | memory()


def plain_seconds(plan: Plan) -> float:
    """One run of a loop that builds and simulates."""
    begin = time.perf_counter()
    for k in range(PLAIN):
        simulate(build(plan.study.scenario(plan.study.values(k))))
    return (time.perf_counter() - begin) / PLAIN


def bare_phases(plan: Plan) -> tuple[float, dict[str, float]]:
    """Mean processor time of a run of a model that is ready, and mean seconds of its phases."""
    asked = Asked(build(plan.study.scenario(plan.study.values(0))), {}, None, True, lambda name: False, None)
    found, working = [], time.process_time()
    for _ in range(PLAIN):
        begin = time.perf_counter()
        found.append(finished(start_run(asked, 0, {}, None), begin).phases)
    working = (time.process_time() - working) / PLAIN
    return working, {name: float(np.mean([one[name] for one in found])) for name in PHASES}


def batch_seconds(plan: Plan) -> tuple[float, float]:
    """One run of a batch: by the clock, and of the processor."""
    batch = [(k, plan.study.values(k)) for k in range(PLAIN)]
    run_batch(plan.job, batch[:2])  # two runs to build the machine and to check that numbers can be exchanged in it
    begin, working = time.perf_counter(), time.process_time()
    run_batch(plan.job, batch)
    return (time.perf_counter() - begin) / PLAIN, (time.process_time() - working) / PLAIN


def rate(plan: Plan, workers: int) -> float:
    """Runs per second of a sweep, from the first outcomes on."""
    seen: list[tuple[float, int]] = []

    def note(store: Store) -> None:
        done = int(np.sum(store.status != 0))
        if done and (not seen or done > seen[-1][1]):
            seen.append((time.perf_counter(), done))

    with local_client(workers) as client:
        compute(plan, Store(plan.study, plan.shapes, None), client, None, (note, print))
    # leave the first batches out: they are short, and their workers still start up
    first = next(k for k, (_, done) in enumerate(seen) if done >= RUNS // 5)
    return (seen[-1][1] - seen[first][1]) / (seen[-1][0] - seen[first][0])


def worker_bytes(plan: Plan) -> float:
    """Bytes by which a process grows with each run that it computes, after the first ones."""
    batch = [(k, plan.study.values(k)) for k in range(RUNS)]
    run_batch(plan.job, batch[: RUNS // 2])
    before = resident()
    run_batch(plan.job, batch)
    return (resident() - before) / RUNS


def resident() -> float:
    """Memory of this process now [B]; the largest so far where the system does not tell."""
    gc.collect()
    if STATM.exists():
        return float(STATM.read_text().split()[1]) * resource.getpagesize()
    return 1024.0 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def memory() -> dict[str, Any]:
    """Bytes that the client's store of many runs takes, and the time of writing one run."""
    plan = make_plan(robots(50))
    large = robots(MANY)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        store = Store(large, plan.shapes, Path(folder) / "s.zarr")
        store.create()
        outcome = Outcome(COMPLETED, 1, "", 0.01, {name: np.ones(1) for name in plan.shapes})
        begin = time.perf_counter()
        for start in range(0, MANY, 1000):
            store.put(range(start, start + 1000), [outcome] * 1000)
            store.write()
        seconds = time.perf_counter() - begin
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    return {"store_runs": MANY, "store_bytes_per_run": grown / MANY, "store_ms_per_run": 1e3 * seconds / MANY,
            "disk_bytes_per_run": size / MANY}  # fmt: skip


def lines(figures: dict[str, Any]) -> list[str]:
    """For people."""
    f = figures
    return [
        f"one run of the 4-4 robot, 1 s: loop {f['loop_ms']:.1f} ms, in a batch {f['batch_ms']:.1f} ms, "
        f"its physics {f['bare_ms']:.1f} ms: overhead {f['overhead_ms']:.2f} ms, "
        f"{f['overhead_processor_ms']:.2f} ms of the processor",
        "  physics [ms]: " + ", ".join(f"{name} {value:.2f}" for name, value in f["phases_ms"].items()),
        f"runs per second: loop {f['loop_per_second']:.1f}, 1 worker {f['per_second_1']:.1f}, "
        f"2 workers {f['per_second_2']:.1f} (efficiency {f['efficiency_2']:.2f}, "
        f"{f['speedup_over_loop']:.2f} times the loop)",
        f"{f['store_runs']} runs: {f['store_bytes_per_run']:.0f} bytes of memory and {f['disk_bytes_per_run']:.0f} "
        f"on disk per run, written in {f['store_ms_per_run']:.3f} ms per run; a worker grows by "
        f"{f['worker_bytes_per_run']:.0f} bytes per run",
    ]
