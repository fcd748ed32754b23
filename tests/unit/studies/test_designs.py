"""Designs have the values, distributions and correlations that were asked for, and depend on the seed alone."""

import numpy as np
import pytest
from scipy import stats

from taut.scenario.errors import ScenarioError
from taut.studies.designs import design_table
from taut.studies.records import StudyRecord


def table_of(vary, **keys):
    return design_table(StudyRecord.model_validate({"base": "x", "vary": vary, "measure": {"ok": "audit"}, **keys}))


def test_grid_has_all_combinations_the_last_key_fastest():
    table = table_of({"a": [1, 2], "b": {"from": 0, "to": 1, "count": 3}, "c": 7})
    rows = [tuple(table.values(k).values()) for k in range(table.count)]
    assert rows == [(a, b, 7) for a in (1, 2) for b in (0.0, 0.5, 1.0)]
    assert isinstance(rows[0][0], int)


@pytest.mark.parametrize("kind", ["random", "latin-hypercube", "sobol"])
@pytest.mark.parametrize(
    ("way", "law"),
    [
        ({"from": 2, "to": 5}, stats.uniform(2, 3)),
        ({"from": 1, "to": 100, "scale": "log"}, stats.loguniform(1, 100)),
        ({"normal": [10, 2]}, stats.norm(10, 2)),
        ({"normal": [0, 1], "within": [-1, 2]}, stats.truncnorm(-1, 2)),
        ({"lognormal": [3, 1]}, stats.lognorm(np.sqrt(np.log1p(1 / 9)), scale=3 / np.sqrt(1 + 1 / 9))),
        ({"triangular": [1, 2, 5]}, stats.triang(0.25, 1, 4)),
    ],
)
def test_samples_have_their_distribution(kind, way, law):
    numbers = table_of({"a": way}, design={"kind": kind, "count": 2000, "seed": 5}).columns["a"].numbers
    assert stats.kstest(numbers, law.cdf).pvalue > 1e-3


@pytest.mark.parametrize("kind", ["random", "sobol"])
def test_rows_belong_to_their_number(kind):
    short, long = (table_of({"a": {"from": 0, "to": 1}, "b": {"normal": [0, 1]}},
                            design={"kind": kind, "count": n, "seed": 9}) for n in (10, 33))  # fmt: skip
    assert all(short.values(k) == long.values(k) for k in range(10))


def test_latin_hypercube_has_one_value_in_each_stratum():
    numbers = (
        table_of({"a": {"from": 0, "to": 1}}, design={"kind": "latin-hypercube", "count": 50}).columns["a"].numbers
    )
    assert sorted((numbers * 50).astype(int)) == list(range(50))


def test_correlated_normals():
    vary = {"a": {"normal": [10, 1]}, "b": {"normal": [0, 3]}, "c": {"normal": [0, 1]}}
    found = table_of(vary, correlate=[{"between": ["a", "b"], "coefficient": 0.8}],
                     design={"kind": "sobol", "count": 4096}).columns  # fmt: skip
    matrix = np.corrcoef([found[key].numbers for key in "abc"])
    assert matrix[0, 1] == pytest.approx(0.8, abs=0.01) and abs(matrix[0, 2]) < 0.02
    assert np.std(found["b"].numbers) == pytest.approx(3, rel=0.01)


def test_ties():
    table = table_of({"a": [1, 2], "b": {"tied": "a", "factor": 2, "offset": 1}, "c": {"tied": "a"},
                      "d": {"tied": "a", "values": ["x", {"kind": "y"}]}})  # fmt: skip
    assert table.values(1) == {"a": 2, "b": 5.0, "c": 2, "d": {"kind": "y"}}
    assert isinstance(table.values(1)["c"], int)


@pytest.mark.parametrize(
    ("vary", "keys", "text"),
    [
        ({"a": 3}, {}, "the design is empty"),
        ({"a": {"from": 0, "to": 1}}, {}, "needs a count"),
        ({"a": [1, 2], "b": {"tied": "aa"}}, {}, "did you mean 'a'"),
        ({"a": [1, 2], "b": {"tied": "a", "values": [1]}}, {}, "one value for each"),
        ({"a": [1, 2], "b": 1}, {"correlate": [{"between": ["a", "b"], "coefficient": 0.5}]}, "no meaning in a grid"),
    ],
)
def test_refused(vary, keys, text):
    with pytest.raises(ScenarioError, match=text):
        table_of(vary, **keys)


@pytest.mark.parametrize(
    ("way", "keys", "text"),
    [
        ({"normal": [0, 1]}, {"correlate": [{"between": ["a", "a"], "coefficient": 0.5}]}, "two different keys"),
        ({"normal": [0, 1]}, {"correlate": [{"between": pair, "coefficient": 0.5} for pair in ("ab", "ba")]}, "twice"),
        ({"normal": [0, 1], "within": [50, 60]}, {}, "at least 1e-06 of the distribution"),
        ({"normal": [0, 1]}, {"goals": [{"minimize": "ok"}], "limits": [{"measure": "ok"}]}, "most or least"),
        ({"normal": [0, 1]}, {"limits": [{"measure": "ok", "most": 1, "least": 2}]}, "not be less than least"),
    ],
)
def test_what_would_say_nothing_or_be_wrong(way, keys, text):
    for pair in keys.get("correlate", []):
        pair["between"] = list(pair["between"])
    with pytest.raises(ValueError, match=text):
        table_of({"a": way, "b": {"normal": [0, 1]}}, design={"kind": "random", "count": 5}, **keys)


def test_correlations_that_contradict_each_other():
    vary = {key: {"normal": [0, 1]} for key in "abc"}
    pairs = [
        {"between": pair, "coefficient": c} for pair, c in ((["a", "b"], 0.9), (["b", "c"], 0.9), (["a", "c"], -0.9))
    ]
    with pytest.raises(ScenarioError, match="at once"):
        table_of(vary, correlate=pairs, design={"kind": "random", "count": 5})
