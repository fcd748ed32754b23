"""Lengths of cables: their derivative is the structure matrix, from points and pulleys; robots of scenarios."""

import numpy as np
import pytest

import taut
from robot_machines import eight_cables, planar, point
from taut.robots.from_model import robot_of
from taut.robots.lengths import lengths

ALL = {"eight": eight_cables(), "pulleys": eight_cables(radii=0.05), "planar": planar(), "point": point(radii=0.04)}


@pytest.mark.parametrize("name", ALL)
def test_structure_matrix_is_the_derivative_of_the_lengths(name):
    robot, step = ALL[name], 1e-6
    found = lengths(robot)
    turns = robot.rows >= 3
    assert not np.any(robot.start[turns])  # at zero angles the rates of the angles are the angular velocity
    for k in range(robot.freedoms):
        shift = step * np.eye(robot.freedoms)[k]
        rate = (lengths(robot, robot.start + shift).lengths - lengths(robot, robot.start - shift).lengths) / (2 * step)
        assert rate[0] == pytest.approx(-found.structure[0, k], abs=1e-8)


def test_a_pulley_adds_its_arc():
    found = lengths(eight_cables(radii=0.05, axes=(0.0, 0.0, 1.0)))
    assert found.lengths == pytest.approx(found.free + 0.05 * found.wraps)
    # the leave point is at the radius from the wheel's middle, and the free cable is tangent to the wheel
    robot = eight_cables()
    spread = found.leave_points - robot.exits
    spread[..., 2] = 0.0
    towards = np.stack([np.cos(found.swivels), np.sin(found.swivels), np.zeros_like(found.swivels)], -1)
    arm = found.leave_points - robot.exits - 0.05 * towards
    assert np.linalg.norm(arm, axis=-1) == pytest.approx(0.05)
    assert np.sum(arm * found.directions, -1) == pytest.approx(0.0, abs=1e-12)


def test_speeds_are_the_rates_of_the_lengths():
    t = np.linspace(0.0, 1.0, 201)
    poses = np.array([[0.2 * np.sin(s), 0.1, 1.3 + 0.1 * s, 0.1 * s, 0.2 * s**2, 0.3 * np.sin(2 * s)] for s in t])
    found = lengths(eight_cables(), poses, times=t, drum_radius=0.1)
    assert found.speeds[1:-1] == pytest.approx(np.gradient(found.lengths, t, axis=0)[1:-1], abs=2e-4)
    assert found.drum_angles[-1] == pytest.approx((found.lengths[-1] - found.lengths[0]) / 0.1)
    assert found.to_xarray().cable_speed.attrs["units"] == "m/s"


def test_the_robot_of_a_scenario():
    robot = robot_of(taut.library.load("cogiro"))
    assert robot.freedom == "spatial" and robot.redundancy == 2 and robot.mass == 91.058
    assert lengths(taut.library.load("cogiro")).lengths[0, 0] == pytest.approx(9.7431476736, abs=1e-9)
    assert robot_of(taut.library.load("tempel-planar")).freedom == "planar-xz"


@pytest.mark.parametrize(("call", "words"), [
    (lambda: lengths(eight_cables(), [0.0, 0.0]), "needs 6 numbers x, y, z, a, b, c, and has 2 numbers"),
    (lambda: lengths(eight_cables(), [0.0, 0.0, np.nan, 0, 0, 0]), "must be finite"),
    (lambda: lengths(point(), [0.0, 0.0, 5.0]), "cable a at x 0, y 0, z 5: the anchor is at the exit"),
    (lambda: lengths(point(radii=0.5), [0.3, 0.0, 4.9]), "inside the pulley's wheel"),
    (lambda: lengths(taut.library.load("pendulum-crane")), "has no cables"),
    (lambda: eight_cables(tension_min=5.0, tension_max=3.0), "limits of cable C1 contradict each other"),
    (lambda: eight_cables(freedom="flat"), "spatial, planar-xy, planar-xz, point"),
    (lambda: lengths(eight_cables(), np.zeros((2, 6)), times=[0, 1]), "at least four"),
])  # fmt: skip
def test_bad_input_gets_one_clear_answer(call, words):
    with pytest.raises(taut.ScenarioError) as error:
        call()
    assert words in str(error.value) and len(error.value.problems) == 1
