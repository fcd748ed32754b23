"""Every integrator has the order it claims: machines with loops that move smoothly for half a second.

The Stewart platform turns by a quaternion and closes six loops; the four-bar linkage has redundant closure rows. Errors
are taken against many short steps of the method of order 8, and the order is the slope of the largest error at the
samples against the number of steps, both on logarithmic scales.

Steps are of one size and end at the samples. Samples inside of steps have an error of their own, that of the step's
polynomial, and Newton's iteration leaves one in proportion to the tolerance. In radau's adaptive runs both mix with the
error of the method, by where the samples happen to lie: slopes from one tolerance to the next are anything from 4 to 9
on the four-bar linkage, and 3 on the Stewart platform, where Newton's error of every step, 0.001 times the tolerance,
adds up. So radau is given equal steps too, each iterated to rounding. Its step is fixed by ``largest_step`` with a
tolerance that is just not exceeded: it falls with the power 4 of the step, as the error estimate does.
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
DURATION = 0.5  # duration of the runs [s]
REFERENCE = {"integrator": "explicit", "step": DURATION / 250}
ALPHA, RADAU = "generalized-alpha", "radau"
STEPS = {  # numbers of fixed steps, by method and machine, for which the error is small but above rounding
    (ALPHA, "stewart"): (400, 800, 1600),
    (ALPHA, "four-bar"): (50, 100, 200),
    ("nonsmooth-alpha", "stewart"): (400, 800, 1600),
    ("nonsmooth-alpha", "four-bar"): (50, 100, 200),
    ("moreau-jean", "stewart"): (400, 800, 1600),
    ("moreau-jean", "four-bar"): (100, 200, 400),
    ("explicit", "stewart"): (16, 24, 32, 48),
    ("explicit", "four-bar"): (2, 3, 4),
    (RADAU, "stewart"): (40, 60, 80, 120, 160, 240),
    (RADAU, "four-bar"): (10, 15, 20, 25, 30, 40),
}
SAMPLES = 5  # intervals between samples; all numbers of steps of radau are multiples of it
LOOSEST = {"stewart": 1.6e-3, "four-bar": 1e-5}  # tolerance of radau's run with the fewest steps
ESTIMATE = 4  # power of the step with which radau's error estimate falls
# tight tolerance, so that the error of Newton's iteration is negligible against the method's
NEWTON_TOLERANCE = 1e-10


class Study(NamedTuple):
    """Runs of one machine that show a method's order, and the order expected."""

    label: str
    machine: str
    order: int
    tolerance: float
    rows: list[dict[str, Any]]


def quantities() -> Iterator[Quantity]:
    """Order in positions of every method, and how far the implicit one ends from the explicit one."""
    references = {name: Reference(name) for name in ("stewart", "four-bar")}
    for study in studies():
        found = references[study.machine].observed_order(study.rows)
        yield Quantity(f"order of {study.label}, {study.machine}", found, study.order, study.tolerance, SOURCE)
    away = references["stewart"].error({"tolerance": 1e-13})[0]
    yield at_most("radau against explicit, stewart", away, 1e-10, "one motion, two methods", "m or rad")


def studies() -> list[Study]:
    """The runs of every order that is verified."""
    orders = {name: method.order for name, method in ALL_INTEGRATORS.items()}
    found = [Study(RADAU, machine, orders[RADAU], 0.3, equal_steps(machine)) for machine in LOOSEST]
    for index in (2, 3):
        rows = fixed_steps(ALPHA, "stewart", generalized_alpha={"index": index})
        found.append(Study(f"{ALPHA}, index {index}", "stewart", orders[ALPHA], 0.1, rows))
    found.append(Study("explicit", "stewart", orders["explicit"], 0.5, fixed_steps("explicit", "stewart")))
    impulses = {"nonsmooth_alpha": {"reactions": "impulses"}}
    for label, name, own, order in (
        ("nonsmooth-alpha", "nonsmooth-alpha", {}, 2),
        ("nonsmooth-alpha, impulses", "nonsmooth-alpha", impulses, 1),
        ("moreau-jean", "moreau-jean", {}, 1),
    ):
        found.append(Study(label, "stewart", order, 0.1, fixed_steps(name, "stewart", **own)))
    return found


def fixed_steps(name: str, machine: str, **own: Any) -> list[dict[str, Any]]:
    """Runs by one method with fewer and more steps."""
    counts = STEPS[name, machine]
    return [{"integrator": name, "step": DURATION / n, "tolerance": NEWTON_TOLERANCE, **own} for n in counts]


def equal_steps(machine: str) -> list[dict[str, Any]]:
    """Runs of radau in fewer and more steps of one size, each solved to rounding."""
    counts = STEPS[RADAU, machine]
    return [
        {
            "tolerance": LOOSEST[machine] * (counts[0] / n) ** ESTIMATE,
            "largest_step": DURATION / n,
            "is_polished": True,
        }
        for n in counts
    ]


class Reference:
    """A machine of the library and its converged motion, sampled at few times."""

    def __init__(self, name: str) -> None:
        """Build and run the machine."""
        self.model: Model = build(
            library.load(
                name, [f"run.duration={DURATION}", f"run.save_every={DURATION / SAMPLES}", "run.error_growth=1"]
            )
        )
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
