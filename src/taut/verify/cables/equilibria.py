"""Equilibria: the 6-3 and 8-8 cable robots at rest, and single cables against the elastic catenary."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from taut import library
from taut.analyses.statics import Equilibrium, statics
from taut.build import build
from taut.scenario.builder import Machine
from taut.verify.quantity import Quantity, at_most

LIMIT = "our limit for every equilibrium"
PUBLISHED = "state at which the authors' integration of the 8-8 robot stopped, 2.2 mm from rest"
CATENARY = "elastic catenary, closed form"
POSE = (0.97308, 0.00314, 2.11078)
FORCES = (
    (73.43, 40.34, -11.11), (66.62, 46.59, -3.78), (62.41, -44.26, -10.20), (-72.64, -52.52, -21.56),
    (75.68, -43.96, -3.60), (-64.98, -61.63, -12.52), (-62.91, 58.43, -22.10), (-77.58, 57.08, -13.24),
)  # fmt: skip


class Catenary(NamedTuple):
    """Span, height, unstrained length [m], EA [N], weight per length [N/m]; H, V at both ends [N]."""

    X: float
    Z: float
    L: float
    EA: float
    w: float
    H: float
    VA: float
    VB: float


CATENARIES = {
    "steep": Catenary(400.0, 200.0, 500.0, 7.51e12, 200.0, 43694.604622069, -22365.589454192, 77634.410545808),
    "heavy": Catenary(89.9, 59.2, 130.0, 7.51e8, 881.05, 31373.234876306, -26650.338700035, 87886.161299965),
    "nearly taut": Catenary(10.0, 4.0, 10.9, 2e6, 2.0, 34.6058243777913, 3.3254715998883, 25.1254715998883),
}


def quantities() -> Iterator[Quantity]:
    """Quantities of the robots at rest, then of the catenaries."""
    for name in ("mamidi-8-8-rest", "mamidi-6-3-rest"):
        found = statics(build(library.load(name)))
        yield at_most(f"{name}, unbalanced force against the largest", found.residual, 1e-8, LIMIT)
        yield at_most(f"{name}, closures", found.closure_error, 1e-10, LIMIT, "m")
        if "8-8" in name:
            yield from pose(found)
    for name, case in CATENARIES.items():
        errors = [catenary_error(case, elements) for elements in (20, 40, 80)]
        yield at_most(f"{name} cable, 80 elements, end forces", errors[-1], 2e-3, CATENARY)
        yield Quantity(f"{name} cable, order of convergence", float(np.log2(errors[1] / errors[2])), 2.0, 0.2, CATENARY)


def pose(found: Equilibrium) -> Iterator[Quantity]:
    """Position and anchor forces of the 8-8 robot."""
    place = np.array(found.bodies["platform"]["position"])
    yield at_most("mamidi-8-8-rest, place", float(np.linalg.norm(place - POSE)), 3e-3, PUBLISHED, "m")
    forces = np.array([cable["anchor_force"] for cable in found.cables.values()])
    yield at_most("mamidi-8-8-rest, anchor forces", float(np.abs(forces - FORCES).max()), 0.5, PUBLISHED, "N")


def catenary_error(case: Catenary, elements: int) -> float:
    """Largest error of the forces at the ends against the largest force, of a cable without bending stiffness."""
    machine = Machine("catenary")
    machine.cable("rope", exit=[0, 0, 0], body="world", anchor=[case.X, 0, case.Z], elements=elements, length=case.L,
                  radius=1e-3, mass_per_length=case.w / 9.81, axial_stiffness=case.EA, axial_damping=case.EA * 1e-3,
                  exit_bending="hinged")  # fmt: skip
    cable = statics(build(machine.scenario())).cables["rope"]
    # forces that the neighbours exert on the cable's ends
    start, end = np.array(cable["exit_force"])[[0, 2]], np.array(cable["anchor_force"])[[0, 2]]
    error = np.abs(np.concatenate([start + (case.H, case.VA), end - (case.H, case.VB)])).max()
    return float(error / np.hypot(case.H, case.VB))
