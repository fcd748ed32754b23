"""Statistics of studies against closed forms: period of a pendulum over length and gravity, Ishigami's function.

The period T = 4 sqrt(L/g) K(sin(a/2)) is a product of functions of L and g, so with independent L and g
    Var T = E[x^2] E[y^2] - (E[x] E[y])^2,  S_x = Var[x] E[y]^2 / Var T,  x = sqrt(L), y = 1/sqrt(g)                 (1)
Ishigami's function sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1 on (-pi, pi)^3 has the indices of [Ishigami1990].
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scenario.builder import Machine
from taut.studies.answers.failure_probability import probability_of
from taut.studies.answers.sensitivity import of_measure, sensitivities, sensitivity_points
from taut.studies.answers.statistics import of_values, statistics
from taut.studies.study import Study, study
from taut.studies.sweep import sweep
from taut.verify.quantity import Quantity, near

LENGTHS, GRAVITIES, ANGLE = (1.0, 2.0), (8.0, 12.0), 0.3
BASE = 128  # base number of points of the design for Sobol's indices
ISHIGAMI = {"S1": (0.3139, 0.4424, 0.0), "ST": (0.5576, 0.4424, 0.2437)}
PENDULUM, TABLE = "closed form of the pendulum", "[Ishigami1990], closed form"


def quantities() -> Iterator[Quantity]:
    """Pendulum, Ishigami, and how often intervals contain the truth."""
    yield from pendulum_quantities()
    yield from ishigami_quantities()
    yield from coverage_quantities()


def pendulums(design: Any) -> Study:
    """The study: pendulums of random length under random gravity."""
    machine = Machine("pendulum", gravity=[0, 0, -9.81])
    joint = {"kind": "revolute", "axis": [0, 1, 0], "position": ANGLE}
    machine.body("bob", mass=1.0, com=[0, 0, -1], joint=joint)
    machine.run(duration=12, save_every=0.02, tolerance=1e-9)
    vary = {"bodies.bob.com[2]": {"from": -LENGTHS[1], "to": -LENGTHS[0]},
            "gravity[2]": {"from": -GRAVITIES[1], "to": -GRAVITIES[0]}}  # fmt: skip
    measures = {"period": {"period": "joint_position", "joint": "bob"}, "ok": "audit"}
    return study(machine.scenario(), vary, measures, design=design)


def period(length: Any, gravity: Any) -> Any:
    """Period of the pendulum [s]."""
    from scipy.special import ellipk

    return 4.0 * np.sqrt(length / gravity) * ellipk(np.sin(0.5 * ANGLE) ** 2)


def exact() -> tuple[float, float, float]:
    """Mean of the period and the indices of length and gravity, Eq. (1)."""
    (a, b), (c, d) = LENGTHS, GRAVITIES
    x1, x2 = 2.0 / 3.0 * (b**1.5 - a**1.5) / (b - a), 0.5 * (a + b)
    y1, y2 = 2.0 * (d**0.5 - c**0.5) / (d - c), np.log(d / c) / (d - c)
    variance = x2 * y2 - (x1 * y1) ** 2
    scale = float(period(1.0, 1.0))
    return scale * x1 * y1, (x2 - x1**2) * y1**2 / variance, (y2 - y1**2) * x1**2 / variance


def pendulum_quantities() -> Iterator[Quantity]:
    """Every period, their mean, its interval, and which parameter matters how much."""
    found = sweep(pendulums({"kind": "saltelli", "count": BASE, "seed": 1}), workers=2)
    formula = period(-found["bodies.bob.com[2]"].values, -found["gravity[2]"].values)
    worst = float(np.max(np.abs(found["period"].values / formula - 1.0)))
    yield Quantity("largest relative error of a period", worst, 0.0, 1e-6, PENDULUM)
    mean, *indices = exact()
    index = next(own for own in sensitivities(found) if own.measure == "period")
    for k, name in enumerate(("length", "gravity")):
        for key in ("S1", "ST"):
            half = float(index.columns[f"{key}_conf"][k])
            # tolerance: twice the half width of a 95 % interval, which is exceeded once in ten thousand cases
            yield Quantity(f"{key} of {name}", float(index.columns[key][k]), indices[k], 2.0 * half, PENDULUM)
    own = statistics(sweep(pendulums({"kind": "random", "count": 200, "seed": 2}), workers=2))["period"]
    low, high = own.interval
    yield Quantity("mean period, against its interval", own.mean, mean, 0.5 * (high - low), PENDULUM, "s")
    own = statistics(sweep(pendulums({"kind": "sobol", "count": 256, "seed": 2}), workers=2))["period"]
    yield near("mean period by Sobol's sequence", own.mean, (mean, 2e-4), PENDULUM, "s")


def ishigami_quantities() -> Iterator[Quantity]:
    """Indices from 1024 base points."""
    u = sensitivity_points("saltelli", 1024, 3, 5)
    x = np.pi * (2.0 * u - 1.0)
    y = np.sin(x[:, 0]) + 7.0 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    found = of_measure("y", y, ("x1", "x2", "x3"), "saltelli", u).columns
    for key, expected in ISHIGAMI.items():
        for k in range(3):
            yield Quantity(f"Ishigami: {key} of x{k + 1}", float(found[key][k]), expected[k], 0.02, TABLE)


def coverage_quantities() -> Iterator[Quantity]:
    """How often intervals contain the truth, over a thousand synthetic studies."""
    rng, trials = np.random.default_rng(3), 1000
    mean = median = rare = 0
    for _ in range(trials):
        values = rng.normal(1.0, 2.0, 100)
        own = of_values(values, np.arange(100), is_sampled=True)
        mean += own.interval[0] <= 1.0 <= own.interval[1]
        median += own.quantiles[0.5][1] <= 1.0 <= own.quantiles[0.5][2]
        low, high = probability_of("", 400, int(rng.binomial(400, 0.01)), 0).interval
        rare += low <= 0.01 <= high
    yield Quantity("share of intervals that contain the mean", mean / trials, 0.95, 0.02, "Student's t")
    yield Quantity("share of intervals that contain the median", median / trials, 0.965, 0.025, "order statistics")
    yield Quantity("share of intervals that contain a probability", rare / trials, 0.975, 0.025, "Clopper and Pearson")
