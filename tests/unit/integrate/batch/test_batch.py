"""Many runs at once are the single runs, bit by bit."""

import numpy as np
import pytest

import taut
from taut import library

CHANGES = [{"bodies.upper.mass": 1.0 + 0.5 * k} for k in range(3)]


@pytest.fixture(scope="module")
def model():
    return taut.build(library.load("double-pendulum", ["run.duration=0.5"]))


def assert_same(batch, k, result):
    for name, values in batch.data_vars.items():
        if "time" in values.dims:
            assert np.array_equal(values[k].values, result[name].values, equal_nan=True), name


@pytest.mark.parametrize("workers", [1, 2])
def test_changed_machines_run_as_alone(model, workers):
    batch = taut.simulate_batch(model, CHANGES, workers=workers)
    for k, change in enumerate(CHANGES):
        assert_same(batch, k, taut.simulate(taut.with_numbers(model, change)))
    assert set(batch["audit"].values) == {"pass"}
    assert batch["bodies.upper.mass"].values.tolist() == [1.0, 1.5, 2.0]


def test_states_run_as_alone(model):
    stepper, states = taut.Stepper(model), []
    for time in (0.1, 0.2, 0.3):
        stepper.advance_to(time)
        states.append(stepper.state)
    times = [0.4, 0.45]
    batch = taut.simulate_batch(model, states=states, save_times=times, keep=["body_position", "work_input"])
    for k, state in enumerate(states):
        result = taut.simulate(model, state=state, save_times=times)
        assert np.array_equal(batch["body_position"][k].values, result["body_position"].values)


def test_a_run_that_fails_does_not_stop_the_others(model):
    batch = taut.simulate_batch(
        model, [{}, {"bodies.upper.mass": -1.0}, {"run.nothing": 1.0}], keep=["platform_position"]
    )
    assert batch["status"].values.tolist() == ["completed", "failed", "failed"]
    assert "must not be less than 0" in str(batch["cause"].values[1]) and "no such key" in str(batch["cause"].values[2])


def test_runs_of_other_lengths_are_padded(model):
    batch = taut.simulate_batch(model, [{"run.duration": 0.2}, {"run.duration": 0.5}], keep=["energy_kinetic"])
    energy = batch["energy_kinetic"].values
    assert np.isnan(energy[0, -1]) and np.isfinite(energy[1]).all()


def test_wrong_calls_are_refused(model):
    for wrong in ({}, {"changes": [{}], "states": [None, None]}, {"changes": [{}], "keep": ["body_postion"]}):
        with pytest.raises(taut.ScenarioError):
            taut.simulate_batch(model, **wrong)
