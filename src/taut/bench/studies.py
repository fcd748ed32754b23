"""Studies: runs per second by one and two workers against a plain loop, overhead per run, and memory of 100 000 runs.

The machine is the 4-4 robot in its first second. A plain loop builds and simulates each run in this process. The
overhead of a study is the time of a run in a batch, with a mass of its own, less that of its physics on a model with
this mass that is ready: start state, integration, sampling and audit, without dataset and texts (a second run of the
same model would begin at a start state that is known). Both are best means of several batches in turn, also by the time
of the processor, which other programs do not lengthen. Workers are timed after the
first fifth of their runs: starting processes does not count. What two workers could attain at best on this computer is
shown by plain processes without Dask that compute batches of the same runs, one alone and two at once: cores share
memory, clock and power, and other programs take their part. Memory is that of a whole sweep of short runs.
"""

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from taut.build import build
from taut.integrate.batch.runs import PHASES, Asked, finished, start_run
from taut.integrate.simulate import simulate
from taut.studies.cluster import local_client
from taut.studies.plan import Plan, make_plan
from taut.studies.ready import Ready
from taut.studies.running import COMPLETED, Job, run_batch
from taut.studies.store import Store
from taut.studies.study import Study, study
from taut.studies.sweep import compute

PLAIN, SWEPT = 30, 2000  # runs of the plain loop and of batches, of studies by workers
PLAIN_BATCH = 400  # runs of every plain process
TURNS = 5  # batches and bare runs are timed alternately, this many times each
MANY = 100_000
VARY = {"run.duration": 1.0, "platform.mass": {"from": 0.4, "to": 0.6}}
SHORT = {"run.duration": 0.02, "bodies.upper.mass": {"from": 1.0, "to": 2.0}}
MEASURES = {
    "worst": {"max": "cable_tension_exit"},
    "height": {"final": "platform_position", "axis": "z"},
    "ok": "audit",
}


def robots(count: int) -> Study:
    """A study of the 4-4 robot with varied numbers."""
    return study("mamidi-pick-and-place", VARY, MEASURES, design={"kind": "random", "count": count, "seed": 1})


def run(report: Callable[[str], None]) -> dict[str, Any]:
    """Measure everything."""
    plan = make_plan(robots(PLAIN + 1))
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
    found["of_physics"] = found["batch_ms"] / found["bare_ms"]
    swept = make_plan(robots(SWEPT))
    for workers in (1, 2):
        report(f"{SWEPT} runs by {workers} workers")
        found |= {f"{name}_{workers}": value for name, value in rate(swept, workers).items()}
        report(f"{workers} plain processes")
        found |= {f"plain_{name}_{workers}": value for name, value in plain_rate(swept, workers).items()}
    found["plain_efficiency_2"] = found["plain_per_second_2"] / (2.0 * found["plain_per_second_1"])
    found["efficiency_2"] = found["per_second_2"] / (2.0 * found["per_second_1"])
    # two cores have client and workers to compute; with one worker the client has a core to itself
    found["efficiency_2_of_processor"] = found["worker_ms_1"] / (found["worker_ms_2"] + found["client_ms_2"])
    found["speedup_over_loop"] = found["per_second_2"] / found["loop_per_second"]
    report(f"memory of {MANY} runs, some minutes")
    return found | memory()


def plain_seconds(plan: Plan) -> float:
    """One run of a loop that builds and simulates."""
    begin = time.perf_counter()
    for k in range(PLAIN):
        simulate(build(plan.study.scenario(plan.study.values(k))))
    return (time.perf_counter() - begin) / PLAIN


def bare_phases(plan: Plan) -> tuple[float, dict[str, float]]:
    """Mean processor time of runs of models that are ready, each with its own numbers, and mean seconds of phases."""
    ready = Ready(plan.study.recipe, plan.study.values(0))
    # model 0 is never run: it is that of which the others are made
    models = [ready.machine(plan.study.values(k)) for k in range(PLAIN + 1)][1:]
    found, working = [], time.process_time()
    for model in models:
        begin = time.perf_counter()
        asked = Asked(model, {}, None, True, lambda name: False, None)
        found.append(finished(start_run(asked, 0, {}, None), begin).phases)
    working = (time.process_time() - working) / PLAIN
    return working, {name: float(np.mean([one[name] for one in found])) for name in PHASES}


def batch_seconds(plan: Plan) -> tuple[float, float]:
    """One run of a batch: by the clock, and of the processor."""
    batch = [(k, plan.study.values(k)) for k in range(1, PLAIN + 1)]
    run_batch(plan.job, batch[:2])  # two runs to build the machine and to check that numbers can be exchanged in it
    begin, working = time.perf_counter(), time.process_time()
    run_batch(plan.job, batch)
    return (time.perf_counter() - begin) / PLAIN, (time.process_time() - working) / PLAIN


def rate(plan: Plan, workers: int) -> dict[str, float]:
    """Runs per second of a sweep after its first fifth, and the processor time of a run in workers and client."""
    seen: list[tuple[float, int, float, float]] = []
    with local_client(workers) as client:
        processes = [psutil.Process(pid) for pid in client.run(os.getpid).values()]

        def note(store: Store) -> None:
            done = int(np.sum(store.status != 0))
            # the first batches are short and cold
            if done >= SWEPT // 5 and (not seen or done > seen[-1][1]):
                spent = sum(sum(process.cpu_times()[:2]) for process in processes)
                seen.append((time.perf_counter(), done, spent, time.process_time()))

        compute(plan, Store(plan.study, plan.shapes, None), client, None, (note, print))
    seconds, runs, worked, own = np.subtract(seen[-1], seen[0]).tolist()
    return {"per_second": runs / seconds, "worker_ms": 1e3 * worked / runs, "client_ms": 1e3 * own / runs}


def plain_rate(plan: Plan, count: int) -> dict[str, float]:
    """Runs per second of processes that begin at the same time, and the processor time of a run."""
    context = multiprocessing.get_context("spawn")
    gate, found = context.Barrier(count), context.SimpleQueue()
    batch = [(run, plan.study.values(run)) for run in range(PLAIN_BATCH)]
    processes = [context.Process(target=plain_process, args=(plan.job, batch, gate, found)) for _ in range(count)]
    for process in processes:
        process.start()
    begins, ends, worked = np.transpose([found.get() for _ in processes])
    for process in processes:
        process.join()
    runs = count * PLAIN_BATCH
    return {"per_second": float(runs / (ends.max() - begins.min())), "ms": float(1e3 * worked.sum() / runs)}


def plain_process(job: Job, batch: list[tuple[int, dict[str, Any]]], gate: Any, found: Any) -> None:
    """In a process: a batch that begins when all processes are ready; when it began and ended, and processor time."""
    run_batch(job, batch[:2])
    gate.wait()
    begin, working = time.monotonic(), time.process_time()
    run_batch(job, batch)
    found.put((begin, time.monotonic(), time.process_time() - working))


def memory() -> dict[str, Any]:
    """Many runs by two workers, written to the disk: how large client and workers are after a tenth, and at the end."""
    large = study("double-pendulum", SHORT, {"angle": {"final": "joint_position", "joint": "lower"}, "ok": "audit"},
                  design={"kind": "random", "count": MANY, "seed": 1})  # fmt: skip
    plan, seen = make_plan(large), []
    with tempfile.TemporaryDirectory() as folder, local_client(2) as client:
        processes = [psutil.Process(), *(psutil.Process(pid) for pid in client.run(os.getpid).values())]

        def note(store: Store) -> None:
            done = int(np.sum(store.status != 0))
            if done >= MANY // 10 and (not seen or done - seen[-1][0] >= MANY // 100 or done == MANY):
                seen.append((done, *(process.memory_info().rss for process in processes)))

        store = Store(large, plan.shapes, Path(folder) / "s.zarr")
        store.create()
        begin = time.perf_counter()
        compute(plan, store, client, None, (note, print))
        seconds = time.perf_counter() - begin
        size = sum(file.stat().st_size for file in (Path(folder) / "s.zarr").rglob("*") if file.is_file())
        failed = int(np.sum(store.status != COMPLETED))
    grown = np.subtract(seen[-1], seen[0])
    largest = np.max(seen, axis=0)
    return {"many_runs": MANY, "many_seconds": seconds, "many_failed": failed,
            "client_bytes": int(largest[1]), "client_bytes_per_run": float(grown[1] / grown[0]),
            "worker_bytes": int(largest[2:].max()), "worker_bytes_per_run": float(grown[2:].max() / grown[0] * 2.0),
            "disk_bytes_per_run": size / MANY}  # fmt: skip


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as lines of text."""
    f = figures
    return [
        f"one run of the 4-4 robot, 1 s: loop {f['loop_ms']:.1f} ms, in a batch {f['batch_ms']:.1f} ms, "
        f"its physics {f['bare_ms']:.1f} ms: overhead {f['overhead_ms']:.2f} ms, "
        f"{f['overhead_processor_ms']:.2f} ms of the processor; {f['of_physics']:.2f} times its physics",
        "  physics [ms]: " + ", ".join(f"{name} {value:.2f}" for name, value in f["phases_ms"].items()),
        f"runs per second: loop {f['loop_per_second']:.1f}, 1 worker {f['per_second_1']:.1f}, "
        f"2 workers {f['per_second_2']:.1f} (efficiency {f['efficiency_2']:.2f}, "
        f"{f['speedup_over_loop']:.2f} times the loop)",
        f"  of the processor, per run: {f['worker_ms_1']:.2f} ms in a single worker, "
        f"{f['worker_ms_2']:.2f} ms in one of two, "
        f"{f['client_ms_2']:.2f} ms in the client: efficiency {f['efficiency_2_of_processor']:.2f} on two free cores",
        f"  plain processes without Dask: {f['plain_per_second_1']:.1f} by one, {f['plain_per_second_2']:.1f} by two "
        f"at once (efficiency {f['plain_efficiency_2']:.2f}), {f['plain_ms_1']:.2f} and {f['plain_ms_2']:.2f} ms of "
        "the processor per run",
        f"{f['many_runs']} runs of double pendulums in {f['many_seconds']:.0f} s ({f['many_failed']} failed): "
        f"client at most {1e-6 * f['client_bytes']:.0f} MB, growing by {f['client_bytes_per_run']:.0f} bytes per run; "
        "a worker "
        f"{1e-6 * f['worker_bytes']:.0f} MB, {f['worker_bytes_per_run']:.0f} bytes per run; "
        f"{f['disk_bytes_per_run']:.0f} bytes on disk per run",
    ]
