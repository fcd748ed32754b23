"""Segments and controllers in compiled code: the run of Python, resumed bit by bit."""

import numpy as np
import pytest

import taut
from carts import cart
from crashes import crash_after, resumed
from short_calls import shorten_calls
from taut.control import controls
from taut.integrate.run import recorder
from taut.kernels.jit import IS_PLAIN
from taut.verify.trust.resume import largest_difference

pytestmark = pytest.mark.skipif(IS_PLAIN, reason="plain njit: Python acts")


def noisy_cart(**keys):
    """Noise, a coarse sensor, filtered differences, delay, limits, a lag, more samples than any table has."""
    machine = cart(rate=None, filter=0.02, ki=3.0, period=0.003, delay=0.007, setpoint="sin(3*t)", duration=1.5,
                   command={"limits": [-9.0, 12.0], "rate_limit": 500.0, "lag": 0.01})  # fmt: skip
    for name, errors in keys.items():
        machine._data["measurements"][name] |= errors
    machine.run(save_every=0.011)
    return machine


FAULTS = {"x": {"noise": 1e-4, "bias": 0.02, "resolution": 1e-4}}


def in_python(monkeypatch):
    """Let Python pass the segments, call the controllers and restart the method."""
    monkeypatch.setattr(controls, "ahead_of", lambda own, data: None)


def test_as_python_does_it(monkeypatch):
    model = taut.build(noisy_cart(x={"bias": 0.02}).scenario())
    compiled = taut.simulate(model)
    in_python(monkeypatch)
    plain = taut.simulate(model)
    for name in ("joint_position", "joint_velocity", "command_value", "measurement_value", "control_time", "step_time"):
        assert compiled[name].values == pytest.approx(plain[name].values, rel=1e-9, abs=1e-9), name
    assert compiled.audit["verdict"] == "pass"


def test_errors_of_sensors_as_python_makes_them(monkeypatch):
    """Closed loops amplify rounding at a coarse sensor's steps; one that does not act on them does not."""
    machine = noisy_cart(**FAULTS)
    machine._data["controllers"]["hold"] |= {"kp": 0.0, "kd": 0.0, "ki": 0.0, "feedforward": "sin(9*t)"}
    model = taut.build(machine.scenario())
    compiled = taut.simulate(model)["measurement_value"].values
    in_python(monkeypatch)
    plain = taut.simulate(model)["measurement_value"].values
    assert compiled.shape == plain.shape == (500, 2)
    assert np.mean(np.abs(compiled - plain) > 1e-9) < 0.01 and compiled == pytest.approx(plain, abs=1.1e-4)


def test_resumed_bit_by_bit(monkeypatch, tmp_path):
    monkeypatch.setattr(recorder, "JOURNAL_EVERY", -1.0)
    shorten_calls(monkeypatch, 2)
    model = taut.build(noisy_cart(**FAULTS).scenario())
    whole = taut.simulate(model)
    for call in (0, 1, 30, 400):
        again = resumed(model, tmp_path / f"{call}.nc", crash_after(call))
        assert largest_difference(again, whole) == 0.0


def test_a_stepper_goes_the_same_way():
    """A stepper gives the same states, in intervals other than the controller's, and beyond its first horizon."""
    model = taut.build(noisy_cart(**FAULTS).scenario())
    times = [0.1, 0.5, 0.503, 1.1, 2.0]
    whole, broken = taut.Stepper(model), taut.Stepper(model)
    for time in times:
        whole.advance_to(time)
    for time in times[:3]:
        broken.advance_to(time)
    state = broken.state
    for _ in range(2):
        broken.reset(state)
        for time in times[3:]:
            broken.advance_to(time)
        assert np.array_equal(broken.state.q, whole.state.q) and np.array_equal(broken.state.v, whole.state.v)
    other = taut.Stepper(model, state)
    for time in times[3:]:
        other.advance_to(time)
    assert np.array_equal(other.state.q, whole.state.q)
