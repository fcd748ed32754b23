"""Cables without mass: a mass that bounces, a pendulum, a robot at rest, and each kind against the others."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut import library
from taut.analyses.statics import statics
from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.scenario.builder import Machine
from taut.verify.quantity import Quantity, at_most

BOUNCE = "closed form: free fall, then a harmonic oscillation while the cable is taut"
PENDULUM = "closed form (elliptic functions), IFToMM benchmark A01"
COGIRO = "straight lines, and the smallest tensions that balance the platform"
LIMIT = "the limit of the other kind of cable"
# by height of release below the exit [m]: time until the cable is taut [s], duration of the taut phase [s], period [s],
# largest tension [N]
RELEASES = {
    0.0: (0.4515236410, 0.1037681087, 1.0068153906, 150.2245153),
    0.5: (0.3192754284, None, 0.7441405592, 109.3400764),
}
LENGTHS = (9.743147674, 9.183277020, 9.425611289, 9.473756733, 9.768420604, 9.197350056, 9.500899580, 9.561887397)
TENSIONS = (361.2034, 361.6115, 387.2716, 355.1640, 337.6571, 386.6964, 367.8172, 367.4965)
STILL = ["controllers={}", "signals={}", "initial={}", *(f"drivers.W{i}.payout=0" for i in range(1, 9))]


def quantities() -> Iterator[Quantity]:
    """All quantities of the case."""
    for depth in RELEASES:
        yield from bounce(depth)
    yield from pendulum()
    yield from hoist()
    yield from robot()
    yield from kinds()


def mass(place: tuple[float, float, float], cable: dict[str, Any], **run: Any) -> Result:
    """A mass of 1 kg on a cable of 1 m that hangs at the origin."""
    machine = Machine("mass on a cable")
    machine.body("mass", mass=1.0, joint={"kind": "point", "position": list(place)})
    machine.cable("cable", exit=[0, 0, 0], body="mass", anchor=[0, 0, 0], **({"length": 1.0} | cable))
    machine.event("bottom", body="mass", direction=[1, 0, 0], value=0.0)
    machine.run(**run)
    return simulate(build(machine.scenario()))


def bounce(depth: float) -> Iterator[Quantity]:
    """Quantities of a mass that falls into a cable of 1000 N/m, which only pulls."""
    first, contact, period, peak = RELEASES[depth]
    spring = {"kind": "spring", "axial_stiffness": 1000.0}
    result = mass((0.0, 0.0, -depth), spring, duration=first + 1.2 * period, save_every=1e-4, tolerance=1e-11)
    taut, slack, again, *_ = (event["time"] for event in result.events if event["name"] == "cable")
    where = f"released {depth:g} m below"
    yield Quantity(f"{where}, taut at", taut, first, 1e-9, BOUNCE, "s")
    if contact is not None:
        yield Quantity(f"{where}, taut for", slack - taut, contact, 1e-9, BOUNCE, "s")
    yield Quantity(f"{where}, period", again - taut, period, 1e-9, BOUNCE, "s")
    pull = largest(result["cable_tension"].values[:, 0, 0])
    yield Quantity(f"{where}, largest tension", pull, peak, 1e-6, BOUNCE, "N")
    yield at_most(f"{where}, rise of energy", energy_rise(result), 1e-9, "nothing gives energy", "J")


def largest(values: np.ndarray) -> float:
    """Maximum of the parabola through the three largest samples in a row."""
    k = int(np.argmax(values[1:-1])) + 1
    a, b, c = values[k - 1 : k + 2]
    return float(b + (a - c) ** 2 / (8.0 * (2.0 * b - a - c)))


def energy_rise(result: Result) -> float:
    """How far the energy rises above that of the start [J]."""
    energy = np.sum([result[f"energy_{kind}"].values for kind in ("kinetic", "gravity", "elastic")], axis=0)
    return float(np.max(energy - energy[0]))


def pendulum() -> Iterator[Quantity]:
    """An ideal cable, released from the horizontal."""
    result = mass((-1.0, 0.0, 0.0), {"kind": "ideal"}, duration=10, save_every=0.01, tolerance=1e-11)
    x, _, z = result["body_position"].values[-1, 0]
    yield Quantity("ideal pendulum, x at 10 s", float(x), -0.27508746, 2e-8, PENDULUM, "m")
    yield Quantity("ideal pendulum, z at 10 s", float(z), -0.96141921, 2e-8, PENDULUM, "m")
    passes = [event["time"] for event in result.events if event["name"] == "bottom"]
    yield Quantity("ideal pendulum, period", 2.0 * float(np.mean(np.diff(passes))), 2.36784194758, 1e-8, PENDULUM, "s")


def hoist() -> Iterator[Quantity]:
    """An ideal pendulum that is hauled in from 10 m to 5 m while it swings a little."""
    machine = Machine("hoisted pendulum")
    place = [10.0 * np.sin(0.01), 0.0, -10.0 * np.cos(0.01)]
    machine.body("mass", mass=1.0, joint={"kind": "point", "position": place})
    machine.cable("cable", kind="ideal", exit=[0, 0, 0], body="mass", anchor=[0, 0, 0], winch="W")
    machine.driver("W", kind="winch", rate=-0.5, start="raw")
    machine.run(duration=10, save_every=1, tolerance=1e-11)
    x, _, z = simulate(build(machine.scenario()))["body_position"].values[-1, 0]
    source = "theta'' = -(g sin(theta) + 2 l' theta') / l by an independent integration"
    yield Quantity(
        "hoisted ideal pendulum, angle at 10 s", float(np.arctan2(x, -z)), 0.010080954810, 1e-10, source, "rad"
    )
    yield Quantity("hoisted ideal pendulum, length at 10 s", float(np.hypot(x, z)), 5.0, 1e-9, "10 m - 0.5 m/s t", "m")


def robot() -> Iterator[Quantity]:
    """CoGiRo at rest: the lengths of ideal cables and their tensions; elastic cables that must find the same place."""
    found = statics(build(library.load("cogiro", [*STILL, "defaults.cable={kind: ideal}"])))
    pulls = np.array([cable["tension_exit"] for cable in found.cables.values()])
    lengths = np.array([cable["length"] for cable in found.cables.values()])
    yield at_most("CoGiRo, lengths", float(np.abs(lengths - LENGTHS).max()), 1e-9, COGIRO, "m")
    yield at_most("CoGiRo, tensions of ideal cables", float(np.abs(pulls - TENSIONS).max()), 1e-4, COGIRO, "N")
    relaxed = [f"cables[{i}].length={float(L)!r}" for i, L in enumerate(lengths / (1.0 + pulls / 1e6))]
    found = statics(build(library.load("cogiro", [*STILL, *relaxed, "platform.position=[0.2, -0.3, 1.8]"])))
    place = np.array(found.bodies["platform"]["position"])
    pulls = np.array([cable["tension_exit"] for cable in found.cables.values()])
    yield at_most("CoGiRo, place on elastic cables", float(np.abs(place - [0, 0, 2]).max()), 1e-9, COGIRO, "m")
    yield at_most("CoGiRo, tensions of elastic cables", float(np.abs(pulls - TENSIONS).max()), 1e-4, COGIRO, "N")


def kinds() -> Iterator[Quantity]:
    """A pendulum from 60 degrees: ever stiffer springs tend to the ideal cable, ever lighter chains to the spring."""
    start = (-np.sqrt(0.75), 0.0, -0.5)
    run = {"duration": 2.0, "save_every": 0.5, "tolerance": 1e-10}
    ideal = end(mass(start, {"kind": "ideal"}, **run))
    pull = 0.5 * 9.81
    off = []
    for EA in (1e5, 2e5, 4e5):
        spring = {"kind": "spring", "axial_stiffness": EA, "length": 1.0 / (1.0 + pull / EA)}
        off.append(float(np.linalg.norm(end(mass(start, spring, **run)) - ideal)))
    yield Quantity("springs to ideal, order in 1/EA", float(np.log2(off[1] / off[2])), 1.0, 0.1, LIMIT)
    yield at_most("springs to ideal, EA = 4e5 N", off[2], 1e-3, LIMIT, "m")
    spring = {"kind": "spring", "axial_stiffness": 1e3, "axial_damping": 10.0}
    wanted, chains = end(mass(start, spring, **run)), []
    for line in (2e-4, 1e-4):
        chain = {"kind": "mrfe", "elements": 1, "radius": 1e-4, "mass_per_length": line, "exit_bending": "hinged"}
        chains.append(end(mass(start, chain | {"axial_stiffness": 1e3, "axial_damping": 10.0}, **run)))
    first, second = (float(np.linalg.norm(place - wanted)) for place in chains)
    yield Quantity("chains to spring, order in the mass", float(np.log2(first / second)), 1.0, 0.05, LIMIT)
    extrapolated = 2.0 * chains[1] - chains[0]
    yield at_most("chains to spring, no mass", float(np.linalg.norm(extrapolated - wanted)), 1e-7, LIMIT, "m")


def end(result: Result) -> np.ndarray:
    """Place of the mass at the end of the run."""
    return result["body_position"].values[-1, 0]
