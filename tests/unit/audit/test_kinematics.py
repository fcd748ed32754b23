"""Samples that do not fit together."""

import numpy as np
import pytest

from taut.audit.kinematics import kinematics_line
from taut.build.tree import RigidBody, TreeBuilder
from taut.model.enums import JointKind
from taut.results.record import RunRecord


@pytest.fixture
def model():
    builder = TreeBuilder()
    node = builder.add_node("body", JointKind.FREE, 0, body=RigidBody(1.0, inertia=np.eye(3)))
    builder.bodies["body"] = node
    return builder.finish()


def swing(count=101):
    """A body that swings and turns about z, sampled densely."""
    t = np.linspace(0.0, 2.0, count)
    zero, one = np.zeros((count, 1, 3)), np.ones((count, 1, 3))
    angle = 0.3 * np.sin(2 * t)
    quaternion = np.stack([np.cos(angle / 2), 0 * t, 0 * t, np.sin(angle / 2)], axis=1)[:, None]
    z = np.array([0.0, 0.0, 1.0])
    s, c = np.sin(3 * t)[:, None, None], np.cos(3 * t)[:, None, None]
    w, alpha = (0.6 * np.cos(2 * t))[:, None, None] * z, (-1.2 * np.sin(2 * t))[:, None, None] * z
    return {"time": t, "body_position": s * one, "body_velocity": 3 * c * one, "body_acceleration": -9 * s * one,
            "body_quaternion": quaternion, "body_angular_velocity": w + zero,
            "body_angular_acceleration": alpha + zero}  # fmt: skip


def verdict(model, arrays):
    return kinematics_line(model, arrays, RunRecord())["verdict"]


@pytest.mark.parametrize("name", ["position", "velocity", "quaternion", "angular_velocity"])
def test_a_repeated_sample_fails(model, name):
    arrays = swing()
    arrays[f"body_{name}"][50] = arrays[f"body_{name}"][49]
    assert verdict(model, arrays) == "fail"


def test_a_wrong_sign_fails(model):
    arrays = swing()
    arrays["body_velocity"] *= -1
    assert verdict(model, arrays) == "fail"


def test_a_quaternion_that_is_no_rotation_fails(model):
    arrays = swing()
    arrays["body_quaternion"] *= 1.001
    assert verdict(model, arrays) == "fail"


def test_times_out_of_order_fail(model):
    arrays = swing()
    arrays["time"][[3, 4]] = arrays["time"][[4, 3]]
    assert verdict(model, arrays) == "fail"


@pytest.mark.parametrize("count", [101, 21, 5])
def test_right_samples_pass_also_when_there_are_few(model, count):
    assert verdict(model, swing(count)) == "pass"


def test_a_short_last_interval_does_not_hide_wrong_accelerations(model):
    arrays = swing()
    arrays["body_acceleration"] *= 0.5
    cut = {name: np.concatenate([array, array[-1:]]) for name, array in arrays.items()}
    cut["time"][-1] += 1e-6
    assert verdict(model, cut) == "fail"


def test_an_orientation_that_turns_too_slowly_fails(model):
    """Ten radians per second about a fixed axis, and nine per cent less in the quaternions."""
    t = np.linspace(0.0, 1.0, 101)
    arrays = {name: array * 0.0 for name, array in swing(101).items()}
    angle = 9.1 * t
    zero = 0.0 * t
    arrays["time"] = t
    arrays["body_quaternion"] = np.stack([np.cos(angle / 2), zero, zero, np.sin(angle / 2)], axis=1)[:, None]
    arrays["body_angular_velocity"][..., 2] = 10.0
    assert verdict(model, arrays) == "fail"
