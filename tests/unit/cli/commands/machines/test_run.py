"""`taut run` and `taut plot`: answers, files, exit codes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import taut
from command_line import call
from taut.cli.progress import RunProgress

PENDULUM = "double-pendulum"
SHORT = ("--duration", "0.2", "--tolerance", "1e-6")
LONG = ("mamidi-pick-and-place", "--set", "defaults.cable.elements=40", "--tolerance", "1e-11")


pytestmark = pytest.mark.usefixtures("folder")


def run(*arguments: str):
    return call("run", *arguments)


def test_summary_audit_and_file(folder):
    answer = run(PENDULUM, *SHORT)
    assert answer.exit_code == 0, answer.output
    assert "completed" in answer.stdout and "audit: pass" in answer.stdout
    assert taut.open_result(folder / f"{PENDULUM}.nc").time[-1] == 0.2


def test_json_is_one_object(folder):
    answer = run(PENDULUM, *SHORT, "--json", "-o", "out.nc", "--set", "run.save_every=0.1")
    found = json.loads(answer.stdout)
    assert found["ok"] and found["output"] == "out.nc" and found["samples"] == 3
    assert found["audit"]["verdict"] == "pass" and found["status"] == "completed"


def test_a_failed_audit_is_exit_1(folder, monkeypatch):
    monkeypatch.setattr("taut.results.audit.ENERGY_LIMIT", 0.0)
    monkeypatch.setattr("taut.model.model.Model.weight", 0.0)
    answer = run(PENDULUM, *SHORT, "--json")
    assert answer.exit_code == 1 and not json.loads(answer.stdout)["ok"]


def test_a_result_runs_again(folder):
    run(PENDULUM, *SHORT, "-o", "first.nc")
    assert run("first.nc", "-o", "second.nc").exit_code == 0
    first, second = (taut.open_result(folder / name) for name in ("first.nc", "second.nc"))
    assert second.scenario_text == first.scenario_text and first.dataset.equals(second.dataset)


def test_output_is_overwritten(folder):
    assert [run(PENDULUM, "--duration", end, "-o", "out.nc").exit_code for end in ("0.2", "0.1")] == [0, 0]
    assert taut.open_result(folder / "out.nc").time[-1] == 0.1


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--tolerance", "1e-30"), "run.tolerance = 1e-30: must not be less than 1e-13"),
        (("--duration", ".nan"), "run.duration = nan: must be a finite number"),
        (("--duration", "0"), "must be greater than 0"),
        (("--integrator", "radu"), "did you mean 'radau'?"),
        (("--set", "bodies.upper.mass=.inf"), "must be a finite number"),
        (("-o", "no/folder/out.nc"), "its folder does not exist"),
        (("-o", "."), "is a folder"),
        (("-o", "/proc/out.nc"), "cannot be written"),
    ],
)
def test_bad_values_leave_nothing(folder, arguments, text):
    answer = run(PENDULUM, *arguments)
    assert answer.exit_code == 2 and text in answer.stderr and "Traceback" not in answer.output
    assert not list(folder.iterdir())


def test_cable_without_length():
    answer = run("mamidi-pick-and-place", "--set", "cables[0].exit=[0.4, 0.6020797289396148, 0.2]")
    assert answer.exit_code == 2 and "cable C1 has no length" in answer.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_read_only_folder(folder):
    (folder / "locked").mkdir(mode=0o500)
    answer = run(PENDULUM, "-o", "locked/out.nc")
    assert answer.exit_code == 2 and "read-only" in answer.stderr


def test_missing_and_foreign_results(folder):
    assert run("nothing.nc").exit_code == 2
    (folder / "other.nc").write_bytes(b"text")
    answer = run("other.nc", "--json")
    assert answer.exit_code == 2 and "not a taut result" in json.loads(answer.stdout)["problems"][0]["message"]


def test_resume_of_a_complete_run_only_tells(folder):
    run(PENDULUM, *SHORT, "-o", "out.nc")
    before = (folder / "out.nc").stat().st_mtime_ns
    answer = run("out.nc", "--resume")
    assert answer.exit_code == 0 and "complete already" in answer.stderr
    assert (folder / "out.nc").stat().st_mtime_ns == before


def test_resume_without_a_run_begins(folder):
    answer = run(PENDULUM, *SHORT, "--resume")
    assert answer.exit_code == 0 and "beginning at the start" in answer.stderr


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_and_resumed(folder, end):
    code = "import sys; from taut.cli import app; app(sys.argv[1:])"
    command = [sys.executable, "-c", code, "run", *LONG, "-o", "out.nc"]
    environment = {**os.environ, "PYTHONPATH": str(Path(taut.__file__).parents[1])}
    child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    while not (folder / "out.nc.journal").exists() and child.poll() is None:
        time.sleep(0.01)
    time.sleep(0.8)
    child.send_signal(end)
    printed = child.communicate()[0]
    if end == signal.SIGINT:
        assert child.returncode == 1 and "to carry on: taut run out.nc --resume" in printed
        assert taut.open_result(folder / "out.nc").status == "interrupted"
    # the scenario and its settings come from what the run left
    assert "completed" in run("out.nc", "--resume").stdout
    assert taut.open_result(folder / "out.nc").time[-1] == 6.0


def test_progress_only_on_a_terminal_and_not_at_once(monkeypatch, capsys):
    monkeypatch.setattr("taut.cli.progress.AFTER", 0.0)
    progress = RunProgress()
    progress(1.0, 2.0)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    progress = RunProgress()
    progress(1.0, 2.0)
    progress(1.5, 2.0)
    progress.close()
    assert "of 2 s" in capsys.readouterr().err


def test_plot(folder):
    run(PENDULUM, *SHORT, "-o", "out.nc")
    answer = call("plot", "out.nc", "--group", "energy,step", "--format", "png,svg")
    assert answer.exit_code == 0, answer.output
    names = {file.name for file in (folder / "out-figures").iterdir()}
    assert names == {"energy.png", "energy.svg", "step.png", "step.svg"}


def test_plot_of_several_and_as_json(folder):
    run(PENDULUM, *SHORT, "-o", "a.nc")
    run(PENDULUM, *SHORT, "-o", "b.nc")
    answer = call("plot", "a.nc", "b.nc", "-o", "both", "--group", "motion", "--json")
    assert json.loads(answer.stdout)["figures"] == ["both/motion-upper.png", "both/motion-lower.png"]


@pytest.mark.parametrize("arguments", [["nothing.nc"], ["a.nc", "--group", "colour"], ["a.nc", "--format", "gif"]])
def test_plot_refuses(folder, arguments):
    run(PENDULUM, *SHORT, "-o", "a.nc")
    answer = call("plot", *arguments)
    assert answer.exit_code == 2 and "Traceback" not in answer.output
