"""Free fall of the Stewart platform in reduced spaces: microseconds per right-hand side, milliseconds per run.

The authors' C++ on one core: 26 ms for 1 s in extended-to-task (637 right-hand sides of 41 us), 57 ms for 0.48 s in
extended-to-actuator. Accuracy is that of z against a run at a tight tolerance.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from taut import library
from taut.analyses.spaces.motion import integrate, new_stepping
from taut.analyses.spaces.space import Space, new_space
from taut.analyses.spaces.stepping import advance
from taut.bench.timing import best_seconds, one_core
from taut.build import build
from taut.dynamics.spaces.equations import state_rate
from taut.kernels.jit import entry

SCENARIO = "stewart-free-fall"
# by space: duration [s] and tolerance
CASES = {"extended-to-task": (1.0, 1.5e-8), "extended-to-actuator": (0.48, 6e-8)}
AUTHORS = {"extended-to-task": {"ms": 26.0, "us": 41.0}, "extended-to-actuator": {"ms": 57.0, "us": 80.0}}


@entry
def repeat_rate(model, data, factor, space, y, dy, count):
    """Evaluate ``count`` times."""
    for _ in range(count):
        state_rate(model, data, factor, space, 0.0, y, dy)


def rates(space: Space) -> Callable[[int], object]:
    """A call that makes a number of right-hand sides at a moving state."""
    y = space.state(space.data)
    y[len(space.data.q) :] = 0.1 * np.random.default_rng(1).normal(size=len(space.choice.kept))
    dy = np.zeros_like(y)
    return lambda count: repeat_rate(space.model.tables, space.data, space.factor, space.reduced, y, dy, count)


def runs(space: Space, times: np.ndarray, tolerance: float) -> Callable[[int], object]:
    """A call that makes a number of runs, samples included."""
    q, v = space.data.q.copy(), space.data.v.copy()

    def call(count: int) -> None:
        for _ in range(count):
            space.data.q[:], space.data.v[:] = q, v
            work = new_stepping(space, times, tolerance)
            work.counts[0].sampled = 1
            space.reduced.counts[:] = 0
            advance(space.model.tables, space.data, space.factor, space.reduced, work)

    return call


def run(report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure; ``report`` is called with messages about the progress."""
    model = build(library.load(SCENARIO))
    report("compiling (once) and finding the exact motion")
    times = {name: np.linspace(0.0, end, int(round(end / 0.01)) + 1) for name, (end, _) in CASES.items()}
    exact = integrate(new_space(model, "extended-to-task"), times["extended-to-task"], 1e-12)
    calls: dict[Any, Any] = {}
    figures: dict[str, Any] = {}
    for name, (_, tolerance) in CASES.items():
        found = integrate(new_space(model, name), times[name], tolerance)
        error = float(np.abs(found.q[:, 2] - exact.q[: len(found.q), 2]).max())
        figures[name] = {"error_z": error, "evaluations": found.statistics["evaluations"], "end": found.end}
        calls[name, "ms"] = runs(new_space(model, name), times[name], tolerance)
        calls[name, "us"] = rates(new_space(model, name))
    report("measuring, in turns")
    with one_core():
        best = best_seconds(calls)
    for name in CASES:
        figures[name]["ms"] = 1e3 * best[name, "ms"]
        figures[name]["us_right_hand_side"] = 1e6 * best[name, "us"]
        figures[name]["authors"] = AUTHORS[name]
    return figures


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as a small table."""
    rows = ["space                    run [ms]   authors' C++   right-hand side [us]   authors' C++   error of z [m]"]
    for name, f in figures.items():
        rows.append(f"{name:22s} {f['ms']:10.3f} {f['authors']['ms']:14.0f} {f['us_right_hand_side']:22.2f} "
                    f"{f['authors']['us']:14.0f} {f['error_z']:16.1e}")  # fmt: skip
    return rows
