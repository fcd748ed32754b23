"""Runs that pass singular positions: how much errors grow there, and when the audit says that they grow too much."""

import numpy as np
import pytest

from manipulators import manipulator
from taut import library
from taut.audit.passages import Passages, Passed, passage_line
from taut.build import build
from taut.integrate import passages as subject
from taut.integrate.passages import passages
from taut.integrate.settings import RunSettings
from taut.integrate.simulate import simulate
from taut.results.record import RunRecord
from taut.scenario.io.reading import make_scenario
from taut.scenario.io.yaml_text import read_yaml
from taut.verify.mechanisms.loops import drawn

TIMES = np.arange(20.0)


def conditions(**peaks):
    """Condition numbers of 10, but for some samples."""
    found = {"gain": np.full(20, 10.0), "loss": np.full(20, 10.0)}
    for kind, values in peaks.items():
        for k, value in values.items():
            found[kind][k] = value
    return found


def crossing(time, kind="gain"):
    return {"time": time, "name": f"{kind} singularity"}


def test_a_run_without_singular_positions_has_no_passages():
    assert passages(TIMES, conditions(gain={5: 60.0}), []) == []


def test_a_located_pose_between_two_samples_is_a_passage_from_the_sample_before_to_the_one_behind():
    (found,) = passages(TIMES, conditions(gain={7: 50.0, 8: 70.0}), [crossing(7.3)])
    assert (found.first, found.last, found.time, found.kind) == (6, 9, 7.3, "gain")
    assert found.is_through and not found.is_cut and found.condition == 70.0


def test_a_close_approach_without_a_crossing_is_a_passage():
    (found,) = passages(TIMES, conditions(loss={11: 300.0, 12: 5000.0}), [])
    assert (found.first, found.last, found.time, found.kind) == (10, 13, 12.0, "loss")
    assert not found.is_through


def test_passages_that_meet_are_one_and_others_are_not():
    near = conditions(gain={3: 500.0}, loss={5: 500.0, 12: 900.0})
    assert [(p.first, p.last) for p in passages(TIMES, near, [])] == [(2, 6), (11, 13)]


def test_a_passage_is_cut_by_the_end_of_the_run():
    (found,) = passages(TIMES, conditions(gain={18: 900.0, 19: 900.0}), [])
    assert (found.first, found.last, found.is_cut) == (17, 19, True)


@pytest.fixture(scope="module")
def heavy_rod():
    return build(library.load("delta", ["bodies.rod2b.cylinder.length=7.86677", "run.duration=2"]))


@pytest.fixture(scope="module")
def wrong(heavy_rod):
    return simulate(heavy_rod, tolerance=1e-8)


def test_a_run_that_depends_on_errors_below_its_tolerance_fails(wrong):
    (reason,) = wrong.audit["reasons"]
    assert "singular position at t = " in reason and "errors grow" in reason and "keep away" in reason
    assert wrong.audit["passages"]["error"] > 1e3


def test_runs_of_two_tolerances_come_apart_there(heavy_rod, wrong):
    closer = simulate(heavy_rod, tolerance=1e-9, audit=False)
    apart = np.linalg.norm(wrong["platform_position"].values - closer["platform_position"].values, axis=1)
    k = int(np.searchsorted(wrong.time, wrong.audit["passages"]["times"][2])) - 5
    assert apart[-1] > 1e4 * apart[:k].max()


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8])
@pytest.mark.parametrize("name", ["stewart-free-fall", "six-rss-free-fall", "hexapod", "delta"])
def test_harmless_passages_pass(name, tolerance):
    audit = simulate(manipulator(name), tolerance=tolerance).audit
    assert audit["verdict"] == "pass" and audit["passages"]["count"] == 1
    assert 0.0 < audit["passages"]["error"] < 3.5


def test_errors_that_grow_between_singular_positions_fail_as_well():
    """Errors grow less than twentyfold behind any of eighteen positions, and a thousand times in all."""
    changes = ["bodies.arm2.cylinder.length=6.98542", "platform.mass=42.4857", "bodies.arm1.cylinder.radius=0.0533742"]
    model = build(library.load("planar-3rrr", [*changes, "run.duration=2", "run.tolerance=1e-9"]))
    audit = simulate(model, error_growth=1.0).audit
    assert audit["verdict"] == "fail" and 20.0 < audit["passages"]["error"] < 100.0
    assert simulate(model, error_growth=100.0).audit["verdict"] == "pass"


def test_what_passes_nothing_is_not_run_again(monkeypatch):
    monkeypatch.setattr(subject, "Again", None)
    assert "passages" not in simulate(manipulator("six-rss-heave"), duration=0.2).audit


def test_a_run_without_an_audit_is_not_run_again(monkeypatch):
    monkeypatch.setattr(subject, "Again", None)
    assert "passages" not in simulate(manipulator("stewart-free-fall"), audit=False).audit


def test_loops_of_bodies_that_are_not_watched_are_always_run_twice():
    audit = simulate(build(library.load("four-bar"))).audit
    assert audit["verdict"] == "pass", audit["reasons"]
    assert audit["passages"]["count"] == 0 and 0.0 < audit["passages"]["error"] < 1.0


@pytest.fixture(scope="module")
def cranks():
    """Three parallel cranks on a turntable: flat at t = 0.3 s, where steps that end too close by get stuck."""
    *_, (_, machine) = drawn(8, 1)
    return build(machine.scenario())


def test_where_a_more_exact_run_gets_stuck_others_are_tried(cranks):
    assert simulate(cranks, integrator="generalized-alpha", tolerance=1e-7, audit=False).status == "step too small"
    audit = simulate(cranks, integrator="generalized-alpha").audit
    assert audit["verdict"] == "pass", audit["reasons"]
    assert 0.0 < audit["passages"]["error"] < 3.5


def test_a_second_run_that_creeps_counts_as_stuck(cranks, monkeypatch):
    """Generalized-alpha comes to the flat position by millions of steps of 1e-13 s."""
    monkeypatch.setattr(subject, "MOST_STEPS", 0)
    monkeypatch.setattr(subject, "FREE_STEPS", 5)
    (reason,) = simulate(cranks).audit["reasons"]
    assert "no more exact run gets past" in reason


def test_a_run_that_no_other_gets_past_fails(cranks, monkeypatch):
    monkeypatch.setattr(subject, "OTHER_METHODS", ())
    audit = simulate(cranks, integrator="generalized-alpha").audit
    assert audit["verdict"] == "fail" and "no more exact run gets past t = 0.300" in audit["reasons"][0]


def test_others_are_of_other_tolerances_and_methods_but_from_a_state_of_its_own_method():
    settings = RunSettings(tolerance=1e-6, integrator="generalized-alpha")
    asked = [(s.integrator, s.tolerance) for s in subject.witnesses(settings, is_begun=False)]
    assert asked[0] == ("generalized-alpha", pytest.approx(1e-7))
    assert {method for method, _ in asked} == {"generalized-alpha", "radau", "explicit"} and len(set(asked)) == 6
    assert {s.integrator for s in subject.witnesses(settings, is_begun=True)} == {"generalized-alpha"}


def test_few_samples_hide_no_passages():
    """Singular positions that are passed there and back between two samples change no sign of a determinant."""
    changes = ["bodies.arm4.cylinder.radius=0.0099496", "bodies.arm1.cylinder.radius=0.00832879"]
    model = build(library.load("planar-4rrr", [*changes, "run.duration=2", "run.tolerance=1e-8", "run.error_growth=1"]))
    audit = simulate(model, save_every=2.0).audit
    assert audit["verdict"] == "fail" and audit["passages"]["error"] > 20.0


@pytest.mark.parametrize("error_growth", [1e5, 1e6])
def test_a_run_that_none_can_be_more_exact_than_is_compared_with_a_less_exact_one(heavy_rod, error_growth):
    audit = simulate(heavy_rod, tolerance=1e-8, error_growth=error_growth).audit
    assert audit["verdict"] == "fail" and "a less exact run is" in audit["reasons"][0]


def test_a_harmless_run_near_rounding_passes():
    audit = simulate(manipulator("six-rss-free-fall"), tolerance=1e-6, error_growth=1e7).audit
    assert audit["passages"]["verdict"] == "pass" and audit["passages"]["other"] == "less exact"


def test_a_cable_beside_loops_of_bodies_changes_nothing():
    text = read_yaml(library.path("four-bar").read_text(), "four-bar")[0]
    rope = {"name": "rope", "kind": "spring", "exit": [0, 0, 1], "body": "rocker", "anchor": [1, 0, 0],
            "axial_stiffness": 1e-3, "length": 4.0}  # fmt: skip
    assert "passages" in simulate(build(make_scenario(text | {"cables": [rope]})), duration=0.2).audit


def line(error, *growths, tolerance=1e-6, error_growth=1.0):
    found = tuple(Passed(float(k), "gain", 1e3, True, growth) for k, growth in enumerate(growths))
    passed = Passages(found, error * tolerance, 5.0, error_growth=error_growth)
    return passage_line(passed, RunRecord(tolerance=tolerance))


def test_the_error_of_the_whole_run_is_judged_and_the_worst_passage_named():
    assert line(3.4, 20.0, 0.1, 4.0)["verdict"] == "pass"
    failed = line(1200.0, 2.0, 60.0)
    assert failed["verdict"] == "fail"
    assert "at t = 1 s" in failed["reason"] and "at t = 5 s it is off by 1.2e+03 tolerances" in failed["reason"]
    assert line(3.6)["verdict"] == "fail"


def test_where_singular_positions_are_not_known_small_errors_are_a_warning():
    record = RunRecord(tolerance=1e-6)
    verdicts = [passage_line(Passages((), e * 1e-6, is_watched=False), record)["verdict"] for e in (3.4, 3.6, 101.0)]
    assert verdicts == ["pass", "warn", "fail"]


def test_a_less_exact_run_is_farther_away_than_the_error():
    record = RunRecord(tolerance=1e-6)
    verdicts = [passage_line(Passages((), e * 1e-6, coarser=10.0), record)["verdict"] for e in (3.4, 3.6, 34.0, 36.0)]
    assert verdicts == ["pass", "warn", "warn", "fail"]


def test_more_exact_steps_are_the_remedy_until_rounding():
    assert "run.error_growth: 1e+03" in line(500.0, 1e4)["reason"]
    assert "run.error_growth: 1e+04" in line(500.0, 1e4, error_growth=10.0)["reason"]
    assert "error_growth" not in line(1e8, 1e9)["reason"]


def test_a_machine_that_gets_stuck_fails():
    assert "gets stuck" in line(np.inf, 2.0, np.inf)["reason"]
    assert "no more exact run gets past t = 5 s" in line(np.inf)["reason"]


def test_errors_that_cannot_be_measured_are_a_warning():
    assert passage_line(Passages((), left_out="no second run"), RunRecord())["verdict"] == "warn"
    assert passage_line(None, RunRecord()) is None
