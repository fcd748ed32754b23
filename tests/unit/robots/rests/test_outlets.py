"""Sagging cables over pulleys and guides: the engine rests there, points and straight cables are their limits."""

from dataclasses import replace

import numpy as np
import pytest

import taut
from robot_machines import ROPES, eight_cables, planar, point
from taut.robots import elastic_rest, lengths, robot_of, sagging_lengths, sagging_rest, unstrained_lengths
from taut.robots.massive import twin
from taut.robots.rests.sagging import balance, cables_of
from taut.robots.rotations import exponential, rotation
from taut.scenario.cables.guide import Pinhole, Sheave
from taut.scenario.cables.pulley import Pulley

POSE = np.array([2.2, 1.8, 2.3])
# the vertical plane through the first exit and the anchor: horizontal direction in it, and its normal
ALONG, ACROSS = np.array([2.2, 1.8, 0.0]) / np.hypot(2.2, 1.8), np.array([-1.8, 2.2, 0.0]) / np.hypot(2.2, 1.8)
WHEEL = Sheave(kind="sheave", point=(0.0, 0.0, 5.0), radius=0.2, axis=tuple(ACROSS), side="over")
OUTLETS = {
    "pulleys": [{"pulley": Pulley(radius=r)} for r in (0.2, 0.3, 0.1)],
    "tilted": [{"pulley": Pulley(radius=0.2, axis=axis)} for axis in ((0.3, 0, 1), (0, 1, 0.2), (0.1, -0.2, 1))],
    "guides": [{"exit": tuple(-0.6 * ALONG), "via": (WHEEL,)}, {},
               {"exit": (2, 4, 3), "via": (Pinhole(kind="pinhole", point=(2.5, 5.0, 4.8)),)}],
}  # fmt: skip


def heavy(name, given, elements=5):
    scenario = twin(replace(robot_of(taut.library.load("crane-3")), mass_per_length=0.3), POSE, given, elements)
    cables = [cable.model_copy(update=changes) for cable, changes in zip(scenario.cables, OUTLETS[name], strict=True)]
    return scenario.model_copy(update={"cables": tuple(cables)})


@pytest.mark.parametrize("name", OUTLETS)
def test_the_engine_rests_there_with_many_elements(name):
    held, errors = sagging_lengths(heavy(name, np.full(3, 4.0)), POSE), []
    for elements in (5, 10):
        found = taut.statics(taut.build(heavy(name, held.lengths, elements)))
        pulls = [found.cables[cable]["tension_anchor"] for cable in held.cables]
        errors.append([np.abs(found.bodies["platform"]["position"] - POSE).max(), np.abs(pulls - held.tensions).max()])
    assert np.divide(*errors) == pytest.approx(4.0, rel=0.05) and errors[1][0] < 4e-5 and errors[1][1] < 6e-3


@pytest.mark.parametrize("name", OUTLETS)
def test_a_rest_is_where_its_lengths_were_taken(name):
    robot = robot_of(heavy(name, np.full(3, 4.0)))
    held = sagging_lengths(robot, POSE)
    assert sagging_rest(robot, held.lengths, near=POSE + 0.1).pose == pytest.approx(POSE, abs=1e-9)
    assert held.exit_directions[:, 2] == pytest.approx((held.forces[:, 2] + weight(robot, held)) / held.exit_tensions)


def weight(robot, held):
    """Weight of the rope outside, from the balance of forces at its ends."""
    flat = np.hypot(held.forces[:, 0], held.forces[:, 1])
    return np.sqrt(held.exit_tensions**2 - flat**2) - held.forces[:, 2]


def test_small_pulleys_are_points_and_light_cables_straight():
    axes = np.random.default_rng(0).normal(size=(8, 3))
    robot = eight_cables(mass_per_length=0.2, axes=axes)
    points = sagging_lengths(robot, goal=300.0)
    small = sagging_lengths(replace(robot, radii=1e-9), goal=300.0)
    assert small.lengths == pytest.approx(points.lengths, abs=1e-8) and small.tensions == pytest.approx(points.tensions)
    light = replace(robot, mass_per_length=0.0, radii=0.15, leads=np.arange(8.0))
    assert sagging_lengths(light, method="barycentre").lengths == pytest.approx(
        unstrained_lengths(light, method="barycentre")[0], abs=1e-7
    )
    L = unstrained_lengths(light, method="middle")[0]
    assert sagging_rest(light, L).pose == pytest.approx(elastic_rest(light, L).pose, abs=1e-7)


def test_stiff_light_cables_have_the_lengths_of_straight_ones():
    robots = [eight_cables(mass_per_length=1e-9, stiffness=EA, radii=0.15, leads=2.0) for EA in (1e7, 1e8)]
    short = [lengths(robot).lengths[0] - sagging_lengths(robot, goal=300.0).lengths for robot in robots]
    assert short[0] / short[1] == pytest.approx(10.0, rel=1e-3) and np.all(np.abs(short[1]) < 1e-4)


def test_the_stiffness_is_the_derivative_of_the_wrench():
    axes = np.random.default_rng(1).normal(size=(8, 3))
    robot = eight_cables(mass_per_length=0.3, radii=0.2, leads=1.0, axes=axes)
    held, cables = sagging_lengths(robot, goal=300.0), cables_of(robot, robot.start)
    p, R = np.array(robot.home[:3]), rotation(robot.home[3:])
    K = balance(robot, (p, R), held.lengths, cables)[1]

    def wrench(step):
        return balance(robot, (p + step[:3], exponential(step[3:]) @ R), held.lengths, cables)[0]

    slopes = np.array([(wrench(-h) - wrench(h)) / 2e-6 for h in 1e-6 * np.eye(6)]).T
    assert pytest.approx(slopes, abs=1e-6 * np.abs(slopes).max()) == K


def test_gravity_may_act_along_any_direction():
    R = exponential(np.array([0.4, -1.1, 0.7]))
    robot = point(mass_per_length=0.3, stiffness=1e5, radii=0.1)
    turned = replace(robot, exits=robot.exits @ R.T, axes=robot.axes @ R.T, gravity=R @ robot.gravity)
    one, other = sagging_lengths(robot, POSE), sagging_lengths(turned, R @ POSE)
    assert other.lengths == pytest.approx(one.lengths, rel=1e-12) and other.forces == pytest.approx(one.forces @ R.T)


def test_a_cable_straight_below_its_exit_hangs_down():
    held = sagging_lengths(planar(freedom="planar-xz", stiffness=1e5, mass_per_length=0.1,
                                  exits=[[-0.2, 0, 3], [0.4, 0, 3], [2, 0, 0], [-2, 0, 0]]))  # fmt: skip
    assert held.forces[0, :2] == pytest.approx([0.0, 0.0]) and held.residual < 1e-10


@pytest.mark.parametrize(("call", "words"), [
    (lambda: sagging_lengths(taut.scenario.loads(ROPES)), "cable tackle runs over a guide on the platform"),
    (lambda: sagging_rest(eight_cables(), np.full(8, -4.0), near=eight_cables().start), "needs 8 positive numbers"),
    (lambda: elastic_rest(eight_cables(), np.ones(3), near=eight_cables().start), "needs 8 positive numbers"),
    (lambda: sagging_lengths(eight_cables(), np.zeros((3, 6))), "needs one pose"),
    (lambda: sagging_lengths(eight_cables(tension_max=21.0)), "straight cables do not hold the platform there"),
])  # fmt: skip
def test_what_cannot_hang_is_refused(call, words):
    with pytest.raises(taut.ScenarioError) as error:
        call()
    assert words in str(error.value) and len(error.value.problems) == 1
