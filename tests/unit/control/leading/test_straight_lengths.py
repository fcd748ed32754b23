"""Winch commands for straight cables: compiled code agrees with the law in Python at every sample."""

import numpy as np
import pytest

import taut
from taut.control.kinds import make_controllers
from taut.control.leading.cable_length import CableLength
from taut.control.leading.straight_lengths import StraightLengths

from .test_cable_length import PERIOD, robot
from .test_led_ropes import robot as robot_over_pulleys


def laws_of(scenario, name="lead"):
    """The controller of a run, and its twin in Python."""
    model = taut.build(scenario)
    law = make_controllers(model, {})[name]
    assert isinstance(law, StraightLengths)
    return law, CableLength(model, name, model.plan.controllers[name])


def told_at(t):
    """Measurements of a position, a tension and an exit that move."""
    rng = np.random.default_rng(int(1e4 * t) + 1)
    return {
        "place": np.array([0.02 * rng.normal(), 0.1, 1.0]),
        "pull": 30.0 + 40.0 * rng.normal(),
        "tip": np.array([-2, -1.5, 3 + 0.1 * t]),
    }


LIMITED = {"limits": [-0.05, 0.05], "rate_limit": 0.5}
FED_BACK = {"position": "place", "kp": 0.5, "ki": 2.0, "most_correction": 0.03}


@pytest.mark.parametrize("acts", ["rate", "acceleration"])
@pytest.mark.parametrize("winch", ["payout", "length"])
@pytest.mark.parametrize(
    "keys",
    [{}, {"delay": 0.03, "tensions": {"C0": "pull"}}, {**FED_BACK, "exits": {"C0": "tip"}},
     {"feedforward": {"preload": 10.0, "least": 12.0}, "setpoint": ["0.9*sin(t)", 0, 1], **FED_BACK}],
)  # fmt: skip
def test_commands_are_those_of_the_law_in_python(acts, winch, keys):
    machine = robot(acts=acts, winch=winch, **keys)
    machine.measurement("tip", body="platform", point=[-2, -1.5, 2])
    for k in range(2):
        machine._data["signals"][f"u{k}"] |= LIMITED
    law, twin = laws_of(machine.scenario())
    for k in range(300):
        told = told_at(k * PERIOD)
        assert law(k * PERIOD, told) == pytest.approx(twin(k * PERIOD, told), rel=1e-9, abs=1e-11)


def test_a_pretension_changes_the_length_that_a_command_begins_with():
    machine = robot(feedforward={"preload": 10.0})
    machine.initial(pretension=40.0)
    law, twin = laws_of(machine.scenario())
    assert law.work.offset == pytest.approx(np.linalg.norm([1.9, 1.4, -1.85]), rel=2e-3)
    assert np.all(law.work.offset < np.linalg.norm([1.9, 1.4, -1.85]) - 1e-3)
    assert law(0.0, {}) == pytest.approx(twin(0.0, {}), rel=1e-9, abs=1e-11)


@pytest.mark.parametrize("change", [[], ["controllers.lead.orientation={rotation_vector: [0.1, -0.2, 0.3]}"]])
def test_commands_of_a_robot_of_the_library(change):
    law, twin = laws_of(taut.library.load("winch-robot-circle", change))
    spec, rng = law.spec, np.random.default_rng(4)
    for k in range(400):
        t = spec.start + k * spec.period
        told = {"place": np.array([curve.evaluate(t)[0] for curve, _ in law.curves[:3]]) + 0.01 * rng.normal(size=3)}
        assert law(t, told) == pytest.approx(twin(t, told), rel=1e-9, abs=1e-11)


def test_feedback_takes_up_the_error_and_stops_at_its_limit():
    machine = robot(position="place", kp=0.5, ki=2.0, most_correction=0.05, setpoint=[0, 0, 1])
    law, twin = laws_of(machine.scenario())
    told, integral, slow = {"place": np.array([0.0, 0.0, 0.99])}, [], []
    for k in range(200):
        law(k * PERIOD, told)
        twin(k * PERIOD, told)
        integral.append(law.memory[2])
        slow.append(twin.lasting[2])
    assert integral == pytest.approx(np.minimum(0.01 * PERIOD * np.arange(1, 201), integral[-1]))
    assert integral == pytest.approx(slow, rel=1e-12)
    # the integral stops before the correction would exceed its limit
    assert 0.045 < 0.5 * 0.01 + 2.0 * integral[-1] <= 0.05 * (1 + 1e-12)


def test_cables_without_a_direction_are_refused():
    machine = robot(exits={"C2": "place"}, setpoint=[0, 0, 1])
    law, _ = laws_of(machine.scenario())
    with pytest.raises(taut.ScenarioError, match="at t = 0.02 s cable C2 has no way"):
        law(PERIOD, {"place": np.array([0.0, 0.0, 1.0]) + law.work.anchor[2]})


def kind_of(machine):
    return type(make_controllers(taut.build(machine.scenario()), {})["lead"])


def test_other_machines_are_led_in_python():
    assert kind_of(robot()) is StraightLengths
    assert kind_of(robot(turn=[0, 0, "0.1*t"])) is CableLength
    for drive in ("payout", "angle", "torque"):
        assert kind_of(robot_over_pulleys(drive, turn=None)) is CableLength
    guided = robot()
    guided._data["cables"][0]["via"] = [{"kind": "pinhole", "point": [-1, -1, 3]}]
    assert kind_of(guided) is CableLength
    moved = robot()
    moved.driver("moves", kind="trajectory", offset=["0.1*t", 0, 0])
    moved._data["cables"][0]["driver"] = "moves"
    assert kind_of(moved) is CableLength


def test_a_run_in_compiled_code_is_that_of_python(monkeypatch):
    scenario = robot(feedforward={"preload": 10.0}, **FED_BACK).scenario()
    results = [taut.simulate(taut.build(scenario))]
    monkeypatch.setattr("taut.control.kinds.is_straight", lambda *_: False)
    results.append(taut.simulate(taut.build(scenario)))
    asked, slow = (result["command_value"].values for result in results)
    assert asked == pytest.approx(slow, rel=1e-8, abs=1e-9) and np.abs(asked).max() > 0.05
