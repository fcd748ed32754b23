"""Settings of a run: from the scenario, changed in the call, refused when no run can have them."""

import numpy as np
import pytest

import taut
from taut.integrate.settings import RunSettings, check_integrator, model_for, run_settings
from taut.scenario import loads


@pytest.fixture(scope="module")
def model():
    return taut.build(taut.library.load("mamidi-pick-and-place"))


def test_the_scenario_says_and_the_call_changes(model):
    assert run_settings(model, {}) == RunSettings(6.0, 0.01, 1e-6, "radau")
    assert run_settings(model, {"tolerance": 1e-8, "duration": None}).tolerance == 1e-8


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tolerance", 1e-30),
        ("tolerance", 10.0),
        ("tolerance", np.nan),
        ("duration", -1.0),
        ("duration", np.inf),
        ("save_every", 0.0),
        ("save_every", "often"),
        ("duraton", 1.0),
    ],
)
def test_impossible_settings(model, key, value):
    with pytest.raises(taut.ScenarioError, match=key):
        run_settings(model, {key: value})


def test_settings_of_a_method_are_changed_one_by_one(model):
    asked = run_settings(model, {"integrator": "generalized-alpha", "generalized_alpha": {"index": 3}})
    assert asked.generalized_alpha.index == 3 and asked.generalized_alpha.rho_infinity == 0.8
    assert asked.method_options()["step"] is None
    assert model_for(model, asked).scenario.run.generalized_alpha.index == 3


def test_unknown_method():
    with pytest.raises(taut.ScenarioError, match="did you mean 'radau'"):
        check_integrator("radaw", ["radau"])


@pytest.mark.parametrize(
    ("every", "times"), [(0.3, [0.3, 0.6, 0.9, 1.0]), (0.25, [0.25, 0.5, 0.75, 1.0]), (3.0, [1.0])]
)
def test_the_end_is_always_saved(every, times):
    assert RunSettings(1.0, every).save_times() == pytest.approx(times)


def test_a_longer_run_has_the_signals_it_needs(model):
    longer = model_for(model, RunSettings(8.0, 0.01, 1e-6))
    assert longer.scenario.run.duration == 8.0 and 6.0 in longer.breakpoints and 6.0 not in model.breakpoints


def test_a_result_says_with_what_it_was_run(model):
    text = taut.simulate(model, duration=0.1, tolerance=1e-5).scenario_text
    said = loads(text).run
    assert (said.duration, said.tolerance) == (0.1, 1e-5)
