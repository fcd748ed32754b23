import json

import numpy as np
import pytest

from taut.results.channels import BY_NAME
from taut.results.errors import ResultError
from taut.results.finish import journal_header, recover
from taut.results.journal import Journal
from taut.results.result import open_result
from unit.results.synthetic import SCENARIO, synthetic_arrays, synthetic_record, synthetic_result

ARRAYS, COORDS = synthetic_arrays(samples=61)


def part(first, last):
    """Samples and steps of a part of the run, as a driver writes them."""
    steps = (slice(2 * first, 2 * last), slice(first, last))
    chunk = {name: array[steps[BY_NAME[name].dims[0] == "time"]] for name, array in ARRAYS.items()}
    return {"time": COORDS["time"][first:last], **chunk}


def write_journal(path, ends):
    with Journal.create(
        path, journal_header(COORDS, synthetic_record(), model_digest="abc", sizes=np.arange(3))
    ) as journal:
        for first, last in zip([0, *ends], ends, strict=False):
            journal.append(part(first, last), {"q": np.zeros(3)})


def test_interrupted_run_opens_as_the_part_that_is_done(tmp_path):
    write_journal(tmp_path / "run.nc.journal", [20, 40])
    result = open_result(tmp_path / "run.nc.journal")
    assert result.status == "interrupted" and "--resume" in result.status_text
    assert result.scenario_text == SCENARIO
    np.testing.assert_array_equal(result["cable_tension"], ARRAYS["cable_tension"][:40])
    assert result.dataset.sizes["step"] == 80
    assert result.audit["verdict"] == "incomplete" and result.audit["run"]["end"] == COORDS["time"][39]


def test_whole_journal_gives_the_same_arrays_as_the_run(tmp_path):
    write_journal(tmp_path / "journal", [17, 61])
    whole, found = synthetic_result(samples=61), recover(tmp_path / "journal")
    assert list(found) == list(whole)
    assert all(found[name].equals(whole[name]) for name in whole)


def test_partial_result_can_be_saved(tmp_path):
    write_journal(tmp_path / "journal", [20])
    recover(tmp_path / "journal").save(tmp_path / "part.nc")
    assert open_result(tmp_path / "part.nc").status == "interrupted"


def test_missing_result_with_a_journal_points_to_resume(tmp_path):
    write_journal(tmp_path / "run.nc.journal", [20])
    with pytest.raises(ResultError, match="--resume"):
        open_result(tmp_path / "run.nc")


def test_journal_without_samples_or_names_is_refused(tmp_path):
    write_journal(tmp_path / "journal", [])
    with pytest.raises(ResultError, match="holds no samples yet"):
        recover(tmp_path / "journal")
    with Journal.create(tmp_path / "other", {}) as journal:
        journal.append({"raw": np.zeros(3)}, {})
    with pytest.raises(ResultError, match="cannot be shown"):
        recover(tmp_path / "other")


def test_audit_is_plain_json():
    result = synthetic_result(samples=5, constraint_error=np.full(5, np.nan))
    assert result.audit == json.loads(json.dumps(result.audit, allow_nan=False))
