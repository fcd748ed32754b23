"""Runs that begin with a state, and are sampled when one likes."""

import numpy as np
import pytest

import taut
from taut.scenario.errors import ScenarioError


@pytest.fixture(scope="module")
def pendulum():
    return taut.build(taut.load("double-pendulum", ["run.duration=1"]))


def state_at(model, time):
    stepper = taut.Stepper(model)
    stepper.advance_to(time)
    return stepper.state


def test_a_run_from_a_state_is_the_rest_of_the_whole_and_passes_its_audit(pendulum):
    rest, whole = taut.simulate(pendulum, state=state_at(pendulum, 0.5)), taut.simulate(pendulum)
    assert rest.audit["verdict"] == "pass" and rest.time[0] == 0.5
    assert np.allclose(rest["joint_position"][-1], whole["joint_position"][-1], atol=1e-7)
    assert rest["work_input"][0] == 0.0 and rest.audit["steps"]["accepted"] < whole.audit["steps"]["accepted"]


def test_samples_are_taken_when_asked_for(pendulum):
    result = taut.simulate(pendulum, save_times=[0.1, 0.1234, 0.5])
    assert result.time.tolist() == [0.0, 0.1, 0.1234, 0.5, 1.0]
    whole = taut.simulate(pendulum, save_every=0.1)
    assert np.array_equal(result["joint_position"][-1], whole["joint_position"][-1])


def test_events_before_the_state_are_not_of_the_run():
    model = taut.build(taut.load("bounce", ["run.duration=1.5"]))
    rest, whole = taut.simulate(model, state=state_at(model, 1.0)), taut.simulate(model)
    assert rest.audit["verdict"] == "pass"
    assert [event["time"] for event in rest.events] == pytest.approx(
        [event["time"] for event in whole.events if event["time"] > 1.0], abs=1e-9
    )


@pytest.mark.parametrize("times", [[0.2, 0.1], [0.5, 0.5], [0.5, 1.5], [-0.1, 0.5], [np.nan]])
def test_times_that_cannot_be_are_refused(pendulum, times):
    with pytest.raises(ScenarioError, match="save_times"):
        taut.simulate(pendulum, save_times=times)


def test_a_state_behind_the_end_or_of_another_machine_is_refused(pendulum):
    with pytest.raises(ScenarioError, match="its state is at"):
        taut.simulate(pendulum, state=state_at(pendulum, 0.5), duration=0.4)
    other = taut.build(taut.load("bounce"))
    with pytest.raises(ScenarioError, match="another machine"):
        taut.simulate(other, state=state_at(pendulum, 0.5))
