"""Machines of a study made by exchanging numbers: the same as those built anew, and nothing else is exchanged."""

import numpy as np
import pytest

import taut
from taut.build.numbers import is_same
from taut.integrate.simulate import simulate
from taut.scenario.errors import ScenarioError
from taut.studies.measures import evaluate
from taut.studies.plan import make_plan
from taut.studies.ready import Ready
from taut.studies.running import run_batch

OK = {"ok": "audit"}
NUMBERS = [
    ("double-pendulum", {"bodies.upper.mass": {"from": 1, "to": 2}, "bodies.lower.com[2]": [-0.4, -0.5, -0.6]}),
    ("mamidi-pick-and-place", {"platform.mass": {"normal": [0.5, 0.02]}, "cables.C2.length": [0.75, 0.755, 0.76]}),
    ("mamidi-pick-and-place", {"cables.*.youngs_modulus": {"from": 1e11, "to": 2e11, "scale": "log"}}),
    ("double-pendulum", {"run.tolerance": [1e-5, 1e-6, 1e-7], "run.duration": {"from": 0.1, "to": 0.3}}),
]  # fmt: skip
ANEW = [
    ("double-pendulum", {"gravity[2]": [-9.81, -1.62, -3.7]}),
    ("mamidi-pick-and-place", {"defaults.cable.youngs_modulus": {"from": 1e11, "to": 2e11}}),
    ("mamidi-pick-and-place", {"cables.C1.elements": [3, 4, 5], "platform.mass": {"from": 0.4, "to": 0.6}}),
    ("pendulum-crane", {"bodies.trolley.joint.friction.coulomb": {"from": 0, "to": 10}}),
]


def a_study(base, vary, count=4):
    return taut.study(base, vary, OK, design={"kind": "random", "count": count})


def compare(study):
    """The machines of all runs by exchange and by build; the object that made them."""
    ready = Ready(study.recipe, study.values(0))
    for run in range(study.count):
        values = study.values(run)
        found, anew = ready.machine(values), taut.build(study.scenario(values))
        assert found.scenario == anew.scenario and is_same(found, anew)
        assert found.plan.run == anew.plan.run
        assert np.array_equal(found.start_coordinates, anew.start_coordinates)
    return ready


@pytest.mark.parametrize(("base", "vary"), NUMBERS)
def test_numbers_are_exchanged_to_the_machine_that_a_build_gives(base, vary):
    assert compare(a_study(base, vary)).is_exchanged is True


@pytest.mark.parametrize(("base", "vary"), ANEW)
def test_what_is_more_than_numbers_of_parts_is_built_anew(base, vary):
    assert compare(a_study(base, vary)).is_exchanged is None


def test_a_wrong_exchange_would_be_seen_at_the_first_run(monkeypatch):
    study = a_study(*NUMBERS[0])
    ready = Ready(study.recipe, study.values(0))
    monkeypatch.setattr("taut.studies.ready.with_numbers", lambda model, changes, structure: model)
    found = ready.machine(study.values(1))
    assert ready.is_exchanged is False and is_same(found, taut.build(study.scenario(study.values(1))))
    assert is_same(ready.machine(study.values(2)), taut.build(study.scenario(study.values(2))))


def test_a_value_that_is_refused_is_told_as_the_study_says_it():
    study = a_study(*NUMBERS[0])
    ready = Ready(study.recipe, study.values(0))
    values = study.values(1) | {"bodies.upper.mass": -1.0}
    with pytest.raises(ScenarioError, match=r"vary.bodies.upper.mass = -1.*where bodies.upper.mass = -1"):
        ready.machine(values)


def test_a_batch_measures_what_single_runs_do():
    measures = {"worst": {"max": "cable_tension_exit"}, "v": {"rms": "platform_velocity", "by": "axis"},
                "slack": {"seconds": "cable_slack"}, "done": "status", "ok": "audit"}  # fmt: skip
    vary = {"run.duration": 0.2, "platform.mass": {"from": 0.4, "to": 0.6}}
    study = taut.study("mamidi-pick-and-place", vary, measures, design={"kind": "random", "count": 3})
    outcomes = run_batch(make_plan(study).job, [(k, study.values(k)) for k in range(3)])
    for k, outcome in enumerate(outcomes):
        result = simulate(taut.build(study.scenario(study.values(k))))
        for name, measure in study.record.measure.items():
            assert np.array_equal(outcome.measures[name], np.atleast_1d(evaluate(measure, result)))
