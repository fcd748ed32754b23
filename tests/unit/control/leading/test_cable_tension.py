"""The controller cable-tension: the wrench it asks for gives the motion it wants; bad scenarios are refused."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from taut.build import build
from taut.control.kinds import make_controllers
from taut.scenario.builder import Machine
from taut.scenario.errors import ScenarioError
from taut.verify.robots.tension_control import ANCHORS, EXITS, LEAST, MOST, robot

pytestmark = pytest.mark.nojit


def controller(**changes):
    """The controller of a robot, and its machine."""
    model = build(robot(2e-3, **changes).scenario())
    return model, make_controllers(model, {})["platform tensions"]


def measured(x, R, v, spin):
    """Measurements that the controller gets at a state."""
    q = Rotation.from_matrix(R).as_quat(canonical=True)[[3, 0, 1, 2]]
    return {"platform position": x, "platform velocity": v, "platform orientation": q, "platform spin": spin}


def structure(x, R):
    """Force and moment about the centre of mass of unit tensions, by straight lines to the exits."""
    columns = []
    for leave, anchor in zip(EXITS, ANCHORS, strict=True):
        arm = R @ anchor
        u = np.array(leave) - x - arm
        u /= np.linalg.norm(u)
        columns.append([*u, *np.cross(arm, u)])
    return np.array(columns).T


def test_torques_give_the_motion_that_is_asked_for():
    """Euler's equations of the body under the tensions, and those of the drums, have the wanted accelerations."""
    model, control = controller()
    rng = np.random.default_rng(5)
    x, v, spin = np.array([0.05, -0.03, 1.21]), 0.1 * rng.normal(size=3), 0.3 * rng.normal(size=3)
    R = Rotation.from_rotvec([0.02, -0.03, 0.05]).as_matrix()
    torques = np.array(list(control(0.0, measured(x, R, v, spin)).values()))
    W, body = structure(x, R), model.plan.equipment["platform tensions"]
    goal = np.array([0.02, -0.01, 1.215])
    a = 2 * 8.0 * -v + 64.0 * (goal - x)
    alpha = 2 * 12.0 * -spin + 144.0 * Rotation.from_matrix(R.T).as_rotvec()
    J = R @ body.inertia @ R.T
    tension = -torques / 0.05 - 4e-3 / 0.05**2 * (W.T @ np.concatenate([a, alpha]))
    assert W[:3] @ tension == pytest.approx(12.0 * (a + [0, 0, 9.81]), abs=1e-7)
    assert W[3:] @ tension == pytest.approx(J @ alpha + np.cross(spin, J @ spin), abs=1e-7)
    assert LEAST - 1e-9 <= tension.min() and tension.max() <= MOST + 1e-9


def test_what_the_ropes_cannot_give_keeps_the_limits():
    """Far from its place the wanted wrench is too large: tensions are within the limits, and nothing is summed up."""
    _, control = controller(bandwidth=80.0, ki=10.0)
    W, wrench, _ = control.needed(np.array([0.3, 0, 1.2]), np.eye(3), np.zeros(3), np.array([-2e3, 0, 0]), np.zeros(3))
    tension, is_met = control.tensions(W, wrench)
    assert not is_met and tension.min() >= LEAST - 1e-9 and tension.max() <= MOST + 1e-9
    assert (W @ tension)[0] < -2e3
    control(0.0, measured(np.array([1.0, 0, 1.2]), np.eye(3), np.zeros(3), np.zeros(3)))
    assert not control.lasting.any()


@pytest.mark.parametrize(("change", "message"), [
    ({"most": 40.0}, "must be more than least"),
    ({"least": -1.0}, "least"),
    ({"goal": 20.0}, "must be from least to most, 50 to 2000 N"),
    ({"goal": 3000.0}, "must be from least to most"),
])  # fmt: skip
def test_limits_that_contradict_each_other_are_refused(change, message):
    with pytest.raises(ScenarioError, match=message):
        controller(**change)


def test_a_robot_without_drums_has_no_tensions_to_set():
    with pytest.raises(ScenarioError, match="needs drum"):
        robot(2e-3, drum=None).scenario()


@pytest.mark.parametrize(("key", "value", "message"), [
    ("position", "C1 length", "must be the position of platform"),
    ("body", "nobody", "there is no body of this name"),
    ("commands", {"C9": "C1_torque"}, "there is no cable of this name"),
    ("commands", {"C1": "C2_torque"}, "is not the torque of the cable's drum"),
])  # fmt: skip
def test_what_does_not_fit_is_named(key, value, message):
    data = robot(2e-3).scenario().model_dump(exclude_unset=True, mode="json")
    data["controllers"]["platform tensions"][key] = value
    with pytest.raises(ScenarioError, match=message):
        Machine("again", **{k: v for k, v in data.items() if k not in ("name", "taut")}).scenario()
