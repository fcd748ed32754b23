"""Many runs at once: simulated seconds per second and core, what a run costs beside its integration, and memory.

The 4-4 robot of Mamidi and Bandyopadhyay, the Stewart platform in free fall and a crane, each with another mass in
every run, by one and two threads; short pieces of their motions, so that ten thousand take a minute or two. The crane's
hook is a number on which more than its body depends: that machine is built anew for every run.
"""

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.batch.batch import chooser, run_all
from taut.integrate.batch.dataset import batch_dataset
from taut.integrate.batch.runs import PHASES, Asked, Ended
from taut.integrate.run.bare import integrate
from taut.model import Model

# by machine: address of the number that is varied, its nominal value, and the duration of a run [s]
MACHINES = {
    "mamidi-pick-and-place": ("platform.mass", 1.0, 1.0),
    "stewart-free-fall": ("platform.mass", 0.20339, 0.2),
    "crane-double-pendulum": ("crane.links.hook.mass", 10.0, 2.0),
}
COUNTS, THREADS, KEEP = (1, 10, 100, 1000, 10_000), (1, 2), ("body_position",)
LONGEST = 120.0  # counts of runs that would take longer than this are left out [s]


def run(report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure; ``report`` is called with messages about the progress."""
    return {name: machine(name, report) for name in MACHINES}


def machine(name: str, report: Callable[[str], None]) -> dict[str, Any]:
    """All figures of one machine."""
    address, usual, duration = MACHINES[name]
    model = build(library.load(name, [f"run.duration={duration}"]))
    counts: dict[str, Any] = {}
    for threads in THREADS:
        expected = 0.0
        for count in COUNTS:
            if expected * count > LONGEST:
                continue
            report(f"{name}: {count} machines, {threads} threads")
            figures = measured(model, address, usual, (count, threads))
            counts[f"{count} machines, {threads} threads"] = figures
            expected = figures["seconds"] / count
    return {"duration": duration, "number": address, "integration": integration(model), "counts": counts,
            "efficiency": efficiency(counts)}  # fmt: skip


def efficiency(counts: dict[str, Any]) -> dict[str, float]:
    """Speed of two threads against twice that of one, for every number of machines."""
    pairs = {count: [counts.get(f"{count} machines, {threads} threads") for threads in THREADS] for count in COUNTS}
    return {str(count): two["per_second"] / (2.0 * one["per_second"]) for count, (one, two) in pairs.items()
            if one is not None and two is not None}  # fmt: skip


def measured(model: Model, address: str, usual: float, size: tuple[int, int]) -> dict[str, Any]:
    """Figures of one batch."""
    count, threads = size
    changes = [{address: usual * (1.0 + 0.2 * k / max(count - 1, 1))} for k in range(count)]
    asked = Asked(model, {}, None, True, chooser(KEEP), None)
    run_all(asked, changes[:1], None)  # one run to compile the code and to prepare the change of the number
    before, begin, working = peak(), time.perf_counter(), time.process_time()
    ended = run_all(asked, changes, None, workers=threads)
    dataset = batch_dataset(model, ended, changes)
    seconds, working = time.perf_counter() - begin, time.process_time() - working
    simulated = count * model.plan.run.duration
    return {"seconds": seconds, "processor_seconds": working, "per_second": simulated / seconds,
            "per_second_and_core": simulated / seconds / threads, "passed": sum(one.verdict == "pass" for one in ended),
            "run": median_phases(ended), "overhead": overhead(seconds, ended, threads),
            "bytes_kept": dataset.nbytes / count,
            "bytes_peak": 1024 * (peak() - before) / count}  # fmt: skip


def overhead(seconds: float, ended: list[Ended], threads: int) -> float:
    """Seconds of a batch that are in none of its runs, for each of them."""
    return seconds * min(threads, len(ended)) / len(ended) - sum(one.seconds for one in ended) / len(ended)


def median_phases(ended: list[Ended]) -> dict[str, float]:
    """Median seconds of the phases of a run, and of the whole run."""
    found = {name: float(np.median([one.phases.get(name, np.nan) for one in ended])) for name in PHASES}
    return found | {"whole": float(np.median([one.seconds for one in ended]))}


def integration(model: Model) -> float:
    """Seconds of integration and sampling alone, the best of a few."""
    return min(integrate(model).seconds for _ in range(5))


def peak() -> int:
    """Largest memory so far [kB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as lines of text."""
    found = []
    for name, one in figures.items():
        found.append(
            f"{name}: {one['duration']:g} s, {one['number']} differs; integration {1e3 * one['integration']:.2f} ms"
        )
        for title, case in one["counts"].items():
            phases = ", ".join(f"{phase} {1e3 * case['run'][phase]:.2f}" for phase in PHASES)
            found.append(f"  {title:28} {case['per_second']:8.1f} s/s, {case['per_second_and_core']:8.1f} per core; "
                         f"a run [ms]: {phases}, besides {1e3 * case['overhead']:.2f}; "
                         f"kept {case['bytes_kept'] / 1e3:.0f} kB, at most "
                         f"{case['bytes_peak'] / 1e3:.0f} kB each")  # fmt: skip
    return found
