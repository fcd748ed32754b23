"""Speed and growth, measured: every claim is a ratio or a figure of one run on one core.

A benchmark is a module with ``run(report) -> dict`` and ``lines(figures) -> list of text``; add it to BENCHMARKS.
"""

from importlib import import_module
from typing import Any

BENCHMARKS = {
    "batch": "taut.bench.batch",
    "forward-dynamics": "taut.bench.forward_dynamics",
    "integrators": "taut.bench.integrators",
    "loop": "taut.bench.loop",
    "pick-and-place": "taut.bench.pick_and_place",
    "reduction": "taut.bench.reduction",
    "see": "taut.bench.see",
    "stepper": "taut.bench.stepper",
    "studies": "taut.bench.studies",
    "stewart": "taut.bench.stewart",
    "suspension": "taut.bench.suspension",
    "toolbox": "taut.bench.toolbox",
    "waiting": "taut.bench.waiting",
}


def find_benchmark(name: str) -> Any:
    """The module of a benchmark."""
    if name not in BENCHMARKS:
        raise KeyError(name)
    return import_module(BENCHMARKS[name])
