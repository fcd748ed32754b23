"""Four quadcopters lift a platform and one fails: the library's machine against two others.

An independent solution of the authors' model, every 0.2 s, from which a second engine differs by 4e-10 m: quadcopters
that cannot turn, cables of 0.05 kg whose bend axes repeat from element to element, a ground that may pull. And the same
robot built here of explicit bodies, two for each element of a cable.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import taut
from taut.results.result import Result
from taut.verify.quantity import Quantity, at_most

NAME = "mamidi-quadcopter-failure-paper"
INDEPENDENT = "Mamidi2024's model, solved independently"
EXPLICIT = "the robot built of explicit bodies"
CLOSE = "run.tolerance=1e-8"
UP = [0.0, 0.0, 1.0]
POLAR, REPEATED = [UP, [0.0, -1.0, 0.0]], [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]


def quantities() -> Iterator[Quantity]:
    """Run at the library's settings, and closely."""
    reference = np.loadtxt(Path(__file__).with_name("quadcopter_failure.csv"), delimiter=",", skiprows=3)
    scenario = taut.library.load(NAME)
    result = taut.simulate(taut.build(scenario))
    yield at_most("quadcopter failure over 6 s", deviation(result, reference), 2e-3, INDEPENDENT, "m")
    yield at_most("its failed audits", float(result.audit["verdict"] != "pass"), 0.0, "the audit of the run")
    close = taut.library.load(NAME, [CLOSE])
    runs = [taut.simulate(taut.build(machine)) for machine in (close, explicit_robot(close))]
    yield at_most("the same at tolerance 1e-8", deviation(runs[0], reference), 2e-9, INDEPENDENT, "m")
    positions = [run["platform_position"].values for run in runs]
    yield at_most("chains against explicit bodies", float(np.abs(positions[0] - positions[1]).max()), 1e-9, EXPLICIT,
                  "m")  # fmt: skip


def deviation(result: Result, reference: np.ndarray) -> float:
    """Largest deviation of the platform's path from the reference, in any direction at any of its times [m]."""
    way = result["platform_position"].values - result["platform_position"].values[0]
    samples = [int(np.argmin(np.abs(result.time - t))) for t in reference[:, 0]]
    return float(np.abs(way[samples] - reference[:, 1:]).max())


def explicit_robot(scenario: Any) -> Any:
    """The scenario's robot without its keys for cables and quadcopters."""
    machine = taut.Machine("explicit bodies")
    machine.platform(**scenario.platform.model_dump(exclude_unset=True))
    machine.signal("rotor", scenario.signals["rotor"])
    for cable in scenario.cables:
        quadcopter = cable.driver
        machine.body(
            quadcopter, mass=scenario.drivers[quadcopter].mass, joint={"kind": "point", "position": cable.exit}
        )
        machine.force(quadcopter, name=f"thrust of {quadcopter}", force=[0.0, 0.0, "4*rotor"])
        add_halves(machine, cable)
        last = f"{cable.name} lower {cable.elements}"
        machine.closure(f"{cable.name} anchor", kind="spherical", bodies=[last, cable.body],
                        points=[[0.0, 0.0, 0.0], cable.anchor])  # fmt: skip
    machine.failure("failure", at=3.0, kind="loss", target="thrust of Q1")
    machine.ground(**scenario.ground.model_dump(exclude_unset=True))
    run = scenario.run
    return machine.run(duration=run.duration, save_every=run.save_every, tolerance=run.tolerance).scenario()


def add_halves(machine: Any, cable: Any) -> None:
    """Two bodies for every element of a cable that hangs straight down."""
    section, whole = cable.section(cable.length), cable.length / cable.elements
    mass, half = section.mass_per_length * whole / 2, whole / 2
    across, along = mass * (3 * section.radius**2 + half**2) / 12, mass * section.radius**2 / 2
    solid = {"mass": mass, "inertia": [across, across, along]}
    bend = {"law": "linear", "stiffness": section.bending_stiffness / whole, "damping": section.bending_damping / whole}
    stretch = {"law": "linear", "stiffness": section.axial_stiffness / whole, "damping": section.axial_damping / whole}
    parent = cable.driver
    for k in range(1, cable.elements + 1):
        # the first joint turns about the vertical, then by half a turn, so that the cable hangs down
        turn = [0.0, np.pi if k == 1 else 0.0]
        springs = [{**bend, "free": angle} for angle in turn]
        joint = {"kind": "universal", "parent": parent, "axes": POLAR if k == 1 else REPEATED, "position": turn}
        upper, parent = f"{cable.name} upper {k}", f"{cable.name} lower {k}"
        machine.body(upper, com=[0.0, 0.0, half / 2], joint={**joint, "spring": springs}, **solid)
        slide = {"kind": "prismatic", "parent": upper, "axis": UP, "position": whole}
        machine.body(parent, com=[0.0, 0.0, -half / 2], joint={**slide, "spring": {**stretch, "free": whole}}, **solid)
