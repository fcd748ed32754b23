import numpy as np

from taut.results.audit_text import audit_lines
from unit.results.synthetic import synthetic_result

RESULT = synthetic_result(samples=61)


def test_lines_are_plain_and_fit_a_terminal():
    lines = audit_lines(RESULT.audit)
    assert lines[0] == "audit: pass"
    assert all(line.isascii() and len(line) <= 100 for line in lines)


def test_every_subject_has_its_line():
    text = "\n".join(audit_lines(RESULT.audit))
    for words in (
        "completed, 6 s of 6 s, radau5",
        "e1 at most",
        "e2 at most",
        "J exchanged",
        "120 accepted, 7 rejected",
        "391 iterations (3.3 per step), 2 failures, 64 factorisations",
        "C1: 0 N (t = 0 s) to",
        "C1, C2, C3, C4: at t = 0 s",
    ):
        assert words in text


def test_failure_is_marked_and_explained():
    lines = audit_lines(synthetic_result(samples=61, constraint_error=np.full(61, np.nan)).audit)
    assert lines[0] == "audit: fail"
    assert any("FAIL  constraints" in line and "not finite" in line for line in lines)
    assert any("because constraint_error is not finite" in line for line in lines)


def test_many_cables_and_intervals_are_summed_up():
    audit = RESULT.audit
    cable = audit["tension"]["cables"][0]
    audit["tension"]["cables"] = [{**cable, "cable": f"C{k}", "max": float(k)} for k in range(20)]
    audit["slack"] = {"verdict": "note", "count": 500, "intervals": [
        {"cable": "C1", "elements": [1, 1], "from": float(k), "to": k + 0.5} for k in range(200)
    ]}  # fmt: skip
    text = "\n".join(audit_lines(audit))
    assert "20 cables: C0 0 N (t = 0 s) to C19 19 N" in text and "and 494 more intervals" in text


def test_result_without_audit():
    assert audit_lines({}) == ["audit: none"]


def test_a_cable_of_one_piece_is_told_without_elements():
    cable = {"cable": "C1", "elements": 1, "min": 1.0, "min_time": 0.0, "max": 2.0, "max_time": 1.0, "exit_max": 2.0}
    slack = {"cable": "C1", "elements": [1, 1], "of": 1, "from": 0.0, "to": 0.5}
    tension = {"verdict": "note", "cables": [cable, {**cable, "cable": "C2", "elements": 3}]}
    lines = audit_lines({"verdict": "pass", "reasons": [], "warnings": [], "tension": tension,
                         "slack": {"verdict": "note", "count": 1, "intervals": [slack]}})  # fmt: skip
    assert lines[1].endswith("C1: 1 N (t = 0 s) to 2 N (t = 1 s)")
    assert lines[2].endswith("C2: 1 N (t = 0 s) to 2 N (t = 1 s) along it; ends up to 2 N")
    assert lines[3].endswith("C1: t = 0 to 0.5 s")


def test_a_cable_that_is_slack_as_a_whole_is_told_without_elements():
    whole = {"cable": "hoist", "elements": [1, 14], "of": 14, "from": 0.0, "to": 0.5}
    part = {**whole, "cable": "boom", "elements": [2, 14]}
    lines = audit_lines({"verdict": "pass", "reasons": [], "warnings": [],
                         "slack": {"verdict": "note", "count": 2, "intervals": [whole, part]}})  # fmt: skip
    assert lines[1].endswith("hoist: t = 0 to 0.5 s") and lines[2].endswith("boom, elements 2 to 14: t = 0 to 0.5 s")
