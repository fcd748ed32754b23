"""Statistics, sensitivities and failure probabilities against closed forms; the page of a study."""

import json

import numpy as np
import pytest
import xarray as xr

import taut
from taut.scenario.errors import ScenarioError
from taut.studies.answers.failure_probability import failure_probability, probability_of
from taut.studies.answers.sensitivity import of_measure, sensitivity_points
from taut.studies.answers.statistics import counts, main_effect, statistics
from taut.studies.report.figures import cells, levels_of
from taut.studies.report.page import study_page
from taut.studies.running import COMPLETED, FAILED
from taut.verify.studies import closed_forms


@pytest.fixture(scope="module")
def dataset():
    """A hundred runs whose measure is known; one failed, one failed its audit."""
    vary = {
        "bodies.upper.mass": {"from": 1, "to": 2},
        "bodies.lower.mass": {"normal": [1, 0.1]},
        "run.duration": [1, 2],
    }
    study = taut.study("double-pendulum", vary, {"y": {"max": "joint_position"}, "ok": "audit"},
                       design={"kind": "random", "count": 100}, name="<b>test</b>")  # fmt: skip
    x = {key: own.as_numbers(100) for key, own in study.table.varied.items()}
    y = 3 * x["bodies.upper.mass"] + x["bodies.lower.mass"]
    status, audit = np.full(100, COMPLETED, np.int8), np.ones(100, np.int8)
    status[3], audit[7], y[3] = FAILED, 2, np.nan
    names = {"y": y, "ok": (audit == 1).astype(float), "status": status, "audit": audit, "seconds": np.ones(100),
             "cause": np.where(status == FAILED, "step too small", "").astype(object)}  # fmt: skip
    attrs = {"title": study.title, "study": json.dumps(study.as_dict()), "parameters": list(x)}
    return xr.Dataset(
        {key: ("run", own) for key, own in names.items()}, {key: ("run", own) for key, own in x.items()}, attrs
    )


def test_failed_runs_and_audits_are_left_out(dataset):
    found, own = counts(dataset), statistics(dataset)["y"]
    assert (found["good"], found["failed"], found["audit failed"], own.count) == (98, 1, 1, 98)
    y = np.delete(dataset["y"].values, [3, 7])
    assert own.mean == pytest.approx(y.mean()) and own.interval[0] < 5.5 < own.interval[1]
    assert dataset["y"].values[own.most[1]] == own.most[0] == y.max()


def test_runs_that_depend_on_one_another_have_no_intervals(dataset):
    plain = json.loads(dataset.attrs["study"])
    plain["study"]["design"] = {"kind": "saltelli", "count": 25}
    own = statistics(dataset.assign_attrs(study=json.dumps(plain)))["y"]
    assert np.isnan(own.interval).all() and np.isnan(own.quantiles[0.5][1:]).all() and own.mean > 0


def test_main_effect_of_a_line():
    x = np.linspace(0, 1, 1000)
    levels, means, halves = main_effect(x, 2 * x)
    assert means == pytest.approx(2 * levels) and len(levels) == 10 and np.all(halves < 0.05)


def test_cells_of_a_map():
    a, b = np.repeat([0.0, 1.0], 3), np.tile([0.0, 1.0, 2.0], 2)
    x, y, mean = cells(a, b, 10 * a + b)
    assert mean.tolist() == [[0, 1, 2], [10, 11, 12]] and x.tolist() == [-0.5, 0.5, 1.5] and len(y) == 4


@pytest.mark.parametrize(
    ("levels", "shown"),
    [
        (["radau", "generalized-alpha"], ["radau", "generalized-alpha"]),
        (
            [{"kind": "pid", "kp": 1, "kd": 2}, {"kind": "pid", "kp": 1, "kd": 3}],
            [f"{k}: {{'kind': 'pid', '..." for k in (0, 1)],
        ),
    ],
)
def test_values_that_are_no_numbers_are_told_apart(levels, shown):
    dataset = xr.Dataset(coords={"c": ("run", [0, 1], {"levels": json.dumps(levels)})})
    assert levels_of(dataset, "c") == shown


def test_cells_are_as_many_as_runs_can_fill():
    a, b = np.random.default_rng(1).random((2, 48))
    x, y, mean = cells(a, b, a + b)
    assert len(x) == len(y) == 5 and np.isfinite(mean).sum() >= 12
    assert len(main_effect(a, b, 4)[0]) == 4


@pytest.mark.parametrize(
    "quantity", [*closed_forms.ishigami_quantities(), *closed_forms.coverage_quantities()], ids=str
)
def test_closed_forms(quantity):
    assert quantity.is_passed, quantity


def test_morris_of_a_line():
    u = sensitivity_points("morris", 20, 3, 0)
    found = of_measure("y", u @ [1.0, -2.0, 0.0], ("a", "b", "c"), "morris", u)
    assert found.columns["mu_star"] == pytest.approx([0.99, 1.98, 0], abs=1e-12)
    assert found.columns["sigma"] == pytest.approx([0, 0, 0], abs=1e-12)


def test_groups_with_a_failed_run_are_left_out():
    u = sensitivity_points("saltelli", 256, 2, 0)
    y = u[:, 0].copy()
    y[5] = np.nan
    found = of_measure("y", y, ("a", "b"), "saltelli", u)
    assert found.left_out == 1 and found.columns["S1"] == pytest.approx([1, 0], abs=0.05)


def test_failure_probability(dataset):
    found = failure_probability(dataset, "y > 5.5")
    assert found.unknown == 2 and found.interval[0] < 0.5 < found.interval[1]
    none = probability_of("", 300, 0, 0)
    # rule of three for the one-sided limit; two-sided 3.69 / n
    assert none.interval == (0.0, pytest.approx(3.69 / 300, rel=0.01)) and none.runs_needed > 2000
    assert probability_of("", 10_000, 100, 0).runs_needed == pytest.approx(38_000, rel=0.01)
    with pytest.raises(ScenarioError, match="is no measure"):
        failure_probability(dataset, "z > 5")


def test_page(dataset):
    page = study_page(dataset, "s.zarr")
    assert "&lt;b&gt;test&lt;/b&gt;" in page and "<b>test" not in page
    assert all(
        text in page for text in ("Main effects", "Heat maps", "taut run s.zarr#", "step too small", "parallel-data")
    )
    assert "http" not in page.replace("http-equiv", "")
