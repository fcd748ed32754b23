"""Sampled control of a run: against exact twins, with delay, limits, noise, and resumed bit by bit."""

import numpy as np
import pytest

import taut
from carts import MASS, cart
from crashes import Crash, crash_after
from short_calls import shorten_calls
from taut.integrate.run import recorder
from taut.integrate.settings import ALL_INTEGRATORS
from taut.results.errors import ResultError
from taut.verify.trust.resume import largest_difference


def twin(duration, *, period=0.05, delay=0.0, limit=np.inf, kp=30.0, kd=12.0):
    """The cart as exact arithmetic: the force is constant between instants."""
    samples = period * np.arange(round(duration / period))
    events = sorted([(t, 1) for t in samples] + [(t + delay, 0) for t in samples if delay and t + delay < duration])
    x, v, force, now, queue = 0.0, 0.0, 0.0, 0.0, []
    for time, is_sample in [*events, (duration, 2)]:
        s = time - now
        x, v, now = x + v * s + 0.5 * force / MASS * s * s, v + force / MASS * s, time
        if is_sample == 1:
            asked = float(np.clip(kp * (1.0 - x) - kd * v, -limit, limit))
            queue.append(asked)
        if is_sample == 0 or (is_sample == 1 and not delay):
            force = queue.pop(0)
    return x, v


def run(machine, **options):
    return taut.simulate(taut.build(machine.scenario()), **options)


@pytest.mark.parametrize("integrator", ALL_INTEGRATORS)
@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.12])
def test_as_exact_arithmetic(integrator, delay):
    result = run(cart(delay=delay), integrator=integrator)
    x, v = twin(1.0, delay=delay)
    assert result["joint_position"].values[-1, 0] == pytest.approx(x, abs=1e-7)
    assert result["joint_velocity"].values[-1, 0] == pytest.approx(v, abs=1e-6)
    assert result.audit["verdict"] == "pass"


def test_limits_are_kept():
    result = run(cart(command={"limits": [-4.0, 4.0]}))
    assert result["joint_position"].values[-1, 0] == pytest.approx(twin(1.0, limit=4.0)[0], abs=1e-7)
    assert abs(result["command_value"].values).max() == 4.0


def test_result_tells_what_was_measured_and_commanded():
    result = run(cart(duration=0.2))
    assert list(result.dataset["measurement"].values) == ["x", "v"]
    assert result["control_time"].values == pytest.approx([0.0, 0.05, 0.1, 0.15])
    told, asked = result["measurement_value"].values, result["command_value"].values[:, 0]
    assert asked == pytest.approx(30.0 * (1.0 - told[:, 0]) - 12.0 * told[:, 1], rel=1e-12)
    x = np.interp(result["control_time"].values, result.time, result["joint_position"].values[:, 0])
    assert told[:, 0] == pytest.approx(x, abs=1e-12)


def test_user_function_is_a_controller():
    def hold(t, measured):
        return {"push": 30.0 * (1.0 - measured["x"]) - 12.0 * measured["v"]}

    handed = run(cart(kind="python"), controllers={"hold": hold})
    code = "def control(t, m):\n    return {'push': 30.0 * (1.0 - m['x']) - 12.0 * m['v']}\n"
    written, built_in = run(cart(kind="python", code=code)), run(cart())
    assert largest_difference(handed, written) == 0.0
    # compiled code rounds once where Python rounds twice
    for name in ("joint_position", "joint_velocity", "joint_acceleration", "command_value", "step_time"):
        assert built_in[name].values == pytest.approx(handed[name].values, rel=1e-11, abs=1e-11)


def test_noise_has_its_size_and_its_seed():
    def noisy(seed):
        machine = cart(duration=20.0, kind="python")
        machine.measurement("noisy", joint="cart", noise=0.1, bias=0.5)
        machine.run(seed=seed, save_every=1.0)
        return run(machine, controllers={"hold": lambda t, m: None})["measurement_value"].sel(measurement="noisy")

    first, again, other = noisy(1).values, noisy(1).values, noisy(2).values
    assert np.array_equal(first, again) and not np.array_equal(first, other)
    assert first.std() == pytest.approx(0.1, rel=0.15)
    assert first.mean() == pytest.approx(0.5, abs=0.03)


def test_computed_torque_follows_its_reference():
    machine = cart(duration=1.0)
    machine._data["controllers"]["hold"] = {
        "kind": "computed-torque", "period": 0.002, "position": "q", "velocity": "qd",
        "joints": {"cart": {"command": "push", "reference": "0.5*sin(2*t)", "kp": 100, "kd": 20}}}  # fmt: skip
    machine.measurement("q", what="position").measurement("qd", what="velocity")
    machine.body("bob", mass=1.0, com=[0, 0, -1], joint={"kind": "revolute", "axis": [0, -1, 0], "parent": "cart"})
    machine._data["bodies"]["cart"]["joint"]["velocity"] = 1.0
    result = run(machine)
    x = result["body_position"].sel(body="cart", xyz="x").values
    assert x == pytest.approx(0.5 * np.sin(2 * result.time), abs=2e-3)


def test_resumed_with_its_controllers(monkeypatch, tmp_path):
    """A function with a memory of its own, noise, delay: the resumed run is the same bit by bit."""
    monkeypatch.setattr(recorder, "JOURNAL_EVERY", -1.0)
    shorten_calls(monkeypatch, 2)
    machine = cart(kind="python", delay=0.07, duration=0.6, command={"acts": "ramp", "lag": None})
    machine.measurement("noisy", joint="cart", noise=1e-3)
    model = taut.build(machine.scenario())

    def controller():
        past = []
        return lambda t, m: {"push": past.append(m["noisy"]) or 10.0 * sum(1.0 - x for x in past) / len(past)}

    whole = taut.simulate(model, controllers={"hold": controller()})
    for call in (0, 1, 9, 17):
        output = tmp_path / f"{call}.nc"
        with pytest.raises(Crash):
            taut.simulate(model, output=output, progress=crash_after(call), controllers={"hold": controller()})
        resumed = taut.simulate(model, output=output, resume=True, controllers={"hold": controller()})
        assert largest_difference(resumed, whole) == 0.0


def test_other_controllers_cannot_carry_on(monkeypatch, tmp_path):
    monkeypatch.setattr(recorder, "JOURNAL_EVERY", -1.0)
    model = taut.build(cart(kind="python").scenario())
    output = tmp_path / "run.nc"
    with pytest.raises(Crash):
        taut.simulate(model, output=output, progress=crash_after(9), controllers={"hold": lambda t, m: {"push": 1}})
    with pytest.raises(ResultError, match="do not answer as they did"):
        taut.simulate(model, output=output, resume=True, controllers={"hold": lambda t, m: {"push": 2}})
