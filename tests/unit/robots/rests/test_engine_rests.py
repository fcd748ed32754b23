"""Inverse kinetostatics for every kind of cable: the engine rests where the lengths were taken."""

from dataclasses import replace

import numpy as np
import pytest

import taut
from taut.robots import lengths, robot_of, sagging_lengths, sagging_rest, unstrained_lengths
from taut.robots.massive import twin

POSE = np.array([2.2, 1.8, 2.3])


def engine_rest(scenario):
    found = taut.statics(taut.build(scenario))
    names = [cable.name for cable in scenario.cables]
    return found.bodies["platform"]["position"], np.array([found.cables[name]["tension_anchor"] for name in names])


def crane(given, **changes):
    scenario = taut.library.load("crane-3")
    cables = [cable.model_copy(update={"length": float(length), **changes})
              for cable, length in zip(scenario.cables, given, strict=True)]  # fmt: skip
    platform = scenario.platform.model_copy(update={"position": tuple(POSE)})
    return scenario.model_copy(update={"cables": tuple(cables), "platform": platform})


def test_elastic_cables():
    robot = taut.library.load("crane-3")
    place, pulls = engine_rest(crane(unstrained_lengths(robot, POSE)[0]))
    assert place == pytest.approx(POSE, abs=1e-9)
    assert pulls == pytest.approx(taut.robots.tensions(robot, POSE).tensions[0], rel=1e-8)


def test_elastic_cables_over_pulleys():
    from taut.scenario.cables.pulley import Pulley

    changes = {"pulley": Pulley(radius=0.1)}
    robot = crane([1.0, 1.0, 1.0], **changes)
    place, pulls = engine_rest(crane(unstrained_lengths(robot, POSE)[0], **changes))
    assert place == pytest.approx(POSE, abs=1e-8)
    assert pulls == pytest.approx(taut.robots.tensions(robot, POSE).tensions[0], rel=1e-7)


def test_ideal_cables():
    from taut.scenario.cables.massless import CableIdeal

    scenario = crane(lengths(taut.library.load("crane-3"), POSE).lengths[0])
    ideal = [CableIdeal(kind="ideal", name=c.name, exit=c.exit, anchor=c.anchor, length=c.length)
             for c in scenario.cables]  # fmt: skip
    place, pulls = engine_rest(scenario.model_copy(update={"cables": tuple(ideal)}))
    assert place == pytest.approx(POSE, abs=1e-8)
    assert pulls == pytest.approx(taut.robots.tensions(scenario, POSE).tensions[0], rel=1e-7)


def test_sagging_cables_are_the_limit_of_many_elements():
    robot = replace(robot_of(taut.library.load("crane-3")), mass_per_length=0.3)
    held = sagging_lengths(robot, POSE)
    assert sagging_rest(robot, held.lengths, near=POSE + 0.1).pose == pytest.approx(POSE, abs=1e-9)
    errors = []
    for elements in (5, 10):
        scenario = twin(robot, POSE, held.lengths, elements)
        place, pulls = engine_rest(scenario)
        # the robot that is read from massive cables is the same
        again = robot_of(scenario)
        assert again.mass_per_length == pytest.approx(robot.mass_per_length) and again.stiffness == pytest.approx(2e5)
        errors.append([np.abs(place - POSE).max(), np.abs(pulls - held.tensions).max()])
    assert np.divide(*errors) == pytest.approx(4.0, rel=0.03) and errors[1][0] < 4e-5 and errors[1][1] < 5e-3


def test_elastic_cables_through_holes():
    from taut.scenario.cables.guide import Pinhole

    scenario = taut.library.load("crane-3")
    holes = (Pinhole(kind="pinhole", point=(0.0, -0.5, 1.0)), Pinhole(kind="pinhole", point=(0.0, 0.0, 5.0)))
    routed = scenario.cables[0].model_copy(update={"exit": (-1.0, -0.5, 0.0), "via": holes})
    scenario = scenario.model_copy(update={"cables": (routed, *scenario.cables[1:])})
    robot = robot_of(scenario)
    before = np.sqrt(2.0) + np.sqrt(16.25)
    assert robot.leads == pytest.approx([before, 0.0, 0.0]) and robot.exits[0] == pytest.approx([0.0, 0.0, 5.0])
    given = unstrained_lengths(robot, POSE)[0]
    cables = [c.model_copy(update={"length": float(x)}) for c, x in zip(scenario.cables, given, strict=True)]
    platform = scenario.platform.model_copy(update={"position": tuple(POSE)})
    place, pulls = engine_rest(scenario.model_copy(update={"cables": tuple(cables), "platform": platform}))
    assert place == pytest.approx(POSE, abs=1e-8)
    assert pulls == pytest.approx(taut.robots.tensions(robot, POSE).tensions[0], rel=1e-7)
    assert taut.robots.pose(robot, lengths(robot, POSE).lengths[0]).pose == pytest.approx(POSE, abs=1e-9)


def test_stiffness_of_a_guided_cable_is_that_of_its_whole_length():
    robot = replace(robot_of(taut.library.load("crane-3")), leads=[3.0, 0.0, 1.0])
    found = taut.robots.stiffness(robot, POSE)
    L = unstrained_lengths(robot, POSE, method="barycentre")[0]
    push = 1e-3
    moved = taut.robots.elastic_rest(replace(robot, gravity=(push / 20.0, 0.0, -9.81)), L, near=POSE).pose
    assert moved - POSE == pytest.approx(np.linalg.solve(found.matrix, [push, 0.0, 0.0]), rel=1e-4, abs=1e-13)
