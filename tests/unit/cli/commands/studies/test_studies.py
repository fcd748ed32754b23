"""What the commands of studies say: answers, progress, runs of a study as FILE."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import taut
from taut.cli import app
from taut.cli.inputs import read_input, run_of_study
from taut.cli.sweeping import SweepProgress, answer_lines, answer_of, clock, endings
from taut.studies.answers.failure_probability import check_condition
from taut.studies.plan import make_plan
from taut.studies.running import run_batch
from taut.studies.store import Store

TEXT = """taut-study: 1
name: pendulums
base: double-pendulum
vary:
  run.duration: 0.05
  bodies.upper.mass: {from: 1, to: 2}
design: {kind: random, count: 4}
measure:
  x: {max: joint_position, joint: lower}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A study of four runs, one of which broke off."""
    path = tmp_path_factory.mktemp("study")
    (path / "s.yaml").write_text(TEXT)
    (path / "goal.yaml").write_text(TEXT + "goals: [{minimize: x}]\n")
    study = taut.study(path / "s.yaml")
    plan = make_plan(study)
    store = Store(study, plan.shapes, path / "s.zarr")
    store.create()
    batch = [(k, study.values(k)) for k in range(3)] + [(3, study.values(3) | {"bodies.upper.mass": -1.0})]
    store.put(range(4), run_batch(plan.job, batch))
    store.write()
    return path


def test_answer(folder):
    answer = answer_of(taut.open_study(folder / "s.zarr"), Path("s.zarr"), sensitivity=None, condition="x > 0")
    text = "\n".join(answer_lines(answer))
    assert "pendulums: 3 of 4 runs are good, 1 refused" in text and "run 3: " in text
    assert "probability of x > 0: 1," in text and json.dumps(answer, allow_nan=False)
    assert "no good run gave a number for: x" in "\n".join(answer_lines(answer | {"measures": {}, "without": ["x"]}))


def test_a_run_of_a_study_is_a_scenario(folder):
    given = read_input(f"{folder}/s.zarr#2", ["run.duration=0.02"])
    study = taut.study(folder / "s.yaml")
    assert given.scenario.bodies["upper"].mass == study.values(2)["bodies.upper.mass"]
    assert given.scenario.run.duration == 0.02 and given.stem == "s-2"
    assert run_of_study("s.zarr") is None and run_of_study("s.yaml#2") is None


def test_run_that_is_not_there(folder):
    answer = CliRunner().invoke(app, ["check", f"{folder}/s.zarr#9"])
    assert answer.exit_code == 2 and "its runs are 0 to 3" in answer.stderr


def test_report_of_a_study(folder):
    answer = CliRunner().invoke(app, ["report", f"{folder}/s.zarr", "-o", f"{folder}/s.html"])
    assert answer.exit_code == 0 and "Runs that failed" in (folder / "s.html").read_text()


def test_a_measure_by_cable_has_a_condition_for_each():
    study = taut.study("double-pendulum", {"run.duration": [1, 2]}, {"v": {"peak": "body_velocity", "by": "body"}},
                       design={"kind": "random", "count": 3})  # fmt: skip
    check_condition(study.record, "v.upper > 1e-3")
    with pytest.raises(taut.ScenarioError, match=r"known: v\.body"):
        check_condition(study.record, "v > 1")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["sweep", "nowhere.yaml"], "does not exist"),
        (["sweep", "{}/s.yaml", "-o", "{}/s.zarr"], "a study is there"),
        (["sweep", "{}/s.yaml", "--sensitivity", "sobl"], "did you mean 'sobol'"),
        (["sweep", "{}/s.yaml", "--failure-probability", "xx > 1"], "did you mean 'x'"),
        (["sweep", "{}/s.yaml", "--failure-probability", "x > -e"], "must be a measure, < or >, and a number"),
        (["sweep", "{}/s.yaml", "--sensitivity", "sobol", "--failure-probability", "x > 1"], "no probabilities"),
        (["sweep", "{}/s.yaml", "-o", "{}/n.zarr", "--scheduler", "tcp://127.0.0.1:1"], "cannot be reached"),
        (["optimize", "{}/s.yaml"], "one goal, or two"),
        (["optimize", "{}/goal.yaml", "-o", "{}/no/x.jsonl"], "its folder does not exist"),
        (["optimize", "{}/goal.yaml", "-o", "{}", "--resume"], "is a folder"),
        (["optimize", "{}/goal.yaml", "-o", "{}/s.yaml", "--resume"], "of another study"),
        (["fit", "bounce", "nowhere.csv", "-p", "a"], "does not exist"),
    ],
)
def test_bad_input(folder, arguments, text, monkeypatch):
    monkeypatch.setattr("taut.studies.cluster.CONNECTING", 1.0)
    monkeypatch.chdir(folder)
    answer = CliRunner().invoke(app, [argument.format(folder) for argument in arguments])
    assert answer.exit_code == 2 and text in answer.stderr


def test_progress_says_what_is_left():
    progress = SweepProgress(100)
    progress._first, progress._begin = 10, 0.0
    assert progress.headline(20, 5.0) == "20 of 100 runs, 2 per second, 0:00:40 left"
    assert clock(3723.4) == "1:02:03" and progress.headline(10, 5.0) == "10 of 100 runs"


def test_table_while_it_runs(folder):
    study = taut.study(folder / "s.yaml")
    store = Store(study, make_plan(study).shapes, None)
    store.measures["x"][:2] = [[1.0], [3.0]]
    store.status[:2] = 1
    head, table, ends = SweepProgress(4).table(store, 2, 1.0).renderables
    assert table.row_count == 1 and list(table.columns[2].cells) == ["2"] and np.isnan(store.measures["x"][2])
    assert "2 of 4 runs" in head.plain and not ends.plain
    store.status[2:], store.audit[0] = [4, 5], 2
    assert endings(store) == "2 completed; 1 refused; 1 timed out; 1 audit failed"
