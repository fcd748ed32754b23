"""The suspended platform reduced: error, tension, speed by number of modes, an input it was not trained on, slack.

Errors are those of the reduced run against the full one. Single runs can be compared for about ten seconds, in which
two ropes are slack a tenth of the time; over 100 s only statistics mean something (docs/suspension.md).
"""

from collections.abc import Iterator

import numpy as np

from taut import library
from taut.analyses.reduction import compare, reduce
from taut.build import build
from taut.build.reduction.reduction import Reduction, build_reduced
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.scenario.scenario import Scenario
from taut.verify.cables.reduce import seconds
from taut.verify.quantity import Quantity, at_most

OURS = "our limit"
COMPARED = 10.0  # runs are compared up to this time [s]
SPEEDS = {20: 2.0, 40: 4.0, 80: 5.0}  # least speed-up by number of modes per field
UNTRAINED = ("signals.shake.amplitude=0.022",)
OUTSIDE = ("signals.shake.amplitude=0.2",)
LONG = 100.0
LONG_SHAPES = 6


def suspension(*settings: str, duration: float = COMPARED, modes: int = 20) -> Scenario:
    """The published suspension with other inputs."""
    return library.load("wang-suspension", [f"run.duration={duration}", f"defaults.cable.modes={modes}", *settings])


def quantities() -> Iterator[Quantity]:
    """Quantities by number of modes, then for other inputs, then for the whole motion."""
    for modes, times in SPEEDS.items():
        scenario = suspension(modes=modes)
        rom = reduce(scenario)
        yield from accuracy(f"{modes} modes", scenario, rom, 0.01)
        yield speed(f"{modes} modes", scenario, rom, times)
    rom = reduce(suspension())
    yield from accuracy("sheaves shake by a tenth more", suspension(*UNTRAINED), rom, 0.05)
    yield from outside(rom)
    yield from long_run()


def accuracy(name: str, scenario: Scenario, rom: Reduction, limit: float) -> Iterator[Quantity]:
    """Errors of a reduced run."""
    model = build(scenario)
    full, reduced = simulate(model), simulate(model, rom=rom)
    errors = compare(full, reduced)
    yield at_most(f"{name}: error in the norm of q - q(0)", errors.moved, limit, OURS)
    yield at_most(f"{name}: error of the platform's way", errors.body, limit, OURS)
    x, y = (result["platform_position"].values[:, :2] for result in (full, reduced))
    sway = float(np.abs(y - x).max() / np.ptp(x, axis=0).max())
    yield at_most(f"{name}: error of the sway, of its range", sway, 5 * limit, OURS)
    yield at_most(f"{name}: error of the tensions, against their change", tension_error(full, reduced), 0.1, OURS)
    yield at_most(f"{name}: distance from training", float(reduced["rom_trust"].max()), 1.0, "1: limit of trust")
    usual = float(reduced["rom_residual"].max()) / rom.residual
    yield at_most(f"{name}: residual of the full model, against training", usual, 10.0, OURS)
    yield Quantity(f"{name}: audit passes", float(reduced.audit["verdict"] == "pass"), 1, 0, OURS)


def tension_error(full: Result, reduced: Result) -> float:
    """Error of the tensions at the anchors."""
    T, U = (result["cable_tension_anchor"].values for result in (full, reduced))
    return float(np.linalg.norm(U - T) / np.linalg.norm(T - T[0]))


def speed(name: str, scenario: Scenario, rom: Reduction, times: float) -> Quantity:
    """How many times faster the reduced model is."""
    found = seconds({"full": build(scenario), "reduced": build_reduced(scenario, rom)}, repeats=2)
    ratio = found["full"] / found["reduced"]
    return at_most(f"{name}: time against the full one (1/{ratio:.2f})", 1 / ratio, 1 / times, OURS)


def outside(rom: Reduction) -> Iterator[Quantity]:
    """Ten times the shaking: the reduced model must report that it is outside, and the full model can take over."""
    model = build(suspension(*OUTSIDE, duration=2.0))
    full, alone = simulate(model), simulate(model, rom=rom)
    yield Quantity("ten times the shaking: said to be outside", float(alone["rom_trust"].max() > 1.0), 1, 0, OURS)
    taken = simulate(model, rom=rom, rom_fallback=True)
    apart = np.linalg.norm(taken["platform_position"].values - full["platform_position"].values, axis=1).max()
    yield at_most("ten times the shaking, fallback: platform", float(apart), 1e-3, OURS, "m")
    yield Quantity("ten times the shaking, fallback: audit passes", float(taken.audit["verdict"] == "pass"), 1, 0, OURS)


def long_run() -> Iterator[Quantity]:
    """Statistics of the whole motion, full and reduced."""
    scenario = suspension(duration=LONG)
    rom = reduce(scenario, shapes=LONG_SHAPES)
    full, reduced = (simulate(build(scenario), rom=given) for given in (None, rom))
    yaws = [float(np.abs(2 * result["body_quaternion"].values[:, 0, 3]).max()) for result in (full, reduced)]
    yield at_most("100 s: largest yaw against that of the full model", abs(yaws[1] / yaws[0] - 1), 0.05, OURS)
    slack = [np.mean(result["cable_tension_anchor"].values <= 0.0, axis=0) for result in (full, reduced)]
    yield at_most("100 s: share of time that a rope is slack", float(np.abs(slack[1] - slack[0]).max()), 0.03, OURS)
    peaks = [float(result["cable_tension_anchor"].max()) for result in (full, reduced)]
    yield at_most("100 s: largest tension against that of the full model", abs(peaks[1] / peaks[0] - 1), 0.25, OURS)
