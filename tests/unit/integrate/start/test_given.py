"""What is given at the start stays, and what had to move is said."""

import numpy as np
import pytest

import taut
from taut.integrate.describe import describe
from taut.integrate.start.given import held_columns
from taut.scenario.given import find_given
from taut.verify.sound.given_starts import legged, linkage, quantities

ROPE = {"elements": 4, "radius": 2e-3, "mass_per_length": 0.05, "axial_stiffness": 1e5, "axial_damping": 1e2}
BALL = {"kind": "spherical", "bodies": ["platform", "world"]}


def started(scenario):
    model = taut.build(scenario)
    start = taut.start_state(model)
    return model, start, describe(model, start)["warnings"]


def test_all_numbers_of_verify_pass():
    assert [quantity.name for quantity in quantities() if not quantity.is_passed] == []


def test_what_is_given_and_what_is_default():
    given = find_given(legged(0.9))
    assert given.poses == ("platform",) and given.joints == tuple(f"upper{k}" for k in range(1, 7))
    assert find_given(linkage()).rates == ("crank",)


@pytest.mark.parametrize("planar", [False, True])
def test_a_platform_without_a_position_has_no_given_pose(planar):
    machine = taut.Machine("free", planar=planar).platform(mass=1.0, box=[0.1, 0.1, 0.1])
    assert find_given(machine.scenario()).poses == ()
    machine = taut.Machine("free", planar=planar).platform(mass=1.0, box=[0.1, 0.1, 0.1], position=[0, 0, 1])
    assert find_given(machine.scenario()).poses == ("platform",)


def test_a_pose_that_nothing_can_keep_is_said():
    machine = taut.Machine("pinned").platform(mass=1.0, box=[0.1, 0.1, 0.1], position=[0.0, 0.0, 0.3])
    machine.closure("pin", points=[[0, 0, 0], [0, 0, 0.2]], **BALL)
    _, start, warnings = started(machine.scenario())
    assert start.error < 1e-10 and start.moved[0].distance == pytest.approx(0.1)
    assert any("platform: starts 0.1 m and 0 rad away from the pose given" in text for text in warnings)


def test_rounding_of_a_pose_is_not_said():
    machine = taut.Machine("pinned").platform(mass=1.0, box=[0.1, 0.1, 0.1], position=[0.0, 0.0, 0.2 + 1e-7])
    machine.closure("pin", points=[[0, 0, 0], [0, 0, 0.2]], **BALL)
    assert started(machine.scenario())[1].moved == ()


def test_the_length_off_a_drum_stays_where_the_platform_must_move():
    machine = taut.Machine("drum").platform(mass=1.0, box=[0.1, 0.1, 0.1], position=[0.0, 0.0, -1.0])
    machine.driver("W", kind="winch", drum={"radius": 0.1, "inertia": 0.01, "braked": True, "brake": 100.0})
    machine.cable("C", exit=[0, 0, 0], anchor=[0, 0, 0], winch="W", length=1.1, exit_bending="hinged", **ROPE)
    machine.closure("pin", points=[[0, 0, 0], [0, 0, -1.01]], **BALL)
    model, start, warnings = started(machine.scenario())
    drum = held_columns(model).lengths
    assert drum.sum() == 1
    at = int(model.tables.columns["coordinate"][np.flatnonzero(drum)[0]])
    assert start.data.q[at] == model.start_coordinates[at]
    assert [one.what for one in start.moved if one.name == "platform"] == ["pose"] and warnings


def test_a_rate_that_cannot_be_kept_is_said():
    machine = taut.Machine("pinned").platform(mass=1.0, box=[0.1, 0.1, 0.1], position=[0, 0, 0], velocity=[1, 0, 0])
    machine.closure("pin", points=[[0, 0, 0], [0, 0, 0]], **BALL)
    assert any(
        "velocities start other than given" in text and "platform 1 -> 0" in text
        for text in started(machine.scenario())[2]
    )


def test_joints_that_adapted_are_listed():
    _, start, warnings = started(legged(0.9))
    assert {one.name for one in start.moved} == {f"upper{k}" for k in range(1, 7)}
    assert any("upper1 0.9 -> 1.006" in text and "6 in all" in text for text in warnings)


@pytest.mark.parametrize("name", ["four-bar", "bennett", "stewart-actuated", "mamidi-8-8-rest", "winch-brake-loss"])
def test_library_machines_start_as_given(name):
    assert taut.start_state(taut.build(taut.library.load(name))).moved == ()
