import base64
import json
import re

import numpy as np
import pytest

from taut.results.errors import ResultError
from taut.views.report import report_page, write_report
from taut.views.report.numbers import key_numbers, shown_body
from taut.views.report.parts import audit_html, head_html, lost
from taut.views.report.scene_data import FULL, scene_data
from taut.views.scene.machine import read_machine
from unit.results.synthetic import synthetic_record, synthetic_result

RESULT = synthetic_result(samples=61)


def small_result(**options):
    """A result with little to draw."""
    result = synthetic_result(samples=5, **options)
    result.dataset = result.dataset[["body_position", "body_quaternion"]]
    return result


@pytest.fixture(scope="module")
def page():
    return report_page(RESULT)


def test_every_group_has_its_figure(page):
    figures = re.findall(r'id="figure-([\w-]+)"><img src="data:image/svg', page)
    names = "motion deviation velocity acceleration tension slack anchor-force exit-force constraint energy step"
    assert figures == names.split()


def test_the_page_asks_for_nothing_from_elsewhere(page):
    addresses = re.findall(r'(?:src|href)="([^"]{0,40})', page)
    assert all(address.startswith(("data:", "#")) for address in addresses)
    assert "@import" not in page and "default-src 'none'" in page
    outside = re.sub(r'"data:[^"]*"', "", page)
    assert not re.search(r"https?://", outside)


def test_words_of_the_scenario_are_not_taken_as_markup():
    hostile = "</script><script>alert(1)</script>"
    result = small_result()
    result.dataset.attrs |= {"title": hostile, "scenario": f"taut: 1\nname: '{hostile}'\n"}
    page = report_page(result)
    assert hostile not in page and "&lt;/script&gt;&lt;script&gt;alert(1)" in page


def test_audit_versions_and_scenario_are_there(page):
    attrs = RESULT.dataset.attrs
    for text in ("audit: pass", "e1 at most", attrs["taut_version"], "taut run scenario.yaml", "name: synthetic pick"):
        assert text in page


def test_key_numbers_are_those_of_the_result():
    numbers = {label: value for value, label in key_numbers(RESULT)}
    path = RESULT["platform_position"].values
    travel = np.linalg.norm(np.diff(path, axis=0), axis=1).sum()
    assert numbers["travelled by platform"] == f"{travel:.4g} m"
    assert numbers["simulated, 61 samples"] == "6 s"
    highest = float(RESULT["cable_tension"].max())
    assert [value for label, value in numbers.items() if label.startswith("largest tension")] == [f"{highest:.4g} N"]


def test_places_of_the_player_are_those_of_the_result():
    data = scene_data(read_machine(RESULT))
    packed = np.frombuffer(base64.b64decode(data["position"]), "<i2").reshape(-1, 1, 3).astype(float)
    places = np.array(data["low"]) + (packed + FULL) / (2.0 * FULL) * data["span"]
    np.testing.assert_allclose(places[:, 0], RESULT["platform_position"], atol=1e-4 * max(data["span"]))
    json.dumps(data, allow_nan=False)


def test_a_failed_run_shows_why():
    page = report_page(small_result(status="step too small"))
    assert "audit: fail" in page and "the run did not complete" in page


def test_report_is_written_whole_or_not_at_all(tmp_path):
    result = small_result()
    assert write_report(result, tmp_path / "r.html").stat().st_size > 50_000
    with pytest.raises(ResultError, match="folder does not exist"):
        write_report(result, tmp_path / "none" / "r.html")
    assert synthetic_record().title in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_what_broke_stands_at_the_top():
    result = small_result()
    result.dataset.attrs["events"] = json.dumps([
        {"time": 2.0471, "name": "hoist overload", "what": "passes upwards"},
        {"time": 2.0471, "name": "hoist breaks", "what": "hoist breaks"},
    ])  # fmt: skip
    assert '</h1><div class="soft"><p>hoist breaks at t = 2.047 s.</p><p>run completed' in head_html(result, "")
    assert lost([{"time": 1.0, "name": "C1", "what": "goes slack"}]) == []


def test_lines_of_the_audit_without_words_are_left_out():
    audit = {"verdict": "pass", "reasons": [], "warnings": [],
             "constraint_error": {"verdict": "pass", "loops": False},
             "constraint_error_velocity": {"verdict": "pass", "loops": False}}  # fmt: skip
    assert audit_html(audit).count("<tr>") == 1


def test_the_load_is_shown_and_not_the_driver_that_comes_after_it():
    assert shown_body(["platform", "hook"], {}) == "platform" and shown_body(["cart", "load"], {}) == "load"
    assert shown_body(["load", "trolley"], {"drivers": {"trolley": {"kind": "trolley"}}}) == "load"
