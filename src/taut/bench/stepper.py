"""What stepping from one's own program costs: a call of ``Stepper.step`` beside the compiled code inside it.

The 4-4 robot of Mamidi and Bandyopadhyay in its pick-and-place motion, every step 1 ms.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from taut import library
from taut.bench.timing import one_core, time_inside
from taut.build import build
from taut.integrate.stepper import Stepper

# machine, time before the measurement and step [s], number of steps measured
MACHINE, WARM, STEP, COUNT = "mamidi-pick-and-place", 0.2, 1e-3, 4000


def run(report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure; ``report`` is called with messages about the progress."""
    report(f"{COUNT} steps of {MACHINE}")
    stepper = Stepper(build(library.load(MACHINE)))
    stepper.advance_to(WARM)
    with one_core():
        calls, inside = stepped(stepper)
    return {"machine": MACHINE, "step": STEP, "steps": COUNT, "seconds_per_step": float(np.median(calls)),
            "seconds_inside": float(np.median(inside)), "seconds_of_python": float(np.median(calls - inside)),
            "worst": float(calls.max())}  # fmt: skip


def stepped(stepper: Stepper) -> tuple[np.ndarray, np.ndarray]:
    """Seconds of every call, and of the method inside it."""
    spent, calls, inside = time_inside(stepper._moving.method), np.zeros(COUNT), np.zeros(COUNT)
    for k in range(COUNT):
        spent[0], start = 0.0, time.perf_counter()
        stepper.step(STEP)
        calls[k], inside[k] = time.perf_counter() - start, spent[0]
    return calls, inside


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as lines of text."""
    micro = {key: 1e6 * value for key, value in figures.items() if key.startswith(("seconds", "worst"))}
    return [
        f"{figures['machine']}: steps of {1e3 * figures['step']:g} ms, medians of {figures['steps']}",
        f"  a call of step    {micro['seconds_per_step']:8.1f} us, at worst {micro['worst']:.0f} us",
        f"  the method in it  {micro['seconds_inside']:8.1f} us",
        f"  Python around it  {micro['seconds_of_python']:8.1f} us",
    ]
