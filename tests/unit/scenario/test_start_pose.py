"""Start poses, planar machines and warnings."""

import math

import numpy as np
import pytest

from taut import library
from taut.scenario import loads
from taut.scenario.checks.geometry import cable_distances, percent
from taut.scenario.records.joint import Joint
from taut.scenario.start_pose import moved, planar_axes, start_poses


def test_stewart_legs_end_at_the_platform():
    scenario = library.load("stewart-free-fall")
    poses = start_poses(scenario)
    for closure in scenario.closures:
        a, b = (
            poses[body][1] + poses[body][0] @ np.array(point)
            for body, point in zip(closure.bodies, closure.points, strict=True)
        )
        assert a == pytest.approx(b, abs=1e-14)


@pytest.mark.parametrize("name", ["four-bar", "bennett"])
def test_loops_nearly_close_as_given(name):
    scenario = library.load(name)
    poses = start_poses(scenario)
    (closure,) = scenario.closures
    ends = [[poses[body][1] + poses[body][0] @ np.array(point), poses[body][0] @ np.array(axis)]
            for body, point, axis in zip(closure.bodies, closure.points, closure.axes, strict=True)]  # fmt: skip
    assert np.array(ends[0]) == pytest.approx(np.array(ends[1]), abs=2e-4)


def test_pick_and_place_cables_are_straight():
    assert cable_distances(library.load("mamidi-pick-and-place")) == pytest.approx([0.75] * 4)


def test_planar_joint_turns_from_x_to_z():
    R, p = moved(Joint(kind="planar"), (np.eye(3), np.zeros(3)), (2, 3, math.pi / 2))
    assert p == pytest.approx([2, 0, 3])
    assert R @ [1, 0, 0] == pytest.approx([0, 0, 1])


@pytest.mark.parametrize("normal", [(0, -1, 0), (0, 0, 2), (1, 0, 0), (1, 1, 1)])
def test_planar_axes_are_right_handed(normal):
    first, second, third = planar_axes(Joint(kind="planar", axis=normal))
    assert np.cross(first, second) == pytest.approx(third)


def test_free_body_of_a_planar_machine():
    text = (
        "taut: 1\nname: x\nplanar: true\nplatform: {mass: 1, box: [1, 1, 1], position: [2, 0, 3], "
        "orientation: {rotation_vector: [0, -0.5, 0]}, velocity: [4, 0, 5], angular_velocity: [0, -6, 0]}"
    )
    body = loads(text).all_bodies()["platform"]
    assert body.joint.kind == "planar" and body.position is None
    assert body.joint.coordinates() == pytest.approx((2, 3, 0.5))
    assert body.joint.rates() == (4, 5, 6)


def test_warnings():
    text = """
taut: 1
name: odd
signals: {unused: 1, used: t}
platform: {mass: 1, inertia: [1, 1, 5]}
drivers: {a: {kind: trajectory, position: [used, 0, 1]}, b: {kind: fixed}}
cables: [{name: C, exit: [0, 0, 2], anchor: [0, 0, 0], driver: a, elements: 1, radius: 1e-3, density: 1,
          youngs_modulus: 1, length: 1.9}]
"""
    found = "\n".join(loads(text).warnings())
    for expected in (
        "inertias 1, 1, 5",
        "stretched by 5.3 %",
        "starts at [0.0, 0.0, 1.0]",
        "driver b",
        "signal unused",
    ):
        assert expected in found
    assert "signal used" not in found


CABLE = """
taut: 1
name: odd
platform: {mass: 1, inertia: [1, 1, 1], velocity: [0, 0, 0]}
drivers: {a: {kind: trajectory, offset: [0.5*t, 0, 0]}}
cables: [{name: C, exit: [0, 0, 2], anchor: [0, 0, 0], driver: a, elements: 4, radius: 0.2, density: 1,
          youngs_modulus: 1, length: 1.1}]
"""


def test_warnings_of_cables_and_drivers():
    assert loads(CABLE).warnings() == [
        "cable C: starts stretched by 82 %, that is a pull of 0.103 N",
        "cable C: its radius 0.2 m is more than a fifth of an element's length, 0.275 m: take fewer elements",
        "driver a: starts with a speed of 0.5 m/s while the machine rests: a jerk at t = 0",
        "cable C: its share of the weight, 9.81 N, stretches it by 7807 %, with EA = 0.126 N: EA is Young's modulus "
        "[Pa] times the cross-section [m^2]",
    ]


def test_a_moving_machine_may_start_with_a_moving_driver():
    assert not any("driver a" in text for text in loads(CABLE, overrides=["platform.velocity=[0.5, 0, 0]"]).warnings())


def test_a_driver_whose_speed_jumps():
    change = ["drivers.a.offset=[0, 0, '0.3*min(t/2, 1)**3']", "run.duration=5"]
    found = loads(CABLE, overrides=change).warnings()
    assert "drivers.a.offset[2]: its rate jumps from 0.45 to 0 per second at t = 2 s: a shock" in found


def test_percentages_are_plain():
    assert [percent(share) for share in (0.025, 0.053, 7.5, 12345.0)] == ["2.5 %", "5.3 %", "750 %", "1234500 %"]
