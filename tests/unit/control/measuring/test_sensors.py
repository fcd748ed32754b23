"""Sensors that remember: against closed forms, through jumps, by their own samples, resumed bit by bit."""

import numpy as np
import pytest

import taut
from carts import MASS, cart
from crashes import Crash, crash_after
from short_calls import shorten_calls
from taut.control.measuring.course import Course
from taut.integrate.run import recorder
from taut.loop.plant import Plant
from taut.scenario.errors import ScenarioError
from taut.verify.cables.route_measures import CHAINS, sensor
from taut.verify.trust.resume import largest_difference


def heard(machine, name, **settings):
    """What a listening controller was told by a sensor, and when."""
    result = taut.simulate(taut.build(machine.scenario()), controllers={"hold": lambda t, m: None}, **settings)
    return result["control_time"].values, result["measurement_value"].sel(measurement=name).values


@pytest.mark.nojit
@pytest.mark.parametrize("lag", [1e-3, 0.05, 2.0])
def test_lag_between_uneven_readings(lag):
    rng, course = np.random.default_rng(3), Course(np.array([lag, 0.0]))
    times = np.concatenate([[0.0], np.cumsum(rng.uniform(0.01, 0.05, 60))])
    for t in times:
        course.look(t, np.array([np.sin(3.0 * t), t]))
    y, w = course.at(times[-1]), 3.0 * lag
    t = times[-1]
    exact = (np.sin(3.0 * t) - w * (np.cos(3.0 * t) - np.exp(-t / lag))) / (1.0 + w * w)
    assert y == pytest.approx([exact, t], abs=1e-8)


@pytest.mark.nojit
def test_polynomials_do_not_reach_across_jumps():
    course, lag = Course(np.array([0.1])), 0.1
    for t in np.linspace(0.0, 0.3, 7):
        course.look(t, np.array([1.0]))
    course.jump(0.3, np.array([5.0]))
    for t in np.linspace(0.35, 0.6, 6):
        course.look(t, np.array([5.0]))
    assert course.at(0.6)[0] == pytest.approx(5.0 - 4.0 * np.exp(-0.3 / lag), abs=1e-12)
    assert course.at(0.3)[0] == pytest.approx(1.0, abs=1e-12)


def test_chain_of_the_reference():
    assert all(quantity.as_dict()["pass"] for quantity in sensor(CHAINS[0]))


def test_lagging_force_jumps_with_the_command():
    """The force of a commanded joint is the command: the lag follows its jumps, seen one instant later."""
    machine = cart(duration=0.5, kind="python", period=0.1)
    machine.measurement("a", joint="cart", what="acceleration", lag=0.05)
    result = taut.simulate(
        taut.build(machine.scenario()), controllers={"hold": lambda t, m: {"push": 10.0 * (t < 0.25)}}
    )
    told = result["measurement_value"].sel(measurement="a").values
    y = [0.0]
    for k in range(4):
        y.append(y[-1] + (10.0 / MASS * (k < 3) - y[-1]) * (1.0 - np.exp(-2.0)))
    assert told == pytest.approx(y, abs=1e-9)


def test_own_samples_are_held_and_clipped():
    machine = cart(duration=1.0, kind="python", period=0.03)
    machine._data["bodies"]["cart"]["joint"]["velocity"] = 1.0
    machine.measurement("slow", joint="cart", period=0.1, scale=2.0, range=[0.0, 1.5])
    t, told = heard(machine, "slow")
    assert told == pytest.approx(np.minimum(2.0 * 0.1 * np.floor(t / 0.1 + 1e-7), 1.5), abs=1e-12)


def test_drift_is_a_random_walk():
    machine = cart(duration=400.0, kind="python", period=0.5)
    for k in range(2):
        machine.measurement(f"d{k}", joint="cart", drift=0.2)
    machine.run(save_every=100.0)
    result = taut.simulate(taut.build(machine.scenario()), controllers={"hold": lambda t, m: None})
    walks = result["measurement_value"].sel(measurement=["d0", "d1"]).values.T
    assert walks[:, 0] == pytest.approx(0.0, abs=1e-12)
    assert np.diff(walks).std() == pytest.approx(0.2 * np.sqrt(0.5), rel=0.08)
    # steps are independent: neighbours, and sensors
    steps = np.diff(walks)
    assert abs(np.corrcoef(steps[0], steps[1])[0, 1]) < 0.1
    assert abs(np.corrcoef(steps[0, 1:], steps[0, :-1])[0, 1]) < 0.1


def test_lost_samples_repeat_the_last():
    machine = cart(duration=100.0, kind="python", period=0.1)
    machine._data["bodies"]["cart"]["joint"]["velocity"] = 1.0
    machine.measurement("patchy", joint="cart", losses=0.3)
    machine.run(save_every=10.0)
    t, told = heard(machine, "patchy")
    is_lost = np.abs(told - t) > 1e-9
    assert is_lost.mean() == pytest.approx(0.3, abs=0.05)
    assert np.array_equal(told[1:][is_lost[1:]], told[:-1][is_lost[1:]])


def test_resumed_with_its_sensors(monkeypatch, tmp_path):
    monkeypatch.setattr(recorder, "JOURNAL_EVERY", -1.0)
    shorten_calls(monkeypatch, 2)
    machine = cart(duration=0.6, measure="seen")
    machine.measurement("seen", joint="cart", lag=0.03, delay=0.02, drift=0.01, losses=0.2, noise=1e-3)
    machine.measurement("own", joint="cart", period=0.013, noise=1e-3, lag=0.01)
    model = taut.build(machine.scenario())
    whole = taut.simulate(model)
    for call in (1, 9, 33):
        output = tmp_path / f"{call}.nc"
        with pytest.raises(Crash):
            taut.simulate(model, output=output, progress=crash_after(call))
        assert largest_difference(taut.simulate(model, output=output, resume=True), whole) == 0.0


def test_a_state_without_the_memory_of_sensors_is_refused():
    plain, late = cart(), cart()
    plain.measurement("late", joint="cart")
    late.measurement("late", joint="cart", delay=0.1)
    state = taut.Stepper(taut.build(plain.scenario())).state
    with pytest.raises(ScenarioError, match="other closures, events, commands, sensors or laws"):
        taut.Stepper(taut.build(late.scenario()), state=state)


def test_a_plant_refuses_noise_of_sensors_that_remember():
    machine = cart()
    machine.measurement("late", joint="cart", delay=0.1)
    with pytest.raises(ScenarioError, match="late.delay.*a plant observes the moment"):
        Plant(machine.scenario(), noise=True)


@pytest.mark.parametrize(("keys", "words"), [
    ({"range": [2, 1]}, "least, largest"), ({"losses": 1.0}, "losses"), ({"delay": -0.1}, "delay"),
    ({"period": 1e-9}, "too small"), ({"lag": -1}, "lag"),
])  # fmt: skip
def test_mistakes(keys, words):
    machine = cart()
    machine.measurement("odd", joint="cart", **keys)
    with pytest.raises(ScenarioError, match=words):
        machine.scenario()
