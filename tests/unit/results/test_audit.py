import re

import numpy as np
import pytest
import xarray as xr

from taut.results.audit import collapse, compute_audit, compute_thresholds, machine_size, remarks_of
from taut.results.audit_text import audit_lines
from taut.results.finish import make_result
from taut.results.record import RunRecord
from unit.results.synthetic import synthetic_arrays, synthetic_record, synthetic_result

ARRAYS, COORDS = synthetic_arrays(samples=61)


def changed(name, change, at=30):
    """The named array with something added to one sample."""
    array = ARRAYS[name].copy()
    array[at] = array[at] + change
    return {name: array}


def audit_of(**changes):
    return synthetic_result(samples=61, **changes).audit


def test_a_cable_that_broke_is_told_with_its_time():
    said = ["hoist carries up to 98.2 % of its breaking load: less than the safety factor 4", "boom carries up to 30 %"]
    events = [{"time": 2.0471, "name": "hoist breaks", "what": "hoist breaks"}]
    found = remarks_of(RunRecord(warnings=said, events=events))
    assert found == ["hoist broke at t = 2.047 s", said[1]] and remarks_of(RunRecord(warnings=said)) == said


def test_good_run_passes():
    audit = audit_of()
    assert audit["verdict"] == "pass" and audit["reasons"] == audit["warnings"] == []
    judged = ("run", "finite", "constraint_error", "constraint_error_velocity", "energy", "steps")
    assert [audit[line]["verdict"] for line in judged] == ["pass"] * 6
    assert audit["tension"]["verdict"] == audit["slack"]["verdict"] == "note"


@pytest.mark.parametrize(
    ("line", "changes", "reason"),
    [
        ("run", {"status": "diverged"}, "the run did not complete: diverged at t = 6 s"),
        ("finite", changed("joint_velocity", np.nan), "not finite in joint_velocity"),
        ("finite", changed("cable_nodes", np.inf), "not finite in cable_nodes"),
        ("constraint_error", changed("constraint_error", 2e-9), "constraint_error is 2e-09 m at t = 3 s"),
        ("constraint_error", changed("constraint_error", np.nan), "constraint_error is not finite m at t = 3 s"),
        ("constraint_error_velocity", changed("constraint_error_velocity", 2e-8), "more than 1e-08"),
        ("energy", changed("work_dissipated", 1e-3), "energy balance is off by .* of the energy exchanged at t = 3 s"),
        ("energy", changed("energy_kinetic", np.nan), "energy balance is off by not finite"),
    ],
)
def test_bad_run_fails_with_the_reason(line, changes, reason):
    audit = audit_of(**changes)
    assert audit["verdict"] == "fail" and audit[line]["verdict"] == "fail"
    assert any(re.search(reason, text) for text in audit["reasons"])


def test_constraint_error_tells_when_and_where():
    closure = ARRAYS["closure_error"].copy()
    closure[12, 2] = 5e-10
    line = audit_of(closure_error=closure, constraint_error=closure.max(axis=1))["constraint_error"]
    assert (line["max"], line["closure"]) == (5e-10, "C3.anchor")
    assert line["time"] == COORDS["time"][12]


def test_energy_tells_input_dissipation_and_stored():
    line = audit_of()["energy"]
    assert line["input"] == pytest.approx(line["stored"] + line["dissipated"], abs=1e-6)
    assert line["exchanged"] == pytest.approx(np.ptp(ARRAYS["work_input"]))
    assert line["relative"] == pytest.approx(1e-7 / line["exchanged"], rel=0.01)


def test_machine_at_rest_passes_and_only_rounding_is_allowed():
    still = {name: np.full(61, 3.0) for name in ("energy_gravity", "energy_elastic")}
    still |= {name: np.zeros(61) for name in ("energy_kinetic", "work_input", "work_dissipated")}
    line = audit_of(**still)["energy"]
    assert line["verdict"] == "pass" and line["relative"] is None
    still["work_input"] = np.full(61, 1e-9)
    assert audit_of(**still)["energy"]["verdict"] == "fail"


def test_many_newton_failures_warn_and_do_not_fail():
    record = synthetic_record(statistics={"accepted": np.int64(100), "newton_failures": 11})
    audit = compute_audit(synthetic_result(samples=61).dataset, record)
    assert audit["verdict"] == "pass" and audit["steps"]["verdict"] == "warn"
    assert "failed 11 times in 100 steps" in audit["warnings"][0]


def test_stop_by_an_event_is_an_end():
    assert audit_of(status="stopped")["verdict"] == "pass"


def test_limits_grow_with_the_machine_and_can_be_set():
    big = synthetic_result(samples=61, **{name: 100.0 * ARRAYS[name] for name in ("cable_nodes", "body_position")})
    assert machine_size(big.dataset) == pytest.approx(85.0)
    assert big.audit["thresholds"]["constraint_error"] == pytest.approx(8.5e-8)
    assert big.audit["thresholds"]["constraint_error_velocity"] == pytest.approx(8.5e-7)
    record = synthetic_record(tolerance=1e-4, thresholds={"constraint_error": 1e-3})
    thresholds = compute_audit(big.dataset, record)["thresholds"]
    assert (thresholds["constraint_error"], thresholds["energy_balance"]) == (1e-3, 1e-3)


def test_small_machine_has_the_plain_limits():
    assert audit_of()["thresholds"]["constraint_error"] == 1e-9


def test_machine_without_loops_and_cables_has_fewer_lines():
    dataset = synthetic_result(samples=61).dataset[["body_position", "energy_kinetic"]]
    audit = compute_audit(dataset, synthetic_record(statistics={}))
    assert audit["verdict"] == "pass"
    assert not {"constraint_error", "energy", "tension", "slack"} & set(audit)


def test_interrupted_run_is_incomplete_and_not_wrong():
    audit = audit_of(status="interrupted")
    assert audit["verdict"] == audit["run"]["verdict"] == "incomplete"
    assert audit["reasons"] == ["the run did not complete: interrupted at t = 6 s"]
    assert "part  run" in "\n".join(audit_lines(audit))
    assert audit_of(status="interrupted", **changed("constraint_error", 1.0))["verdict"] == "fail"


def test_warnings_of_the_record_are_kept():
    record = synthetic_record(warnings=["cable C1: odd"])
    assert compute_audit(synthetic_result(samples=61).dataset, record)["warnings"] == ["cable C1: odd"]


def test_energy_error_of_generalized_alpha_has_a_remedy():
    dataset = synthetic_result(samples=61, **changed("work_dissipated", 1e-3)).dataset
    reasons = compute_audit(dataset, synthetic_record(method="generalized-alpha"))["reasons"]
    assert reasons[0].endswith("set a (smaller) --step, or use radau")


def test_machine_without_loops():
    none = {name: np.zeros(61) for name in ("constraint_error", "constraint_error_velocity")}
    closures = ("closure_error", "closure_error_velocity")
    dataset = synthetic_result(samples=61, **none).dataset.drop_vars(closures)
    audit = compute_audit(dataset, synthetic_record())
    lines = audit_lines(audit)
    assert audit["verdict"] == "pass"
    assert sum("no loops" in line for line in lines) == 1 and not any("e2" in line for line in lines)


FIXED = {"energy_rise": 1e-3, "energy_gain": 1e-2, "energy_loss": 0.1}


@pytest.mark.parametrize(
    ("stored", "lost", "word"),
    [
        (0.0, 0.0, None),
        (2e-3, 0.0, "what is stored rises"),  # energy out of nothing
        (-0.05, 0.0, None),  # damping of the method
        (-0.2, 0.0, "the energy balance falls"),
        (0.0, 0.2, "the energy balance rises"),  # losses that the method invents
    ],
)
def test_fixed_steps_must_not_gain_nor_lose_too_much(stored, lost, word):
    result = synthetic_result(samples=61)
    record = synthetic_record(thresholds=FIXED, statistics={"accepted": 60, "impact_loss": 0.5})
    dataset = result.dataset.copy(deep=True)
    swings = [float(np.ptp(dataset[name].values)) for name in ("energy_kinetic", "energy_gravity", "energy_elastic",
                                                               "work_input", "work_dissipated")]  # fmt: skip
    later = dataset["time"].values > 3.0
    dataset["energy_balance"].values[:] = 0.0
    dataset["energy_kinetic"].values[:] = dataset["work_input"].values - dataset["energy_gravity"].values
    dataset["energy_kinetic"].values[:] -= dataset["energy_elastic"].values
    swings.append(float(np.ptp(dataset["energy_kinetic"].values)))
    dataset["energy_kinetic"].values[later] += stored * max(swings)
    dataset["energy_balance"].values[later] += (stored + lost) * max(swings)
    line = compute_audit(dataset, record)["energy"]
    assert line["impacts"] == 0.5
    assert (line["verdict"] == "pass") == (word is None)
    assert word is None or line["reason"].startswith(word)


def test_impacts_in_every_step_are_chatter():
    record = synthetic_record(statistics={"accepted": 60, "impacts": 30})
    audit = compute_audit(synthetic_result(samples=61).dataset, record)
    assert audit["steps"]["verdict"] == "fail" and "chatters" in audit["steps"]["reason"]


def swinging(swings):
    """Energies of a pendulum that swings for long, whose balance drifts by 3e-6 of a swing in each."""
    phase = np.linspace(0.0, 2.0 * np.pi * swings, 61 * swings)
    arrays, coords = synthetic_arrays(len(phase))
    drift = 3e-6 * phase / (2.0 * np.pi)
    none = np.zeros_like(phase)
    energies = {"energy_kinetic": np.sin(phase) ** 2 + drift, "energy_gravity": np.cos(phase) ** 2}
    rest = {"energy_elastic": none, "work_input": none, "work_dissipated": none}
    return make_result({**arrays, **energies, **rest}, coords, synthetic_record()).audit["energy"]


def test_energy_limit_grows_with_what_goes_back_and_forth():
    assert swinging(1)["verdict"] == "pass"
    assert swinging(100)["verdict"] == "pass"
    assert swinging(100)["allowed"] < 100 * swinging(1)["allowed"]


def test_energy_limit_has_an_end_however_loose_the_tolerance():
    dataset = synthetic_result(samples=61).dataset
    assert compute_thresholds(dataset, synthetic_record(tolerance=0.1))["energy_balance"] == 1e-3


def collapsed(tiny, events=()):
    """When steps collapse: those of 1 ms with some of 1e-12 s at 3 s, on a machine of 10 m."""
    size = np.concatenate([np.full(3000, 1e-3), np.full(tiny, 1e-12), np.full(3000, 1e-3)])
    dataset = xr.Dataset({"step_time": ("step", np.cumsum(size)), "step_size": ("step", size)})
    return collapse(dataset, RunRecord(size=10.0, events=list(events)))


def test_many_tiny_steps_in_a_row_are_a_collapse():
    assert collapsed(25) == pytest.approx(3.0)


def test_few_of_them_and_those_at_an_event_are_none():
    assert collapsed(5) is None
    assert collapsed(25, [{"time": 3.0, "name": "ground", "what": "closes"}]) is None
