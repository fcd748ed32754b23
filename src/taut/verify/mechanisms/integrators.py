"""Every integrator has the order it claims: machines with loops that move smoothly for half a second.

The Stewart platform turns by a quaternion and closes six loops; the four-bar linkage has redundant closure rows. Errors
are taken against many short steps of the method of order 8, and the order is the slope of the largest error at the
samples against the number of steps, both on logarithmic scales.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.run.bare import integrate
from taut.integrate.settings import ALL_INTEGRATORS
from taut.model import Model
from taut.verify.quantity import Quantity, at_most

SOURCE = "order of the method"
DURATION = 0.5  # [s]
REFERENCE = {"integrator": "explicit", "step": DURATION / 250}
ALPHA = "generalized-alpha"
STEPS = {  # in which the error of a fixed step is small, but above rounding: by method and machine
    (ALPHA, "stewart"): (400, 800, 1600),
    (ALPHA, "four-bar"): (50, 100, 200),
    ("nonsmooth-alpha", "stewart"): (400, 800, 1600),
    ("nonsmooth-alpha", "four-bar"): (50, 100, 200),
    ("moreau-jean", "stewart"): (400, 800, 1600),
    ("moreau-jean", "four-bar"): (100, 200, 400),
    ("explicit", "stewart"): (16, 24, 32, 48),
    ("explicit", "four-bar"): (2, 3, 4),
}
# tight, so that Newton's error is negligible against the method's
NEWTON_TOLERANCE = 1e-10


class Study(NamedTuple):
    """What is run to find an order, and what it must be."""

    machine: str
    order: int
    tolerance: float
    rows: list[dict[str, Any]]


def quantities() -> Iterator[Quantity]:
    """Order in positions of every method, and how far the implicit one ends from the explicit one."""
    references = {name: Reference(name) for name in ("stewart", "four-bar")}
    for label, study in studies().items():
        found = references[study.machine].observed_order(study.rows)
        yield Quantity(f"order of {label}, {study.machine}", found, study.order, study.tolerance, SOURCE)
    away = references["stewart"].error({"tolerance": 1e-13})[0]
    yield at_most("radau against explicit, stewart", away, 1e-10, "one motion, two methods", "m or rad")


def studies() -> dict[str, Study]:
    """The runs of every order that is verified, by the words that name the method."""
    # the controller keeps every step near its limit, so that the error falls with the number of steps as at fixed steps
    tight = [{"tolerance": tolerance} for tolerance in (1e-7, 1e-8, 1e-9)]
    found = {"radau": Study("four-bar", ALL_INTEGRATORS["radau"].order, 0.5, tight)}
    for index in (2, 3):
        rows = fixed_steps(ALPHA, "stewart", generalized_alpha={"index": index})
        found[f"{ALPHA}, index {index}"] = Study("stewart", ALL_INTEGRATORS[ALPHA].order, 0.1, rows)
    found["explicit"] = Study("stewart", ALL_INTEGRATORS["explicit"].order, 0.5, fixed_steps("explicit", "stewart"))
    impulses = {"nonsmooth_alpha": {"reactions": "impulses"}}
    for label, name, own, order in (
        ("nonsmooth-alpha", "nonsmooth-alpha", {}, 2),
        ("nonsmooth-alpha, impulses", "nonsmooth-alpha", impulses, 1),
        ("moreau-jean", "moreau-jean", {}, 1),
    ):
        found[label] = Study("stewart", order, 0.1, fixed_steps(name, "stewart", **own))
    return found


def fixed_steps(name: str, machine: str, **own: Any) -> list[dict[str, Any]]:
    """Runs by one method with fewer and more steps."""
    counts = STEPS[name, machine]
    return [{"integrator": name, "step": DURATION / n, "tolerance": NEWTON_TOLERANCE, **own} for n in counts]


class Reference:
    """A machine of the library and its converged motion, sampled at few times."""

    def __init__(self, name: str) -> None:
        """Build and run it."""
        self.model: Model = build(library.load(name, [f"run.duration={DURATION}", f"run.save_every={DURATION / 5}"]))
        self.samples = integrate(self.model, **REFERENCE).samples

    def error(self, settings: dict[str, Any], channel: str = "q") -> tuple[float, int]:
        """Largest error of a run at the samples, and its number of steps."""
        run = integrate(self.model, **settings)
        away = np.abs(getattr(run.samples, channel) - getattr(self.samples, channel))
        return float(away.max()), int(run.statistics["accepted"])

    def observed_order(self, rows: list[dict[str, Any]], channel: str = "q") -> float:
        """Slope of the error against the number of steps, over several runs."""
        errors, steps = zip(*(self.error(settings, channel) for settings in rows), strict=True)
        return float(-np.polyfit(np.log(steps), np.log(errors), 1)[0])
