"""Runs that pass singular positions: how much errors grow there, and when the audit says that they grow too much."""

import numpy as np
import pytest

from manipulators import manipulator
from taut import library
from taut.audit.passages import Passages, Passed, passage_line
from taut.build import build
from taut.integrate import passages as subject
from taut.integrate.passages import passages
from taut.integrate.simulate import simulate
from taut.results.record import RunRecord

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
    assert wrong.audit["passages"]["growth"] > 1e5


def test_runs_of_two_tolerances_come_apart_there(heavy_rod, wrong):
    closer = simulate(heavy_rod, tolerance=1e-9, audit=False)
    apart = np.linalg.norm(wrong["platform_position"].values - closer["platform_position"].values, axis=1)
    k = int(np.searchsorted(wrong.time, wrong.audit["passages"]["times"][2])) - 5
    assert apart[-1] > 1e4 * apart[:k].max()


@pytest.mark.parametrize("tolerance", [1e-6, 1e-9])
@pytest.mark.parametrize("name", ["stewart-free-fall", "six-rss-free-fall", "hexapod", "delta"])
def test_harmless_passages_pass(name, tolerance):
    audit = simulate(manipulator(name), tolerance=tolerance).audit
    assert audit["verdict"] == "pass" and audit["passages"]["count"] == 1
    assert audit["passages"]["growth"] < 10.0


def test_what_passes_nothing_is_not_run_again(monkeypatch):
    monkeypatch.setattr(subject, "Again", None)
    assert "passages" not in simulate(manipulator("six-rss-heave"), duration=0.2).audit


def test_a_run_without_an_audit_is_not_run_again(monkeypatch):
    monkeypatch.setattr(subject, "Again", None)
    assert "passages" not in simulate(manipulator("stewart-free-fall"), audit=False).audit


def line(*growths, tolerance=1e-6, error_growth=1.0):
    found = tuple(Passed(float(k), "gain", 1e3, True, growth) for k, growth in enumerate(growths))
    return passage_line(Passages(found, error_growth), RunRecord(tolerance=tolerance))


def test_growths_multiply_and_what_shrinks_does_not_count():
    assert line(20.0, 0.1, 4.0)["verdict"] == "pass"
    assert line(20.0, 0.1, 6.0)["verdict"] == "warn"
    assert line(20.0, 60.0)["verdict"] == "fail"
    assert line(20.0, 60.0)["growth"] == pytest.approx(1200.0)


def test_more_exact_steps_allow_more_growth_until_rounding():
    failed = line(1e5)
    assert failed["verdict"] == "fail" and "run.error_growth: 1e+03" in failed["reason"]
    assert line(1e5, error_growth=1e3)["verdict"] == "pass"
    hopeless = line(1e10, error_growth=1e9)
    assert hopeless["verdict"] == "fail" and "error_growth" not in hopeless["reason"]


def test_a_machine_that_gets_stuck_fails():
    assert "does not get through" in line(2.0, np.inf)["reason"]


def test_growth_that_cannot_be_measured_is_a_warning():
    assert passage_line(Passages((), 1.0, "no second call"), RunRecord())["verdict"] == "warn"
    assert passage_line(None, RunRecord()) is None
