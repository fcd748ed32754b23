"""Stiffness at the tensions of the machine."""

import numpy as np
import pytest

from taut.robots import stiffness
from taut.scenario.errors import ScenarioError
from taut.scenario.io.reading import loads

TEXT = """taut: 1
name: r
platform: {mass: 10, box: [0.4, 0.4, 0.2], position: [0, 0, 1]}
robot:
  exits: [[-2, -1.5, 2.5], [2, -1.5, 2.5], [2, 1.5, 2.5], [-2, 1.5, 2.5], [-2, -1.5, 0], [2, -1.5, 0], [2, 1.5, 0], [-2, 1.5, 0]]
  anchors: [[-0.2, -0.1, -0.1], [0.2, -0.1, -0.1], [0.2, 0.1, -0.1], [-0.2, 0.1, -0.1],
            [-0.1, -0.2, 0.1], [0.1, -0.2, 0.1], [0.1, 0.2, 0.1], [-0.1, 0.2, 0.1]]
  cable: {kind: spring, axial_stiffness: 3e5, tension_limits: [30, 1500]}
run: {duration: 1}
"""  # noqa: E501


def test_pretension_gives_the_tensions():
    """Nearest to 200 N: they carry the weight, and the answer says how they were found."""
    found = stiffness(loads(TEXT + "initial: {pretension: 200}"))
    assert found.method == "start"
    assert found.tensions.mean() == pytest.approx(200, abs=1.0)
    lower = stiffness(loads(TEXT + "initial: {pretension: 100}"))
    assert lower.frequencies[0] < found.frequencies[0]


def test_without_pretension_it_is_the_barycentre():
    """As it says."""
    found = stiffness(loads(TEXT))
    assert found.method == "barycentre"
    assert found.tensions.min() > 600


def test_a_cable_that_would_push_is_no_start():
    """The limits decide then; asked for by name it is refused."""
    machine = loads(TEXT + "initial: {pretension: 1}")
    assert stiffness(machine).method == "barycentre"
    with pytest.raises(ScenarioError, match="a cable that pushes"):
        stiffness(machine, method="start")
    with pytest.raises(ScenarioError, match="are not known"):
        stiffness(loads(TEXT), method="start")


def test_lengths_give_the_tensions():
    """One mass on one vertical rope: the stretch times EA over the length."""
    text = "taut: 1\nname: one\nplatform: {mass: 2, sphere: {radius: 0.1}, position: [0, 0, 0]}\nrun: {duration: 1}\n"
    ropes = [{"name": f"c{k}", "kind": "spring", "axial_stiffness": 1e4, "body": "platform", "anchor": [0, 0, 0],
              "exit": [float(np.cos(2 * k)), float(np.sin(2 * k)), 1.0], "length": 1.4} for k in range(4)]  # fmt: skip
    robot = loads(text + f"cables: {ropes}")
    from taut.robots.from_model import robot_of

    assert robot_of(robot).start_tensions == pytest.approx(np.full(4, 1e4 * (np.sqrt(2) / 1.4 - 1)))
