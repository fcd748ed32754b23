"""Stiffness, damping and payload of a crane from noisy data: do 95 % intervals contain the truth in 95 of 100 trials?

A load is let go on an elastic cable without mass, beside the vertical, and bounces and swings. Its height is measured
with 1 mm of noise and the force in the cable with 20 N, every 0.05 s. Height alone would tell stiffness and damping per
mass only.
"""

from collections.abc import Iterator

import numpy as np

from taut.build import build
from taut.integrate.simulate import simulate
from taut.scenario.builder import Machine
from taut.scenario.scenario import Scenario
from taut.studies.fitting.fit import Fit, fit
from taut.studies.fitting.measured import Measured
from taut.verify.quantity import Quantity

TRIALS = 100
SOURCE = "binomial: 95 of 100"
TRUTH = {"cables.rope.axial_stiffness": 4e5, "cables.rope.axial_damping": 2e3, "bodies.load.mass": 500.0}
COLUMNS = ("body_position.load.z", "cable_tension_exit.rope")
NOISE = np.array([1e-3, 20.0])
TIME = np.arange(1, 61) * 0.05


def crane(share: float = 1.0) -> Scenario:
    """The crane, with numbers that are a share of the true ones."""
    machine = Machine("load on an elastic rope")
    numbers = [share * value for value in TRUTH.values()]
    machine.body("load", mass=numbers[2], joint={"kind": "point", "position": [1.0, 0.0, -10.0]})
    machine.cable("rope", kind="spring", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], length=10.0,
                  axial_stiffness=numbers[0], axial_damping=numbers[1])  # fmt: skip
    return machine.run(duration=float(TIME[-1]), save_every=0.05, tolerance=1e-9).scenario()


def true_columns() -> np.ndarray:
    """The channels of the true crane, without noise."""
    dataset = simulate(build(crane()), save_times=TIME, audit=False).dataset
    z = dataset["body_position"].sel(body="load", xyz="z").interp(time=TIME).values
    return np.stack([z, dataset["cable_tension_exit"].sel(cable="rope").interp(time=TIME).values], axis=1)


def trial(clean: np.ndarray, seed: int) -> Fit:
    """One fit of noisy data, begun a fifth away from the truth."""
    noise = np.random.default_rng(seed).standard_normal(clean.shape) * NOISE
    return fit(crane(0.8), dict.fromkeys(TRUTH), Measured(TIME, COLUMNS, clean + noise))


def quantities(trials: int = TRIALS) -> Iterator[Quantity]:
    """How many intervals contain the truth."""
    clean, truth = true_columns(), np.array(list(TRUTH.values()))
    found = [trial(clean, seed) for seed in range(trials)]
    converged = sum(own.is_converged for own in found)
    yield Quantity("fits that converge", converged, trials, 0.0, "all must")
    for k, name in enumerate(TRUTH):
        inside = sum(bool(own.intervals[k, 0] <= truth[k] <= own.intervals[k, 1]) for own in found)
        yield Quantity(f"intervals that contain {name}", inside, 0.945 * trials, 0.045 * trials, SOURCE)
