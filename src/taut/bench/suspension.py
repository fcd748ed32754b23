"""Cost of a step of the suspended platform on Ritz cables, against their modes and their number.

A step of the non-smooth method with its complementarity problem, on one core, without compilation and samples. The
exponent is the slope in a doubly logarithmic plot: 1 is linear. Cables are spread evenly around the platform, with the
numbers of the library's `wang-suspension`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from taut import library
from taut.bench.timing import one_core
from taut.build import build
from taut.integrate.run.bare import integrate
from taut.integrate.status import DONE
from taut.model import Model

MODES = (10, 20, 40, 80)
CABLES = (4, 6, 8)
USUAL_MODES, USUAL_CABLES = 20, 4
WAYS = {"impulses": {"reactions": "impulses"}, "forces": {"reactions": "forces"}}
DURATION, STEP = 0.5, 1e-3  # duration and step [s]
REPEATS = 5
RADIUS, HEIGHT = 3.0, 2.74  # radius and height of the anchors [m]


def suspension(cables: int, modes: int) -> Model:
    """The platform on a number of ropes, half of them of opposite lay."""
    scenario = library.load("wang-suspension", [f"defaults.cable.modes={modes}", f"run.duration={DURATION}",
                                                f"run.save_every={DURATION}"])  # fmt: skip
    ropes = []
    for i in range(cables):
        rope, angle = scenario.cables[i % 4], 2.0 * np.pi * i / cables
        x, y = RADIUS * np.cos(angle), RADIUS * np.sin(angle)
        places = {"name": f"C{i + 1}", "exit": [x, y, 0.0], "anchor": [x, y, HEIGHT]}
        ropes.append(rope.model_copy(update=places))
    return build(scenario.model_copy(update={"cables": ropes}))


def step_seconds(model: Model, settings: dict[str, Any]) -> float:
    """Seconds of one step: the quickest of several equal runs."""
    best = np.inf
    for _ in range(REPEATS):
        run = integrate(model, integrator="nonsmooth-alpha", step=STEP, nonsmooth_alpha=settings)
        if run.code != DONE:
            raise RuntimeError("the suspension did not run to its end")
        best = min(best, run.seconds / run.statistics["accepted"])
    return float(best)


def exponent(sizes: tuple[int, ...], seconds: list[float]) -> float:
    """Slope of the line through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def run(report: Callable[[str], None] = print) -> dict[str, Any]:
    """Measure; ``report`` is called with messages about the progress."""
    figures: dict[str, Any] = {"modes": list(MODES), "cables": list(CABLES), "ways": {}}
    with one_core():
        for way, settings in WAYS.items():
            report(f"{way}: {', '.join(map(str, MODES))} modes")
            by_modes = [step_seconds(suspension(USUAL_CABLES, modes), settings) for modes in MODES]
            report(f"{way}: {', '.join(map(str, CABLES))} cables")
            by_cables = [step_seconds(suspension(cables, USUAL_MODES), settings) for cables in CABLES]
            figures["ways"][way] = {
                "seconds_by_modes": by_modes, "seconds_by_cables": by_cables,
                "exponent_modes": exponent(MODES, by_modes), "exponent_cables": exponent(CABLES, by_cables),
            }  # fmt: skip
    return figures


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures as tables in Markdown."""
    text = []
    for kind, usual in (("modes", f"{USUAL_CABLES} cables"), ("cables", f"{USUAL_MODES} modes")):
        sizes = figures[kind]
        text += ["", f"| us per step, {usual} | " + " | ".join(f"{size} {kind}" for size in sizes) + " | exponent |"]
        text += ["|---" * (len(sizes) + 2) + "|"]
        for way, found in figures["ways"].items():
            cells = " | ".join(f"{1e6 * s:.0f}" for s in found[f"seconds_by_{kind}"])
            text.append(f"| {way} | {cells} | {found[f'exponent_{kind}']:.2f} |")
    return text[1:]
