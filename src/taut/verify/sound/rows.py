"""Statics, damping and small elements that were wrong once: closed forms and published numbers."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import taut
from taut.scenario.records.orientation import rotation_about
from taut.verify.cables import published_quadcopters
from taut.verify.quantity import Quantity, at_most
from taut.verify.sound import friction, given_starts, ground_friction, rigid_friction

LOAD, EA, RATIO, BRANCH_TIME, GRAVITY = 10.0, 1e4, 4.0, 0.05, 9.81


def quantities() -> Iterator[Quantity]:
    """Run all rows of the table, and compare."""
    yield from relaxed_branches()
    yield from damping_ratios()
    yield from crane_links()
    yield from spring_between_points()
    yield from friction.quantities()
    yield from ground_friction.quantities()
    yield from rigid_friction.quantities()
    yield from published_quadcopters.quantities()
    yield from turned_robot()
    yield from given_starts.quantities()


def solid_rope(*, is_solved: bool) -> Any:
    """A load on a rope whose law is a standard linear solid."""
    machine = taut.Machine("load on a standard linear solid")
    machine.body("load", mass=LOAD, joint={"kind": "point", "position": [0, 0, -1.0]})
    law = {"law": "standard-linear-solid", "branch_ratio": RATIO, "branch_time": BRANCH_TIME}
    machine.cable("rope", exit=[0, 0, 0], body="load", anchor=[0, 0, 0], elements=1, length=1.0, radius=1e-3,
                  mass_per_length=1e-6, axial_stiffness=EA, axial_damping=0.0, exit_bending="hinged",
                  axial_law=law)  # fmt: skip
    if is_solved:
        machine.initial(solve="equilibrium")
    return taut.build(machine.run(duration=2.0, save_every=0.05).scenario())


def relaxed_branches() -> Iterator[Quantity]:
    """Branches of a solid have relaxed at rest, and are states in modes."""
    source = "closed form"
    z = taut.statics(solid_rope(is_solved=False)).bodies["load"]["position"][2]
    yield Quantity("rest of a load on a standard linear solid", z, -1.0 - LOAD * GRAVITY / EA, 1e-6, source, "m")
    heights = taut.simulate(solid_rope(is_solved=True))["body_position"].values[:, 0, 2]
    yield Quantity("way of it in a run from rest", float(np.ptp(heights)), 0.0, 1e-8, source, "m")
    # a mass on a Maxwell branch beside a spring: m s^2 + k + k_b s T
    # (1 + s T) = 0
    roots = np.roots([LOAD * BRANCH_TIME, LOAD, EA * (1 + RATIO) * BRANCH_TIME, EA])
    true = next(root for root in roots if root.imag > 0)
    found = taut.modes(solid_rope(is_solved=False))
    value = found.eigenvalues[np.argmin(np.abs(found.eigenvalues - true))]
    yield Quantity("its damped frequency", value.imag, float(true.imag), 1e-3, "root of the cubic", "rad/s")
    yield Quantity("its decay rate", value.real, float(true.real), 1e-3, "root of the cubic", "1/s")


def damping_ratios() -> Iterator[Quantity]:
    """The first oscillations of eight sagging cables, whose damping is strong."""
    found = taut.modes(taut.build(taut.library.load("mamidi-8-8-rest")), count=2)
    for k, ratio in enumerate((0.042, 0.046)):
        yield Quantity(f"8-8 robot, damping ratio {k + 1}", float(found.ratios[k]), ratio, 0.02 * ratio,
                       "eigenvalues of the whole machine")  # fmt: skip


def crane_links() -> Iterator[Quantity]:
    """Angle and rate of a link of several pieces that does not hang on the trolley."""
    links = [{"length": 2, "mass": 5, "angle": 0.1, "rate": 0.2},
             {"length": 4, "mass": 10, "count": 2, "angle": 0.3, "rate": -0.4}]  # fmt: skip
    machine = taut.Machine("crane").crane(height=10, trolley={"mass": 20, "motion": 0.0}, links=links)
    model = taut.build(machine.scenario())
    yield Quantity("angle of a lower crane link", float(model.start_coordinates[1]), 0.3, 1e-15, "as given", "rad")
    yield Quantity("rate of a lower crane link", float(model.start_velocities[1]), -0.4, 1e-15, "as given", "rad/s")


def spring_between_points() -> Iterator[Quantity]:
    """A ball that swings on a spring and damper, compressed at first."""
    machine = taut.Machine("ball on a spring", gravity=[0, 0, 0])
    machine.body("ball", mass=2.0, joint={"kind": "prismatic", "axis": [0, 0, 1], "position": 1.0})
    machine.spring("s", bodies=["world", "ball"], points=[[0, 0, 0], [0, 0, 0]], stiffness=200.0, damping=2.0,
                   length=1.2)  # fmt: skip
    result = taut.simulate(taut.build(machine.run(duration=1.0, tolerance=1e-9).scenario()))
    omega = np.sqrt(100.0 - 0.25)
    true = 1.2 - 0.2 * np.exp(-0.5) * (np.cos(omega) + 0.5 / omega * np.sin(omega))
    height = float(result["body_position"].values[-1, 0, 2])
    yield Quantity("ball on a two-sided spring at 1 s", height, true, 1e-7, "closed form", "m")


def turned_robot() -> Iterator[Quantity]:
    """A machine rests alike wherever it faces: the axes of its cables are its own."""
    rests = [np.array(taut.statics(taut.build(facing(angle))).bodies["platform"]["position"]) for angle in (0.0, 0.7)]
    change = rotation_about("z", 0.7).T @ rests[1] - rests[0]
    yield at_most("8-8 robot turned about the vertical, change of its rest", float(np.abs(change).max()), 1e-11,
                  "symmetry of space", "m")  # fmt: skip


def facing(angle: float) -> Any:
    """The 8-8 robot as a whole turned about the vertical by an angle [rad]."""
    scenario = taut.library.load("mamidi-8-8-rest")
    data, R = scenario.model_dump(exclude_unset=True), rotation_about("z", angle)
    for cable in data["cables"]:
        cable["exit"] = (R @ cable["exit"]).tolist()
    place = (R @ data["platform"]["position"]).tolist()
    data["platform"] |= {"position": place, "orientation": {"euler": [0.0, 0.0, angle]}}
    return type(scenario).model_validate(data)
