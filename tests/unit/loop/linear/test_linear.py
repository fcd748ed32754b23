"""Linear models against the full machine, small motions, and closed forms."""

import numpy as np
import pytest

import taut
from plants import slider
from taut import library
from taut.build import build
from taut.loop import Plant, linearize, load_linear
from taut.loop.linear.checks import against_differences, against_modes
from taut.loop.linear.discrete import with_period
from taut.loop.linear.library import to_control, truncated
from taut.loop.linear.response import draw_bode, draw_step, frequency_response, step_response

# a tree, a loop, loops, feeds, cables of light elements on winches with a lag
MACHINES = ["crane-hoisting", "four-bar", "stewart-actuated", "cogiro", "winch-robot-circle"]


@pytest.mark.parametrize("name", MACHINES)
def test_matrices_are_the_slopes_of_the_full_machine(name):
    assert max(against_differences(library.load(name)).values()) < 1e-6


@pytest.mark.parametrize("name", MACHINES)
def test_eigenvalues_are_those_of_modes(name):
    assert against_modes(library.load(name)) < 1e-8


def test_a_lag_and_a_rate_have_states_of_their_own():
    found = linearize(slider(lag=0.2), outputs=["mass.position.x"])
    assert found.states == ("mass", "mass.rate", "push.signal") and found.state_units == ("m", "m/s", "N")
    assert found.A == pytest.approx(np.array([[0, 1, 0], [0, 0, 0.5], [0, 0, -5]]))
    assert found.B == pytest.approx(np.array([[0], [0], [5]])) and found.C == pytest.approx(np.array([[1, 0, 0]]))


def test_a_motion_without_a_second_rate_is_led_by_its_acceleration():
    found = linearize("crane-hoisting", inputs=["rope"], outputs=["load.position.z"])
    assert found.inputs == ("rope.acceleration",) and found.input_units == ("m/s^2",)
    assert found.states[-2:] == ("rope.signal", "rope.signal.rate")
    # the load goes down as the rope is paid out
    assert found.C[0, -2] == pytest.approx(-1.0)


def test_the_discrete_model_is_a_small_simulation():
    found = linearize("crane-hoisting", period=0.05, outputs=["load.position.x", "joint.trolley.velocity"])
    plant = Plant(
        "crane-hoisting", period=0.05, observations=["load.position.x", "joint.trolley.velocity"], tolerance=1e-9
    )
    start, x = plant.reset(), np.zeros(len(found.A))
    for _ in range(20):
        seen, x = plant.step([1e-3]), found.A @ x + found.B[:, 0] * 1e-3
    assert found.C @ x == pytest.approx(seen - start, rel=1e-3)


def test_a_moving_machine_is_followed_by_its_own_linear_model():
    machine = taut.Machine("spinning top on a ball joint")
    machine.body("top", mass=1.0, com=[0, 0, -0.3], inertia=[0.02, 0.03, 0.01],
                 joint={"kind": "spherical", "velocity": [1.0, 0.5, 2.0]})  # fmt: skip
    scenario = machine.run(duration=1.0, tolerance=1e-10).scenario()
    found = linearize(scenario, at=0.3, outputs=["top.orientation"])
    assert found.time == 0.3 and np.abs(found.drift).max() > 0.5
    # d/dt of the flow: a state beside the motion, a little later, against the linear model
    from scipy.linalg import expm

    stepper, beside = taut.Stepper(build(scenario)), taut.Stepper(build(scenario))
    stepper.advance_to(0.3)
    beside.reset(nudged(stepper.state, np.array([1e-5, -2e-5, 3e-5])))
    for one in (stepper, beside):
        one.advance_to(0.3 + 1e-3)
    x = expm(1e-3 * found.A) @ [1e-5, -2e-5, 3e-5, 0, 0, 0]
    between = turn(stepper.state.q, beside.state.q)
    assert between == pytest.approx(x[:3], abs=2e-10)


def nudged(state, angles):
    """The state with its quaternion turned a little about the axes of the world."""
    w, v = state.q[0], state.q[1:]
    q = np.concatenate([[w - 0.5 * v @ angles], v + 0.5 * (w * angles + np.cross(angles, v))])
    memory = dict(state.memory, q=q / np.linalg.norm(q))
    return type(state)(**{**state.__dict__, "memory": memory, "q": memory["q"]})


def turn(a, b):
    """The small turn from one quaternion to another, in axes of the world."""
    return 2.0 * (a[0] * b[1:] - b[0] * a[1:] - np.cross(b[1:], a[1:]))


def test_files_and_python_control(tmp_path):
    found = linearize("crane-hoisting", outputs=["load.position.x"])
    found.save(tmp_path / "a.npz")
    again = load_linear(tmp_path / "a.npz")
    assert np.array_equal(again.A, found.A) and again.states == found.states and again.notes == found.notes
    found.save(tmp_path / "a.mat")
    from scipy.io import loadmat

    read = loadmat(tmp_path / "a.mat")
    assert np.array_equal(read["B"], found.B) and read["states"][0, 0][0] == "trolley"
    object_ = to_control(found)
    assert object_.output_labels == ["load_position_x"] and object_.state_labels[1] == "hook_rope"
    omega = np.array([0.3, 1.0])
    assert frequency_response(found, omega)[:, 0, 0] == pytest.approx(object_(1j * omega))


def test_truncation_keeps_the_slow_response():
    found = linearize("stewart-actuated", inputs=["upper1"], outputs=["platform.position.z"])
    small = truncated(found, 6)
    times = np.linspace(0.0, 1.0, 200)
    full, short = step_response(found, times), step_response(small, times)
    assert np.abs(full - short).max() < 0.02 * np.abs(full).max()


def test_figures_are_drawn(tmp_path):
    found = linearize("crane-hoisting", outputs=["load.position.x", "joint.trolley.position"])
    assert draw_bode(found, tmp_path / "b.png").stat().st_size > 5000
    assert draw_step(with_period(found, 0.1), tmp_path / "s.png").stat().st_size > 5000


def test_friction_that_holds_is_noted():
    assert "friction holds trolley" in linearize("crane-2d").notes[0]


@pytest.mark.parametrize(("options", "text"), [
    ({"inputs": ["pusch"]}, "did you mean 'push'"), ({"outputs": ["lod.position"]}, "did you mean 'load.position'"),
    ({"inputs": "push"}, "list of names"), ({"at": None}, "rest, pose or a time"), ({"outputs": ["x", "x"]}, "twice"),
    ({"at": "noon"}, "rest, pose or a time"), ({"at": -1.0}, "rest, pose or a time"), ({"period": 0.0}, "positive"),
])  # fmt: skip
def test_mistakes_are_told(options, text):
    with pytest.raises(taut.ScenarioError, match=text):
        linearize("crane-2d", **options)


def test_files_that_are_none_are_told(tmp_path):
    (tmp_path / "text.npz").write_text("nothing")
    np.savez(tmp_path / "other.npz", A=np.eye(2))
    for name, text in (("none.npz", "no such file"), ("text.npz", "no linear model"), ("other.npz", "no linear model")):
        with pytest.raises(taut.ScenarioError, match=text):
            load_linear(tmp_path / name)
    with pytest.raises(taut.ResultError, match="cannot be written"):
        linearize(slider()).save(tmp_path / "no" / "a.npz")
