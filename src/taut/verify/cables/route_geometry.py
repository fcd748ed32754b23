"""Ways of ropes as a run has them: over three wheels, and over a pulley that swivels with its rope."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.build import build
from taut.integrate.simulate import simulate
from taut.results.result import Result
from taut.scenario.builder import Machine
from taut.scenario.cables.rope import Rope
from taut.verify.quantity import Quantity, at_most

TANGENTS = "closed form of open and crossed tangents"
WHEELS = ((1.0, 2.0, 0.25, "right"), (2.2, 0.6, 0.15, "left"), (3.5, 2.2, 0.4, "right"))
WRAPS = (2.300025360986168, 2.23937869472112, 2.6195650186747916)
SLOPES = ((-0.12617851442833822, 1.8211723829080293), (0.06991031924241936, -1.7985719147785608),
          (0.29112723175119487, 1.9102001844754608))  # fmt: skip
PULLEYS = {
    (0.05, (0.8, 0.6, 1.0)): (2.8508060399149433, 3.288966846506202),
    (0.2, (3.0, -2.0, 0.5)): (2.4108372265983067, 5.361489067206705),
}


# ropes by class, diameter [m] and grade: mass [kg/m], metallic area [mm^2], breaking force [kN], EA [MN]
ROPES = {
    ("6x36-IWRC", 0.016, 1770): (1.04704, 117.76, 161.31072, 11.776),
    ("6x19-FC", 0.010, 1770): (0.359, 38.4, 58.41, 3.072),
    ("8x36-IWRC", 0.022, 1960): (2.01828, 226.512, 337.71584, 22.6512),
    ("34x7-WSC", 0.018, 1960): (1.29924, 138.672, 201.94272, 13.8672),
}


def ropes() -> Iterator[Quantity]:
    """Case M04: mass, strength and stiffness of standard wire ropes."""
    for (kind, diameter, grade), expected in ROPES.items():
        rope: Any = Rope(**{"class": kind, "diameter": diameter, "grade": grade})
        found = (rope.mass_per_length, 1e6 * rope.metal_area, 1e-3 * rope.breaking_force, 1e-6 * rope.axial_stiffness)
        worst = float(np.abs(np.array(found) / expected - 1.0).max())
        name = f"rope {kind} of {1e3 * diameter:g} mm: mass, metal, breaking force, EA, relative"
        yield at_most(name, worst, 1e-9, "factors of EN 12385-4 in two public tables")


def geometry() -> Iterator[Quantity]:
    """Cases R11 and R12: lengths of ropes over guides."""
    result = hanging((4.2, 0.0, -0.5), exit=[0, 0, 0], via=[
        {"kind": "sheave", "point": [x, 0, z], "radius": r, "axis": [0, -1, 0], "side": side}
        for x, z, r, side in WHEELS])  # fmt: skip
    yield Quantity("three wheels, way", length(result), 10.72805415325253, 1e-12, TANGENTS, "m")
    worst = float(np.abs(result["guide_wrap"].values[0] - WRAPS).max())
    yield at_most("three wheels, wraps", worst, 1e-12, TANGENTS, "rad")
    slopes = -result["guide_load"].values[0][:, [0, 2]] / float(result["cable_tension_exit"][0, 0])
    yield at_most("three wheels, loads of a unit tension", float(np.abs(slopes - SLOPES).max()), 1e-9, TANGENTS)
    for (radius, anchor), (wrap, way) in PULLEYS.items():
        result = hanging(anchor, exit=[0, 0, 4], pulley={"radius": radius})
        name = f"pulley of {radius:g} m"
        yield Quantity(f"{name}, wrap", float(result["guide_wrap"][0, 0]), wrap, 1e-12, TANGENTS, "rad")
        yield Quantity(f"{name}, way", length(result), way, 1e-12, TANGENTS, "m")


def hanging(anchor: tuple[float, float, float], **cable: object) -> Result:
    """The first moments of a mass on a rope that is just taut."""
    machine = Machine("a rope over wheels")
    machine.body("mass", mass=1.0, joint={"kind": "point", "position": list(anchor)})
    machine.cable("rope", kind="ideal", body="mass", anchor=[0, 0, 0], **cable)
    machine.run(duration=1e-3, save_every=1e-3)
    return simulate(build(machine.scenario()))


def length(result: Result) -> float:
    """Length of a rope that fits its route at the start."""
    return float(result["cable_length"][0, 0])
