"""Impacts and slack in fixed steps: closed forms, orders, and energy that must not rise."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut import library
from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.scenario.builder import Machine
from taut.verify.quantity import Quantity, at_most

GRAVITY = 9.81
PERIOD = 1.0068153906  # period of the bounce [s]
BALL = "closed form: parabolas, each impact keeps 0.8 of the speed"
BOUNCE = "closed form: free fall, then a harmonic oscillation while the cable is taut"
FALL = "of the energy of the fall"
STEPS = (4e-3, 2e-3, 1e-3, 5e-4)
METHODS: dict[str, dict[str, Any]] = {
    "nonsmooth-alpha": {"integrator": "nonsmooth-alpha"},
    "moreau-jean": {"integrator": "moreau-jean"},
}
# every method a user may choose at its default step or tolerance, and the numbers of elements it is tried with
SNATCHED: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "radau": ({"integrator": "radau"}, (5, 20)),
    "nonsmooth-alpha": ({"integrator": "nonsmooth-alpha"}, (5, 10, 20, 40)),
    "nonsmooth-alpha, impulses": (
        {"integrator": "nonsmooth-alpha", "nonsmooth_alpha": {"reactions": "impulses"}}, (5, 10, 20, 40)),
    "moreau-jean": ({"integrator": "moreau-jean"}, (5, 10, 20, 40)),
}  # fmt: skip
DAMPERS = {
    "damped": {"axial_damping": 1.0, "bending_damping": 1e-3},
    "damped in bending": {"axial_damping": 0.0, "bending_damping": 1e-3},
    "undamped": {"axial_damping": 0.0, "bending_damping": 0.0},
}
CAUGHT = "located impacts, radau at 1e-11"


def quantities() -> Iterator[Quantity]:
    """All quantities of the non-smooth methods."""
    yield at_most("ball on the ground, 3 bounces, nonsmooth-alpha", ball_error("nonsmooth-alpha"), 1e-10, BALL, "m")
    yield at_most("ball on the ground, 3 bounces, moreau-jean", ball_error("moreau-jean"), 1e-2, BALL, "m")
    for name in METHODS:
        errors, rises = zip(*(bounce(name, step) for step in STEPS), strict=True)
        order = -np.polyfit(np.log(1.0 / np.array(STEPS)), np.log(errors), 1)[0]
        yield at_most(f"period of the bounce at 1 ms, {name}", errors[STEPS.index(1e-3)], 2e-5, BOUNCE, "s")
        yield Quantity(f"order of the period, {name}", order, 2.0, 0.3, "order of the method")
        yield at_most(f"energy gained at 1 ms, {name}", rises[STEPS.index(1e-3)], 1e-3, FALL)
        yield at_most(f"energy gained on a cable with mass, {name}", snatch_rise(name), 1e-3, FALL)
    yield from snatches()
    reference = caught(integrator="radau", tolerance=1e-11)
    coarse, fine = (caught(integrator="nonsmooth-alpha", step=h, tolerance=1e-9) for h in (2e-3, 1e-3))
    errors = [float(np.abs(run - reference).max()) for run in (coarse, fine)]
    yield at_most("mass caught by an ideal cable, 1 ms", errors[1], 1e-5, CAUGHT, "m")
    yield Quantity("order across that impact", float(np.log2(errors[0] / errors[1])), 2.0, 0.5, "order of the method")


def ball_error(name: str) -> float:
    """Largest error of the height in the first three bounces [m], step 1 ms."""
    result = simulate(build(library.load("ball-on-ground")), **METHODS[name])
    time, height = result["time"].values, result["body_position"].values[:, 0, 2] - 0.1
    begin, speed, worst = np.sqrt(2.0 / GRAVITY), 0.8 * np.sqrt(2.0 * GRAVITY), 0.0
    for _ in range(3):
        t = time - begin
        flies = (t > 0.05 * speed) & (t < 2.0 * speed / GRAVITY - 0.05 * speed)
        worst = max(worst, np.abs(height - speed * t + 0.5 * GRAVITY * t * t)[flies].max())
        begin, speed = begin + 2.0 * speed / GRAVITY, 0.8 * speed
    return float(worst)


def bounce(name: str, step: float) -> tuple[float, float]:
    """Error of the period [s] and gain of energy against that of the fall, of a mass on a cable without mass."""
    settings = ["run.duration=1", f"run.save_every={step}"]
    result = simulate(build(library.load("bounce", settings)), step=step, tolerance=1e-10, **METHODS[name])
    return period_error(result), rise(result) / GRAVITY


def period_error(result: Result) -> float:
    """Error of the period [s], from the speed in the second free flight."""
    k = int(np.searchsorted(result["time"].values, 0.9))
    top = result["time"].values[k] + result["body_velocity"].values[k, 0, 2] / GRAVITY
    return float(abs(top - PERIOD))


def rise(result: Result) -> float:
    """Largest rise of the energy [J]."""
    energy = sum(result[name].values for name in ("energy_kinetic", "energy_gravity", "energy_elastic"))
    return float((energy - np.minimum.accumulate(energy)).max())


def snatch_rise(name: str) -> float:
    """Gain of energy of a load that a slack cable with mass snatches, against that of the fall."""
    return gain(simulate(build(library.load("cable-snatch")), **METHODS[name]))


def gain(result: Result) -> float:
    """Largest rise of the stored energy of a load of 1 kg, against the energy of its fall."""
    return rise(result) / fall(result)


def fall(result: Result) -> float:
    """Energy of the fall of a load of 1 kg [J]."""
    height = result["body_position"].values[:, 0, 2]
    return float(GRAVITY * (height[0] - height.min()))


def balance_gain(result: Result) -> float:
    """Largest rise of the whole balance, with what dampers took, against the energy of the fall."""
    balance = result["energy_balance"].values
    return float((balance - np.minimum.accumulate(balance)).max()) / fall(result)


def snatches() -> Iterator[Quantity]:
    """Energy gained in snatches at the default settings of every method: the largest of several numbers of elements."""
    for name, (settings, counts) in SNATCHED.items():
        number, balances = ", ".join(map(str, counts)), []
        for words, dampers in DAMPERS.items():
            runs = [snatched(elements, dampers, settings) for elements in counts]
            yield at_most(f"energy gained, {number} elements, {words}, {name}", max(map(gain, runs)), 1e-3, FALL)
            balances += map(balance_gain, runs)
        if "impulses" not in name:
            yield at_most(f"balance gained, all of these, {name}", max(balances), 1e-2, FALL)


def snatched(elements: int, dampers: dict[str, float], settings: dict[str, Any]) -> Result:
    """A load that a slack cable of so many elements snatches, saved every millisecond."""
    scenario = library.load("cable-snatch")
    cable = scenario.cables[0].model_copy(update={"elements": elements, **dampers})
    run = scenario.run.model_copy(update={"step": None, "save_every": 1e-3, "unilateral": "smooth"})
    return simulate(build(scenario.model_copy(update={"cables": [cable], "run": run})), **settings)


def caught(**run: Any) -> np.ndarray:
    """Positions of a mass that falls beside the exit of an ideal cable, is caught, and swings."""
    machine = Machine("caught")
    machine.body("mass", mass=1.0, joint={"kind": "point", "position": [0.6, 0.0, 0.0]})
    machine.cable("cable", kind="ideal", exit=[0, 0, 0], body="mass", anchor=[0, 0, 0], length=1.0)
    machine.run(duration=1.0, save_every=0.02)
    return simulate(build(machine.scenario()), **run)["body_position"].values[:, 0]
