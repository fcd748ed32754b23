"""Four quadcopters lift a platform, and one fails [Mamidi2024, sec. 4.3].

As published: vertical cables whose first joint turns about the vertical first, 0.05 kg each, and a ground that may
pull. Converged values of that model come from an independent solution. After the failure the platform tilts by up to
two radians; the cable of the failed quadcopter is pressed together straight, the edge of a bifurcation.
"""

import time
from collections.abc import Iterator

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.verify.quantity import Quantity, at_most

MODEL = "Mamidi2024's model, solved independently"
PRINTED = "Mamidi2024, sec. 4.3, as printed"
SYMMETRY = "symmetry of the machine"
SPEED = "our limit; Mamidi2024 needs {} s"


def quantities() -> Iterator[Quantity]:
    """Run the published case, ours, and the inclined start."""
    result, seconds = timed("mamidi-quadcopter-failure-paper")
    yield from published(result)
    yield at_most("vertical start, processor time", seconds, 3.0, SPEED.format(13800), "s")
    result, seconds = timed("mamidi-quadcopter-failure-inclined")
    yield at_most("inclined start, processor time", seconds, 0.5, SPEED.format(121), "s")
    yield at_most(
        "inclined start, failed audits", float(result.audit["verdict"] != "pass"), 0.0, "the audit of the run"
    )
    result, _ = timed("mamidi-quadcopter-failure")
    yield at_most("our settings, failed audits", float(result.audit["verdict"] != "pass"), 0.0, "the audit of the run")


def timed(name: str) -> tuple[Result, float]:
    """The result of a run, and the processor time of the quickest of three more [s]."""
    model = build(library.load(name))
    result, seconds = simulate(model), []
    for _ in range(3):
        begin = time.process_time()
        simulate(model)
        seconds.append(time.process_time() - begin)
    return result, min(seconds)


def published(result: Result) -> Iterator[Quantity]:
    """Numbers of the published case."""
    position, velocity = (result[f"platform_{what}"].values[:, 2] for what in ("position", "velocity"))
    third = int(np.argmin(np.abs(result.time - 3.0)))
    opens = next(event["time"] for event in result.events if event["what"] == "opens")
    yield Quantity("lift-off", opens, 0.478, 0.005, MODEL, "s")
    yield Quantity("lift-off, printed", opens, 0.48, 0.005, PRINTED, "s")
    yield Quantity("lowest place of the platform", position[: third + 1].min(), 0.0778, 1e-4, MODEL, "m")
    force = result["anchor_force"].values[:, :, 2]
    yield Quantity("cables begin to pull", sign_change(result.time, force[:, 0]), 0.293, 0.003, MODEL, "s")
    yield Quantity("height at 3 s", position[third], 3.2197, 1e-3, MODEL, "m")
    yield Quantity("speed at 3 s", velocity[third], 2.4257, 1e-3, MODEL, "m/s")
    spread = np.abs(force[: third + 1] - force[: third + 1, :1]).max()
    yield at_most("cables differ before 3 s", float(spread), 1e-8, SYMMETRY, "N")
    highest = result.time[np.argmax(position)]
    falls = [event["time"] for event in result.events if event["name"] == "descent"]
    descent = min(falls, key=lambda t: abs(t - highest))
    yield Quantity("descent", descent, 4.20, 0.03, MODEL, "s")
    yield Quantity("descent, printed", descent, 4.21, 0.03, PRINTED, "s")
    yield at_most("failed audits", float(result.audit["verdict"] != "pass"), 0.0, "the audit of the run")


def sign_change(time: np.ndarray, values: np.ndarray) -> float:
    """First time at which positive values become negative [s]."""
    k = int(np.flatnonzero((values[:-1] > 0.0) & (values[1:] <= 0.0))[0])
    return float(time[k] + (time[k + 1] - time[k]) * values[k] / (values[k] - values[k + 1]))
