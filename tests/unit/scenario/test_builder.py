"""Machines made in Python equal those read from YAML."""

import numpy as np
import pytest

from taut import library
from taut.scenario import ScenarioError
from taut.scenario.builder import Machine
from taut.scenario.records.joint import Joint

SQRT8 = 1 / (2 * np.sqrt(2))


def pick_and_place() -> Machine:
    y0 = np.sqrt(29 / 5) / 4
    description = "Mamidi and Bandyopadhyay 2024, sec. 4.2; regular first joint, 0.05 kg per cable"
    m = Machine("pick and place with four moving exits", description=description)
    m.platform(mass=0.5, box=(0.6, 0.8, 0.2), position=(0.7, y0 + 0.4, 0.1))
    m.defaults(cable={"elements": 5, "length": 0.75, "radius": 2e-3, "mass_per_length": 0.06666666666666667})
    signs = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
    for i, (x, y) in enumerate(signs, 1):
        anchor = np.array([0.3 * x, 0.4 * y, 0.1])
        exit_point = [0.4 if x < 0 else 1.0, y0 if y < 0 else y0 + 0.8, 0.95]
        m.cable(f"C{i}", exit=exit_point, anchor=anchor, driver="lift", youngs_modulus=1.39e11, damping=2.87e9)
    offsets = [
        [0, 0, 0],
        [0, 0, 1],
        [SQRT8, SQRT8, 1 + np.sqrt(3) / 2],
        [2 * SQRT8, 2 * SQRT8, 1],
        [2 * SQRT8, 2 * SQRT8, 0],
    ]
    m.driver("lift", waypoints={"times": np.array([0, 2, 3, 4, 6]), "offsets": offsets})
    m.ground(stiffness=1e3, damping=1e2)
    return m.run(duration=6, save_every=0.01, tolerance=1e-6)


def test_equals_yaml():
    assert pick_and_place().scenario() == library.load("mamidi-pick-and-place")


def test_all_parts():
    m = Machine("all", gravity=(0, 0, -9.8)).signal("wave", "sin(t)").signal("slow", kind="sine", amplitude=1, omega=2)
    m.body("arm", mass=1, inertia=np.eye(3), joint=Joint(kind="revolute", force="wave + slow"))
    m.body("tip", mass=np.float64(2), joint={"kind": "prismatic", "parent": "arm"})
    m.closure("pin", bodies=["tip", "world"], at=[0, 0, 0]).force("tip", force=[0, 0, "wave"]).initial(solve="none")
    scenario = m.scenario()
    assert scenario.bodies["arm"].joint.force == "wave + slow" and scenario.initial.solve == "none"
    assert scenario.forces[0].force == (0.0, 0.0, "wave") and scenario.closures[0].name == "pin"


def test_errors_name_the_key():
    with pytest.raises(ScenarioError, match=r"cables\[0\].lenght = 2: unknown key"):
        Machine("x").cable("C", lenght=2).scenario()


def test_given_twice():
    with pytest.raises(ScenarioError, match="bodies.a: given twice"):
        Machine("x").body("a", mass=1).body("a", mass=1)
