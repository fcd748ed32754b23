"""The comparison of formulations by one call: time, evaluations, e1, e2, e3, energy [Sathuluri, Tables 5-7]."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from taut.analyses.spaces.motion import Motion, integrate, new_stepping
from taut.analyses.spaces.space import new_space
from taut.analyses.spaces.stepping import advance
from taut.integrate.coordinates import SPACES
from taut.model import Model


def compare(
    model: Model, spaces: Sequence[str] = SPACES, *, tolerance: float | None = None, repeats: int = 3
) -> list[dict[str, Any]]:
    """One row per space: the scenario's run, integrated there.

    Args:
        model: the machine.
        spaces: names of spaces.
        tolerance: of the integration; none: the scenario's.
        repeats: the time is the best of so many runs.
    """
    run = model.scenario.run
    count = int(round(run.duration / run.save_every))
    times = np.append(np.arange(count) * run.save_every, run.duration)
    return [row(model, name, times, tolerance or run.tolerance, repeats) for name in spaces]


def row(model: Model, name: str, times: np.ndarray, tolerance: float, repeats: int) -> dict[str, Any]:
    """Time, counts, errors and drift of one space."""
    space = new_space(model, name)
    start = space.data.q.copy(), space.data.v.copy()
    motion = integrate(space, times, tolerance)
    seconds = []
    for _ in range(repeats):
        space.data.q[:], space.data.v[:] = start
        seconds.append(timed(space, times, tolerance))
    return {
        "space": name,
        "coordinates": len(space.choice.kept),
        "constraints": len(space.choice.rest),
        "end": motion.end,
        "seconds": min(seconds),
        "evaluations": motion.statistics["evaluations"],
        "steps": motion.statistics["accepted"],
        **drift(motion),
        "singularity": str(motion.singularity) if motion.singularity else None,
    }


def timed(space: Any, times: np.ndarray, tolerance: float) -> float:
    """Seconds of one integration with its samples."""
    work = new_stepping(space, times, tolerance)
    work.counts[0].sampled = 1
    space.reduced.counts[:] = 0
    begin = time.perf_counter()
    advance(space.model.tables, space.data, space.factor, space.reduced, work)
    return time.perf_counter() - begin


def drift(motion: Motion) -> dict[str, float]:
    """Largest e1, e2, e3 and relative change of energy."""
    e1, e2, e3 = motion.errors.max(axis=0)
    change = np.abs(motion.energy - motion.energy[0]).max() / max(abs(motion.energy[0]), 1e-300)
    return {"e1": float(e1), "e2": float(e2), "e3": float(e3), "energy": float(change)}


def table_lines(rows: list[dict[str, Any]]) -> list[str]:
    """The rows as text."""
    lines = [f"{'space':22s} {'n':>3s} {'rows':>4s} {'end [s]':>9s} {'time [ms]':>10s} {'evaluations':>11s} "
             f"{'e1 [m]':>8s} {'e2 [m/s]':>8s} {'e3':>8s} {'energy':>8s}"]  # fmt: skip
    for r in rows:
        size = f"{r['space']:22s} {r['coordinates']:3d} {r['constraints']:4d} {r['end']:9.6g}"
        cost = f"{1e3 * r['seconds']:10.3f} {r['evaluations']:11d}"
        lines.append(f"{size} {cost} {r['e1']:8.1e} {r['e2']:8.1e} {r['e3']:8.1e} {r['energy']:8.1e}")
    return [*lines, *(r["singularity"] for r in rows if r["singularity"])]
