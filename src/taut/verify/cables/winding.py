"""Cables with mass wound on drums and over pulleys and guides: stretch at rest, hauling in, and the case of ``feed``.

A rope of 2.9 m over a wheel of 25 mm, with 1000 kg on it, stretches by m g L / EA, whatever the number of elements. Of
such a rope 2.5 m are hauled in: the load follows the winch, or rises as the torque of a drum lets it. The worked case
of ``feed``, whose reference are two independent discretisations, is paid out by a drum so heavy that the cable cannot
slow it down, and over a hole behind which the rope has no mass.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.analyses.statics import statics
from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.scenario.builder import Machine
from taut.verify.cables.feed import ANGLE, BALANCE, WORKED, G, balance, place_error, stretched
from taut.verify.quantity import Quantity, at_most, near

LENGTH, RADIUS, EA, HAULED, RATE = 2.9, 0.025, 7e5, 2.5, 0.3
CLOSED = "closed form"
AUDIT = "audit of the run"
HEAVY = 1e9  # inertia of a drum over the square of its radius [kg], so large that the load hardly affects its motion
BEHIND = 0.3  # length of rope behind the hole of the exit [m]


def quantities() -> Iterator[Quantity]:
    """Run all cases."""
    for elements in (2, 5, 10, 20):
        yield near(f"stretch over a pulley, {elements} elements", stretch(elements), (1000 * G * LENGTH / EA, 1e-3),
                   CLOSED, "m")  # fmt: skip
    yield from by_winch()
    yield from by_torque()
    yield from paid_by_drum()
    yield from paid_over_hole()


def over_pulley(elements: int, mass: float, line_density: float, **cable: Any) -> Machine:
    """A load straight below the far side of a wheel."""
    machine = Machine("over a pulley")
    place = [2 * RADIUS, 0.0, -(LENGTH - np.pi * RADIUS)]
    machine.body("load", mass=mass, joint={"kind": "point", "position": place})
    machine.cable("rope", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], elements=elements, pulley={"radius": RADIUS},
                  radius=2e-3, mass_per_length=line_density, axial_stiffness=EA, axial_damping=7e3,
                  **cable)  # fmt: skip
    return machine


def stretch(elements: int) -> float:
    """How far the load sinks [m]."""
    found = statics(build(over_pulley(elements, 1000.0, 1e-4).scenario()))
    return -float(found.bodies["load"]["position"][2]) - (LENGTH - np.pi * RADIUS)


def judged(name: str, result: Result) -> Iterator[Quantity]:
    """Verdict and balance of a run."""
    yield Quantity(f"{name}, audit passes", float(result.audit["verdict"] == "pass"), 1.0, 0.0, AUDIT)
    yield at_most(f"{name}, energy balance", balance(result), 1e-6, BALANCE)


def by_winch() -> Iterator[Quantity]:
    """Quantities of a load that follows its winch."""
    machine = over_pulley(10, 20.0, 0.066, winch="winch")
    machine.driver("winch", kind="winch", payout=f"-{RATE}*t")
    result = simulate(build(machine.run(duration=HAULED / RATE, save_every=0.1, tolerance=1e-8).scenario()))
    depth = -result["body_position"].values[-1, 0, 2]
    left = LENGTH - HAULED
    sag = 20.0 * G / EA * left
    yield Quantity("hauled in over a pulley by a winch, depth", depth, left - np.pi * RADIUS + sag, 1e-5, CLOSED, "m")
    yield from judged("hauled in over a pulley by a winch", result)


def by_torque() -> Iterator[Quantity]:
    """The load rises with the torque: I/r^2 z'' = M/r - T - T^2/(2 EA), T = m (g + z''), of a rope without weight."""
    mass, radius, inertia, time = 20.0, 0.05, 0.02, 3.0
    rise = 0.95 * LENGTH - np.pi * RADIUS - 0.3
    upwards = 2.0 * rise / time**2
    tension = mass * (G + upwards)
    # the rope that the drum takes in is stretched, by five millimetres here, which adds T^2/(2 EA) to its pull
    pull = tension + tension**2 / (2.0 * EA) + inertia / radius**2 * upwards
    machine = over_pulley(10, mass, 1e-5, winch="winch")
    drum = {"radius": radius, "inertia": inertia, "torque": -pull * radius, "braked": False}
    machine.driver("winch", kind="winch", drum=drum)
    result = simulate(build(machine.run(duration=time, save_every=0.1, tolerance=1e-8).scenario()))
    found = result["body_position"].values[-1, 0, 2] + (LENGTH - np.pi * RADIUS)
    # tolerance: the rope stretches by less than a millimetre, and the load oscillates on it
    yield Quantity("hauled in over a pulley by a torque, rise", found, rise, 1e-3, CLOSED, "m")
    yield from judged("hauled in over a pulley by a torque", result)


def worked(elements: int, length: float, winch: dict[str, Any], **cable: Any) -> Machine:
    """The machine of the worked case of ``feed``, with a winch."""
    machine = Machine("worked case")
    machine.body("load", mass=5.0, joint={"kind": "point", "position": [5 * np.sin(ANGLE), 0.0, -5 * np.cos(ANGLE)]})
    machine.driver("winch", kind="winch", start="raw", **winch)
    machine.cable("rope", body="load", anchor=[0, 0, 0], elements=elements, length=length, radius=1e-4,
                  mass_per_length=1.0, axial_stiffness=1e6, axial_damping=1e3, exit_bending="hinged", winch="winch",
                  **cable)  # fmt: skip
    return machine.run(duration=6.0, save_every=0.05, tolerance=1e-8)


def paid_by_drum() -> Iterator[Quantity]:
    """A drum follows the ramp of the worked case by its torque alone."""
    # torque by which the length gets the rate 0.5 m/s times a quintic smoothstep of t/0.5 s
    torque = f"where(0.5 - t, {HEAVY!r}*30*(t/0.5)**2*(1 - t/0.5)**2, 0)"
    drum = {"radius": 1.0, "inertia": HEAVY, "torque": torque, "braked": False}
    model = build(worked(20, 5.0, {"drum": drum}, exit=[0, 0, 0]).scenario())
    result = simulate(stretched(model, 20))
    yield at_most("worked case by a heavy drum, 20 elements, payload", place_error(result), 1e-3, WORKED, "m")
    yield Quantity(
        "worked case by a heavy drum, audit passes", float(result.audit["verdict"] == "pass"), 1.0, 0.0, AUDIT
    )


def paid_over_hole() -> Iterator[Quantity]:
    """The ramp of the worked case, paid out through a hole by a winch behind it."""
    ramp = {"kind": "waypoints", "times": [0.0, 0.5], "values": [0.0, 0.5], "blend": "quintic"}
    hole = {"kind": "pinhole", "point": [0, 0, 0]}
    length = (5.0 + BEHIND) * (1.0 - 10.0 * G * np.cos(ANGLE) / 1e6)
    machine = worked(20, length, {"rate": ramp}, exit=[-BEHIND, 0, 0], via=[hole])
    result = simulate(build(machine.scenario()))
    yield at_most("worked case through a hole, 20 elements, payload", place_error(result), 1.1e-3, WORKED, "m")
    yield from judged("worked case through a hole, 20 elements", result)
